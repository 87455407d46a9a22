"""What random sampling needs on average, exactly, and labels as a share of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import comb

import numpy as np


def random_labels(sizes: Sequence[int], n: int) -> tuple[float, ...]:
    """Labels that random sampling needs on average until the 1st, 2nd, ... class is seen.

    The k-th of several moments is a sum over groups of classes of the first moment in each group
    (inclusion and exclusion), and a group of c among n records is first met after (n+1)/(c+1).

    >>> [round(labels, 1) for labels in random_labels([6, 11, 37, 132, 245, 674], 4515)]
    [4.1, 12.4, 30.7, 92.2, 283.1, 776.9]
    """
    classes = len(sizes)
    # How many groups have so many classes and so many records together.
    groups: dict[tuple[int, int], int] = {(0, 0): 1}
    for size in sizes:
        for (members, total), number in list(groups.items()):
            larger = members + 1, total + size
            groups[larger] = groups.get(larger, 0) + number
    first = [0.0] * (classes + 1)
    for (members, total), number in groups.items():
        first[members] += number * (n + 1) / (total + 1)
    return tuple(
        sum(
            (-1) ** (members - (classes - place + 1))
            * comb(members - 1, classes - place)
            * first[members]
            for members in range(classes - place + 1, classes + 1)
        )
        for place in range(1, classes + 1)
    )


def ratio_to_random(
    seen: Mapping[str, int], drawn: Mapping[str, int], rare: Sequence[str], budget: int
) -> float:
    """Mean over rare classes of labels at first sight over what random sampling needs.

    A class not seen within the budget counts as the budget and what random sampling would need
    from there on.

    >>> ratio_to_random({"odd": 2}, {"even": 4, "odd": 1}, ["odd"], budget=5)
    0.6666666666666666
    """
    n = sum(drawn.values())
    allowed = min(budget, n)
    ratios = []
    for name in rare:
        size = drawn[name]
        beyond = allowed + (n - allowed + 1) / (size + 1)
        ratios.append(seen.get(name, beyond) * (size + 1) / (n + 1))
    return float(np.mean(ratios))
