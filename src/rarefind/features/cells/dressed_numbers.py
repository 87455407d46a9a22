"""Numbers with what people put around them: signs of money, per cent, units, brackets, blanks.

A cell is taken apart into its digits, a sign and a unit; the column as a whole then decides whether
all of it goes together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray
from rarefind.features.cells.durations import read_duration, read_durations
from rarefind.features.cells.gaps import GAPS, notes_on_gaps
from rarefind.features.cells.plain_letters import in_plain_letters
from rarefind.features.cells.units import SECONDS, UNITS, is_rate, unit_factors

_MONEY = (
    r"(?:(?:US|AU|CA|NZ|HK|[ACRS])?\$|[€£¥₹₽₩₺₫₪฿₴₦¢₱₡₲₵₭₮₸₼₾₿]|(?:USD|EUR|GBP|CHF|SEK|NOK|DKK|ISK|"
    r"JPY|CNY|INR|RUB|AUD|CAD|NZD|PLN|CZK|HUF|TRY|BRL|ZAR|KRW|MXN|SGD|HKD|BTC|ETH|AED|ARS|BDT|BGN|"
    r"BHD|CLP|COP|CRC|DOP|EGP|GEL|GHS|IDR|ILS|IRR|JOD|KES|KWD|KZT|LKR|MAD|MYR|NGN|OMR|PHP|PKR|QAR|"
    r"RON|RSD|SAR|THB|TND|TWD|TZS|UAH|UGX|UYU|VND|XAF|XOF|kr|Rs|Rp|RM|Fr|Ft|zł|Kč|lei)"
    r"(?![a-z])\.?)"
)
"""Signs of money and codes of currencies, before a number or behind it."""

_ABOUT = r"(?:[<>≤≥~≈±]=?|ca\.?|c\.|circa|approx\.?|about|around|roughly|etwa|rund|environ)"
"""What says that a number is not exact."""

_DRESSED = re.compile(
    rf"'?(?P<before>{_MONEY}\s*(?=\())?(?P<open>\()?\s*{_ABOUT}?\s*(?P<sign>[+-])?\s*"
    rf"(?P<money>{_MONEY})?\s*(?P<inner>[+-])?"
    r"\s*(?P<digits>[.,]?\d(?:[\d.,'\u2019_ ]*[\d.,])?(?:e[+-]?\d+)?)(?P<blank>\s*)"
    r"(?P<after>--?|\+|:-|/[-=])?\s*(?P<unit>[^\d\s().,+\-:][^\s()]{0,9}(?:\s[^\d\s()]{1,9})??)??"
    rf"\s*(?P<currency>{_MONEY})?\s*(?P<close>\))?",
    re.IGNORECASE,
)
"""A number with all that may be around it. Behind it, + says or more, and :- or /- no cents."""

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

_MARGIN = re.compile(r"(?<=\S)\s*(?:\u00b1|\+/?-)\s*\d[\d.,]*")
"""How far off a measured number may be: 12.3 ± 0.4."""

_ASIDE = re.compile(r"(?<=[\d%])\s*(?:\([\s\d.,;:%\u00b1+-]+\)|\[[\s\d.,;:%\u00b1+-]+\]|\[\w\])$")
"""What tables of results say beside a number: a share, a margin, two ends, a footnote."""

_STARS = re.compile(r"(?<=[\d%)])\s*[*\u2020\u2021\u00a7]+$")
"""Marks of a footnote, or of how sure somebody is."""

_TWO_UNITS = re.compile(
    r"(\d{1,3})\s*(?:('|\u2019|\u2032|ft|feet)|(lbs?)|(st|stones?))\s*(\d{1,2}(?:\.\d+)?)\s*"
    r"(?(2)(?:\"|''|\u201d|\u2033|in)|(?(3)oz|lbs?))",
    re.I,
)
"""5'11", 5 ft 11 in, 7 lb 4 oz or 11 st 6 lb."""

_PARTS_OF_TWO = ((2, 12.0, "in"), (3, 16.0, "oz"), (4, 14.0, "lb"))
"""Which group of the above, how many of the small unit it is, and that."""

_NO_MONEY = re.compile(rf"{_MONEY}\s*-+", re.I)
"""How spreadsheets write an amount of zero."""

_BOOKED = {"cr": "+", "dr": "-", "ad": "+", "bc": "-"}
"""How banks write the sign, credit and debit, and how years before our time are told."""

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
    written: str = ""


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
    written = {part.unit: part.written for part in parts if part is not None and part.written}
    units = unit_factors(
        [None if part is None else part.unit for part in parts], _is_money(parts), written
    )
    times: list[float | None] = []
    if units is None or _number(parts) < _number(words):
        times = read_durations(words)
    if units is None or _number(times) > _number(parts):
        parts = [
            _in_seconds(part) if time is None else _Part(repr(time))
            for part, time in zip(parts, times, strict=True)
        ]
        units = np.ones(len(parts)), "times in seconds"
    notes = notes_on_gaps(words, [part is not None for part in parts], counts, force=force)
    if notes is None or not _number(parts):
        return None
    signs = np.array([1.0 if part is None else part.sign for part in parts])
    money = _is_money(parts)
    some = [word for word in words[:_LOOKED_AT] if word is not None]
    said = (
        "with signs of money" if money else "",
        units[1],
        "without what stands behind ±" if any(map(_MARGIN.search, some)) else "",
        "without what stands in brackets behind" if any(map(_ASIDE.search, some)) else "",
        *notes,
    )
    digits = [None if part is None else part.digits for part in parts]
    return Bare(digits, signs * units[0], money, tuple(note for note in said if note))


def _in_seconds(part: _Part | None) -> _Part | None:
    """Return a number of minutes, days or the like as one of seconds, beside other durations."""
    if part is None or part.unit not in SECONDS or not part.digits.replace(".", "", 1).isdigit():
        return None
    return _Part(repr(float(part.digits) * SECONDS[part.unit]), part.sign)


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
    plain = in_plain_letters(word)
    part = _usual_part(plain)
    if part is not None:
        return part
    two = _TWO_UNITS.fullmatch(word)
    if two is not None:
        times, small = next((times, unit) for group, times, unit in _PARTS_OF_TWO if two[group])
        return _Part(repr(times * float(two[1]) + float(two[5])), unit=small)
    if _NO_MONEY.fullmatch(word):
        return _Part("0", money=True)
    bare = _STARS.sub("", _POWER.sub(r"e\1", _MARGIN.sub("", _ASIDE.sub("", plain))))
    return None if bare == plain else _usual_part(bare)


def _usual_part(plain: str) -> _Part | None:
    """Take a cell apart that holds a number, its sign, money and unit, and nothing else."""
    match = _DRESSED.fullmatch(plain)
    if match is None or (match["open"] is None) != (match["close"] is None):
        return None
    written, named = match["digits"], (match["unit"] or "").rstrip(".")
    unit = named.lower()
    signs = [match[name] for name in ("sign", "inner", "after") if match[name]]
    if match["after"] and written[-1] in ".," and not match["blank"]:
        written, signs = f"{written}0", signs[:-1]  # 12,- and 1.200,-- are without cents
    elif match["after"] and match["after"][0] in "+:/":
        signs = signs[:-1]
    if unit in _BOOKED:
        signs, unit = [*signs, _BOOKED[unit]], ""
    digits = _ungrouped(written)
    if digits is None or "--" in signs or len(signs) + (match["open"] is not None) > 1:
        return None
    unit = unit if unit in UNITS or is_rate(unit) else unit.removesuffix("s")
    apart = match["blank"] and len(unit) > 1 and unit.replace(" ", "").isalpha()
    if unit not in UNITS and not apart and not is_rate(unit):
        return None
    negative = "-" in signs or match["open"] is not None
    money = any(match[name] is not None for name in ("before", "money", "currency"))
    return _Part(digits, -1.0 if negative else 1.0, unit, money, named)


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
