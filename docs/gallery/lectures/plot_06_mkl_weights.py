"""
Which kernel matters? SimpleMKL
===============================

With kernels on different parts of a record, multiple kernel learning finds how much weight each
deserves, while it trains the machine. A duality gap certifies that no better weights exist.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, INK

rng = np.random.default_rng(0)

# %%
# Of six features only the second and the fifth tell the classes apart.
X = rng.normal(size=(160, 6))
y = np.where(X[:, 1] + 0.8 * np.sin(2 * X[:, 4]) > 0.2, "rare", "plain")
kernels = [rf.kernels.On(column, rf.kernels.Gaussian(1.0)) for column in range(6)]
model = rf.SimpleMKL(kernels, C=10.0).fit(X, y)
print(f"gap {model.duality_gap_:.1e} after {model.n_svm_solves_} trainings of a machine")

# %%
figure, axes = plt.subplots(figsize=(6, 3.2))
names = [f"feature {column}" for column in range(6)]
axes.barh(names, model.weights_, color=[ACCENT if w > 0.05 else INK for w in model.weights_])
axes.invert_yaxis()
axes.set(xlabel="weight")
plt.show()
