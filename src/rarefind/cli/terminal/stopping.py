"""Stopping on request."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class Stopped(Exception):  # noqa: N818  (somebody wanted to)
    """Somebody stopped the command; the sentence says what is kept."""


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Control-C wait until the block is done, so that whatever is kept is also shown.

    Pressed twice it waits no longer.
    """
    pressed: list[int] = []

    def remember(number: int, frame: FrameType | None) -> None:
        if pressed:
            raise KeyboardInterrupt
        pressed.append(number)

    before = signal.signal(signal.SIGINT, remember)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if pressed:
        raise KeyboardInterrupt
