"""Columns that only tell records apart, and say nothing about what records are like."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

_ID_NAME = re.compile(
    r"(.*[_\- .])?(id|ids|uuid|guid|key|index|idx|row|rownum|rowid|url|uri|email|e-mail|filename|"
    r"file|path|hash|sha256|md5|phone|telephone|fax|iban|isbn|ean|gtin|imei|ssn)|(.*[_\- ])?(order|"
    r"invoice|account|ticket|serial|customer|member|policy|case|reference|transaction|tracking|"
    r"phone|card|receipt|document|contract|passport|employee|student|patient)[_\- .]?"
    r"(number|num|no|nr)\.?|unnamed: \d+|__index_level_\d+__|[a-z]+Id|[A-Z]+ID",
)
"""Names that tell records apart in the tables we have seen, English and by their last word."""

_SURE_NAME = re.compile(r"(.*[_\- ])?(id|ID|uuid)|[a-z]+Id")
"""Names that leave no doubt, even where numbers repeat: a customer's id stands in each order."""

COUNTING = ("counts the rows", "only counts up, by one in most rows", "counts the rows down",
            "only counts down, by one in most rows")  # fmt: skip
"""Said of numbers that tell the place of a record, and nothing that a person knows it by."""

_LARGEST_WHOLE = 2.0**53
"""Larger whole numbers are not told apart by doubles: nobody measures so finely."""

_FEW = 20
"""Among fewer records, a column may count them by chance."""


def names_an_id(name: str) -> bool:
    """Whether the name of a column says that it tells records apart.

    >>> names_an_id("Customer-ID"), names_an_id("orderId"), names_an_id("paid")
    (True, True, False)
    >>> names_an_id("Invoice No."), names_an_id("phone_number"), names_an_id("number of rooms")
    (True, True, False)
    """
    return _ID_NAME.fullmatch(name) is not None or _ID_NAME.fullmatch(name.lower()) is not None


def why_an_id(name: str, numbers: NDArray[Any]) -> str:
    """Say why a column of numbers only tells records apart; empty if it does not.

    >>> why_an_id("number", np.arange(1001.0, 1031.0)), why_an_id("amount", np.arange(30.0) * 2)
    ('counts the rows', '')
    """
    known = numbers[np.isfinite(numbers)]
    if not len(known) or not bool((known % 1 == 0).all()):
        return ""
    if len(known) == len(numbers) >= _FEW:
        for steps, each, most in (
            (np.diff(numbers), *COUNTING[:2]),
            (-np.diff(numbers), *COUNTING[2:]),  # what is newest first
        ):
            if bool((steps == 1).all()):
                return each
            if bool((steps >= 1).all()) and np.median(steps) == 1:
                return most
        if np.abs(numbers).min() >= _LARGEST_WHOLE:
            return "whole numbers of more than 15 digits"
        if names_an_id(name) and len(np.unique(numbers)) == len(numbers):
            return "a different whole number in each row, and its name"
    return "whole numbers, and its name" if _SURE_NAME.fullmatch(name) else ""
