"""Names people type, and what they stand for.

A registry maps names to objects that are imported only when asked for. Built-in objects are given
as ``"module:attribute"``, and installed packages add their own through the registry's entry-point
group, so both come through the same door.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from rarefind.core.errors import UnknownNameError

_LETTER, _LETTER_OR_DIGIT = r"[^\W\d_]", r"[^\W_]"
"""Of any script."""

_APART = re.compile(
    rf"(?<={_LETTER_OR_DIGIT})[\s_-]+(?={_LETTER})|(?<={_LETTER})[\s_-]+(?={_LETTER_OR_DIGIT})"
)
"""What parts the words of a name: not digits, since 1-2 is not 12, and not at an end, as in a-."""


def unknown_name(kind: str, name: object, options: Iterable[object]) -> UnknownNameError:
    """Make the error for a name that does not exist, with the nearest match and the options.

    >>> print(unknown_name("strategy", "malic", ["alice", "malice"]))
    There is no strategy 'malic'. Did you mean 'malice'? Available: alice, malice.
    """
    words = [str(option) for option in options]
    near = difflib.get_close_matches(str(name), words, n=1)
    hint = f" Did you mean {near[0]!r}?" if near else ""
    shown = ", ".join(words[:30]) + (f" and {len(words) - 30} more" if len(words) > 30 else "")
    return UnknownNameError(f"There is no {kind} {name!r}.{hint} Available: {shown or 'none'}.")


def same_name(name: str, options: Iterable[str]) -> str | None:
    """Return the option that differs in capitals, blanks, hyphens and underscores at most.

    >>> same_name("normal ", ["Fraud", "Normal"]), same_name("giftcard", ["gift card"])
    ('Normal', 'gift card')
    """
    known = list(options)
    if name in known:
        return name
    folded = [_folded(option) for option in known]
    wanted = _folded(name)
    return known[folded.index(wanted)] if wanted in folded else None


def _folded(name: str) -> str:
    return _APART.sub("", " ".join(name.casefold().split()))


def mistyped_name(name: str, options: Iterable[str]) -> str | None:
    """Return the option that a name may be a slip of the finger for.

    Short words, those with digits and those that begin otherwise are taken as they are: "type a"
    is not "type b", and "atypical" not "typical".

    >>> mistyped_name("nromal", ["fraud", "Normal"]), mistyped_name("case 2", ["case 1"])
    ('Normal', None)
    """
    words = _words(name)
    for option in options:
        others = _words(option)
        if len(others) == len(words):
            alike = all(map(_is_slip, words, others))
        else:  # a blank too many or too few besides
            alike = _is_slip("".join(words), "".join(others))
        if alike:
            return option
    return None


def _words(name: str) -> list[str]:
    return _APART.sub(" ", name.casefold()).split()


def _is_slip(word: str, other: str) -> bool:
    if word == other:
        return True
    short = min(len(word), len(other))
    if short < 4 or word[0] != other[0] or not (word + other).isalpha():
        return False
    return slips(word, other) <= (2 if short >= 8 else 1)


def slips(word: str, other: str) -> int:
    """Count the letters that are missing, added, changed or swapped with their neighbour."""
    table = [list(range(len(other) + 1))]
    for i in range(1, len(word) + 1):
        row = [i]
        for j in range(1, len(other) + 1):
            changed = table[i - 1][j - 1] + (word[i - 1] != other[j - 1])
            best = min(changed, table[i - 1][j] + 1, row[j - 1] + 1)
            if i > 1 and j > 1 and word[i - 2 : i] == other[j - 2 : j][::-1]:
                best = min(best, table[i - 2][j - 2] + 1)
            row.append(best)
        table.append(row)
    return table[-1][-1]


class Registry:
    """Named objects of one kind, imported when first asked for."""

    def __init__(self, kind: str, group: str, builtins: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._builtins = dict(builtins)

    def paths(self) -> dict[str, str]:
        """Give all names with where their objects are, as ``"module:attribute"``."""
        plugins = {point.name: point.value for point in entry_points(group=self.group)}
        return {**plugins, **self._builtins}

    def names(self) -> list[str]:
        """List all names, sorted."""
        return sorted(self.paths())

    def get(self, name: str) -> Any:
        """Import and return the object of that name; UnknownNameError lists the options."""
        paths = {**self._builtins} if name in self._builtins else self.paths()
        if name not in paths:
            raise unknown_name(self.kind, name, sorted(paths))
        module, _, attribute = paths[name].partition(":")
        return getattr(import_module(module), attribute)
