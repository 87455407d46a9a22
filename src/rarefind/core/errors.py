"""Errors that a person can act on.

Every message says which argument (or file, row and column), what was expected, what came, and
what to do. Each class also derives from the built-in type a caller would expect to catch. What to
do may have other names on the command line or over HTTP than in Python: then it is a value, a
:class:`Remedy`, which each door words with the names people give there.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from string import Formatter
from typing import Self

Door = Callable[[str, str], str | None]
"""Names an argument, with the value to give it if there is one; None if the door has no such."""


class Remedy:
    """A sentence with the names of arguments in it, as yet unsaid.

    Parameters
    ----------
    words
        The sentence, with arguments in braces, by the names they have in Python.
    values
        What to give them, where that is known.

    Examples
    --------
    >>> remedy = Remedy("Leave the column out with {leave_out}.", leave_out="zip")
    >>> remedy.worded(in_python)
    "Leave the column out with leave_out='zip'."
    >>> remedy.worded(lambda name, value: None) is None
    True
    """

    def __init__(self, words: str, **values: str) -> None:
        self.words, self.values = words, values

    def __repr__(self) -> str:
        return f"Remedy({self.words!r})"

    def worded(self, door: Door) -> str | None:
        """Say it to whoever came through a door; None if it cannot be done there."""
        said = ""
        for before, name, _, _ in Formatter().parse(self.words):
            said += before
            if name is not None:
                called = door(name, self.values.get(name, ""))
                if called is None:
                    return None
                said += called
        return said


def in_python(name: str, value: str) -> str:
    """Name an argument as it is written in Python.

    >>> in_python("kernel", "")
    'kernel='
    """
    return f"{name}={value!r}" if value else f"{name}="


class RarefindError(Exception):
    """Base of all errors that rarefind raises on purpose.

    Attributes
    ----------
    remedies
        What to do about it, where that has other names on the command line than in Python.
    """

    remedies: tuple[Remedy, ...] = ()

    def advising(self, *remedies: Remedy) -> Self:
        """Add what to do about it.

        >>> raise RarefindError("Too large.").advising(Remedy("Give {limit} more.", limit="9"))
        Traceback (most recent call last):
        rarefind.core.errors.RarefindError: Too large. Give limit='9' more.
        """
        self.remedies = (*self.remedies, *remedies)
        return self

    def worded(self, door: Door) -> str:
        """Say what is wrong, and of what to do about it all that can be done at a door."""
        said = (remedy.worded(door) for remedy in self.remedies)
        return " ".join([super().__str__(), *(words for words in said if words is not None)])

    def __str__(self) -> str:
        return self.worded(in_python)


class ParameterError(RarefindError, ValueError, TypeError):
    """A parameter has a value that its object does not take."""


class DataError(RarefindError, ValueError):
    """The records cannot be used as they are."""


class UnknownNameError(RarefindError, LookupError, ValueError):
    """A strategy, kernel, model, class or column of that name does not exist."""


class StateError(RarefindError, RuntimeError):
    """The call contradicts what has been said before."""


class NotAllowedError(StateError):
    """Somebody else may do this: who leads, or who said it."""


class NotAvailableError(RarefindError, NotImplementedError):
    """The object cannot do this by its nature, for example list infinitely many features."""


class TooLargeError(RarefindError, MemoryError):
    """The result would not fit into the memory allowed."""


class StorageError(RarefindError, OSError):
    """The disk or the database server does not take, or does not give back, what is kept."""


class MissingPackageError(RarefindError, ImportError):
    """An optional package is needed and not installed."""

    def __init__(self, purpose: str, package: str, extra: str) -> None:
        super().__init__(
            f"{purpose} needs {package}. Install it with: pip install 'rarefind[{extra}]'"
        )


class RarefindWarning(UserWarning):
    """Base of all warnings that rarefind gives."""


def warn_caller(message: str, category: type[Warning] = RarefindWarning) -> None:
    """Warn, and name the first line outside of this package (and scikit-learn's) as the place."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_inner(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_inner(module: str) -> bool:
    return module.partition(".")[0] in ("rarefind", "sklearn")
