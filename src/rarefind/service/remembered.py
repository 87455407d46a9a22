"""What was made lately, so that it is not made again."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")


class Remembered:
    """The last few things that were made, by name, each with what it follows from.

    Safe to use from many threads: two that want the same at once may both make it.

    >>> squares = Remembered(most=2)
    >>> squares.of("first", 3, lambda: 3 * 3), squares.of("first", 3, lambda: "made again")
    (9, 9)
    >>> squares.of("first", 4, lambda: 4 * 4)
    16

    Parameters
    ----------
    most
        How many are kept, those used last.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: dict[Hashable, tuple[object, Any]] = {}

    def of(self, name: Hashable, state: object, make: Callable[[], T]) -> T:
        """Return what was made in this state; make it if it was not, or has been let go."""
        known = self._made.get(name)
        if known is None or known[0] != state:
            known = state, make()
        self._made.pop(name, None)
        self._made[name] = known  # behind all others
        for old in list(self._made)[: -self._most]:
            self._made.pop(old, None)
        made: T = known[1]
        return made

    def clear(self) -> None:
        """Let go of everything."""
        self._made.clear()
