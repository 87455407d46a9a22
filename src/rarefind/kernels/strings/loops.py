"""The recursions over pairs of strings that numpy has no words for.

Every loop takes all strings (``codes`` and ``starts`` as in `Strings`) and lists of pairs. It is
compiled when first called; import this module only where a loop is needed.
"""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.jit import jit
from rarefind.kernels.strings.letters import LetterArray

BIG = 2.0**500
"""Far below the largest double (about 2**1024), so that two such numbers can still be added."""

SMALL = 2.0**-500
"""Its inverse: both are powers of two, so that no digit is lost."""


@jit
def gap_weighted(
    codes: LetterArray,
    starts: IntArray,
    left: IntArray,
    right: IntArray,
    length: int,
    decays: FloatArray,
    similarity: FloatArray,
    soft: bool,
) -> FloatArray:
    """Weigh common subsequences by the decays of all letters they stretch over.

    ``ends[q, j]`` sums the pairs of subsequences of q + 1 letters that end at or before the
    present letter of the one string and before letter j of the other, decayed up to there.
    """
    out = np.zeros(left.size)
    for pair in range(left.size):
        s, s_end = starts[left[pair]], starts[left[pair] + 1]
        t, t_end = starts[right[pair]], starts[right[pair] + 1]
        m = t_end - t
        matches = np.empty(m)
        ends = np.zeros((length, m + 1))
        for i in range(s, s_end):
            for j in range(m):
                if soft:
                    matches[j] = similarity[codes[i], codes[t + j]]
                else:
                    matches[j] = 1.0 if codes[i] == codes[t + j] else 0.0
                matches[j] *= decays[i] * decays[t + j]
            # The longest first: each needs the shorter ones as they were before this letter.
            for q in range(length - 1, -1, -1):
                if q == length - 1:  # nothing continues these: sum them where they end
                    for j in range(m):
                        ends[q, j] += matches[j] * (ends[q - 1, j] if q > 0 else 1.0)
                else:
                    run = 0.0
                    for j in range(m):
                        run = matches[j] * (ends[q - 1, j] if q > 0 else 1.0) + decays[t + j] * run
                        ends[q, j + 1] = run + decays[i] * ends[q, j + 1]
        out[pair] = ends[length - 1].sum()
    return out


@jit
def gap_number_weighted(
    codes: LetterArray, starts: IntArray, left: IntArray, right: IntArray, length: int, decay: float
) -> FloatArray:
    """Weigh common subsequences by ``decay`` for every gap in either string, however long.

    ``ready[q, j]`` sums the pairs of subsequences of q + 1 letters that the present letter and
    letter j + 1 may continue, gaps paid for; ``so_far`` sums them over all earlier letters.
    """
    out = np.zeros(left.size)
    for pair in range(left.size):
        s, s_end = starts[left[pair]], starts[left[pair] + 1]
        t, t_end = starts[right[pair]], starts[right[pair] + 1]
        m = t_end - t
        ready = np.zeros((length, m + 1))
        so_far = np.zeros((length, m + 1))
        total = 0.0
        for i in range(s, s_end):
            for q in range(length - 1, -1, -1):
                before = 0.0
                for j in range(m):
                    match = 1.0 if codes[i] == codes[t + j] else 0.0
                    if q > 0:
                        match *= ready[q - 1, j]
                    if q == length - 1:
                        total += match
                    else:
                        here = match + decay * before
                        before += match
                        ready[q, j + 1] = here + decay * so_far[q, j + 1]
                        so_far[q, j + 1] += here
        out[pair] = total
    return out


@jit
def all_subsequences(
    codes: LetterArray, starts: IntArray, left: IntArray, right: IntArray
) -> FloatArray:
    """Count pairs of equal subsequences of any length, the empty one included."""
    out = np.empty(left.size)
    for pair in range(left.size):
        t, t_end = starts[right[pair]], starts[right[pair] + 1]
        counts = np.ones(t_end - t + 1)
        for i in range(starts[left[pair]], starts[left[pair] + 1]):
            letter = codes[i]
            new = 0.0
            diagonal = counts[0]
            for j in range(t_end - t):
                if codes[t + j] == letter:
                    new += diagonal
                diagonal = counts[j + 1]
                counts[j + 1] = diagonal + new
        out[pair] = counts[t_end - t]
    return out


@jit
def log_all_subsequences(
    codes: LetterArray, starts: IntArray, left: IntArray, right: IntArray
) -> FloatArray:
    """Logarithms of the same counts where they outgrow floating point.

    Every number is held as ``mantissa * BIG**power`` with its own power: a common one would lose
    small counts that later letters still multiply.
    """
    out = np.empty(left.size)
    for pair in range(left.size):
        t, t_end = starts[right[pair]], starts[right[pair] + 1]
        counts = np.ones(t_end - t + 1)
        powers = np.zeros(t_end - t + 1, dtype=np.int64)
        for i in range(starts[left[pair]], starts[left[pair] + 1]):
            letter = codes[i]
            new, new_power = 0.0, 0
            diagonal, diagonal_power = counts[0], powers[0]
            for j in range(t_end - t):
                if codes[t + j] == letter:
                    while new_power < diagonal_power:
                        new, new_power = new * SMALL, new_power + 1
                    if new_power == diagonal_power:
                        new += diagonal
                    elif new_power == diagonal_power + 1:
                        new += diagonal * SMALL
                diagonal, diagonal_power = counts[j + 1], powers[j + 1]
                value, power = diagonal, diagonal_power
                while power < new_power:
                    value, power = value * SMALL, power + 1
                if power == new_power:
                    value += new
                elif power == new_power + 1:
                    value += new * SMALL
                if value > BIG:
                    value, power = value * SMALL, power + 1
                counts[j + 1], powers[j + 1] = value, power
        out[pair] = np.log(counts[t_end - t]) + powers[t_end - t] * np.log(BIG)
    return out


@jit
def compared_windows(
    codes: LetterArray,
    starts: IntArray,
    left: IntArray,
    right: IntArray,
    length: int,
    weights: FloatArray,
) -> FloatArray:
    """Sum ``weights[d]`` over all pairs of windows that differ in d places.

    Windows slide along the diagonals, so a pair costs one step whatever its length. Windows with
    a letter outside the alphabet (-1) are passed over.
    """
    out = np.zeros(left.size)
    for pair in range(left.size):
        s, t = starts[left[pair]], starts[right[pair]]
        n, m = starts[left[pair] + 1] - s, starts[right[pair] + 1] - t
        differs = np.empty(min(n, m), dtype=np.int32)
        total = 0.0
        for shift in range(length - n, m - length + 1):
            a, b = s + max(-shift, 0), t + max(shift, 0)
            places = min(s + n - a, t + m - b)
            for k in range(places):
                differs[k] = codes[a + k] != codes[b + k]
                if codes[a + k] < 0 or codes[b + k] < 0:
                    differs[k] = length + 1
            differing = 0
            for k in range(places):
                differing += differs[k]
                if k >= length:
                    differing -= differs[k - length]
                if k >= length - 1 and differing <= length:
                    total += weights[differing]
        out[pair] = total
    return out
