"""Other ways to look at the same records.

What is far apart depends on how columns count, and nobody knows beforehand how they should. So
``auto`` measures in several ways and takes the mean of the logarithms: a record must lie far out in
all of them, and no single scale decides. Strings are measured by the kernel given and by the rare
pieces they share: what is unusual in a sequence or a molecule is often a short piece that few have.
Texts are measured by their words and by pieces of words besides: topics alone hide a rare word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from scipy import sparse
from scipy.stats import norm, rankdata
from sklearn.decomposition import PCA
from sklearn.preprocessing import normalize

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.geometry import Space, choose_engine

MOST_POINTS = 50_000
"""Among more records only the first view is used: each further one costs a search of its own."""

NEAREST = 5
"""Neighbours whose differences tell along which directions like records vary."""

_SHRINK = 0.1
"""So much of the differences is taken to be the same in all directions."""

MOST_DIRECTIONS = 100
"""Of more columns than this, only so many principal directions are whitened."""


MOST_STRINGS = 20_000
"""Among more strings or texts only the kernel given is used: each answer costs a look at all."""

PIECE = 3
"""Letters of a piece: with one or two, strings of twenty letters hardly differ."""

_BLANKS = 2.0
"""Strings with so many blanks on average are texts."""

_PIECE_OF_WORD = 4
"""Letters of a piece of a word, which may begin or end with the blank beside the word."""

_FEWEST_TEXTS = 2
"""A word or piece of fewer texts makes none of them alike."""

_WORD = re.compile(r"\w+|[^\w\s]+")
"""Words, and marks between them, which tell a shout from a report."""


def number_of_other_views(space: Space) -> int:
    """Tell how many other views there will be."""
    if space.vectors is None:
        return {"strings": 1, "texts": 2, "neither": 0}[written_as(space.folded.records)]
    return 2 if len(space.vectors) <= MOST_POINTS else 0


def other_views(space: Space, nearest: IntArray) -> list[Space]:
    """Return the same points, measured otherwise; none for sets, trees and graphs.

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
        records = space.folded.records
        strings = written_as(records) == "strings"
        counted = [rare_pieces(records)] if strings else [words(records), pieces_of_words(records)]
        return [Space(space.folded, choose_engine(each, weights)) for each in counted]
    views = (whitened_by_neighbours(vectors, nearest[:, :NEAREST]), normal_scores(vectors))
    return [Space(space.folded, choose_engine(view, weights), view) for view in views]


def whitened_by_neighbours(vectors: FloatArray, nearest: IntArray) -> FloatArray:
    """Turn and scale so that neighbours differ about as much in every direction.

    Neighbours are mostly of one class, so this is what a discriminant analysis does with the
    scatter inside classes, before there is any label.
    """
    if vectors.shape[1] > MOST_DIRECTIONS:
        directions = min(MOST_DIRECTIONS, len(vectors))
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


def written_as(records: Records) -> Literal["strings", "texts", "neither"]:
    """Tell whether records are strings, seen by their pieces, or texts, seen by their words.

    They are neither if they are no strings at all, too many, or too short for a piece; nor are
    trees in brackets, whose shape says more than their words.

    >>> written_as(["GATTACA", "GATTATA"]), written_as(["a text of words", "and another one"])
    ('strings', 'texts')
    """
    if not isinstance(records, list) or len(records) > MOST_STRINGS:
        return "neither"
    if not all(isinstance(record, str) for record in records):
        return "neither"
    if max((len(" ".join(record.split())) for record in records), default=0) < PIECE:
        return "neither"
    if all(record.lstrip().startswith("(") for record in records):
        return "neither"
    blanks = sum(record.count(" ") for record in records)
    return "texts" if blanks >= _BLANKS * len(records) else "strings"


def rare_pieces(strings: Sequence[str]) -> sparse.csr_array:
    """Describe strings by their pieces, rare ones most.

    >>> rare_pieces(["GATTACA", "GATTATA", "TTTTTTT"]).shape
    (3, 8)
    """
    return _counted(strings, analyzer="char", ngram_range=(PIECE, PIECE), lowercase=False)


def words(texts: Sequence[str]) -> sparse.csr_array:
    """Describe texts by the words that several of them have, rare ones most.

    >>> words(["Win a prize!", "win two prizes!", "see you there"]).shape  # win, !
    (3, 2)
    """
    return _of_several(_counted(texts, analyzer=_words))


def pieces_of_words(texts: Sequence[str]) -> sparse.csr_array:
    """Describe texts by the pieces of words that several of them have, rare ones most.

    >>> pieces_of_words(["win a prize", "win two prizes", "see you there"]).shape
    (3, 5)
    """
    size = (_PIECE_OF_WORD, _PIECE_OF_WORD)
    return _of_several(_counted(texts, analyzer="char_wb", ngram_range=size))


def _words(text: str) -> list[str]:
    return _WORD.findall(text.lower())


def _counted(texts: Sequence[str], **how: Any) -> sparse.csr_array:
    from sklearn.feature_extraction.text import TfidfVectorizer

    return sparse.csr_array(TfidfVectorizer(sublinear_tf=True, **how).fit_transform(texts))


def _of_several(counted: sparse.csr_array) -> sparse.csr_array:
    """Leave out what a single text has; lengths are one again, or none where nothing is left."""
    texts_with = np.bincount(counted.indices, minlength=counted.shape[1])
    shared = counted[:, texts_with >= _FEWEST_TEXTS]
    return sparse.csr_array(normalize(shared)) if shared.shape[1] else shared
