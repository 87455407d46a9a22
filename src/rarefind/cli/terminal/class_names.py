"""The class meant by a name in a command, where nobody can be asked."""

from __future__ import annotations

from collections.abc import Sequence

from rarefind.core.errors import ParameterError
from rarefind.core.names import mistyped_name, same_name


def class_meant(typed: str, known: Sequence[str]) -> str:
    """Return the class of that name; one that looks like a slip of another is refused.

    >>> class_meant("Fraud", ["fraud"]), class_meant("=Fraud", ["fraud"]), class_meant("odd", [])
    ('fraud', 'Fraud', 'odd')
    """
    if typed.startswith("=") and typed.strip("= "):
        return typed[1:].strip()
    same = same_name(typed, known)
    slip = None if same is not None else mistyped_name(typed, known)
    if slip is not None:
        raise ParameterError(
            f"No class is called {typed!r} yet. Did you mean {slip!r}? For a new class write "
            f"'={typed}'."
        )
    return same or typed
