"""
The perceptron and its bound
============================

The perceptron corrects itself at every mistake. Novikoff's theorem promises that it stops: if some
plane separates the classes with margin :math:`\\gamma` and all records lie within :math:`R` of the
origin, there are at most :math:`(R/\\gamma)^2` mistakes, in whatever order the records come.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, INK

rng = np.random.default_rng(0)

# %%
# Move two clouds apart and watch mistakes and bound fall together.
gaps = np.array([0.2, 0.4, 0.8, 1.6, 3.2])
mistakes, bounds = [], []
for gap in gaps:
    X = rng.normal(size=(200, 2))
    y = np.where(X[:, 0] > 0, 1, -1)
    X[:, 0] += y * gap / 2
    model = rf.KernelPerceptron(rf.kernels.Linear()).fit(X, y)
    gram = X @ X.T
    mistakes.append(int(model.mistakes_[0]))
    bounds.append(rf.detection.novikoff_bound(gram, y.astype(float)))
    print(f"gap {gap}: {mistakes[-1]} mistakes, at most {bounds[-1]:.0f}")

# %%
figure, axes = plt.subplots(figsize=(6, 3.6))
axes.plot(gaps, bounds, color=INK, linestyle="--", marker="s", label="Novikoff's bound")
axes.plot(gaps, mistakes, color=ACCENT, marker="o", label="mistakes made")
axes.set(xscale="log", yscale="log", xlabel="gap between the classes", ylabel="mistakes")
axes.set_xticks(gaps, [f"{gap:g}" for gap in gaps])
axes.set_xticks([], minor=True)
axes.legend(frameon=False)
plt.show()
