"""Times of day and durations, in seconds."""

from __future__ import annotations

import re
from collections.abc import Sequence

_CLOCK = re.compile(
    r"(-)?(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:\s*([AaPp])\.?[Mm]\.?)?", re.ASCII
)
"""8:30, 8:30 pm or 10:02:03.5."""

_HOUR = re.compile(r"(\d{1,2})\s*([AaPp])\.?[Mm]\.?", re.ASCII)
"""8 pm."""

_NUMBER = r"(\d+(?:\.\d+)?)"
"""How many of a unit of time."""

_HOURS_AND_MINUTES = re.compile(r"(\d{1,3})\s?h\s?([0-5]\d)", re.ASCII | re.I)
"""4h09, as in France."""

_PARTS = re.compile(
    rf"(?:{_NUMBER}\s*(?:y|yrs?|years?)\b[\s,]*)?(?:{_NUMBER}\s*(?:mos?|months?)\b[\s,]*)?"
    rf"(?:{_NUMBER}\s*(?:w|wks?|weeks?)\b[\s,]*)?(?:{_NUMBER}\s*(?:d|days?)\b[\s,]*)?(?:{_NUMBER}\s*(?:h|hrs?|hours?)(?![a-z])[\s,]*)?"
    rf"(?:{_NUMBER}\s*(?:m|mins?|minutes?)(?![a-z])[\s,]*)?(?:{_NUMBER}\s*(?:s|secs?|seconds?))?",
    re.ASCII | re.IGNORECASE,
)
"""2 days 3 hours, 1h 30m or 2 years 3 months."""

_DAYS_AND_CLOCK = re.compile(
    r"(-?\d+)\s*d(?:ays?)?,?\s+\+?(\d{1,2}):([0-5]\d):([0-5]\d(?:\.\d+)?)", re.ASCII
)
"""28 days 05:00:00 or -1 day, 23:59:59, as pandas and Python print a difference of two times."""

_ISO = re.compile(rf"P(?:{_NUMBER}D)?(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?")
"""P1DT2H3M, as the standard has it."""

_SECONDS = (86400.0, 3600.0, 60.0, 1.0)
"""Of a day, an hour, a minute and a second."""

_LONGER = (31556952.0, 2629746.0, 604800.0)
"""Of a year and a month, in the mean, and a week."""

_MINUTES_FROM = 24
"""No day has such an hour: what stands before the first colon are minutes then."""

_LONGEST = 40
"""Longer cells are texts."""


def read_duration(word: str) -> float | None:
    """Read a time or a duration as seconds; None if it is none.

    >>> [read_duration(word) for word in ("1:02:03", "2h 5m", "PT90S", "1 pm", "2 days 00:01:00")]
    [3723.0, 7500.0, 90.0, 46800.0, 172860.0]
    >>> read_duration("5 m") is None  # a single unit may be one of length
    True
    """
    if len(word) > _LONGEST or not any(letter.isdigit() for letter in word):
        return None
    clock = _CLOCK.fullmatch(word)
    if clock is not None:
        seconds = float((clock[4] or "0").replace(",", "."))
        return (-1.0 if clock[1] else 1.0) * (
            _hour(clock[2], clock[5]) * 3600.0 + int(clock[3]) * 60.0 + seconds
        )
    hour = _HOUR.fullmatch(word)
    if hour is not None:
        return _hour(hour[1], hour[2]) * 3600.0
    split = _HOURS_AND_MINUTES.fullmatch(word)
    if split is not None:
        return int(split[1]) * 3600.0 + int(split[2]) * 60.0
    days = _DAYS_AND_CLOCK.fullmatch(word)
    if days is not None:
        return sum(map(float.__mul__, map(float, days.groups()), _SECONDS))
    iso = _ISO.fullmatch(word)
    match = iso or _PARTS.fullmatch(word)
    if match is None:
        return None
    parts = [float(part or 0.0) for part in match.groups()]
    several = sum(part is not None for part in match.groups()) > 1 or iso is not None
    units: tuple[float, ...] = _SECONDS if iso is not None else (*_LONGER, *_SECONDS)
    return sum(map(float.__mul__, parts, units)) if several else None


def read_durations(words: Sequence[str | None]) -> list[float | None]:
    """Read the words of a column as seconds; what is none of them is None.

    Where some have three parts and others two, as in 1:02:03 and 59:10, those of two are minutes
    and seconds, if a time of day would be written otherwise.

    >>> read_durations(["1:02:03", "59:10", None]), read_durations(["08:30", "12:05:30"])
    ([3723.0, 3550.0, None], [30600.0, 43530.0])
    """
    clocks = [None if word is None else _CLOCK.fullmatch(word) for word in words]
    seen = [clock for clock in clocks if clock is not None and clock[5] is None]
    three = [clock for clock in seen if clock[4] is not None]
    two = [clock for clock in seen if clock[4] is None]
    minutes = bool(three and two) and (
        any(int(clock[2]) >= _MINUTES_FROM for clock in two)
        or any(len(clock[2]) == 1 for clock in three)
    )
    read = [None if word is None else read_duration(word) for word in words]
    if not minutes:
        return read
    return [
        seconds / 60.0
        if seconds is not None and clock is not None and clock[4] is None
        else seconds
        for seconds, clock in zip(read, clocks, strict=True)
    ]


def _hour(digits: str, half: str | None) -> int:
    hour = int(digits)
    return hour if half is None else hour % 12 + (12 if half in "pP" else 0)
