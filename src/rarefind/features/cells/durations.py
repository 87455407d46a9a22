"""Times of day and durations, in seconds."""

from __future__ import annotations

import re

_CLOCK = re.compile(
    r"(-)?(\d{1,4}):([0-5]\d)(?::([0-5]\d(?:[.,]\d+)?))?(?:\s*([AaPp])\.?[Mm]\.?)?", re.ASCII
)
"""8:30, 8:30 pm or 10:02:03.5."""

_HOUR = re.compile(r"(\d{1,2})\s*([AaPp])\.?[Mm]\.?", re.ASCII)
"""8 pm."""

_NUMBER = r"(\d+(?:\.\d+)?)"
"""How many of a unit of time."""

_PARTS = re.compile(
    rf"(?:{_NUMBER}\s*(?:d|days?)\b[\s,]*)?(?:{_NUMBER}\s*(?:h|hrs?|hours?)(?![a-z])[\s,]*)?"
    rf"(?:{_NUMBER}\s*(?:m|mins?|minutes?)(?![a-z])[\s,]*)?(?:{_NUMBER}\s*(?:s|secs?|seconds?))?",
    re.ASCII | re.IGNORECASE,
)
"""2 days 3 hours or 1h 30m."""

_DAYS_AND_CLOCK = re.compile(
    r"(-?\d+)\s*d(?:ays?)?,?\s+\+?(\d{1,2}):([0-5]\d):([0-5]\d(?:\.\d+)?)", re.ASCII
)
"""28 days 05:00:00 or -1 day, 23:59:59, as pandas and Python print a difference of two times."""

_ISO = re.compile(rf"P(?:{_NUMBER}D)?(?:T(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?")
"""P1DT2H3M, as the standard has it."""

_SECONDS = (86400.0, 3600.0, 60.0, 1.0)
"""Of a day, an hour, a minute and a second."""

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
    days = _DAYS_AND_CLOCK.fullmatch(word)
    if days is not None:
        return sum(map(float.__mul__, map(float, days.groups()), _SECONDS))
    match = _ISO.fullmatch(word) or _PARTS.fullmatch(word)
    if match is None:
        return None
    parts = [float(part or 0.0) for part in match.groups()]
    several = sum(part is not None for part in match.groups()) > 1 or word.startswith("P")
    return sum(map(float.__mul__, parts, _SECONDS)) if several else None


def _hour(digits: str, half: str | None) -> int:
    hour = int(digits)
    return hour if half is None else hour % 12 + (12 if half in "pP" else 0)
