"""Dates that are written in seldom ways, brought to the usual ones."""

from __future__ import annotations

import re
from datetime import date

_QUARTER = re.compile(
    r"(?:Q([1-4])[\s/-]*((?:19|20)\d{2})|((?:19|20)\d{2})[\s/-]*Q([1-4]))", re.ASCII | re.I
)
"""Q3 2024 or 2024-Q3."""

_WEEK = re.compile(r"((?:19|20)\d{2})-?W(\d{2})(?:-?([1-7]))?", re.ASCII)
"""2024-W22, a week of ISO 8601, and perhaps its day."""

_MONTH_AND_YEAR = re.compile(r"(0?[1-9]|1[0-2])[/.-]((?:19|20)\d{2})", re.ASCII)
"""05/2024."""

_IN_SIGNS = re.compile(r"(\d{4})\s*[年년]\s*(\d{1,2})\s*[月월]\s*(\d{1,2})\s*[日일](.*)")
"""2024年5月31日, in Chinese, Japanese and Korean."""

_WITH_POINTS = re.compile(r"(\d{4})\.\s+(\d{1,2})\.\s+(\d{1,2})\.?(\s.*)?")
"""2024. 5. 31., as in Hungary."""

_OF_A_BROWSER = re.compile(r"(?:[A-Z][a-z]{2} )?([A-Z][a-z]{2}) (\d{1,2}) (\d{4}) (\d\S*) GMT(.*)")
"""Fri May 31 2024 14:25:00 GMT+0200 (CEST)."""

_BEFORE_TIME = re.compile(r",?\s+(?:at|um|kl\.?|à|alle)\s+(\d{1,2})[:.h](\d{2})", re.I)
"""A word before the time of day."""

_BARE_TIME = re.compile(r"(?<=\d)T(\d{2})(\d{2})(\d{2})?(?!\d|:)")
"""T1425: a time without marks behind a date with some."""

_BEHIND = re.compile(r"\s+(?:Uhr|hrs?|h)\.?$|\s*\([^()]*\)$")
"""What says that the digits before it were a time, or names the zone once more."""

_ZONES = {
    "WET": 0, "WEST": 1, "BST": 1, "CET": 1, "CEST": 2, "MEZ": 1, "MESZ": 2, "EET": 2, "EEST": 3,
    "MSK": 3, "JST": 9, "EST": -5, "EDT": -4, "CST": -6, "CDT": -5, "MST": -7, "MDT": -6,
    "PST": -8, "PDT": -7,
}  # fmt: skip
"""Hours that zones are ahead of Greenwich."""

_ZONE = re.compile(rf"(?<=\d)\s*({'|'.join(_ZONES)})$")
"""The name of a zone behind a time."""


def in_usual_order(word: str) -> str | None:
    """Write a date as most people do; None if that changes nothing.

    >>> in_usual_order("Q3 2024"), in_usual_order("2024-W22"), in_usual_order("05/2024")
    ('2024-07-01', '2024-05-27', '2024-05-01')
    >>> in_usual_order("31.05.2024 um 14.25 Uhr"), in_usual_order("soon")
    ('31.05.2024 14:25', None)
    """
    found = _QUARTER.fullmatch(word)
    if found is not None:
        year, quarter = found[2] or found[3], int(found[1] or found[4])
        return f"{year}-{3 * quarter - 2:02d}-01"
    found = _WEEK.fullmatch(word)
    if found is not None:
        return _day_of_week(int(found[1]), int(found[2]), int(found[3] or 1))
    found = _MONTH_AND_YEAR.fullmatch(word)
    if found is not None:
        return f"{found[2]}-{int(found[1]):02d}-01"
    usual = _BEHIND.sub("", word)
    usual = _IN_SIGNS.sub(r"\1-\2-\3\4", _WITH_POINTS.sub(r"\1-\2-\3\4", usual))
    usual = _OF_A_BROWSER.sub(r"\1 \2, \3 \4\5", usual)
    usual = _BARE_TIME.sub(_with_marks, _BEFORE_TIME.sub(r" \1:\2", usual))
    usual = _ZONE.sub(lambda zone: f"{_ZONES[zone[1]]:+03d}:00", usual)
    return usual if usual != word else None


def _with_marks(found: re.Match[str]) -> str:
    return "T" + ":".join(part for part in found.groups() if part)


def _day_of_week(year: int, week: int, day: int) -> str | None:
    try:
        return date.fromisocalendar(year, week, day).isoformat()
    except ValueError:
        return None
