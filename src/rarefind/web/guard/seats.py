"""Who is on the list: the people that were invited, as the store has them a moment ago."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass

from rarefind.core.errors import RarefindError
from rarefind.store.people.invitations import Person, Role

FRESH_SECONDS = 2.0
"""Whoever is shut out, here or by another process, is out after so long. A choice: the list is
small, and one look into the store every two seconds costs nothing."""


@dataclass(frozen=True)
class Visitor:
    """Who sends a request: a person by name, or whoever has the token, who leads."""

    name: str | None
    role: Role


OWNER = Visitor(None, "leads")
"""Whoever has the token, or came by the link that was printed."""


class GuestList:
    """Knows who may come in.

    Parameters
    ----------
    read
        Fetches everybody from the store, away from the event loop.
    """

    def __init__(self, read: Callable[[], Awaitable[list[Person]]]) -> None:
        self._read = read
        self._people: dict[str, Person] = {}
        self._read_at = -FRESH_SECONDS
        self._reading = asyncio.Lock()

    def forget(self) -> None:
        """Look into the store before the next request."""
        self._read_at = -FRESH_SECONDS

    async def visitor(self, seat: str) -> Visitor | None:
        """Return who sits on a seat; None if nobody may any more."""
        if self._stale():
            async with self._reading:
                if self._stale():
                    await self._refresh()
        id, _, generation = seat.partition("-")
        person = self._people.get(id)
        if person is None or person.revoked_at is not None or str(person.generation) != generation:
            return None
        return Visitor(person.name, person.role)

    def _stale(self) -> bool:
        return time.monotonic() - self._read_at >= FRESH_SECONDS

    async def _refresh(self) -> None:
        with suppress(RarefindError):  # the store is away: whoever was in may wait for it
            self._people = {person.id: person for person in await self._read()}
        self._read_at = time.monotonic()


def seat_of(person: Person) -> str:
    """Name a person's seat in a cookie; shut out, they need another one."""
    return f"{person.id}-{person.generation}"
