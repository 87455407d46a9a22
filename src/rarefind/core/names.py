"""Names people type, and what they stand for.

A registry maps names to objects that are imported only when asked for. Built-in objects are given
as ``"module:attribute"``, and installed packages add their own through the registry's entry-point
group, so both come through the same door.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from importlib import import_module
from importlib.metadata import entry_points
from typing import Any

from rarefind.core.errors import UnknownNameError


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


class Registry:
    """Named objects of one kind, imported when first asked for."""

    def __init__(self, kind: str, group: str, builtins: Mapping[str, str]) -> None:
        self.kind = kind
        self.group = group
        self._builtins = dict(builtins)

    def _paths(self) -> dict[str, str]:
        plugins = {point.name: point.value for point in entry_points(group=self.group)}
        return {**plugins, **self._builtins}

    def names(self) -> list[str]:
        """List all names, sorted."""
        return sorted(self._paths())

    def get(self, name: str) -> Any:
        """Import and return the object of that name; UnknownNameError lists the options."""
        paths = {**self._builtins} if name in self._builtins else self._paths()
        if name not in paths:
            raise unknown_name(self.kind, name, sorted(paths))
        module, _, attribute = paths[name].partition(":")
        return getattr(import_module(module), attribute)
