"""What a person said in a hunt."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass


@dataclass(frozen=True)
class Event:
    """One thing a person said: a label, or (``label`` None) that the record be skipped."""

    row: int
    label: Hashable | None
    asked: bool
