"""
Molecules as graphs
===================

Atoms are nodes and bonds are edges. The walk kernel compares the walks along
bonds that two molecules share, the Weisfeiler-Lehman kernel the neighbourhoods of their atoms.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, CLASSES, FAINT
from rarefind.kernels.graphs import Graph

rng = np.random.default_rng(2)

# %%
# Chains with branches are common; rings of six with a nitrogen are rare.


def chain():
    n = int(rng.integers(6, 11))
    atoms = rng.choice(["C", "C", "C", "O"], n).tolist()
    edges = [(int(rng.integers(max(0, i - 2), i)), i) for i in range(1, n)]
    return Graph(atoms, edges)


def ring():
    atoms = ["C"] * 5 + ["N", "C", str(rng.choice(["C", "O"]))]
    return Graph(atoms, [(i, (i + 1) % 6) for i in range(6)] + [(0, 6), (6, 7)])


graphs = [chain() for _ in range(300)] + [ring() for _ in range(10)]
truth = ["chain"] * 300 + ["ring"] * 10

# %%
similar = rf.kernels.Normalized(rf.kernels.Walk(0.05, labelled=True))
hunt = rf.discover(graphs, lambda row: truth[row], kernel=similar, budget=40, background="chain")
print("a ring was found with label number", list(hunt.labels).index(hunt.found["ring"]) + 1)

# %%
# The map of kernel principal components, drawn from similarities alone.
from sklearn.decomposition import KernelPCA

places = KernelPCA(2, kernel="precomputed").fit_transform(similar(graphs))
figure, axes = plt.subplots(figsize=(6, 4))
for name, colour in (("chain", FAINT), ("ring", CLASSES[0])):
    rows = [row for row, label in enumerate(truth) if label == name]
    axes.scatter(*places[rows].T, s=14, color=colour, label=name)
asked = list(hunt.labels)
axes.scatter(*places[asked].T, s=60, facecolors="none", edgecolors=ACCENT, label="asked")
axes.set(xticks=[], yticks=[])
axes.legend(frameon=False)
plt.show()
