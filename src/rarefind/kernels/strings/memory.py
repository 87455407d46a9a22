"""Saying no before the memory is full, and saying what would have been needed."""

from __future__ import annotations

import os

from rarefind.core.errors import TooLargeError


def allowed_bytes() -> int:
    """Half of the machine's memory, or the number of bytes in ``RAREFIND_MEMORY``."""
    given = os.environ.get("RAREFIND_MEMORY", "")
    if given.isdigit():
        return int(given)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):  # not every system tells
        return 4 * 2**30


def guard(needed: int, what: str, advice: str) -> None:
    """Raise TooLargeError if ``what`` needs more bytes than are allowed."""
    allowed = allowed_bytes()
    if needed > allowed:
        raise TooLargeError(
            f"{what} would need {_gigabytes(needed)} of memory, and {_gigabytes(allowed)} are "
            f"allowed (RAREFIND_MEMORY sets the number of bytes). {advice}"
        )


def _gigabytes(size: int) -> str:
    return f"{size / 1e9:.3g} GB"
