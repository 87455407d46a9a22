"""Numbers with what people put around them: signs of money, per cent, units, brackets, blanks.

A cell is taken apart into its digits, a sign and a unit; the column as a whole then decides whether
all of it goes together.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.features.cells.durations import read_duration
from rarefind.features.cells.gaps import GAPS, notes_on_gaps
from rarefind.features.cells.units import UNITS, unit_factors

_MONEY = (
    r"(?:(?:US|AU|CA|NZ|HK|[ACRS])?\$|[€£¥₹₽₩₺₫₪฿₴₦¢]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|ISK|JPY|CNY|"
    r"INR|RUB|AUD|CAD|NZD|PLN|CZK|HUF|TRY|BRL|ZAR|KRW|MXN|SGD|HKD|BTC|kr|Rs|Fr|zł|Kč)(?![a-z])\.?)"
)
"""Signs of money and codes of currencies, before a number or behind it."""

_DRESSED = re.compile(
    rf"(?P<open>\()?\s*(?:[<>≤≥~≈]=?)?\s*(?P<sign>[+-])?\s*(?P<money>{_MONEY})?\s*(?P<inner>[+-])?"
    r"\s*(?P<digits>[.,]?\d(?:[\d.,'\u2019_ ]*[\d.,])?(?:e[+-]?\d+)?)(?P<blank>\s*)"
    r"(?P<after>--?)?\s*(?P<unit>[^\d\s().,+\-][^\s()]{0,9}(?:\s[^\d\s()]{1,9})?)??\s*"
    rf"(?P<currency>{_MONEY})?\s*(?P<close>\))?",
    re.IGNORECASE,
)
"""A number with all that may be around it."""

_READABLE = re.compile(
    r"(?:0|[1-9]\d{0,14}|[1-9]\d{0,2}(?:([.,])\d{3})(?:\1\d{3})*)(?:[.,]\d+)?(?:e[+-]?\d+)?", re.I
)
"""Digits with at most one kind of mark between thousands: no code, no identifier."""

_GROUPED = re.compile(r"[1-9]\d{0,2}([ '\u2019_])\d{3}(?:\1\d{3})*(?![\d '\u2019_])")
"""Thousands apart by blanks, apostrophes or underscores, which stand nowhere else in numbers."""

_LAKHS = re.compile(r"[1-9]\d?(?:,\d{2})+,\d{3}(?!\d)")
"""Thousands and then hundreds of them apart, as in India."""

_POWER = re.compile(r"\s*[\u00d7x*]\s*10\^?([+-]?\d+)$")
"""A power of ten as it is printed."""

_MARGIN = re.compile(r"\s*(?:\u00b1|\+/?-)\s*\d[\d.,]*")
"""How far off a measured number may be: 12.3 ± 0.4."""

_FEET = re.compile(
    r"(\d{1,2})\s*(?:'|\u2019|\u2032|ft|feet)\s*(\d{1,2}(?:\.\d+)?)\s*(?:\"|''|\u201d|\u2033|in)",
    re.I,
)
"""5'11" or 5 ft 11 in."""

_BOOKED = {"cr": "+", "dr": "-"}
"""How banks write the sign: credit and debit."""

_MINUS = str.maketrans("\u2212\u2013\u2010\u2011", "----")
"""The signs that print a minus."""

_LONGEST = 60
"""Longer cells are texts."""

_LOOKED_AT = 300
"""Different cells looked at before all of a long column are."""


@dataclass(frozen=True)
class Bare:
    """The cells of a column without what is around their digits.

    Attributes
    ----------
    digits
        Digits with their marks; None for a gap.
    factors
        What each number is multiplied with: its sign, and its unit.
    money
        Whether the numbers are money, which seldom has three decimals.
    notes
        What is to be said about the column.
    """

    digits: list[str | None]
    factors: FloatArray
    money: bool
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Part:
    digits: str
    sign: float = 1.0
    unit: str = ""
    money: bool = False


def bare_numbers(
    words: Sequence[str | None], counts: IntArray | None = None, *, force: bool = False
) -> Bare | None:
    """Take the digits out of the words of a column; None if it does not hold numbers.

    ``counts`` says in how many rows each word is. With ``force`` any word that cannot be read is
    a gap.

    >>> bare = bare_numbers(["$1,200.50", "($3)", None])
    >>> bare.digits, bare.factors.tolist(), bare.notes
    (['1,200.50', '3', None], [1.0, -1.0, 1.0], ('with signs of money',))
    """
    if not force and not _promising(words):
        return None
    parts = [None if word is None else _part(word) for word in words]
    units = unit_factors([None if part is None else part.unit for part in parts], _is_money(parts))
    times: list[float | None] = []
    if units is None or _number(parts) < _number(words):
        times = [None if word is None else read_duration(word) for word in words]
    if units is None or _number(times) > _number(parts):
        parts = [None if time is None else _Part(repr(time)) for time in times]
        units = np.ones(len(parts)), "times in seconds"
    notes = notes_on_gaps(words, [part is not None for part in parts], counts, force=force)
    if notes is None or not _number(parts):
        return None
    signs = np.array([1.0 if part is None else part.sign for part in parts])
    money = _is_money(parts)
    margins = any(word is not None and _MARGIN.search(word) for word in words[:_LOOKED_AT])
    said = (
        "with signs of money" if money else "",
        units[1],
        "without what stands behind ±" if margins else "",
        *notes,
    )
    digits = [None if part is None else part.digits for part in parts]
    return Bare(digits, signs * units[0], money, tuple(note for note in said if note))


def _promising(words: Sequence[str | None]) -> bool:
    """Whether the first different words of a column are nearly all numbers or times."""
    first = dict.fromkeys(word for word in words[: 10 * _LOOKED_AT] if word is not None)
    some = [word for word in list(first)[:_LOOKED_AT] if word.lower() not in GAPS]
    fit = sum(_part(word) is not None or read_duration(word) is not None for word in some)
    return bool(some) and fit >= 0.8 * len(some)


def _part(word: str) -> _Part | None:
    """Take one cell apart; None if it is no number."""
    if len(word) > _LONGEST or word.lower() in GAPS:
        return None
    feet = _FEET.fullmatch(word)
    if feet is not None:
        return _Part(repr(12.0 * float(feet[1]) + float(feet[2])), unit="in")
    plain = word if word.isascii() else unicodedata.normalize("NFKC", word).translate(_MINUS)
    match = _DRESSED.fullmatch(_POWER.sub(r"e\1", _MARGIN.sub("", plain)))
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    written, unit = match["digits"], (match["unit"] or "").lower()
    signs = [match[name] for name in ("sign", "inner", "after") if match[name]]
    if match["after"] and written[-1] in ".," and not match["blank"]:
        written, signs = f"{written}0", signs[:-1]  # 12,- and 1.200,-- are without cents
    if unit in _BOOKED:
        signs, unit = [*signs, _BOOKED[unit]], ""
    digits = _ungrouped(written)
    if digits is None or "--" in signs or len(signs) + (match["open"] is not None) > 1:
        return None
    unit = unit if unit in UNITS else unit.removesuffix("s")
    apart = match["blank"] and len(unit) > 1 and unit.replace(" ", "").isalpha()
    if unit not in UNITS and not apart:
        return None
    negative = "-" in signs or match["open"] is not None
    money = match["money"] is not None or match["currency"] is not None
    return _Part(digits, -1.0 if negative else 1.0, unit, money)


def _ungrouped(digits: str) -> str | None:
    """Take out marks between thousands that can be nothing else; None if it is no number then."""
    digits = _LAKHS.sub(lambda found: found[0].replace(",", ""), digits)
    digits = _GROUPED.sub(lambda found: found[0].replace(found[1], ""), digits)
    digits = digits if digits[0].isdigit() else f"0{digits}"
    digits = digits if digits[-1].isdigit() else digits[:-1]
    return digits if _READABLE.fullmatch(digits) else None


def _is_money(parts: Sequence[_Part | None]) -> bool:
    return any(part is not None and part.money for part in parts)


def _number(found: Sequence[object]) -> int:
    return sum(each is not None for each in found)
