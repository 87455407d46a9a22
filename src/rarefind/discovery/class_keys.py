"""The key that answers with a class, given once and the same at every door."""

from __future__ import annotations

import re
from collections.abc import Collection

KEYS = "1234567890abcdefghilopqrtvwz"
"""Keys that answer, in the order they are given out; the letters left out are commands."""

_BESIDE_DIGITS = re.compile(r"-\d|\d\d")
"""Names beside which a class named by one digit is to be expected: -1 leaves the key 1 to it."""


def key_for(name: str, taken: Collection[str | None], held: Collection[str]) -> str | None:
    """Choose the key of a new class beside those taken; None if none is left.

    A class whose name is a key has that very one; others leave it to a class ``held`` of that name.

    >>> key_for("weird", {"1"}, {"plain"}), key_for("7", {"1"}, {"plain"}), key_for("-1", (), ())
    ('2', '7', 'a')
    """
    free = [key for key in KEYS if key not in taken]
    if name in free:
        return name
    unwanted = [key for key in free if key not in held]
    letters = [key for key in unwanted if key.isalpha()] if _BESIDE_DIGITS.fullmatch(name) else []
    return next(iter(letters or unwanted or free), None)
