"""Who answers at this terminal. Two terminals of one person are two, so that none gets the other's.

A seat is a lock on a small file that the system takes back when the process ends, however it ends.
"""

from __future__ import annotations

import getpass
import hashlib
import os
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

_MOST_SEATS = 100
"""Terminals of one person in one hunt that are told apart; more would be a mistake, not work."""


def usual_name(store: str) -> str:
    """Return the name of whoever is logged in; with the machine where several machines meet."""
    try:
        name = getpass.getuser()
    except (KeyError, OSError):
        name = "somebody"
    return f"{name}@{socket.gethostname()}" if "://" in store else name


@contextmanager
def seat(store: str, hunt: str, name: str) -> Iterator[str]:
    """Sit down as ``name``, or as ``name-2``, ``name-3``, ... where that seat is taken."""
    taken: IO[str] | None = None
    chosen = name
    for number in range(1, _MOST_SEATS):
        chosen = name if number == 1 else f"{name}-{number}"
        taken = _sit(_file(store, hunt, chosen))
        if taken is not None:
            break
    try:
        yield chosen
    finally:
        if taken is not None:
            taken.close()


def _file(store: str, hunt: str, name: str) -> Path:
    where = store if "://" in store else str(Path(store).absolute())
    key = hashlib.sha256("\x1f".join((where, hunt, name)).encode()).hexdigest()[:24]
    person = os.getuid() if hasattr(os, "getuid") else 0
    folder = Path(tempfile.gettempdir()) / f"rarefind-{person}"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder / f"{key}.seat"


def _sit(path: Path) -> IO[str] | None:
    file = path.open("a")
    if sys.platform == "win32":  # there, every terminal needs its own --annotator
        return file
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.close()
        return None
    return file
