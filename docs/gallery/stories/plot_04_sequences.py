"""
Motifs in DNA and in SMILES strings
===================================

A spectrum kernel counts shared substrings, a gap-weighted one also those with gaps. Records that
carry a motif stand out although no position in the string is fixed.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, FAINT

rng = np.random.default_rng(11)

# %%
# 600 random sequences; ten carry the motif TATAAT twice somewhere.


def sequence(motif=""):
    letters = list(rng.choice(list("ACGT"), 60))
    for _ in range(2):
        if motif:
            start = int(rng.integers(0, 60 - len(motif)))
            letters[start : start + len(motif)] = motif
    return "".join(letters)


dna = [sequence() for _ in range(600)] + [sequence("TATAATGCAT") for _ in range(10)]
truth = ["plain"] * 600 + ["promoter"] * 10
similar = rf.kernels.Normalized(rf.kernels.Spectrum(6))
run = rf.evaluation.simulate(dna, truth, "auto", seeds=[0, 1, 2], kernel=similar, budget=200)
chance = rf.evaluation.random_labels_needed([10], len(dna))
print("labels until a promoter was seen:", run.labels_needed(), "random needs", round(chance))

# %%
# How alike is each sequence to the one that carries the motif and was found first? The others with
# the motif stand out, although it sits elsewhere in each of them.
first = next(row for row in run.rows[0] if truth[row] == "promoter")
alike = similar(dna, [dna[first]]).ravel()
rest = np.arange(len(dna)) != first
promoter = np.array([label == "promoter" for label in truth])
figure, axes = plt.subplots(figsize=(7, 3.4))
bins = np.linspace(0, alike[rest].max(), 30)
axes.hist(alike[rest & ~promoter], bins, color=FAINT, label="plain")
axes.hist(alike[rest & promoter], bins, color=ACCENT, hatch="//", label="promoter")
axes.set(yscale="log", xlabel="likeness to the promoter found first", ylabel="sequences")
axes.legend(frameon=False)
plt.show()

# %%
# Molecules as SMILES strings: the same call with another kernel.
molecules = ["CCO", "CCCO", "CCCCO", "CC(C)O", "CCN", "CCCN", "CCCCN", "CC(C)N", "c1ccccc1N(=O)=O"]
gaps = rf.kernels.Normalized(rf.kernels.GapWeighted(length=2, decay=0.5))
hunt = rf.Hunt(molecules, kernel=gaps)
print("asked first:", molecules[hunt.ask().row])

# %%
# Which molecules are alike?
gram = gaps(molecules)
nearest = np.argsort(-gram - np.eye(len(gram)) * -9, axis=1)[:, 0]
for molecule, other in zip(molecules, nearest, strict=True):
    print(f"{molecule:18} {molecules[other]}")
