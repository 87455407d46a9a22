"""Numbers of 64 bits that depend on content alone.

Patterns found in graphs are known by such numbers, so they mean the same in every call, process
and order of seeing. Two different patterns get the same number with a chance of one in 2**64;
among a million patterns the chance that any two do is about 3e-8.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Hashes: TypeAlias = NDArray[np.uint64]

_STEP = np.uint64(0x9E3779B97F4A7C15)
"""2**64 over the golden ratio: splitmix64's step."""

_FIRST = np.uint64(0xBF58476D1CE4E5B9)
"""The factors of splitmix64's finishing step (Stafford's variant 13)."""

_SECOND = np.uint64(0x94D049BB133111EB)
"""The second of them."""


def mix(keys: Hashes) -> Hashes:
    """Scatter numbers over all 64 bits (the finishing step of the splitmix64 generator)."""
    z = keys + _STEP
    z ^= z >> np.uint64(30)
    z *= _FIRST
    z ^= z >> np.uint64(27)
    z *= _SECOND
    z ^= z >> np.uint64(31)
    return z


def combine(first: Hashes, second: Hashes) -> Hashes:
    """Make one number of two, whose order matters."""
    return mix(mix(first) * _SECOND + second)


def label_keys(labels: Iterable[Hashable]) -> Hashes:
    """Give each label its number; equal labels get equal numbers, in every process."""
    digests = [hashlib.blake2b(_spell(label), digest_size=8).digest() for label in labels]
    return np.frombuffer(b"".join(digests), dtype="<u8").astype(np.uint64)


def _spell(label: Hashable) -> bytes:
    """Write a label so that 1, 1.0 and numpy's 1 look the same, and the word "1" does not."""
    if isinstance(label, np.generic):
        label = label.item()
    if isinstance(label, tuple):
        parts = [_spell(part) for part in label]
        return b"(" + b"".join(b"%d:%b" % (len(part), part) for part in parts) + b")"
    if isinstance(label, (int, float)):
        whole = isinstance(label, int) or label.is_integer()
        return f"number {int(label) if whole else label!r}".encode()
    return f"{type(label).__name__} {label}".encode(errors="surrogatepass")
