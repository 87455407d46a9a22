"""
Intrusions in connection logs
=============================

Logs are full of exact repeats and heavy tails: most connections look alike, and a few carry a
million bytes. Identical records are folded into one with a weight, and tails are pulled in, so
neither hides the attacks.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf

rng = np.random.default_rng(3)

# %%
# Ordinary traffic: 20,000 connections, of which most are repeats of a few hundred patterns.
patterns = np.exp(rng.normal(size=(300, 4)) * 1.5)
ordinary = patterns[rng.zipf(1.6, 20_000) % 300].round(3)
scan = np.column_stack(
    [np.full(15, 0.001), rng.integers(1, 3, 15), np.zeros(15), np.full(15, 60.0)]
)
theft = np.exp(rng.normal(np.log([500.0, 3.0, 9e6, 1.0]), 0.1, size=(6, 4)))
X = np.vstack([ordinary, scan, theft])
truth = np.repeat(["normal", "port scan", "data theft"], [len(ordinary), 15, 6])
print(f"{len(X)} connections, {len(np.unique(X, axis=0))} different ones")

# %%
# Hunt with three strategies and several seeds: the curves show classes seen after so many labels.
played = {
    name: rf.evaluation.simulate(X, truth, name, seeds=range(5), budget=120)
    for name in ("auto", "farthest-first", "random")
}
for name, row in rf.evaluation.labels_to_classes(list(played.values())).items():
    print(f"{name}: labels until the 1st and 2nd attack, median: {row}")

# %%
from rarefind.evaluation.plots import draw_bands

figure, axes = plt.subplots(figsize=(7, 4))
bands = {name: rf.evaluation.discovery_band(run, labels=120) for name, run in played.items()}
draw_bands(axes, bands, classes=2)
plt.show()
