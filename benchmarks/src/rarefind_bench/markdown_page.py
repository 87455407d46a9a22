"""Tables in Markdown, written below what a person wrote about them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rarefind.core.errors import DataError

MARK = "<!-- Everything below is written by rarefind bench. -->"
"""What a person wrote stands above it and is kept."""


def check_markdown(path: Path) -> None:
    """Refuse a path that no page can be written to, before work is spent on it."""
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise DataError(f"{path} cannot be written: it must be a file in a folder that exists.")
    _reading(path)


def write_markdown(path: Path, text: str) -> None:
    """Write below the mark of a page, which keeps what stands above; or a new page."""
    page = f"{_reading(path)}{MARK}\n\n{text.rstrip()}\n"
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as problem:
        raise DataError(f"{path} cannot be written: {problem.strerror}.") from None


def markdown_table(header: Sequence[object], rows: Sequence[Sequence[object]]) -> str:
    r"""Lay out a table.

    >>> print(markdown_table(["set", "labels"], [["a|b", 3]]))
    | set | labels |
    |---|---|
    | a\|b | 3 |
    """
    lines = [_line(header), "|" + "---|" * len(header), *map(_line, rows)]
    return "\n".join(lines)


def _line(cells: Sequence[object]) -> str:
    written = (f"{cell:.4g}" if isinstance(cell, float) else str(cell) for cell in cells)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in written) + " |"


def _reading(path: Path) -> str:
    """Return what a person wrote; a page without the mark is not ours to change."""
    if not path.exists():
        return ""
    try:
        above, mark, _ = path.read_text(encoding="utf-8").partition(MARK)
    except (OSError, UnicodeDecodeError) as problem:
        raise DataError(f"{path} cannot be read: {problem}.") from None
    if not mark:
        raise DataError(f"{path} holds no line '{MARK}': add it where the tables should begin.")
    return above
