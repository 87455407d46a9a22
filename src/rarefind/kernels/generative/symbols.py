"""Sequences of symbols, as numbers."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from rarefind.core.arrays import IntArray, Records
from rarefind.core.errors import DataError, ParameterError


def as_sequences(records: Records, owner: str) -> list[Sequence[Hashable]]:
    """Check a list of strings or of sequences of symbols."""
    if isinstance(records, (str, bytes, dict)) or not hasattr(records, "__iter__"):
        raise DataError(
            f"{owner} needs a list of strings. Got one {type(records).__name__}; "
            "put it into a list, as in kernel([string])."
        )
    sequences: list[Sequence[Hashable]] = []
    for position, record in enumerate(records):
        if not isinstance(record, (str, bytes, list, tuple, np.ndarray)):
            raise DataError(
                f"{owner} needs strings, or lists of symbols. "
                f"Record {position} is {type(record).__name__} {record!r}."
            )
        sequences.append(record.tolist() if isinstance(record, np.ndarray) else record)
    return sequences


def symbol_numbers(alphabet: Any, owner: str, n_symbols: int) -> dict[Hashable, int]:
    """Position of each symbol in an alphabet that must have so many of them."""
    if alphabet is None:
        return {number: number for number in range(n_symbols)}
    try:
        symbols = list(alphabet)
        numbers = {symbol: i for i, symbol in enumerate(symbols)}
    except TypeError:
        raise ParameterError(
            f"The 'alphabet' parameter of {owner} must be a string or a list of symbols. "
            f"Got {alphabet!r} instead."
        ) from None
    if len(numbers) != len(symbols) or len(symbols) != n_symbols:
        raise ParameterError(
            f"The 'alphabet' parameter of {owner} must name {n_symbols} different symbols, one for "
            f"each column of 'emission'. Got {len(numbers)} different ones instead."
        )
    return numbers


def encode(
    sequences: Sequence[Sequence[Hashable]], numbers: Mapping[Hashable, int], owner: str
) -> list[IntArray]:
    """Replace symbols by their numbers."""
    encoded = []
    for position, sequence in enumerate(sequences):
        try:
            encoded.append(np.array([numbers[symbol] for symbol in sequence], dtype=np.int64))
        except (KeyError, TypeError):
            strange = next(symbol for symbol in sequence if not _known(symbol, numbers))
            some = ", ".join(repr(symbol) for symbol in list(numbers)[:10])
            raise DataError(
                f"{owner} knows the symbols {some}{', ...' if len(numbers) > 10 else ''}. "
                f"Record {position} holds {strange!r}; add it to 'alphabet' and 'emission'."
            ) from None
    return encoded


def _known(symbol: Any, numbers: Mapping[Hashable, int]) -> bool:
    try:
        return symbol in numbers
    except TypeError:
        return False
