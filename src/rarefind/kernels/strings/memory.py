"""Saying no before the memory is full, and saying what would have been needed."""

from __future__ import annotations

import os

from rarefind.core.errors import TooLargeError

VARIABLE = "RAREFIND_MEMORY_LIMIT"
UNKNOWN_MACHINE = 8 * 2**30


def allowed_bytes() -> int:
    """Half of the machine's memory, or the number of bytes that the environment allows."""
    given = os.environ.get(VARIABLE, "")
    if given.isdigit():
        return int(given)
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 2
    except (AttributeError, OSError, ValueError):  # not every system tells
        return UNKNOWN_MACHINE // 2


def ensure_fits(needed: int, what: str, instead: str) -> None:
    """Raise TooLargeError, and say what to do instead, if ``what`` needs more than allowed."""
    allowed = allowed_bytes()
    if needed > allowed:
        raise TooLargeError(
            f"{what} would need {needed / 1e9:.3g} GB, more than the {allowed / 1e9:.3g} GB "
            f"allowed. {instead} To allow more, set {VARIABLE} to a number of bytes."
        )
