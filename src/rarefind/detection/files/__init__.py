"""Models on disk: one file of plain numbers and words, without pickle.

A model file is an uncompressed zip archive of ``model.json`` (format, versions, names of classes,
parameters, and size and SHA-256 of every array) and one ``.npy`` file per array. Classes go by
names that stay the same wherever their code is moved (``class_names``); files of the first version
hold the places of that time, which ``version_1`` knows. Loading makes objects of known classes
only and runs no code from the file; it allocates no more memory than the file is long. A checksum
shows damage, not who wrote the file.
"""
