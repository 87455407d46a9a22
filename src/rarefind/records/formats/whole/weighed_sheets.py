"""Spreadsheets weighed before they are read: what they would become is counted elsewhere."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError
from rarefind.records.formats.limits import OBJECT_BYTES, Watch
from rarefind.records.formats.whole import sheet_sizes

_AROUND = 2**28
"""Bytes of addresses that Python and the reader take before a file is opened, and some more."""

_HELD = 2
"""How many times a cell is held while a sheet is read: in the order it came, and in its place."""


def weigh_sheets(path: Path, watch: Watch) -> None:
    """Refuse a spreadsheet that would grow beyond the limits, as another process finds it."""
    most = min(watch.limits.bytes, watch.most_of_cells())
    told = _told(path, _AROUND + _HELD * most, int(watch.most_seconds(path.stat().st_size)) + 1)
    if told is None:
        watch.unfolds()
    elif "wrong" in told:
        raise unreadable(watch.name, told["wrong"])
    else:
        for height, width, text in told["sheets"]:
            watch.rows(height)
            watch.columns(width)
            watch.cells(height * width, OBJECT_BYTES, text)


def unreadable(name: str, problem: object) -> DataError:
    """Say that a file is no spreadsheet, in the words of its reader."""
    words = " ".join(str(problem).split())[:200].rstrip(".")
    return DataError(f"{name} is not a readable spreadsheet: {words}.")


def _told(path: Path, memory: int, seconds: int) -> dict[str, Any] | None:
    """Return what the other process found; None if it was ended by its limits."""
    command = [sys.executable, "-P", str(sheet_sizes.__file__), str(path.absolute())]
    done = subprocess.run(  # noqa: S603  (our own file, and a path that nothing interprets)
        [*command, str(memory), str(seconds)],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
        env={**os.environ, "RUST_BACKTRACE": "0"},
    )
    if done.returncode != 0:
        return None
    found: dict[str, Any] = json.loads(done.stdout)
    return found
