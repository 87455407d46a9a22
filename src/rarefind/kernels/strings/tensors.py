"""Weights of all subsequences of a string, letter by letter, for many strings at once.

A string mostly uses few of the alphabet's letters, so weights are held as a block of
``own letters ** length`` numbers per string and only then placed among the alphabet's columns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.progress import report
from rarefind.kernels.strings.records import Strings

CELLS = 2**17  # numbers per batch: a megabyte, which the processor's cache holds

Weigh = Callable[[IntArray, FloatArray, IntArray, int], FloatArray]
"""Weights of subsequences of a batch: letters, decays, lengths and number of letters."""


@dataclass(frozen=True)
class Entries:
    """Non-zero weights: the string, the word (its letters' number in base sigma), the weight."""

    rows: IntArray
    codes: IntArray
    weights: FloatArray


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
        report("features", done, order.size)


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
    row, cell = np.divmod(found, size**length)
    if size == sigma and (letters[:, 0] == 0).all():
        return Entries(rows[row], cell, weights)
    known = np.ones(found.size, dtype=np.bool_)
    code = np.zeros(found.size, dtype=np.int64)
    for place in range(length):
        cell, own = np.divmod(cell, size)
        letter = letters[row, own]
        known &= letter >= 0
        code += letter * sigma**place
    return Entries(rows[row[known]], code[known], weights[known])


def span_weights(
    letters: IntArray, decays: FloatArray, lengths: IntArray, size: int, *, length: int
) -> FloatArray:
    """Weigh every subsequence by the decays of all letters from its first to its last.

    ``open_ends[q]`` holds the weights of words of q + 1 letters up to the present letter; the
    last letter of a word is the leading digit of its cell.
    """
    count = letters.shape[0]
    open_ends = [np.zeros((count, size, size**q)) for q in range(length - 1)]
    total = np.zeros((count, size, size ** (length - 1)))
    for step, active, here, letter in _steps(letters, lengths):
        decay = decays[active, step, None]
        for q in range(length - 1, -1, -1):
            if q < length - 1:
                open_ends[q][active] *= decay[:, :, None]
            before = open_ends[q - 1][active].reshape(here.size, -1) if q > 0 else 1.0
            target = total if q == length - 1 else open_ends[q]
            target[here, letter] += decay * before
    return total.reshape(count, -1)


def gap_weights(
    letters: IntArray, decays: FloatArray, lengths: IntArray, size: int, *, length: int
) -> FloatArray:
    """Weigh every subsequence by one decay for each of its gaps.

    ``ready[q]`` holds the weights of words of q + 1 letters for the next letter to continue: in
    full if they end at the present letter, decayed if they ended before.
    """
    count = letters.shape[0]
    sums = [np.zeros((count, size, size**q)) for q in range(length)]
    ready = [np.zeros((count, size, size**q)) for q in range(length - 1)]
    for step, active, here, letter in _steps(letters, lengths):
        decay = decays[active, step, None]
        for q in range(length - 1, -1, -1):
            before: Any = ready[q - 1][active].reshape(here.size, -1) if q > 0 else 1.0
            sums[q][here, letter] += before
            if q < length - 1:
                np.multiply(sums[q][active], decay[:, :, None], out=ready[q][active])
                ready[q][here, letter] += (1.0 - decay) * before
    return sums[-1].reshape(count, -1)


def soft_weights(
    vectors: FloatArray, decays: FloatArray, lengths: IntArray, *, length: int
) -> FloatArray:
    """Span weights for letters that are vectors: words are products of their letters' vectors."""
    count, _, size = vectors.shape
    open_ends = [np.zeros((count, size, size**q)) for q in range(length - 1)]
    total = np.zeros((count, size, size ** (length - 1)))
    for step in range(vectors.shape[1]):
        active = slice(int(np.searchsorted(lengths, step, "right")), None)
        decay = decays[active, step, None, None]
        vector = vectors[active, step, :, None] * decay
        for q in range(length - 1, -1, -1):
            if q < length - 1:
                open_ends[q][active] *= decay
            before: Any = open_ends[q - 1][active].reshape(len(vector), 1, -1) if q > 0 else 1.0
            (total if q == length - 1 else open_ends[q])[active] += vector * before
    return total.reshape(count, -1)


def _steps(letters: IntArray, lengths: IntArray) -> Iterator[tuple[int, slice, IntArray, IntArray]]:
    """Go through the letters: step, strings that reach it (a tail), their rows and letters."""
    for step in range(letters.shape[1]):
        first = int(np.searchsorted(lengths, step, "right"))
        here = np.arange(first, letters.shape[0])
        yield step, slice(first, None), here, letters[first:, step]
