"""
When can I stop?
================

After every answer the hunt says what may still be hidden. The picture compares what it says with
what was true, on data whose truth is known.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np

import rarefind as rf
from rarefind.evaluation.plots import ACCENT, INK

rng = np.random.default_rng(1)
sizes = {"ordinary": 2000, "a": 40, "b": 15, "c": 6}
centres = {"ordinary": 0.0, "a": 6.0, "b": -6.0, "c": 9.0}
X = np.vstack([rng.normal(centres[name], 1.0, size=(n, 3)) for name, n in sizes.items()])
truth = np.repeat(list(sizes), list(sizes.values()))

# %%
hunt = rf.Hunt(X, background="ordinary")
stated, actual = [], []
for _ in range(60):
    question = hunt.ask()
    hunt.tell(question.row, str(truth[question.row]))
    stated.append(hunt.outlook().largest_unseen_share)
    unseen = set(sizes) - set(hunt.labels.values())
    actual.append(sum(sizes[name] for name in unseen) / len(X))
print(hunt.outlook())

# %%
figure, axes = plt.subplots(figsize=(7, 4))
axes.step(
    range(1, 61), stated, where="post", color=ACCENT, label="all unseen classes, stated at 95 %"
)
axes.step(
    range(1, 61),
    np.maximum(actual, 1e-4),
    where="post",
    color=INK,
    label="all unseen classes, true",
)
axes.set(yscale="log", xlabel="labels given", ylabel="share of all records")
axes.legend(frameon=False)
plt.show()
