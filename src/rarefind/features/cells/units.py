"""Units behind numbers, and how those of one family go together."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from rarefind.core.arrays import FloatArray

_MULTIPLIERS = {
    "k": 1e3, "tsd": 1e3, "m": 1e6, "mn": 1e6, "mio": 1e6, "million": 1e6, "b": 1e9, "bn": 1e9,
    "mrd": 1e9, "billion": 1e9, "lakh": 1e5, "lac": 1e5, "crore": 1e7,
}  # fmt: skip
"""Words and letters for large numbers. A single m may be metres."""

_SHARES = {"%": 0.01, "pct": 0.01, "percent": 0.01, "per cent": 0.01, "‰": 0.001, "": 1.0}
"""Parts of a hundred or a thousand."""

_FAMILIES: tuple[tuple[str, dict[str, float]], ...] = (
    ("g", {"μg": 1e-6, "ug": 1e-6, "mcg": 1e-6, "mg": 1e-3, "g": 1.0, "kg": 1e3, "t": 1e6,
           "oz": 28.349523125, "lb": 453.59237}),
    ("m", {"μm": 1e-6, "um": 1e-6, "mm": 1e-3, "cm": 0.01, "dm": 0.1, "m": 1.0, "km": 1e3,
           "in": 0.0254, "ft": 0.3048, "mi": 1609.344}),
    ("l", {"μl": 1e-6, "ul": 1e-6, "ml": 1e-3, "cl": 0.01, "dl": 0.1, "l": 1.0}),
    ("bytes", {"b": 1.0, "kb": 1e3, "mb": 1e6, "gb": 1e9, "tb": 1e12, "kib": 2.0**10,
               "mib": 2.0**20, "gib": 2.0**30}),
    ("seconds", {"ns": 1e-9, "μs": 1e-6, "us": 1e-6, "ms": 1e-3, "s": 1.0, "sec": 1.0,
                 "second": 1.0, "min": 60.0, "minute": 60.0, "h": 3600.0, "hr": 3600.0,
                 "hour": 3600.0, "d": 86400.0, "day": 86400.0, "wk": 604800.0, "week": 604800.0,
                 "mo": 2629746.0, "month": 2629746.0, "yr": 31556952.0, "year": 31556952.0}),
    ("Hz", {"hz": 1.0, "khz": 1e3, "mhz": 1e6, "ghz": 1e9}),
    ("places", {"st": 1.0, "nd": 1.0, "rd": 1.0, "th": 1.0}),
)  # fmt: skip
"""Units that can be brought to one, named first."""

_SINGLE = {
    "°", "°c", "°f", "c", "f", "v", "mv", "kv", "a", "ma", "w", "kw", "mw", "kwh", "wh", "j", "kj",
    "cal", "kcal", "pa", "hpa", "kpa", "bar", "mbar", "psi", "n", "nm", "mol", "mmol", "rpm", "db",
    "dbm", "km/h", "kmh", "mph", "m/s", "mm/h", "bpm", "mg/l", "mg/dl", "g/l", "μg/l", "mmol/l",
    "m2", "km2", "m3", "cm3", "sqm", "sqft", "ha", "px", "ppm", "ppb", "x", "pc", "°n", "°e", "°s",
    "°w", "mah", "ah", "mmhg", "bps", "kbps", "mbps", "gbps", "fps", "dpi", "lm", "lux", "hp", "cc",
    "iu", "μmol", "nmol", "kwp", "mp", "knot",
}  # fmt: skip
"""Units that stand alone in a column."""

SECONDS = next(family for base, family in _FAMILIES if base == "seconds")
"""How long units of time are."""

UNITS = frozenset().union(_MULTIPLIERS, _SHARES, _SINGLE, *(family for _, family in _FAMILIES))
"""Units that may follow a number at once, in small letters; others need a blank between."""


_RATE = re.compile(r"[a-zμ°%]{1,6}[23]?/\d{0,3}[a-zμ]{1,5}[23]?")
"""So much of one thing for each of another: mbit/s, μg/m3, l/100km."""

_LONG = frozenset({"mo", "month", "yr", "year"})
"""Times that nobody tells in seconds, unless shorter ones stand beside them."""


def is_rate(unit: str) -> bool:
    """Whether a unit, in small letters, says how much of one thing there is for each of another."""
    return _RATE.fullmatch(unit) is not None


def unit_factors(
    units: Sequence[str | None], money: bool, written: Mapping[str, str] | None = None
) -> tuple[FloatArray, str] | None:
    """Say what numbers with these units are multiplied with, and how to say it.

    ``units`` are empty for a number without one and None where there is no number; ``written`` is
    how people write them. None if the units do not go together. Units of a family are brought to
    one, also if there is but one of them: another file may have the next.

    >>> factors, said = unit_factors(["kg", "g", None], money=False)
    >>> factors.tolist(), said
    ([1000.0, 1.0, 1.0], 'in g')
    >>> unit_factors(["kg", "km"], money=False) is None
    True
    """
    counted = Counter(unit for unit in units if unit is not None)
    named = set(counted) - {""}
    if not named:
        return np.ones(len(units)), ""
    multiplied = money or (len(counted) > 1 and named != {"m"})
    if named <= set(_MULTIPLIERS) and multiplied:
        return _scaled(units, _MULTIPLIERS), "with thousands and millions multiplied out"
    if named <= set(_SHARES):
        return _scaled(units, _SHARES), "with per cent as shares"
    for base, family in _FAMILIES:
        if len(named) == 1 and named <= _LONG:
            break
        if named <= set(family) and (len(named) == 1 or "" not in counted):
            unmarked = family[next(iter(named))] if "" in counted else 1.0
            return _scaled(units, {**family, "": unmarked}), f"in {base}"
    if len(named) != 1:
        return None
    only = named.pop()
    return np.ones(len(units)), f"in {(written or {}).get(only, only)}"


def _scaled(units: Sequence[str | None], family: dict[str, float]) -> FloatArray:
    return np.array([1.0 if unit is None else family.get(unit, 1.0) for unit in units])
