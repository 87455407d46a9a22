"""The models averaged for strings, texts, graphs and molecules.

The kernel asked for is one view of the records, and seldom the best one: which letter stands where,
pieces of several lengths, words beside topics, or what surrounds an atom may tell more. Every view
has a smooth, a linear and a tree model, and none is chosen by comparing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import Normalizer
from sklearn.svm import SVC

from rarefind.core.arrays import Records, take
from rarefind.core.errors import RarefindError
from rarefind.detection.auto.member import Member, as_it_is, trees
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.ranker import RareRanker
from rarefind.features.log_counts import LogCounts
from rarefind.kernels import (
    BlendedSpectrum,
    Circular,
    FeatureTransformer,
    Kernel,
    LatentSemantic,
    Normalized,
    On,
    VectorSpace,
    WeightedDegree,
)
from rarefind.kernels.graphs.patterns import PatternKernel
from rarefind.kernels.graphs.smiles import read_smiles
from rarefind.kernels.strings.shared import StringKernel

_PLACED = 3
"""Letters of the longest piece that positional members look at, as was measured to help."""
_PIECES = 3
"""Letters of the longest piece of other strings; of texts, one more."""
_RADIUS = 2
"""Bonds around an atom that fingerprints look at, as in the usual one, ECFP4."""
_SPELT = 2.0
"""What fingerprints of molecules count beside their spelling, of which one molecule has many."""
_STRUCTURE = re.compile(r"[()=#\[\]\d]")
"""Signs of bonds, branches and rings: molecules show some, other words hardly any."""


def members_on_kernel(kernel: Kernel, X: Records) -> dict[str, Member]:
    """List the members for records that a kernel compares, by what else can be seen of them.

    Every view counts the same, however many models it has; that of molecules counts twice as much
    as their spelling.
    """
    own: dict[str, Callable[[int, int], Any]] = {
        "svm": _same(RareRanker(SVC(C=10.0, kernel=kernel), target=True)),
        "lago": _same(Lago(kernel=kernel, target=True)),
    }
    if _lists_features(kernel, X):
        own |= {"logistic": _logistic_on(kernel), "trees": _trees_on(kernel)}
    found = {name: Member(make, 1.0 / len(own)) for name, make in own.items()}
    for name, view, weight in _other_views(kernel, X):
        models = {
            f"{name} svm": _same(RareRanker(SVC(C=10.0, kernel=Normalized(view)), target=True)),
            f"{name} logistic": _logistic_on(view),
            f"{name} trees": _trees_on(view),
        }
        found |= {each: Member(make, weight / len(models)) for each, make in models.items()}
    return found


def _other_views(kernel: Kernel, X: Records) -> Iterator[tuple[str, Kernel, float]]:
    """Name other kernels that compare the same records, and what they count beside the first."""
    inside = _innermost(kernel)
    if isinstance(inside, PatternKernel) and not isinstance(inside, Circular):
        yield "circular", Circular(_RADIUS, lenient=True), 1.0
    words = isinstance(X, list | np.ndarray) and all(isinstance(each, str) for each in X)
    if not words:
        return
    if isinstance(inside, StringKernel):
        if _are_molecules(X):
            yield "circular", Circular(_RADIUS, lenient=True), _SPELT
        elif len({len(each) for each in X}) == 1:
            yield "positional", WeightedDegree(_PLACED), 1.0
        else:
            yield "pieces", BlendedSpectrum(_PIECES), 1.0
    elif isinstance(inside, LatentSemantic):
        yield "words", VectorSpace(sublinear=True), 1.0
    elif isinstance(inside, VectorSpace):
        yield "pieces", BlendedSpectrum(_PIECES + 1), 1.0


def _innermost(kernel: Kernel) -> Kernel:
    """Return what a kernel is made of: that which reads the records.

    Topics are made of words, but are a view of their own; what reads a column reads no records.
    """
    while not isinstance(kernel, LatentSemantic | On):
        inner = getattr(kernel, "kernel", None)
        if not isinstance(inner, Kernel):
            break
        kernel = inner
    return kernel


def _are_molecules(X: Records) -> bool:
    """Whether all strings are molecules in SMILES notation, and most show it."""
    if 2 * sum(_STRUCTURE.search(each) is not None for each in X) < len(X):
        return False
    try:
        return all(read_smiles(each).atoms for each in X)
    except RarefindError:
        return False


def _lists_features(kernel: Kernel, X: Records) -> bool:
    try:
        FeatureTransformer(kernel).fit(take(X, slice(0, 2)))
    except RarefindError:
        return False
    return True


def _same(model: Any) -> Callable[[int, int], Any]:
    return as_it_is(model).make


def _logistic_on(kernel: Kernel) -> Callable[[int, int], Any]:
    """One direction: of fingerprints in logarithms, since a large molecule differs from a small."""
    linear = LogisticRegression(C=10.0, class_weight="balanced", max_iter=1000)
    scaled = LogCounts() if isinstance(kernel, Circular) else Normalizer()
    return _same(make_pipeline(FeatureTransformer(kernel), scaled, linear))


def _trees_on(kernel: Kernel) -> Callable[[int, int], Any]:
    features = FeatureTransformer(kernel)
    return lambda fits, seed: make_pipeline(clone(features), trees(fits, seed))
