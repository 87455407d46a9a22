"""
A rare topic among texts
========================

Texts are compared by the words they share, weighted by how telling each word is. Everything else
is as for tables: ask, answer, rank.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import KernelPCA

import rarefind as rf
from rarefind.evaluation.plots import draw_hits, draw_map

rng = np.random.default_rng(5)

# %%
# 400 tickets about everyday matters and eight about a leak of passwords.
everyday = [
    ["printer", "tray", "paper", "empty", "jam", "floor", "toner"],
    ["invoice", "payment", "due", "month", "account", "customer"],
    ["meeting", "room", "booking", "projector", "calendar", "chairs"],
    ["laptop", "battery", "screen", "keyboard", "replace", "order"],
]
leak = ["password", "credentials", "leaked", "forum", "dump", "hashes", "reset"]
glue = ["the", "a", "please", "and", "for", "with", "today", "again", "our", "we"]


def ticket(words):
    return " ".join(rng.permutation([*rng.choice(words, 5), *rng.choice(glue, 5)]))


texts = [ticket(everyday[rng.integers(4)]) for _ in range(400)] + [ticket(leak) for _ in range(8)]
truth = ["everyday"] * 400 + ["leak"] * 8

# %%
similar = rf.kernels.Normalized(rf.kernels.VectorSpace())
hunt = rf.discover(texts, lambda row: truth[row], kernel=similar, budget=40, background="everyday")
print("first leak found with label number", list(hunt.labels).index(hunt.found["leak"]) + 1)

# %%
# LAGO ranks on the unit sphere, where only the direction of a text counts, not its length.
told = list(hunt.labels)
model = rf.Lago(geometry="sphere", kernel=similar, target="leak")
model.fit([texts[row] for row in told], [hunt.labels[row] for row in told])
scores = model.decision_function(texts)
for row in np.argsort(-scores)[:4]:
    print(f"{scores[row]:8.3f}  {texts[row]}")
print("average precision", round(rf.evaluation.average_precision(truth, scores, target="leak"), 3))

# %%
# Left: all tickets by kernel principal components, with the questions asked. Right: how many of
# the tickets looked at in the order of the ranking are about the leak.
figure, (left, right) = plt.subplots(1, 2, figsize=(10.5, 3.8), width_ratios=[1.3, 1])
places = KernelPCA(2, kernel="precomputed").fit_transform(similar(texts))
draw_map(left, places, hunt.labels, frozenset(["everyday"]))
draw_hits(right, rf.evaluation.hit_curve(truth, scores, target="leak"), wanted=8)
plt.show()

# %%
# Real pages are harder than these tickets: see :ref:`sphx_glr_examples_stories_plot_07_webkb.py`.
