"""
The kernel trick
================

A kernel is a product of features one never has to write down. From it come a distance,
:math:`d^2 = k(x,x) - 2k(x,z) + k(z,z)`, and an angle, and that is all that discovery and LAGO ask
for: so strings and graphs are hunted in exactly as vectors are.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

import rarefind as rf
from rarefind.evaluation.plots import CLASSES

# %%
# A polynomial kernel is a product of explicit features:
square = rf.kernels.Polynomial(degree=2)
A = np.array([[1.0, 2.0], [3.0, -1.0]])
print(square(A))

# %%
# A kernel on strings: how many substrings of two letters do they share?
words = ["banana", "bandana", "cabana", "orange"]
shared = rf.kernels.Spectrum(2)
print(shared(words).astype(int))
print(rf.kernels.check_mercer(shared, words))

# %%
# What no line can separate, a line in feature space can.
rng = np.random.default_rng(1)
X = rng.uniform(-2, 2, (400, 2))
y = (np.hypot(*X.T) < 1).astype(int)
figure, places = plt.subplots(1, 2, figsize=(8, 3.8))
grid = np.stack(np.meshgrid(*[np.linspace(-2, 2, 60)] * 2), axis=-1).reshape(-1, 2)
kernels = {"linear": rf.kernels.Linear(), "Gaussian": rf.kernels.Gaussian(0.7)}
for axes, (name, kernel) in zip(places, kernels.items(), strict=True):
    model = SVC(kernel=kernel, C=10.0).fit(X, y)
    scores = model.decision_function(grid).reshape(60, 60)
    axes.contourf(*grid.T.reshape(2, 60, 60), scores > 0, levels=1, colors=["#ffffff", "#e3e8ec"])
    axes.scatter(*X.T, s=8, c=[CLASSES[1 - label] for label in y])
    axes.set(title=f"{name}: {model.score(X, y):.0%} right", xticks=[], yticks=[])
plt.show()
