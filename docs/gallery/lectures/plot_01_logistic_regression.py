"""
Logistic regression: Newton's steps against single records
==========================================================

Logistic regression turns a weighted sum into a probability. Newton's method fits it in a handful
of steps; each solves a least-squares problem in which records near the border weigh most.
Stochastic gradient descent looks at one record at a time, and needs many cheap passes to the same
maximum of the likelihood.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, CLASSES

rng = np.random.default_rng(0)
X = np.vstack([rng.normal(-1, 1, (60, 2)), rng.normal(1.2, 1, (40, 2))])
y = np.repeat([0.0, 1.0], [60, 40])

# %%
# Newton by hand: gradient ``Aᵀ(p - y)``, curvature ``Aᵀ diag(p(1-p)) A``.
A = np.column_stack([np.ones(len(X)), X])
w = np.zeros(3)
losses = []
for _ in range(7):
    p = 1 / (1 + np.exp(-A @ w))
    losses.append(-np.mean(y * np.log(p) + (1 - y) * np.log(1 - p)))
    curvature = A.T @ (A * (p * (1 - p))[:, None])
    w -= np.linalg.solve(curvature, A.T @ (p - y))
print("weights after seven steps:", w.round(3))

# %%
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.6))
for label, colour in ((0.0, CLASSES[1]), (1.0, CLASSES[0])):
    left.scatter(*X[y == label].T, s=14, color=colour)
span = np.linspace(-4, 4, 2)
left.plot(span, -(w[0] + w[1] * span) / w[2], color=ACCENT)
left.set(title="where the probability is one half", xticks=[], yticks=[], ylim=(-4, 4))
right.plot(losses, marker="o", color=ACCENT)
right.set(xlabel="Newton step", ylabel="mean loss", title="a handful of steps")
plt.show()

# %%
# The same by name, without a penalty, and by stochastic gradient descent, which shows its steps: a
# step shrinks from pass to pass until the slope of the likelihood is nearly nought.
newton = rf.detection.LogisticML().fit(X, y)
descent = rf.detection.LogisticSGD(random_state=0).fit(X, y)
for name, model in (("Newton", newton), ("descent", descent)):
    found = [*model.intercept_, *model.coef_[0]]
    print(f"{name:8} {np.round(found, 3)} after {model.n_iter_} steps or passes")
assert np.allclose([*newton.intercept_, *newton.coef_[0]], w, atol=1e-4)
assert np.allclose(descent.coef_, newton.coef_, atol=0.02)

# %%
# How far each is from the greatest likelihood. One Newton step costs about as much as a pass.
best = -min(losses)
figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4))
for name, below, colour in (
    ("Newton", np.array(losses) + best, ACCENT),
    ("descent", best - np.array(descent.log_likelihood_), CLASSES[1]),
):
    left.plot(range(1, len(below) + 1), np.maximum(below, 1e-12), color=colour, label=name)
left.set(xscale="log", yscale="log", xlabel="steps or passes", ylabel="below the maximum")
left.legend(frameon=False)
right.plot(range(1, len(descent.eta_) + 1), descent.eta_, color=CLASSES[1])
right.set(xscale="log", yscale="log", xlabel="pass", ylabel="step size of the descent")
plt.show()

# %%
# With a kernel the border may bend, and the probabilities stay honest.
ring = rng.normal(size=(300, 2))
inside = (np.linalg.norm(ring, axis=1) < 0.6).astype(int)
model = rf.KernelLogisticRegression(rf.kernels.Gaussian(1.0)).fit(ring, inside)
print(
    "mean probability",
    model.predict_proba(ring)[:, 1].mean().round(3),
    "share",
    inside.mean().round(3),
)
