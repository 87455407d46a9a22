"""Other ways to look at the same records.

What is far apart depends on how columns count, and nobody knows beforehand how they should. So
``auto`` measures in several ways and takes the mean of the logarithms: a record must lie far out in
all of them, and no single scale decides. Strings are measured by the kernel given and by the rare
pieces they share: what is unusual in a sequence or a molecule is often a short piece that few have.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from scipy import sparse
from scipy.stats import norm, rankdata
from sklearn.decomposition import PCA

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.geometry import Space, choose_engine

MOST_POINTS = 50_000
"""Among more records only the first view is used: each further one costs a search of its own."""

NEAREST = 5
"""Neighbours whose differences tell along which directions like records vary."""

_SHRINK = 0.1
"""So much of the differences is taken to be the same in all directions."""

_MOST_DIRECTIONS = 100
"""Of more columns than this, only so many principal directions are whitened."""


MOST_STRINGS = 20_000
"""Among more strings only the kernel given is used: each answer costs a look at all of them."""

PIECE = 3
"""Letters of a piece: with one or two, strings of twenty letters hardly differ."""

_BLANKS = 2.0
"""Strings with so many blanks on average are texts: there pieces of words tell less than words."""


def number_of_other_views(space: Space) -> int:
    """Tell how many other views there will be."""
    if space.vectors is None:
        return int(made_of_pieces(space.folded.records))
    return 2 if len(space.vectors) <= MOST_POINTS else 0


def other_views(space: Space, nearest: IntArray) -> list[Space]:
    """Return the same points, measured otherwise; none for records that are no vectors or strings.

    Parameters
    ----------
    space
        Where the records are.
    nearest
        The nearest neighbours of every point there.
    """
    vectors, weights = space.vectors, space.engine.weights
    if not number_of_other_views(space):
        return []
    if vectors is None:
        return [Space(space.folded, choose_engine(rare_pieces(space.folded.records), weights))]
    views = (whitened_by_neighbours(vectors, nearest[:, :NEAREST]), normal_scores(vectors))
    return [Space(space.folded, choose_engine(view, weights), view) for view in views]


def whitened_by_neighbours(vectors: FloatArray, nearest: IntArray) -> FloatArray:
    """Turn and scale so that neighbours differ about as much in every direction.

    Neighbours are mostly of one class, so this is what a discriminant analysis does with the
    scatter inside classes, before there is any label.
    """
    if vectors.shape[1] > _MOST_DIRECTIONS:
        directions = min(_MOST_DIRECTIONS, len(vectors))
        vectors = PCA(directions, random_state=0).fit_transform(vectors)
    scatter = np.zeros((vectors.shape[1],) * 2)
    for neighbour in nearest.T:
        steps = vectors - vectors[neighbour]
        scatter += steps.T @ steps
    mean = np.trace(scatter) / len(scatter)
    if mean <= 0.0:
        return vectors
    spread, axes = np.linalg.eigh((1.0 - _SHRINK) * scatter / mean + _SHRINK * np.eye(len(scatter)))
    return np.asarray(vectors @ (axes / np.sqrt(spread)))


def normal_scores(vectors: FloatArray) -> FloatArray:
    """Replace each number by the normal quantile of its rank in the column."""
    ranks = rankdata(vectors, axis=0)
    return np.asarray(norm.ppf((ranks - 0.5) / len(vectors)))


def made_of_pieces(records: Records) -> bool:
    """Tell whether records are strings to be seen by their pieces: no texts, and not too many."""
    if not isinstance(records, list) or len(records) > MOST_STRINGS:
        return False
    if not all(isinstance(record, str) for record in records):
        return False
    if sum(record.count(" ") for record in records) >= _BLANKS * len(records):
        return False
    return max(len(" ".join(record.split())) for record in records) >= PIECE


def rare_pieces(strings: Sequence[str]) -> sparse.csr_array:
    """Describe strings by their pieces, rare ones most.

    >>> rare_pieces(["GATTACA", "GATTATA", "TTTTTTT"]).shape
    (3, 8)
    """
    from sklearn.feature_extraction.text import TfidfVectorizer

    pieces = TfidfVectorizer(
        analyzer="char", ngram_range=(PIECE, PIECE), lowercase=False, sublinear_tf=True
    )
    return sparse.csr_array(pieces.fit_transform(strings))
