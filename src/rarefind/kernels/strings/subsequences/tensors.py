"""Weights of all subsequences of a string, letter by letter, for many strings at once.

A string mostly uses few of the alphabet's letters, so weights are held as a block of
``own letters ** length`` numbers per string and only then placed among the alphabet's columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import announce
from rarefind.kernels.strings.letters import Strings

CELLS = 2**18  # numbers per batch: two megabytes, few enough for the processor's cache

Weigh = Callable[[IntArray, FloatArray, IntArray, int], FloatArray]
"""Weights of subsequences of a batch: letters, decays, lengths and number of letters."""


Entries: TypeAlias = tuple[NDArray[np.int32], IntArray, FloatArray]
"""Weights that are not zero: the string, the word (spelt in base sigma) and the weight."""


def subsequence_entries(
    strings: Strings, decays: FloatArray, length: int, weigh: Weigh
) -> Iterator[Entries]:
    """Weights of all words of ``length`` letters in every string, in batches of strings."""
    sigma = len(strings.letters)
    own, alphabets, begins = strings.own_letters
    sizes, lengths = np.diff(begins), strings.lengths
    useful = np.flatnonzero(lengths >= length)
    # Batches share a size of alphabet, and grow in length so that the active strings are a tail.
    order = useful[np.lexsort((lengths[useful], sizes[useful]))]
    ordered = sizes[order]
    done = 0
    while done < order.size:
        size = int(ordered[done])
        cells = size**length
        stop = min(done + max(CELLS // cells, 1), int(np.searchsorted(ordered, size, "right")))
        rows = order[done:stop]
        places = strings.starts[rows][:, None] + np.arange(int(lengths[rows].max()))
        places = np.minimum(places, own.size - 1)
        weights = weigh(own[places], decays[places], lengths[rows], size)
        found = np.flatnonzero(weights)
        letters = alphabets[begins[rows][:, None] + np.arange(size)]
        yield _placed(rows, found, weights.ravel()[found], letters, length, sigma)
        done = stop
        announce("features", done, order.size)


def _placed(
    rows: IntArray,
    found: IntArray,
    weights: FloatArray,
    letters: IntArray,
    length: int,
    sigma: int,
) -> Entries:
    """Turn cells of the strings' own blocks into words over the common alphabet."""
    size = letters.shape[1]
    cells = size**length
    row, cell = np.divmod(found, cells)
    alphabets, which = np.unique(letters, axis=0, return_inverse=True)
    if len(alphabets) * cells <= max(found.size, 1):
        # Few different alphabets: translate every cell once for each.
        table = _codes(
            alphabets, np.arange(len(alphabets))[:, None], np.arange(cells), length, sigma
        )
        code = table[which.ravel()[row], cell]
    else:
        code = _codes(letters, row, cell, length, sigma)
    known = code >= 0
    if not known.all():
        row, code, weights = row[known], code[known], weights[known]
    return rows[row].astype(np.int32), code, weights


def _codes(letters: IntArray, row: IntArray, cell: IntArray, length: int, sigma: int) -> IntArray:
    """Spell cells as words over the common alphabet; -1 if a letter is outside it."""
    code: Any = 0
    known: Any = True
    for place in range(length):
        cell, own = np.divmod(cell, letters.shape[1])
        letter = letters[row, own]
        known = known & (letter >= 0)
        code = code + letter * sigma**place
    return np.where(known, code, -1)


def span_weights(
    letters: IntArray, decays: FloatArray, lengths: IntArray, size: int, *, length: int
) -> FloatArray:
    """Weigh every subsequence by the decays of all letters from its first to its last.

    ``ends[q]`` holds the weights of words of q + 1 letters, decayed up to the present letter; a
    row for each string and last letter, a column for each beginning.
    """
    count = letters.shape[0]
    ends = [np.zeros((count * size, size**q)) for q in range(length)]
    for step, first in _steps(letters, lengths):
        decay = decays[first:, step, None]
        here = np.arange(first, count) * size + letters[first:, step]
        before = [decay]
        for q in range(length - 1):
            block = ends[q].reshape(count, -1)[first:]
            block *= decay
            before.append(block)
        # The longest first: each needs the shorter ones as they were before this letter.
        for q in range(length - 1, -1, -1):
            ends[q][here] += before[q]
    return ends[-1].reshape(count, -1)


def gap_weights(
    letters: IntArray, decays: FloatArray, lengths: IntArray, size: int, *, length: int
) -> FloatArray:
    """Weigh every subsequence by one decay for each of its gaps.

    ``sums[q]`` holds the weights of words of q + 1 letters; ``ready[q]`` what the next letter may
    continue: words that end at the present letter in full, earlier ones decayed.
    """
    count = letters.shape[0]
    sums = [np.zeros((count * size, size**q)) for q in range(length)]
    ready = [np.zeros((count * size, size**q)) for q in range(length - 1)]
    for step, first in _steps(letters, lengths):
        decay = decays[first:, step, None]
        here = np.arange(first, count) * size + letters[first:, step]
        for q in range(length - 1, -1, -1):
            before = ready[q - 1].reshape(count, -1)[first:] if q else np.ones_like(decay)
            sums[q][here] += before
            if q < length - 1:
                fading = ready[q].reshape(count, -1)[first:]
                np.multiply(sums[q].reshape(count, -1)[first:], decay, out=fading)
                ready[q][here] += (1.0 - decay) * before
    return sums[-1].reshape(count, -1)


def soft_weights(
    vectors: FloatArray, decays: FloatArray, lengths: IntArray, *, length: int
) -> FloatArray:
    """Span weights for letters that are vectors: words are products of their letters' vectors."""
    count, _, size = vectors.shape
    ends = [np.zeros((count, size, size**q)) for q in range(length)]
    for step, first in _steps(vectors, lengths):
        decay = decays[first:, step, None, None]
        vector = vectors[first:, step, :, None]
        before = [decay]
        for q in range(length - 1):
            ends[q][first:] *= decay
            before.append(ends[q][first:].reshape(count - first, 1, -1))
        for q in range(length - 1, -1, -1):
            ends[q][first:] += vector * before[q]
    return ends[-1].reshape(count, -1)


def _steps(letters: Any, lengths: IntArray) -> Iterator[tuple[int, int]]:
    """Go through the letters; the strings that have one at this step begin at ``first``."""
    for step in range(letters.shape[1]):
        yield step, int(np.searchsorted(lengths, step, "right"))
