"""Who was given which records to look at, where no lease holds them."""

from __future__ import annotations

import time
from collections.abc import Mapping
from typing import Generic, TypeVar

T = TypeVar("T")


class WhoHas(Generic[T]):
    """Who was given which rows, and what with each, as far as this process gave them.

    Nobody is kept from a row by this: it says which rows to choose clear of, for some time.

    >>> looks = WhoHas[str]()
    >>> looks.give("anna", {7: "likely", 8: "less so"}, seconds=60.0)
    >>> looks.others("ben"), looks.others("anna"), looks.given(8)
    ({7: 'likely', 8: 'less so'}, {}, 'less so')
    """

    def __init__(self) -> None:
        self._by_person: dict[str, tuple[Mapping[int, T], float]] = {}

    def give(self, person: str, rows: Mapping[int, T], seconds: float) -> None:
        """Note what somebody has for so long; what they had before and left is free again."""
        others = {name: has for name, has in self._by_person.items() if name != person}
        self._by_person = {**others, person: (rows, time.time() + seconds)}

    def others(self, person: str) -> dict[int, T]:
        """Return the rows that others have and may still answer."""
        now = time.time()
        return {
            row: given
            for name, (has, until) in self._by_person.items()
            if name != person and until > now
            for row, given in has.items()
        }

    def given(self, row: int, person: str | None = None) -> T | None:
        """Return what was given with a row: to whoever got it last, or to one person."""
        for name, (has, _) in reversed(self._by_person.items()):
            if row in has and person in (None, name):
                return has[row]
        return None
