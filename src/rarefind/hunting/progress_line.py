"""How far long work in Python has come, on one line that rewrites itself."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from rarefind.core.progress import Step, listen

QUIET_SECONDS = 0.5
"""Work that is done sooner shows nothing."""

BETWEEN_SECONDS = 0.1
"""Time between two looks of the line: a reader sees no more."""


@contextmanager
def progress_line(shown: bool | None) -> Iterator[None]:
    """Show the progress of the work done inside the block; None means in notebooks only."""
    if not (in_notebook() if shown is None else shown):
        yield
        return
    line = _Line()
    with listen(line.hear):
        try:
            yield
        finally:
            line.end()


def in_notebook() -> bool:
    """Whether this runs in a notebook, whose readers wait in front of it."""
    shell = sys.modules.get("IPython")
    current = None if shell is None else shell.get_ipython()
    return type(current).__name__ == "ZMQInteractiveShell"


class _Line:
    def __init__(self) -> None:
        self._begun, self._last, self._width = monotonic(), 0.0, 0

    def hear(self, step: Step) -> None:
        now = monotonic()
        if now - self._begun < QUIET_SECONDS or now - self._last < BETWEEN_SECONDS:
            return
        self._last = now
        share = step.done / step.total if step.total else 1.0
        left = f", {step.remaining:,.0f} s left" if step.remaining is not None else ""
        self._write(f"rarefind: {step.task} {share:.0%}{left}")

    def end(self) -> None:
        if self._width:
            self._write("")
            sys.stderr.write("\r")
            sys.stderr.flush()

    def _write(self, words: str) -> None:
        sys.stderr.write("\r" + words.ljust(self._width))
        sys.stderr.flush()
        self._width = len(words)
