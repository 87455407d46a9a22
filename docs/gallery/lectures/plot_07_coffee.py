"""
Sixty sensors and five sorts: PCA against LDA
=============================================

The lecture tells of five sorts of coffee smelt by sixty sensors: principal components mix them up,
Fisher's directions set them apart. The measurements were not published, so this is a **stand-in**
drawn by a recipe: every sort has its own answer of the sensors, a tenth as strong as what varies
from one measurement to the next in a few directions that all sorts share (how warm the cup was, how
full), and a little noise upon each sensor.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline

import rarefind as rf
from rarefind.evaluation.plots import CLASSES

SORTS, SENSORS, CUPS = 5, 60, 45
rng = np.random.default_rng(0)
answers = rng.normal(0, 0.5, (SORTS, SENSORS))
shared = rng.normal(0, 1.0, (4, SENSORS))
y = np.repeat(np.arange(SORTS), CUPS)
X = answers[y] + rng.normal(0, 5.0, (len(y), 4)) @ shared + rng.normal(0, 0.8, (len(y), SENSORS))
print(X.shape, "records and sensors")

# %%
# Two directions of each kind. Of five classes Fisher's discriminant has four directions at most.
principal = PCA(2).fit_transform(X)
fisher = rf.KernelFisherDiscriminant(rf.kernels.Linear(), ridge=1e-3).fit(X, y)
discriminant = fisher.transform(X)
print("directions:", discriminant.shape[1])
assert discriminant.shape[1] == SORTS - 1

figure, places = plt.subplots(1, 2, figsize=(9, 4))
for axes, points, name in zip(places, (principal, discriminant), ("PCA", "LDA"), strict=True):
    for sort in range(SORTS):
        axes.scatter(*points[y == sort, :2].T, s=14, color=CLASSES[sort], label=f"sort {sort + 1}")
    axes.set(title=name, xticks=[], yticks=[])
places[1].legend(frameon=False, fontsize=8)
plt.show()

# %%
# Is that so on cups not seen before? A new cup is given the sort of its nearest neighbours in as
# many directions of either kind, learnt without it.
neighbours = KNeighborsClassifier(5)
right = {
    "PCA": cross_val_score(make_pipeline(PCA(4), neighbours), X, y, cv=5).mean(),
    "LDA": cross_val_score(
        make_pipeline(LinearDiscriminantAnalysis(n_components=4), neighbours), X, y, cv=5
    ).mean(),
}
for name, share in right.items():
    print(f"{name}: {share:.0%} of new cups told right, by chance {1 / SORTS:.0%}")
assert right["LDA"] > right["PCA"] + 0.3

# %%
# The same on the command line, one sort against the others: ``rarefind compare FILE --label-column
# sort --target "sort 1" --models lda,fisher,svm,pca``.
