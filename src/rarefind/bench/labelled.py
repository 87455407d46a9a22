"""Records whose classes are known, and how to draw a set with rare classes from them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rarefind.core.arrays import IntArray, Records, take
from rarefind.geometry import Space
from rarefind.geometry.any_records import make_space
from rarefind.kernels.contract import Kernel

RARE_SHARE = 0.05
"""A class below this share of all records is rare."""

LARGEST_THINNED, SMALLEST_THINNED = 0.03, 0.003
"""Where no class is rare, two thirds of them are thinned to between these shares."""

_FEWEST_THINNED = 3
_FEWEST_KEPT = 8
"""A cut leaves this many records of every class, or all if it has fewer."""


@dataclass(frozen=True)
class LabelledSet:
    """Records with their true classes.

    Attributes
    ----------
    name
        What the set is called.
    records
        The records, in random order.
    labels
        The class of each.
    kernel
        How they are compared; None for distances between vectors.
    scale
        How vectors are scaled: ``"auto"`` as suits the strategy, ``"none"`` if done already.
    """

    name: str
    records: Records
    labels: tuple[str, ...]
    kernel: Kernel | None = None
    scale: str = "auto"

    @property
    def sizes(self) -> dict[str, int]:
        """How many records each class has, largest first."""
        return dict(Counter(self.labels).most_common())

    @property
    def background(self) -> str:
        """The largest class."""
        return next(iter(self.sizes))

    @property
    def rare(self) -> tuple[str, ...]:
        """The classes that hold less than a twentieth of all records."""
        limit = RARE_SHARE * len(self.labels)
        return tuple(name for name, size in self.sizes.items() if size < limit)

    @property
    def priors(self) -> dict[Hashable, float]:
        """The true shares of all classes but the largest."""
        n = len(self.labels)
        return {name: size / n for name, size in self.sizes.items() if name != self.background}

    def space(self, scale: str) -> Space:
        """Make the space of the records for a strategy that wants features scaled like this."""
        wanted = scale if self.scale == "auto" else self.scale
        return make_space(self.records, self.kernel, wanted)


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


def without_small_print(columns: Mapping[str, object]) -> list[str]:
    """Name the columns that are features: not labels, published parts or row numbers.

    >>> without_small_print({"x": 0, "label": 0, "label_2": 0, "split": 0, "row": 0})
    ['x']
    """
    aside = {"label", "split", "row", "university"}
    return [name for name in columns if name not in aside and not name.startswith("label_")]
