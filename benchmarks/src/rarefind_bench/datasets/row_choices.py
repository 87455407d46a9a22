"""Which rows of a data set a draw takes, so that some of its classes are rare."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import IntArray, Records, take
from rarefind_bench.datasets.labelled_set import RARE_SHARE

LARGEST_THINNED, SMALLEST_THINNED = 0.03, 0.003
"""Where no class is rare, two thirds of them are thinned to between these shares."""

_FEWEST_THINNED = 3
"""A class of one or two would be luck for everybody."""

_FEWEST_KEPT = 8
"""A cut leaves this many records of every class, or all if it has fewer."""


def chosen(records: Records, rows: IntArray) -> Records:
    """Return these records, whatever holds them."""
    return [records[int(row)] for row in rows] if isinstance(records, list) else take(records, rows)


def rare_rows(labels: Sequence[str], seed: int) -> IntArray:
    """Choose rows so that some classes are rare; all of them where some are already.

    Where every class holds a twentieth or more, the largest third of the classes stays whole. The
    others, in random order, are thinned to 3 % down to 0.3 % of those left whole, in equal
    ratios, but to no fewer than three records.

    >>> labels = ["a"] * 500 + ["b"] * 400 + ["c"] * 300
    >>> kept = [labels[row] for row in rare_rows(labels, seed=0)]
    >>> sorted(kept.count(name) for name in "abc")
    [3, 15, 500]
    """
    truth = np.asarray(labels)
    sizes = Counter(labels)
    if min(sizes.values()) < RARE_SHARE * len(labels):
        return np.arange(len(labels))
    rng = np.random.default_rng(seed)
    ordered = [name for name, _ in sizes.most_common()]
    whole = ordered[: -(-len(ordered) // 3)]
    crowd = sum(sizes[name] for name in whole)
    thinned = ordered[len(whole) :]
    shares = np.geomspace(LARGEST_THINNED, SMALLEST_THINNED, len(thinned))
    if len(thinned) == 1:
        shares = np.array([np.sqrt(LARGEST_THINNED * SMALLEST_THINNED)])
    kept = [np.flatnonzero(np.isin(truth, whole))]
    for name, share in zip(rng.permutation(np.asarray(thinned)), shares, strict=True):
        size = max(_FEWEST_THINNED, round(share * crowd))
        kept.append(rng.permutation(np.flatnonzero(truth == name))[:size])
    return np.sort(np.concatenate(kept))


def cut_rows(labels: Sequence[str], rows: int | None, seed: int) -> IntArray:
    """Choose about this many rows, every class in proportion but with at least eight records.

    The rows come in random order, since files sorted by class would give answers away.
    """
    rng = np.random.default_rng(seed)
    truth: NDArray[np.object_] = np.asarray(labels, dtype=object)
    if rows is None or rows >= len(truth):
        return rng.permutation(len(truth))
    kept = []
    for name, size in Counter(labels).most_common():
        share = max(min(size, _FEWEST_KEPT), round(size * rows / len(truth)))
        kept.append(rng.permutation(np.flatnonzero(truth == name))[:share])
    return rng.permutation(np.concatenate(kept))


def shuttle_rows(labels: Sequence[str], seed: int) -> IntArray:
    """Choose the rows of Shuttle-4515: a tenth of classes 1, 4 and 5, all of 2, 3, 6 and 7."""
    rng = np.random.default_rng(seed)
    truth = np.asarray(labels)
    kept = []
    for name in sorted(set(labels)):
        rows = rng.permutation(np.flatnonzero(truth == name))
        kept.append(rows[: len(rows) // 10] if name in {"1", "4", "5"} else rows)
    return np.sort(np.concatenate(kept))
