"""
Fisher's discriminant against principal components
==================================================

Principal components look at the records alone, Fisher's discriminant at the classes. Here what
varies most says nothing about the class.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, CLASSES

rng = np.random.default_rng(4)
y = np.repeat([0, 1], 60)
X = np.column_stack([rng.normal(0, 3.0, 120), rng.normal(0, 0.5, 120) + 2.4 * y])
X = X @ np.array([[0.8, 0.6], [-0.6, 0.8]])

# %%
principal = PCA(1).fit(X).components_[0]
fisher = rf.KernelFisherDiscriminant(rf.kernels.Linear()).fit(X, y)
direction = (fisher.transform(np.eye(2)) - fisher.transform(np.zeros((1, 2)))).ravel()
direction /= np.linalg.norm(direction)
for name, along in (("PCA", principal), ("LDA", direction)):
    means = [(X[y == label] @ along).mean() for label in (0, 1)]
    spread = np.mean([(X[y == label] @ along).std() for label in (0, 1)])
    print(f"{name}: means {abs(means[1] - means[0]) / spread:.1f} deviations apart")

# %%
figure, axes = plt.subplots(1, 3, figsize=(10, 3.4), width_ratios=[1.4, 1, 1])
for label in (0, 1):
    axes[0].scatter(*X[y == label].T, s=12, color=CLASSES[label])
for along, style in ((principal, "--"), (direction, "-")):
    axes[0].plot(*(X.mean(axis=0) + np.outer([-6, 6], along)).T, style, color=ACCENT)
axes[0].set(aspect="equal", xticks=[], yticks=[])
for place, (name, along) in enumerate((("PCA", principal), ("LDA", direction)), start=1):
    for label in (0, 1):
        axes[place].hist(X[y == label] @ along, 20, color=CLASSES[label], alpha=0.7)
    axes[place].set(title=name, yticks=[])
plt.show()
