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

# %%
# The lecture's example, number by number: two classes of five records.
one = np.array([[4, 1], [2, 4], [2, 3], [3, 6], [4, 4]], dtype=float)
two = np.array([[9, 10], [6, 8], [9, 5], [8, 7], [10, 8]], dtype=float)
mean_one, mean_two = one.mean(axis=0), two.mean(axis=0)
print("means", mean_one, mean_two)

# %%
# The scatter of each class (divided by its five records), their sum and that between the means.
spread_one, spread_two = np.cov(one.T, bias=True), np.cov(two.T, bias=True)
within = spread_one + spread_two
apart = mean_one - mean_two
between = np.outer(apart, apart)
for name, matrix in (("S1", spread_one), ("S2", spread_two), ("S_W", within), ("S_B", between)):
    print(name, matrix.round(2).tolist())

# %%
# The direction solves :math:`S_W^{-1} S_B w = \\lambda w`; only one eigenvalue is not nought.
product = np.linalg.solve(within, between)
print("S_W^-1 S_B", product.round(3).tolist())
values, vectors = np.linalg.eig(product)
first = int(np.argmax(values))
direction = vectors[:, first] * np.sign(vectors[0, first])
print(f"lambda {values[first]:.4f}, w {direction.round(4)}")
shortcut = np.linalg.solve(within, mean_one - mean_two)
print("S_W^-1 (m1 - m2)", shortcut.round(4), "of length one", shortcut / np.linalg.norm(shortcut))

# %%
# And by name. (The lecture prints 15.65 and .91, .39, cut off rather than rounded.)
model = rf.detection.FisherDiscriminant().fit(np.vstack([one, two]), [1] * 5 + [2] * 5)
print("FisherDiscriminant", model.eigenvalues_.round(4), model.coef_.round(4))
assert np.isclose(model.eigenvalues_[0], 15.6569, atol=1e-4)
assert np.allclose(model.coef_[0], [0.9196, 0.3930], atol=1e-4)
assert np.isclose(values[first], model.eigenvalues_[0])

# %%
# Now records in which what varies most says nothing about the class.
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
