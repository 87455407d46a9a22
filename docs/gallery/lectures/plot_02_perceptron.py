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

assert all(made <= bound for made, bound in zip(mistakes, bounds, strict=True))

# %%
figure, axes = plt.subplots(figsize=(6, 3.6))
axes.plot(gaps, bounds, color=INK, linestyle="--", marker="s", label="Novikoff's bound")
axes.plot(gaps, mistakes, color=ACCENT, marker="o", label="mistakes made")
axes.set(xscale="log", yscale="log", xlabel="gap between the classes", ylabel="mistakes")
axes.set_xticks(gaps, [f"{gap:g}" for gap in gaps])
axes.set_xticks([], minor=True)
axes.legend(frameon=False)
plt.show()

# %%
# The lecture's circle: no line separates what lies inside from what lies outside. With
# :math:`x_3 = x_1^2 + x_2^2` a plane does, and the perceptron finds one.
X = rng.uniform(-1.5, 1.5, size=(300, 2))
length = np.hypot(*X.T)
X, inside = X[np.abs(length - 1) > 0.1], (length < 1)[np.abs(length - 1) > 0.1]
lifted = np.column_stack([X, (X**2).sum(axis=1)])
for name, records in (("two coordinates", X), ("with the third", lifted)):
    model = rf.detection.Perceptron(random_state=0).fit(records, inside)
    print(
        f"{name}: {model.score(records, inside):.0%} right, {int(model.mistakes_[0])} mistakes, "
        f"bound {float(model.novikoff_bound_[0]):.0f}, separated: {model.converged_}"
    )
assert model.converged_
assert model.mistakes_[0] <= model.novikoff_bound_[0]

# %%
# The learning rate and the weights it begins with can be chosen, also on the command line:
# ``rarefind rank FILE --label-column C --target T --model "perceptron(eta0=0.5)"``.
slow = rf.detection.Perceptron(eta0=0.1, w0=[5.0, 0.0, 0.0, 0.0], random_state=0)
print("from other weights:", int(slow.fit(lifted, inside).mistakes_[0]), "mistakes")
