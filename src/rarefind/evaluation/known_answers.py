"""A space that remembers what it was asked, for those who hunt in it more than once."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np

from rarefind.geometry import Space


def remembering(space: Space) -> Space:
    """Return the same space with an engine that remembers its answers about all points.

    Another seed asks the same of the geometry again: radii, counts and neighbours of everybody.
    """
    engine = copy.copy(space.engine)
    for name in ("least_kth_distance", "counts", "nearest", "diameter_bound"):
        setattr(engine, name, _remembered(getattr(engine, name)))
    return Space(space.folded, engine, space.vectors, space.names)


def _remembered(question: Callable[..., Any]) -> Callable[..., Any]:
    answers: dict[tuple[Any, ...], Any] = {}

    def answer(*arguments: Any, points: Any = None) -> Any:
        if points is not None or any(isinstance(value, np.ndarray) for value in arguments):
            return question(*arguments, **({} if points is None else {"points": points}))
        if arguments not in answers:
            answers[arguments] = question(*arguments)
        found = answers[arguments]
        # Whoever asks may write into what it gets.
        return (
            tuple(part.copy() for part in found) if isinstance(found, tuple) else copy.copy(found)
        )

    return answer
