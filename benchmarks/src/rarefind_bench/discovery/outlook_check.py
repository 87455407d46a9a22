"""Is the outlook right? What it said at every moment of a hunt, beside what came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.discovery.outlook import outlook
from rarefind_bench.tables_and_charts import Findings, Grid

_CHANCES = (0.0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.3, 1.0)
"""Moments are grouped by the chance that was stated, between these."""


class Moment(NamedTuple):
    """What was stated before a question, and what was true.

    Attributes
    ----------
    chance
        The stated chance that the next label shows a new class.
    new
        1 if it did, else 0.
    bound
        The stated share that an unseen class has at most.
    unseen
        The true share of the largest class unseen; 0 if all were seen.
    """

    chance: float
    new: float
    bound: float
    unseen: float


def moments(told: Sequence[str], sizes: Mapping[str, int]) -> list[Moment]:
    """Judge the outlook after each label of a hunt but the last.

    >>> [moment.new for moment in moments(["a", "a", "b"], {"a": 9, "b": 1})]
    [0.0, 1.0]
    """
    n = sum(sizes.values())
    seen: set[str] = set()
    judged = []
    for moment in range(1, len(told)):
        seen.add(told[moment - 1])
        look = outlook(told[:moment])
        unseen = max((size / n for name, size in sizes.items() if name not in seen), default=0.0)
        new = float(told[moment] not in seen)
        judged.append(Moment(look.chance_of_new, new, look.largest_unseen_share, unseen))
    return judged


def add_outlook_check(
    found: Findings, strategy: str, hunts: Iterable[tuple[Sequence[str], Mapping[str, int]]]
) -> None:
    """Add the table of what the outlook said in these hunts (labels told, sizes of the classes)."""
    judged = [moment for told, sizes in hunts for moment in moments(told, sizes)]
    if not judged:
        return
    chance, new, bound, unseen = np.array(judged).T
    rows = []
    for low, high in pairwise(_CHANCES):
        inside = (chance > low) & (chance <= high)
        if inside.any():
            means = (f"{chance[inside].mean():.3f}", f"{new[inside].mean():.3f}")
            rows.append((f"{low:g} to {high:g}", int(inside.sum()), *means))
    title = f"Is the outlook right? {strategy}: {_wrong_bounds(bound, unseen)}"
    header = ("stated chance of a new class", "moments", "mean stated", "came true")
    found.grids.append(Grid(title, header, rows))
    found.data.setdefault("outlook", {})[strategy] = [
        dict(zip(header, row, strict=True)) for row in rows
    ]


def _wrong_bounds(bound: FloatArray, unseen: FloatArray) -> str:
    wrong = unseen > bound
    still = unseen > 0
    words = (
        f"the largest unseen class was larger than the share stated at 95 % in {wrong.mean():.1%} "
        f"of {len(wrong)} moments"
    )
    return f"{words} ({wrong[still].mean():.1%} where one was unseen)" if still.any() else words
