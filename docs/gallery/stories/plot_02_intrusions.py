"""
Intrusions in connection logs
=============================

A log of connections: how long each lasted, what it sent and received, and how many others came
from the same machine in the same minute. Three attacks hide in it. Two lie far out, and any method
that looks for outliers meets them. The third, an infected machine that calls home at regular
intervals, looks like ordinary web traffic in every field: what gives it away is that its
connections are too much alike.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import draw_bands, draw_map

rng = np.random.default_rng(3)

# %%
# Ordinary traffic of three kinds, and 46 connections that are none of it.


def connections(n, seconds, sent, received, others, spread):
    middle = np.log([seconds, sent, received, others])
    return np.exp(rng.normal(middle, spread, size=(n, 4))).round(2)


usual = [0.6, 0.9, 0.9, 0.4]
ordinary = [
    connections(3000, 0.3, 8e3, 1e3, 4, usual),  # web
    connections(1000, 1.5, 3e4, 2e4, 2, usual),  # mail
    connections(2000, 0.01, 60, 120, 8, usual),  # names
]
scan = np.column_stack([np.zeros((15, 3)), rng.integers(190, 210, 15)])
beacon = connections(25, 0.4, 6e3, 9e2, 3, 0.02)
theft = connections(6, 500, 3e3, 9e6, 1, 0.2)
# Bytes and seconds span many powers of ten; their logarithms are what one compares.
X = np.log1p(np.vstack([*ordinary, scan, beacon, theft]))
truth = np.repeat(["normal", "port scan", "beacon", "data theft"], [6000, 15, 25, 6])

# %%
# Hunt with three strategies and several seeds. How many labels until the first, second and third
# attack was seen, in the median? ``inf``: not within 120 labels.
played = {
    name: rf.evaluation.simulate(X, truth, name, seeds=range(8), budget=120)
    for name in ("auto", "farthest-first", "random")
}
for name, row in rf.evaluation.labels_to_classes(list(played.values())).items():
    print(f"{name:14} {row}")
chance = rf.evaluation.random_labels_needed([15, 25, 6], len(X))
print(f"random sampling needs {chance:.0f} labels on average to see all three")

# %%
# The discovery curve of each, with the band that holds most seeds. Farthest-first goes on from one
# odd connection to the next and never looks inside the crowd; ``auto`` does both.
figure, axes = plt.subplots(figsize=(7, 4))
bands = {name: rf.evaluation.discovery_band(run, labels=120) for name, run in played.items()}
draw_bands(axes, bands, classes=3)
plt.show()

# %%
# The questions of ``auto`` in the plane of the first two principal components.
from sklearn.decomposition import PCA

asked = played["auto"].rows[0]
figure, axes = plt.subplots(figsize=(7.4, 4))
draw_map(axes, PCA(2).fit_transform(X), {row: str(truth[row]) for row in asked}, {"normal"})
plt.show()
