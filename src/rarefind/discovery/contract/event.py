"""What a person said in a hunt."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass

from rarefind.core.asked_by import AskedBy


@dataclass(frozen=True, slots=True)
class Event:
    """One thing a person said: a label, or (``label`` None) that the record be skipped.

    ``asked_by`` tells who had asked; None if the record was told unasked.
    """

    row: int
    label: Hashable | None
    asked_by: AskedBy | None = None


@dataclass(frozen=True)
class Renamed:
    """A class that got another name, or that of another class, and the rows it is about."""

    old: Hashable
    new: Hashable
    rows: tuple[int, ...]
