"""
Margins and what they promise
=============================

A support vector machine takes the plane with the widest margin. Structural risk minimisation says
why: the wider the margin compared with the ball around the data, the less the machine can bend,
and the closer the risk stays to the errors seen.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.svm import SVC

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, CLASSES, INK

rng = np.random.default_rng(2)
X = np.vstack([rng.normal(-1.6, 1, (50, 2)), rng.normal(1.6, 1, (50, 2))])
y = np.repeat([-1, 1], 50)

# %%
# The report of a model says what theory lets one say, and marks bounds as bounds.
hard, soft = SVC(kernel="linear", C=100.0).fit(X, y), SVC(kernel="linear", C=0.05).fit(X, y)
print(rf.detection.report(soft, X, y))

# %%
figure, places = plt.subplots(1, 2, figsize=(9, 4), sharey=True)
for axes, model, title in zip(places, (hard, soft), ("C = 100", "C = 0.05"), strict=True):
    for label, colour in ((-1, CLASSES[1]), (1, CLASSES[0])):
        axes.scatter(*X[y == label].T, s=12, color=colour)
    axes.scatter(*model.support_vectors_.T, s=60, facecolors="none", edgecolors=INK)
    (a, b), c = model.coef_[0], model.intercept_[0]
    span = np.array([-4.5, 4.5])
    for offset, style in ((-1, ":"), (0, "-"), (1, ":")):
        axes.plot(span, (offset - c - a * span) / b, style, color=ACCENT)
    width = 2 / np.linalg.norm(model.coef_)
    axes.set(title=f"{title}: margin {width:.2f} wide, {len(model.support_)} support vectors")
    axes.set(xticks=[], yticks=[], ylim=(-4.5, 4.5))
plt.show()

# %%
# What the theory promises, drawn: the risk exceeds the errors seen by no more than this, with 95 %
# confidence. The bound is wide where records are few compared with what the machine can bend
# (its VC dimension h, at most the squared ratio of the radius of the data to the margin, plus one),
# and it holds for any distribution of the records. It is a bound, not an estimate.
from rarefind.detection.reports.risk_bounds import srm_bound

sizes = np.logspace(2, 6, 60).astype(int)
figure, axes = plt.subplots(figsize=(6.4, 3.6))
for h, style in ((3, "-"), (10, "--"), (50, ":")):
    bounds = [srm_bound(0.0, float(h), int(n)) for n in sizes]
    axes.plot(sizes, bounds, style, color=ACCENT, label=f"h = {h}")
axes.set(xscale="log", ylim=(0, 1), xlabel="records", ylabel="risk above the errors seen, at most")
axes.legend(frameon=False)
plt.show()
