"""Run by itself: tells how large the sheets of a spreadsheet are, within limits of its own.

A few hundred bytes may name a cell in the last row and column, or one long text in every cell. The
reader of spreadsheets makes room for all of it at once and ends its process where there is none: so
another process than this one, which is asked first, must not be lost by it.

Called with the file, the bytes of memory and the seconds of a processor it may take, it prints the
rows, columns and letters of every sheet up to the first that holds anything, or what is wrong.
"""

from __future__ import annotations

import json
import sys
from typing import Any

_OF_TEXT = 4
"""Bytes that Python takes for a letter, at most."""


def sizes(path: str) -> dict[str, Any]:
    """Return rows, columns and bytes of text of the sheets, or what cannot be read."""
    from python_calamine import CalamineError, CalamineWorkbook

    found: list[tuple[int, int, int]] = []
    try:
        book = CalamineWorkbook.from_path(path)
        for name in book.sheet_names:
            sheet = book.get_sheet_by_name(name)
            text, filled = 0, False
            for cells in sheet.iter_rows():
                for cell in cells:
                    if isinstance(cell, str):
                        text += len(cell) if cell.isascii() else _OF_TEXT * len(cell)
                    filled = filled or not isinstance(cell, str) or bool(cell.strip())
            row, column = sheet.end or (-1, -1)
            found.append((row + 1, column + 1, text))
            if filled:
                break
    except (CalamineError, OSError, ValueError) as problem:
        return {"wrong": str(problem)}
    return {"sheets": found}


def stay_within(memory: int, seconds: int) -> None:
    """Let the system end this process when it takes more (not on Windows, which cannot)."""
    try:
        import resource
    except ImportError:
        return
    for limit, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        _, hard = resource.getrlimit(limit)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(limit, (most, hard))
    # What is ended on purpose leaves no picture of its memory behind.
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    stay_within(int(sys.argv[2]), int(sys.argv[3]))
    sys.stdout.write(json.dumps(sizes(sys.argv[1])))
