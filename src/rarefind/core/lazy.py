"""Packages that import their members only when one is used (PEP 562)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from types import ModuleType
from typing import Any


def lazy_attributes(
    package: str, where: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Make the ``__getattr__`` and ``__dir__`` of a package.

    ``where`` maps each public name to the module that holds it; a module maps to itself.
    """
    members = {name for name, home in where.items() if home != f"{package}.{name}"}

    class Package(ModuleType):
        """Python sets every sub-module that is imported as an attribute of its package.

        One of a member's name would hide the member from then on, so it is not set.
        """

        def __setattr__(self, name: str, value: Any) -> None:
            if not (name in members and isinstance(value, ModuleType)):
                super().__setattr__(name, value)

    if package in sys.modules:
        sys.modules[package].__class__ = Package

    def get(name: str) -> Any:
        if name not in where:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        module = import_module(where[name])
        return module if where[name] == f"{package}.{name}" else getattr(module, name)

    return get, lambda: sorted(where)
