"""Errors that a person can act on.

Every message says which argument (or file, row and column), what was expected, what came, and
what to do. Each class also derives from the built-in type a caller would expect to catch.
"""

from __future__ import annotations

import sys
import warnings


class RarefindError(Exception):
    """Base of all errors that rarefind raises on purpose."""


class ParameterError(RarefindError, ValueError, TypeError):
    """A parameter has a value that its object does not take."""


class DataError(RarefindError, ValueError):
    """The records cannot be used as they are."""


class UnknownNameError(RarefindError, LookupError, ValueError):
    """A strategy, kernel, model, class or column of that name does not exist."""


class StateError(RarefindError, RuntimeError):
    """The call contradicts what has been said before."""


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
