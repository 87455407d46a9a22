"""A question to a person, with its reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from rarefind.core.asked_by import AskedBy


@dataclass(frozen=True)
class Question:
    """A record that rarefind wants a person to look at.

    Attributes
    ----------
    row
        Which record, counted from 0.
    why
        Why it is worth asking about, in a sentence.
    evidence
        The numbers behind the reason.
    neighbours
        Rows of the records most like it, nearest first.
    asked_by
        The member of the strategy that asks; it is credited with the answer.
    """

    row: int
    why: str
    evidence: Mapping[str, float]
    neighbours: tuple[int, ...]
    asked_by: AskedBy
