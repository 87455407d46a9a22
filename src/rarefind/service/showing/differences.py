"""In which fields two records differ most, as a person would tell them apart."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

MOST = 3
"""Differences told of a neighbour: what fits beside a question."""


@dataclass(frozen=True)
class Difference:
    """A field in which another record differs: its value there, and how far off that is.

    ``size`` is the share of records between the two values; 1 for words that differ.
    """

    name: str
    value: str
    size: float


def largest(differences: Iterable[Difference]) -> tuple[Difference, ...]:
    """Return the largest of the differences, the largest first.

    >>> [each.name for each in largest([Difference("a", "1", 0.1), Difference("b", "x", 1.0)])]
    ['b', 'a']
    """
    return tuple(sorted(differences, key=lambda each: -each.size)[:MOST])
