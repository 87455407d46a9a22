"""Saving a model."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import sklearn
from numpy.typing import NDArray

from rarefind._version import __version__
from rarefind.core.errors import DataError
from rarefind.detection.files.encoding import ModelEncoder
from rarefind.detection.files.layout import FORMAT, MANIFEST, VERSION, array_name, file_path


def save(model: Any, path: str | os.PathLike[str]) -> None:
    """Write a fitted model, or a kernel, to a file.

    Kernels, the learners of rarefind, and those of scikit-learn's models that hold nothing but
    numbers can be saved: linear models, SVC, LDA, PCA, scalers, forests, gradient boosting on
    histograms, nearest neighbours, pipelines of these. Others are refused with a
    sentence that says which part is the reason.

    Parameters
    ----------
    model
        What to save.
    path
        Where. A file of that name is replaced once the new one is complete.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rarefind.detection import load, save
    >>> from rarefind.kernels import Gaussian
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "kernel.rarefind"
    ...     save(Gaussian(width=2.0), path)
    ...     load(path)
    Gaussian(width=2.0)
    """
    encoder = ModelEncoder()
    plain = encoder.encode(model, type(model).__name__)
    files = [_npy(array) for array in encoder.arrays]
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "rarefind": __version__,
        "scikit-learn": sklearn.__version__,
        "arrays": [
            {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for content in files
        ],
        "model": plain,
    }
    text = json.dumps(manifest, allow_nan=False, indent=1)
    target = file_path(path, "save")
    if target.is_dir() or not target.parent.is_dir():
        what = (
            "is a folder" if target.is_dir() else f"lies in no folder: {target.parent} is missing"
        )
        raise DataError(f"{target} {what}. Give save a file name in a folder that exists.")
    with tempfile.NamedTemporaryFile(dir=target.parent, prefix=".model-", delete=False) as file:
        try:
            with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
                archive.writestr(MANIFEST, text)
                for number, content in enumerate(files):
                    archive.writestr(array_name(number), content)
            file.flush()
            os.fsync(file.fileno())
        except BaseException:
            Path(file.name).unlink()
            raise
    Path(file.name).replace(target)


def _npy(array: NDArray[Any]) -> bytes:
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=False)
    return buffer.getvalue()
