"""How much memory a result may take, asked before it is made.

The limit is half of what the machine has free, unless ``RAREFIND_MEMORY_LIMIT`` ("4GB", or a number
of bytes) or :func:`memory_limit` says otherwise.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path

from rarefind.core.errors import ParameterError, TooLargeError

VARIABLE = "RAREFIND_MEMORY_LIMIT"
"""The environment variable that sets the limit; errors name it, so it is part of the interface."""

_UNITS = {
    "": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
    "KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40,
}  # fmt: skip
"""Decimal units and binary ones, each by its own name as the standard (IEC 80000) has them."""

_UNKNOWN_MACHINE = 8 * 2**30
"""Assumed where the system does not tell its memory (Windows): a small laptop's."""

_limit: ContextVar[int | None] = ContextVar("memory_limit", default=None)


@contextmanager
def memory_limit(size: int | str) -> Iterator[None]:
    """Allow results of at most this size inside the block.

    >>> with memory_limit("1KB"):
    ...     ensure_fits(4096, "The Gram matrix", "Take fewer records.")
    Traceback (most recent call last):
    rarefind.core.errors.TooLargeError: The Gram matrix would need 4.1 kB, more than the 1.0 kB \
allowed. Take fewer records. To allow it, set RAREFIND_MEMORY_LIMIT to 1MB.
    """
    token = _limit.set(parse_size(size, "The 'size' of memory_limit"))
    try:
        yield
    finally:
        _limit.reset(token)


def ensure_fits(needed: int, what: str, instead: str) -> None:
    """Raise TooLargeError if ``what`` needs more bytes than allowed; ``instead`` says what to do.

    Only results that could matter are compared with the machine's memory, so that small calls
    cost nothing.
    """
    explicit = _limit.get() is not None or VARIABLE in os.environ
    if needed < 2**20 and not explicit:
        return
    allowed = allowed_bytes()
    if needed > allowed:
        raise TooLargeError(
            f"{what} would need {readable_size(needed)}, more than the {readable_size(allowed)} "
            f"allowed. {instead} To allow it, set {VARIABLE} to {-(-needed // 10**6)}MB."
        )


def allowed_bytes() -> int:
    """Size that one result may have: the innermost limit, the environment's, or half of free."""
    inner = _limit.get()
    if inner is not None:
        return inner
    if VARIABLE in os.environ:
        return parse_size(os.environ[VARIABLE], f"The environment variable {VARIABLE}")
    return available_bytes() // 2


def available_bytes() -> int:
    """Memory free for use on this machine, or in the container this process runs in."""
    found = [size for size in (_free_on_linux(), _free_in_container()) if size is not None]
    if found:
        return max(0, min(found))
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return _UNKNOWN_MACHINE


def parse_size(size: int | str, owner: str) -> int:
    """Read a number of bytes, or a number with a unit such as 500MB or 2GiB.

    >>> parse_size("1.5 GB", "The limit")
    1500000000
    """
    match = re.fullmatch(r"\s*([0-9]*\.?[0-9]+)\s*([A-Za-z]*)\s*", str(size))
    if match is None or match[2].upper() not in _UNITS:
        raise ParameterError(
            f"{owner} must be a size such as 500MB, 4GB or a number of bytes. Got {size!r} instead."
        )
    return int(float(match[1]) * _UNITS[match[2].upper()])


def readable_size(size: int) -> str:
    """Write a number of bytes for people.

    >>> readable_size(13_500_000_000)
    '13.5 GB'
    """
    amount = float(min(size, 10**300))  # a larger number would not be a float
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000:
            return f"{amount:.1f} {unit}" if unit != "B" else f"{size} B"
        amount /= 1000
    return f"{amount:,.1f} TB"


def _free_on_linux() -> int | None:
    try:
        text = Path("/proc/meminfo").read_text(encoding="ascii")
    except OSError:
        return None
    match = re.search(r"^MemAvailable:\s+(\d+) kB", text, re.MULTILINE)
    return int(match[1]) * 1024 if match else None


def _free_in_container() -> int | None:
    """Memory left below the limit of this control group (version 2), if there is one."""
    group = Path("/sys/fs/cgroup")
    try:
        most = (group / "memory.max").read_text(encoding="ascii").strip()
        used = (group / "memory.current").read_text(encoding="ascii").strip()
    except OSError:
        return None
    return int(most) - int(used) if most.isdigit() and used.isdigit() else None
