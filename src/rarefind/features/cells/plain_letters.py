"""Digits, fractions and signs of every script and printer, brought to those of a keyboard."""

from __future__ import annotations

import re
import unicodedata

_SIGNS = str.maketrans({
    "\u2212": "-", "\u2013": "-", "\u2010": "-", "\u2011": "-",  # print a minus
    "\u066b": ".", "\u066c": ",",  # before decimals and between thousands, in Arabic
    "\u00ba": "\u00b0",  # the mark of an ordinal, which looks like that of degrees
})  # fmt: skip
"""Signs that say the same as another."""

_RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079"
"""Digits set higher: powers behind a ten, footnotes behind any other number."""

_POWER = re.compile(rf"\s*[\u00d7x*\u00b7]\s*10(\u207b?[{_RAISED}]+)$")
"""A power of ten as it is printed."""

_FOOTNOTE = re.compile(rf"(?<=\d)[{_RAISED}]+$")
"""A number raised behind a number."""

_FRACTION = re.compile(r"(\d*)\s?([\u00bc-\u00be\u2150-\u215e])")
"""A half or a quarter in one letter, behind a whole number or alone."""

_MIDDLE_POINT = re.compile(r"(?<=\d)\u00b7(?=\d)")
"""A point before decimals, set higher."""


def in_plain_letters(word: str) -> str:
    """Write a word with the letters of a keyboard, as far as that leaves what it says.

    >>> [in_plain_letters(word) for word in ("8\u00bd", "\u0661\u0662", "12.5\u00b9")]
    ['8.5', '12', '12.5']
    >>> in_plain_letters("1.5\u00d710\u207b\u00b3")
    '1.5e-3'
    """
    if word.isascii():
        return word
    word = _POWER.sub(lambda found: f"e{unicodedata.normalize('NFKC', found[1])}", word)
    word = _FRACTION.sub(_as_decimals, _FOOTNOTE.sub("", _MIDDLE_POINT.sub(".", word)))
    word = unicodedata.normalize("NFKC", word.translate(_SIGNS)).translate(_SIGNS)
    return "".join(map(_western, word))


def _as_decimals(found: re.Match[str]) -> str:
    return f"{int(found[1] or 0) + unicodedata.numeric(found[2]):g}"


def _western(letter: str) -> str:
    digit = "" if letter.isascii() else unicodedata.decimal(letter, "")
    return letter if digit == "" else str(digit)
