"""Dates and times in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import TypeAlias

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.features.cells.months import MONTHS
from rarefind.features.cells.other_dates import in_usual_order

_ZONE = r"([AaPp][Mm]|Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)"
"""A half of the day or a zone."""

_TIME = rf"(?:,?[T :]\s*(\d{{1,2}}):(\d{{2}})(?::(\d{{2}})(?:[.,]\d+)?)?\s*{_ZONE}?)?"
"""An optional time of day, with seconds, a half of the day or a zone."""

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})" + _TIME, re.ASCII)
"""2024-05-31: one mark between all parts."""

_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})(?!\d)" + _TIME, re.ASCII)
"""31.5.2024 or 5/31/24: which of both is decided from all cells."""

_DIGITS_ONLY = re.compile(
    r"((?:19|20)\d{2})(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])(?:T?(\d{2})(\d{2})(\d{2})?)?", re.ASCII
)
"""20240531 or 20240531142500: without marks, and of our time."""

_MONTH_ONLY = re.compile(r"((?:19|20)\d{2})[-/](0[1-9]|1[0-2])", re.ASCII)
"""2024-05: a month of our time, no code."""

_NAME = r"([^\W\d_]{3,12})\.?"
"""The name of a month, whole or cut short."""

_WEEKDAY = r"(?:[^\W\d_]{2,9}\.?,?\s+)?"
"""A day of the week, which says nothing that the date does not."""

_DAY_FIRST = re.compile(
    rf"{_WEEKDAY}(\d{{1,2}})(?:st|nd|rd|th|\.)?[\s/-]*(?:(?:of|de)\s+)?{_NAME},?[\s/-]*(?:de\s+)?"
    rf"(\d{{4}}|\d{{2}}){_TIME}"
)
"""31 May 2024, 31-May-24 or 31/May/2024:14:25:00, as web servers have it."""

_NAME_FIRST = re.compile(
    rf"{_WEEKDAY}{_NAME}\s*(?:(\d{{1,2}})(?:st|nd|rd|th)?)?,?\s+(\d{{4}})" + _TIME
)
"""May 31st, 2024, or May 2024."""

_YEAR_BEHIND = re.compile(rf"({_WEEKDAY}{_NAME}\s+\d{{1,2}})\s+(\d{{1,2}}:.+?)\s+(\d{{4}})")
"""Fri May 31 14:25:00 2024, as clocks of computers have it."""

_CENTURY_TURNS = 69
"""A year of two digits from here on is one of the last century, as POSIX has it."""

_LONGEST = 70
"""Characters of a date with a time and the name of its zone; longer words are not looked at."""

_KEPT = 4096
"""Words whose moments are kept: a column is read several times, and days return in it."""

_FEW, _EARLIEST = 3, 19000101
"""Fewer different numbers may be dates by chance; an earlier one is no date of our time."""

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
"""Dates count from here, as in Unix."""


def read_dates(words: Sequence[str | None]) -> FloatArray | None:
    """Read words as seconds since 1970 (UTC), missing ones as NaN; None if one is no date.

    Year first (2024-01-31, 2024/01/31) or last (31.01.2024, 1/31/24), with the month as a word (31
    Jan 2024, January 31st, 2024), with a time or without. Where the year is last, the day comes
    first unless the column shows otherwise; with slashes, the month.

    >>> read_dates(["1970-01-02", None, "1970-01-01 00:01"]).tolist()
    [86400.0, nan, 60.0]
    >>> read_dates(["31.01.2024", "soon"]) is None
    True
    """
    different = {word for word in words if word is not None}
    month_first = month_comes_first(different)
    seconds: dict[str | None, float] = {None: np.nan}
    for word in different:
        moment = read_moment(word, month_first=month_first)
        if moment is None:
            return None
        seconds[word] = moment
    return np.array([seconds[word] for word in words], dtype=np.float64)


def telling_dates(words: Iterable[str]) -> tuple[str, ...]:
    """Return words, of some dates, beside which any of the others are read as they are among all.

    >>> telling_dates(["1/2/2024", "1/31/2024", "3/4/2024"])
    ('1/31/2024',)
    """
    months, days, slashes = _orders(words)
    return (months if len(months) > len(days) else days or slashes)[:1]


def are_dates(words: Iterable[str]) -> bool:
    """Whether all of some words are dates."""
    different = list(words)
    return bool(different) and read_dates(different) is not None


def is_date(word: str) -> bool:
    """Whether a word is a date."""
    return read_dates([word]) is not None


def are_days_in_digits(numbers: FloatArray) -> bool:
    """Whether numbers are dates without marks: 20240531 is the last of May in 2024.

    >>> are_days_in_digits(np.array([20240531.0, np.nan, 20231201, 20240101]))
    True
    >>> are_days_in_digits(np.array([20240531.0, 20240532, 20240101]))
    False
    """
    known = numbers[~np.isnan(numbers)]
    # Sorting is dear, and most numbers are told by one of them.
    if len(known) < _FEW or known.min() < _EARLIEST or not bool((known % 1 == 0).all()):
        return False
    known = np.unique(known)
    return len(known) >= _FEW and are_dates(str(int(number)) for number in known)


def month_comes_first(words: Iterable[str]) -> bool:
    """Whether dates with the year last have the month before the day, or most that tell have."""
    months, days, slashes = _orders(words)
    return len(months) > len(days) or bool(slashes and not days)


def _orders(words: Iterable[str]) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...]]:
    """Return the words that only fit the month first, those that only fit the day, and slashes."""
    months, days, slashes = [], [], []
    for word in words:
        match = _YEAR_LAST.match(word[:_LONGEST])
        if match is not None:
            if int(match[1]) > 12:
                days.append(word)
            elif int(match[3]) > 12:
                months.append(word)
            elif match[2] == "/":
                slashes.append(word)
    return tuple(months), tuple(days), tuple(slashes)


def order_in_doubt(words: Iterable[str]) -> str:
    """Say which of day and month was taken to come first where that is open to doubt.

    >>> order_in_doubt(["01/03/2025", "07/03/2025"]), order_in_doubt(["01/03/2025", "31/03/2025"])
    ('the month first, though the day would fit as well', '')
    >>> order_in_doubt(["01/03/2025", "31/03/2025", "30/03/2025", "03/30/2025"])
    'the day first, but the month in 1 that fits no other way'
    """
    words = list(words)
    months, days, _ = _orders(words)
    first, other = ("month", "day") if month_comes_first(words) else ("day", "month")
    if months and days:
        rest = min(len(months), len(days))
        fit = "fits" if rest == 1 else "fit"
        return f"the {first} first, but the {other} in {rest:,} that {fit} no other way"
    if months or days:
        return ""
    differ = any(
        read_moment(word, month_first=True) != read_moment(word, month_first=False)
        for word in words
    )
    return f"the {first} first, though the {other} would fit as well" if differ else ""


def read_moment(word: str, *, month_first: bool) -> float | None:
    """Read one date as seconds since 1970 (UTC); None if it is none."""
    return None if len(word) > _LONGEST else _moment(word, month_first)


@lru_cache(_KEPT)
def _moment(word: str, month_first: bool) -> float | None:
    found = _day(word, month_first=month_first)
    if found is None and (usual := in_usual_order(word)) is not None:
        found = _day(usual, month_first=month_first)
    if found is None:
        return None
    (year, month, day), clock = found
    hour, minute, second = (int(part or 0) for part in clock[:3])
    zone = clock[3]
    if zone and zone[1:].lower() == "m":
        hour = hour % 12 + (12 if zone[0] in "pP" else 0)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    if zone and zone[0] in "+-":
        away = timedelta(hours=int(zone[1:3]), minutes=int(zone[3:][-2:] or 0))
        return (moment - _BEGIN - (away if zone[0] == "+" else -away)).total_seconds()
    return (moment - _BEGIN).total_seconds()


_Clock: TypeAlias = tuple[str | None, ...]
_NO_CLOCK: _Clock = (None, None, None, None)
"""Nothing is said of hour, minute, second and fraction."""


def _day(word: str, *, month_first: bool) -> tuple[tuple[int, int, int], _Clock] | None:
    """Return year, month and day, and what is said of the time."""
    match = _YEAR_FIRST.fullmatch(word)
    if match is not None:
        return (int(match[1]), int(match[3]), int(match[4])), match.groups()[-4:]
    match = _DIGITS_ONLY.fullmatch(word)
    if match is not None:
        return (int(match[1]), int(match[2]), int(match[3])), (*match.groups()[3:], None)
    match = _MONTH_ONLY.fullmatch(word)
    if match is not None:
        return (int(match[1]), int(match[2]), 1), _NO_CLOCK
    match = _YEAR_LAST.fullmatch(word)
    if match is not None:
        # 1.2.34 is a version of something, 01.02.34 a day.
        if len(match[4]) == 2 and match[2] != "/" and len(match[1] + match[3]) < 4:
            return None
        day, month = int(match[1]), int(match[3])
        if day <= 12 and (month_first or month > 12):
            # No year has a thirteenth month: what fits no other way is read as it fits.
            day, month = month, day
        return (_year(match[4]), month, day), match.groups()[-4:]
    word = _YEAR_BEHIND.sub(r"\1 \4 \3", word)
    match = _DAY_FIRST.fullmatch(word)
    if match is not None:
        number, name, year = match[1], match[2], match[3]
    else:
        match = _NAME_FIRST.fullmatch(word)
        if match is None:
            return None
        name, number, year = match[1], match[2] or "1", match[3]
    small = name.lower()
    named = MONTHS.get(small[:4], MONTHS.get(small[:3]))
    return None if named is None else ((_year(year), named, int(number)), match.groups()[-4:])


def _year(digits: str) -> int:
    year = int(digits)
    return year if len(digits) > 2 else year + (1900 if year >= _CENTURY_TURNS else 2000)
