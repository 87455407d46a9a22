"""Dates and times in words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta

import numpy as np

from rarefind.core.arrays import FloatArray

_TIME = r"(?:[T ]\s*(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d+)?)?\s*([AaPp][Mm]|Z|[+-]\d{2}:?\d{2})?)?"
"""An optional time of day, with seconds, a half of the day or a zone."""

_YEAR_FIRST = re.compile(r"(\d{4})([-/.])(\d{1,2})\2(\d{1,2})" + _TIME, re.ASCII)
"""2024-05-31: one mark between all parts."""

_YEAR_LAST = re.compile(r"(\d{1,2})([-/.])(\d{1,2})\2(\d{4})" + _TIME, re.ASCII)
"""31.5.2024 or 5/31/2024: which of both is decided from all cells."""

_LONGEST = 40
"""Characters of a date with a time and zone at most; longer words are not looked at."""

_BEGIN = datetime(1970, 1, 1, tzinfo=UTC)
"""Dates count from here, as in Unix."""


def read_dates(words: Sequence[str | None]) -> FloatArray | None:
    """Read words as seconds since 1970 (UTC), missing ones as NaN; None if one is no date.

    Year first (2024-01-31, 2024/01/31) or last (31.01.2024, 1/31/2024), with a time or without.
    Where the year is last, the day comes first unless the column shows otherwise; with slashes,
    the month.

    >>> read_dates(["1970-01-02", None, "1970-01-01 00:01"]).tolist()
    [86400.0, nan, 60.0]
    >>> read_dates(["31.01.2024", "soon"]) is None
    True
    """
    different = {word for word in words if word is not None}
    month_first = _month_first(different)
    seconds: dict[str | None, float] = {None: np.nan}
    for word in different:
        moment = _moment(word, month_first=month_first)
        if moment is None:
            return None
        seconds[word] = moment
    return np.array([seconds[word] for word in words], dtype=np.float64)


def telling_dates(words: Iterable[str]) -> tuple[str, ...]:
    """Return words, of some dates, beside which any of the others are read as they are among all.

    >>> telling_dates(["1/2/2024", "1/31/2024", "3/4/2024"])
    ('1/31/2024',)
    """
    slashes: tuple[str, ...] = ()
    for word in words:
        match = _YEAR_LAST.match(word[:_LONGEST])
        if match is not None:
            if int(match[1]) > 12 or int(match[3]) > 12:
                return (word,)
            slashes = slashes or ((word,) if match[2] == "/" else ())
    return slashes


def are_dates(words: Iterable[str]) -> bool:
    """Whether all of some words are dates."""
    different = list(words)
    return bool(different) and read_dates(different) is not None


def _month_first(words: Iterable[str]) -> bool:
    slashes = False
    for word in words:
        match = _YEAR_LAST.match(word[:_LONGEST])
        if match is not None:
            if int(match[1]) > 12:
                return False
            if int(match[3]) > 12:
                return True
            slashes = slashes or match[2] == "/"
    return slashes


def _moment(word: str, *, month_first: bool) -> float | None:
    if len(word) > _LONGEST:
        return None
    match = _YEAR_FIRST.fullmatch(word)
    if match is not None:
        year, month, day = int(match[1]), int(match[3]), int(match[4])
    else:
        match = _YEAR_LAST.fullmatch(word)
        if match is None:
            return None
        year, month, day = int(match[4]), int(match[3]), int(match[1])
        if month_first:
            month, day = day, month
    hour, minute, second, zone = (
        int(match[5] or 0),
        int(match[6] or 0),
        int(match[7] or 0),
        match[8],
    )
    if zone and zone[1:].lower() == "m":
        hour = hour % 12 + (12 if zone[0] in "pP" else 0)
    try:
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None
    if zone and zone[0] in "+-":
        away = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
        return (moment - _BEGIN - (away if zone[0] == "+" else -away)).total_seconds()
    return (moment - _BEGIN).total_seconds()
