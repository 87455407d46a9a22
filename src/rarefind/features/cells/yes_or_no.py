"""Words for yes and no."""

from __future__ import annotations

from collections.abc import Iterable

_PAIRS = (
    ("true", "false"), ("yes", "no"), ("t", "f"), ("y", "n"), ("on", "off"), ("1", "0"),
    ("1.0", "0.0"), ("ja", "nein"), ("ja", "nej"), ("ja", "nee"), ("oui", "non"), ("s\u00ed", "no"),
    ("si", "no"), ("sim", "n\u00e3o"), ("\u2713", "\u2717"), ("\u2714", "\u2718"),
)  # fmt: skip
"""Two words that answer a question with yes and no."""

YES_OR_NO = {word: flag for pair in _PAIRS for word, flag in zip(pair, (1.0, 0.0), strict=True)}
"""Words for yes and no, in small letters."""


def say_yes_or_no(words: Iterable[str]) -> bool:
    """Whether all of some words say yes or no, in one spelling or several, and some say each.

    A pair must be whole among them: F and Y are letters.

    >>> say_yes_or_no(["Yes", "no", "Y", "TRUE", "0"]), say_yes_or_no(["F", "Y"])
    (True, False)
    >>> say_yes_or_no(["yes", "no", "maybe"]), say_yes_or_no(["1", "0"])
    (False, False)
    """
    small = {word.strip().lower() for word in words}
    whole = any(set(pair) <= small for pair in _PAIRS if not pair[0][0].isdigit())
    return whole and small <= set(YES_OR_NO)
