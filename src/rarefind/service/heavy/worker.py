"""The other side of the workroom: a process that computes what it is asked to.

Nothing heavy is imported before the libraries of linear algebra have been told to use one thread.
"""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time
import traceback
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from rarefind.core.errors import RarefindError
from rarefind.core.progress import Step, listen

if TYPE_CHECKING:
    from multiprocessing.connection import Connection

    Line = Connection[Any, Any]

_NICE = 5
"""Behind the people who answer, before true background work. A choice."""

_BETWEEN_STEPS = 0.1
"""Seconds: a bar moves smoothly with ten steps a second, and each costs a message."""

_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")
"""One thread each: the processors are for the server and for people."""


def work(line: Line) -> None:
    """Answer requests until nobody is there to ask.

    A request is a function, a key, the objects kept under that key (None: those kept already),
    keys to forget, and the other arguments. Its answers are ``("begun",)``, any number of
    ``("step", Step)`` and at last ``("done", result)``, ``("refused", class, sentence)`` for an
    error meant for a person, ``("failed", traceback)``, or ``("cannot", why)`` if something cannot
    travel.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which then ends us
    for name in _THREADS:
        os.environ[name] = "1"
    if hasattr(os, "nice"):
        with contextlib.suppress(OSError):
            os.nice(_NICE)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    # The server may have ended at any moment, and then there is nobody to tell.
    with contextlib.suppress(EOFError, OSError), line:
        line.send(("ready",))
        _answer_all(line)


def _answer_all(line: Line) -> None:
    kept: dict[str, tuple[Any, ...]] = {}
    while True:
        try:
            function, key, parts, forget, args = line.recv()
            for old in forget:
                kept.pop(old, None)
            if parts is not None:
                kept[key] = tuple(_unpacked(kind, part) for kind, part in parts)
        except (EOFError, ConnectionError):
            return
        except Exception as problem:  # a class that only the server's process knows, for example
            line.send(("cannot", repr(problem)))
            continue
        line.send(("begun",))
        answer = _answer(line, function, (*kept[key], *args))
        try:
            line.send(answer)
        except (EOFError, ConnectionError):
            return
        except Exception as problem:
            line.send(("cannot", repr(problem)))
        del function, args, answer  # nothing is held while waiting


def _answer(line: Line, function: Callable[..., Any], args: Sequence[Any]) -> tuple[Any, ...]:
    from threadpoolctl import threadpool_limits

    try:
        with listen(_Teller(line)), threadpool_limits(1):
            return "done", function(*args)
    except RarefindError as problem:
        return "refused", type(problem), str(problem)
    except Exception:
        return "failed", traceback.format_exc()


class _Teller:
    """Passes steps on, though not every one of very many."""

    def __init__(self, line: Line) -> None:
        self._line = line
        self._task, self._last = "", 0.0

    def __call__(self, step: Step) -> None:
        now = time.monotonic()
        if step.task != self._task or now - self._last >= _BETWEEN_STEPS or step.done == step.total:
            self._task, self._last = step.task, now
            self._line.send(("step", step))


def _unpacked(kind: str, part: Any) -> Any:
    if kind == "value":
        return part
    import numpy as np

    matrix = np.load(part, mmap_mode="r")
    with contextlib.suppress(OSError):  # Windows keeps files in use; the server removes it later
        os.unlink(part)  # noqa: PTH108
    return np.asarray(matrix)


def _end_with_parent() -> None:
    """End this process when the one that asked for it is gone, however it ended."""
    from multiprocessing import parent_process

    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)
