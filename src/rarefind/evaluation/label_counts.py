"""How many labels it took to see every class, and how many chance would have needed."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from scipy.special import gammaln

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.core.errors import DataError


def labels_needed(
    told: Iterable[Hashable], background: Iterable[Hashable] = ()
) -> dict[Hashable, int]:
    """Tell after how many labels each class was first seen, in the order of discovery.

    >>> labels_needed(["ordinary", "fraud", "ordinary", "abuse"], background=["ordinary"])
    {'fraud': 2, 'abuse': 4}
    """
    ordinary = set(background)
    first: dict[Hashable, int] = {}
    for position, label in enumerate(told, start=1):
        if label not in ordinary:
            first.setdefault(label, position)
    return first


def classes_found(told: Sequence[Hashable], background: Iterable[Hashable] = ()) -> IntArray:
    """Return the discovery curve: how many classes were seen after 0, 1, 2, ... labels.

    >>> classes_found(["ordinary", "fraud", "ordinary", "abuse"], ["ordinary"]).tolist()
    [0, 0, 1, 1, 2]
    """
    curve = np.zeros(len(told) + 1, dtype=np.int64)
    for position in labels_needed(told, background).values():
        curve[position:] += 1
    return curve


def random_classes_found(sizes: Sequence[int], n: int, labels: int) -> FloatArray:
    """Return the discovery curve that random sampling has on average, exactly.

    A class of c among n records is missed by q draws without replacement with probability
    ``C(n-c, q) / C(n, q)``.

    >>> random_classes_found([1], n=4, labels=4).tolist()
    [0.0, 0.25, 0.5, 0.75, 1.0]
    """
    draws = np.arange(labels + 1, dtype=np.float64)
    seen = np.zeros(labels + 1)
    for size in _checked(sizes, n):
        missed = np.zeros(labels + 1)
        possible = draws <= n - size
        q = draws[possible]
        missed[possible] = np.exp(
            gammaln(n - size + 1) - gammaln(n - size - q + 1) + gammaln(n - q + 1) - gammaln(n + 1)
        )
        seen += 1.0 - missed
    return seen.round(12)


def random_labels_needed(sizes: Sequence[int], n: int) -> float:
    """Labels that random sampling needs on average until all classes of these sizes are seen.

    The number still unseen after q draws sums to the answer; each term is a mean over the subsets
    of classes that could be missing (inclusion and exclusion), grouped by the size of the subset
    so that many classes cost no more than few.

    >>> round(random_labels_needed([6, 11, 37, 132, 245, 674], n=4515), 1)
    776.9
    """
    # P(some class is missing) = sum over subsets of (-1)^(|A|+1) P(all of A missing); subsets with
    # the same total size share the same term, so they are counted like coins making a sum.
    ways: dict[int, int] = {0: -1}
    for size in _checked(sizes, n):
        for total, number in list(ways.items()):
            ways[total + size] = ways.get(total + size, 0) - number
    return float(sum(number * (n + 1) / (1 + total) for total, number in ways.items() if total))


def _checked(sizes: Sequence[int], n: int) -> list[int]:
    whole = [int(size) for size in sizes]
    if not whole or min(whole) < 1 or sum(whole) > n:
        raise DataError(
            f"Class sizes must be at least 1 and sum to at most the {n} records. Got {whole}."
        )
    return whole
