"""One model of the average, and the plain ways of making one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from sklearn.base import clone

from rarefind.detection.auto.quick_trees import QuickTrees

_TREES = 120
"""Trees in all fits of a member together."""

_FEWEST_TREES = 24
"""Trees of one fit at least, a fifth of them all: what each of the usual five fits has."""


@dataclass(frozen=True)
class Member:
    """A model of the average: how to make it for one of so many fits, and what it counts.

    With ``every_class`` it learns the names of all classes, not only which record is wanted.
    ``fewest`` says how many examples it takes to count at all.
    """

    make: Callable[[int, int], Any]
    weight: float = 1.0
    every_class: bool = False
    fewest: int = 1


def as_it_is(model: Any) -> Member:
    """Make a member that is the same model in every fit."""
    return Member(lambda fits, seed: clone(model))


def number_of_trees(fits: int) -> int:
    """Tell how many trees each of so many fits has."""
    return max(_TREES // fits, _FEWEST_TREES)


def trees(fits: int, seed: int) -> Any:
    """Make extremely randomised trees in which both classes weigh the same."""
    return QuickTrees(number_of_trees(fits), balanced=True, random_state=seed)
