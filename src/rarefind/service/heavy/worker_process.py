"""The process that heavy work is done in, the line to it, and what it keeps."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.service.heavy.worker import work

_PATIENCE_SECONDS = 3.0
"""A process that was asked to end gets so long before it is killed."""

_MOST_KEPT = 4
"""Hunts whose records a process keeps for the next ranking: people rarely rank more in turn."""

_LARGE_BYTES = 1_000_000
"""Larger arrays go through a file that is mapped, smaller ones through the line."""


@dataclass(frozen=True)
class Request:
    """Work to be done: ``function(*kept, *args)``, where what is kept has a name."""

    key: str
    kept: tuple[Any, ...]
    function: Callable[..., Any]
    args: tuple[Any, ...]

    def done_here(self) -> Any:
        """Do the work in this process."""
        return self.function(*self.kept, *self.args)


class EndedError(Exception):
    """The process is gone."""


class WorkerProcess:
    """The process, the line to it, and what it keeps."""

    def __init__(self) -> None:
        context = get_context("spawn")
        self.line, theirs = context.Pipe()
        self.kept: OrderedDict[str, tuple[Any, ...]] = OrderedDict()
        self.begun = False
        self._files: list[Path] = []
        self.process = context.Process(
            target=work, args=(theirs,), name="rarefind workroom", daemon=True
        )
        try:
            self.process.start()
        except BaseException:
            self.line.close()
            raise
        finally:
            theirs.close()  # or the line would not end with the process

    def ask(self, wanted: Request, forget: set[str]) -> None:
        """Send a request, with the kept objects if the process does not have them."""
        self.begun, key, kept = False, wanted.key, wanted.kept
        for old in forget:
            self.kept.pop(old, None)
        before = self.kept.get(key, ())
        known = len(before) == len(kept) > 0
        known = known and all(old is new for old, new in zip(before, kept, strict=True))
        self.kept[key] = kept
        self.kept.move_to_end(key)
        while len(self.kept) > _MOST_KEPT:
            forget.add(self.kept.popitem(last=False)[0])
        parts = None if known else [self._packed(part) for part in kept]
        self.line.send((wanted.function, key, parts, forget, wanted.args))

    def heard(self, seconds: float) -> tuple[Any, ...] | None:
        """Return what the process says, None if it says nothing for some time.

        That it has begun with the request is kept in ``begun``.
        """
        try:
            said: tuple[Any, ...] | None = self.line.recv() if self.line.poll(seconds) else None
        except (EOFError, OSError):
            raise EndedError from None
        if said == ("begun",):
            self.begun = True
            return None
        return said

    def failed(self) -> bool:
        """Tell whether the process ended by an error of its own."""
        self.process.join(_PATIENCE_SECONDS)
        return (self.process.exitcode or 0) > 0

    def remove_files(self) -> None:
        """Remove the files that matrices were handed over in, where they are not in use."""
        for file in list(self._files):
            with contextlib.suppress(PermissionError):
                file.unlink(missing_ok=True)
                self._files.remove(file)

    def end(self) -> None:
        """End the process and leave nothing behind."""
        self.line.close()
        self.process.terminate()
        self.process.join(_PATIENCE_SECONDS)
        if self.process.exitcode is None:
            self.process.kill()
            self.process.join()
        self.process.close()
        self.kept.clear()
        self.remove_files()

    def _packed(self, part: Any) -> tuple[str, Any]:
        """Put a large matrix into a file, which the process maps instead of copying it."""
        plain = type(part) is np.ndarray and not part.dtype.hasobject
        if not plain or part.nbytes < _LARGE_BYTES:
            return "value", part
        try:
            number, name = tempfile.mkstemp(".npy", "rarefind-")
            self._files.append(Path(name))
            with os.fdopen(number, "wb") as file:
                np.save(file, part)
        except OSError:  # the disk is full: through the line, then
            return "value", part
        return "file", name
