"""Connections on which nobody has signed in: they are few, and the first to go."""

from __future__ import annotations

from collections.abc import Iterator, Sized
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from uvicorn.server import ServerState

MOST_STRANGERS = 256
"""Connections on which nobody has signed in; the oldest one makes room for another. A browser opens
half a dozen."""

MOST_CONNECTIONS = 1000
"""Fifty people with a few tabs each, and room; the limit of open files is raised to match."""


class Stranger(Protocol):
    """A connection that can be told to go; its scope tells who asks, once that is known."""

    scope: Any

    def turn_away(self) -> None:
        """Close the connection."""


class Strangers:
    """The strangers at a server, the oldest first."""

    def __init__(self, everybody: Sized) -> None:
        self._everybody = everybody
        self._waiting: dict[Stranger, None] = {}

    def __iter__(self) -> Iterator[Stranger]:
        return iter(list(self._waiting))

    def add(self, connection: Stranger) -> None:
        """Let another one in; if there are too many, the oldest makes room."""
        self._waiting[connection] = None
        if self._too_many():
            self._make_room()

    def forget(self, connection: Stranger) -> None:
        """Hear that a connection is closed, or that somebody has signed in on it."""
        self._waiting.pop(connection, None)

    def _too_many(self) -> bool:
        return (
            len(self._waiting) > MOST_STRANGERS
            or len(self._everybody) > MOST_CONNECTIONS  # at work, or waiting
        )

    def _make_room(self) -> None:
        """Let the oldest stranger go, whatever it is at.

        One that sends half a request, or reads no answer, would keep its place; who belongs here
        is signed in by then.
        """
        for other in self:
            self.forget(other)
            if other.scope is None or "signed_in" not in other.scope:
                other.turn_away()
                return
            # Its answer is under way.
            if not self._too_many():
                return


def strangers_at(state: ServerState) -> Strangers:
    """Return the strangers at the server whose state this is."""
    kept: Strangers = vars(state).setdefault("strangers", Strangers(state.connections))
    return kept
