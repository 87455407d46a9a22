"""Is the outlook right? What it said at every moment of a hunt, beside what came."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

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
        The true share of all classes unseen; 0 if all were seen.
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
        unseen = sum(size for name, size in sizes.items() if name not in seen) / n
        new = float(told[moment] not in seen)
        judged.append(Moment(look.chance_of_new, new, look.largest_unseen_share, unseen))
    return judged


def add_outlook_check(
    found: Findings, strategy: str, hunts: Iterable[tuple[Sequence[str], Mapping[str, int]]]
) -> None:
    """Add the table of what the outlook said in these hunts (labels told, sizes of the classes)."""
    judged = [moments(told, sizes) for told, sizes in hunts]
    together = [moment for hunt in judged for moment in hunt]
    if not together:
        return
    chance, new = np.array(together).T[:2]
    rows = []
    for low, high in pairwise(_CHANCES):
        inside = (chance > low) & (chance <= high)
        if inside.any():
            means = (f"{chance[inside].mean():.3f}", f"{new[inside].mean():.3f}")
            rows.append((f"{low:g} to {high:g}", int(inside.sum()), *means))
    title = f"Is the outlook right? {strategy}: {_broken_bounds(judged)}"
    header = ("stated chance of a new class", "moments", "mean stated", "came true")
    found.grids.append(Grid(title, header, rows))
    found.data.setdefault("outlook", {})[strategy] = [
        dict(zip(header, row, strict=True)) for row in rows
    ]


def _broken_bounds(hunts: Sequence[Sequence[Moment]]) -> str:
    """Say in how many hunts, and at how many moments, more was unseen than was told."""
    broken = [[moment.unseen > moment.bound for moment in hunt] for hunt in hunts]
    moments_broken, all_moments = sum(map(sum, broken)), sum(map(len, broken))
    return (
        f"more was unseen than the share stated at 95 % in {sum(map(any, broken))} of "
        f"{len(broken)} hunts, at {moments_broken} of {all_moments} moments"
    )
