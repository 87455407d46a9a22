"""Kernels as specifications that can be read again."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from typing import Any

import numpy as np

from rarefind.core.errors import NotAvailableError
from rarefind.kernels.contract import Kernel
from rarefind.kernels.registry import registry

_MOST_CELLS = 50_000
"""Numbers of a matrix that a specification may hold."""

_LONGEST_SHOWN = 60
"""Characters of a list that are shown where a short form is asked for."""

_WORD = re.compile(r"[^\W\d]\w*(?:[-.][^\W\d]\w*)*")
"""What may stand without quotes: a name as the reader takes it."""


def format_kernel(kernel: Kernel, *, short: bool = False) -> str:
    """Write a kernel as the specification that ``parse_kernel`` reads.

    Parameters that have their usual value are left out. What no specification can hold (functions,
    matrices) is refused, or shown as ``...`` if ``short``.

    >>> from rarefind.kernels import Linear, Spectrum
    >>> format_kernel(2 * Spectrum(4) + Linear() ** 3)
    '2*spectrum(4) + linear**3'
    """
    return _Writer(short).written(kernel, 0)


class _Writer:
    def __init__(self, short: bool) -> None:
        self._short = short

    def written(self, kernel: Kernel, strength: int) -> str:
        """Write a kernel; ``strength`` says how tightly what is around it binds."""
        from rarefind.kernels.algebra import Multiple, Power, Product, Sum

        own, text = 3, ""
        if type(kernel) is Sum:
            own, text = 0, f"{self.written(kernel.left, 0)} + {self.written(kernel.right, 1)}"
        elif type(kernel) is Multiple:
            # A multiple of a multiple needs parentheses, or its two numbers would be one.
            own, text = 1, f"{_number(kernel.factor)}*{self.written(kernel.kernel, 2)}"
        elif type(kernel) is Product:
            own, text = 1, f"{self.written(kernel.left, 2)}*{self.written(kernel.right, 2)}"
        elif type(kernel) is Power:
            own, text = 2, f"{self.written(kernel.kernel, 3)}**{kernel.degree}"
        else:
            text = self._called(kernel)
        return f"({text})" if own < strength else text

    def _called(self, kernel: Kernel) -> str:
        kind = type(kernel)
        name = self._name(kind)
        known = kind._get_param_names()
        arguments: list[str] = []
        by_position = True
        for title, parameter in inspect.signature(kind).parameters.items():
            if title not in known:
                continue
            value = getattr(kernel, title)
            by_position = by_position and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
            if parameter.default is not parameter.empty and _same(value, parameter.default):
                by_position = False
                continue
            text = self._value(value, f"{name}, parameter {title}")
            arguments.append(text if by_position else f"{title}={text}")
        return f"{name}({', '.join(arguments)})" if arguments else name

    def _name(self, kind: type[Kernel]) -> str:
        for name in registry.names():
            if registry.get(name) is kind:
                return name
        if self._short:
            return kind.__name__
        raise NotAvailableError(
            f"{kind.__name__} has no name among the kernels, so no specification can hold it. "
            "Pass the kernel itself."
        )

    def _value(self, value: Any, where: str) -> str:
        if isinstance(value, Kernel):
            return self.written(value, 0)
        if value is None or isinstance(value, bool):
            return str(value).lower()
        if isinstance(value, int | float):
            return _number(value)
        if isinstance(value, str):
            return _word(value)
        if isinstance(value, np.ndarray) and value.size <= _MOST_CELLS:
            value = value.tolist()
        if isinstance(value, list | tuple | Mapping):
            text = self._gathered(value, where)
            return "..." if self._short and len(text) > _LONGEST_SHOWN else text
        if self._short:
            return "..."
        raise NotAvailableError(
            f"No specification can hold a {type(value).__name__} ({where}). Pass the kernel itself."
        )

    def _gathered(self, value: Any, where: str) -> str:
        """Write a list, a pair or a mapping; kernels inside stand in quotes."""
        if isinstance(value, Mapping):
            pairs = (f"{self._value(k, where)}: {self._inside(v, where)}" for k, v in value.items())
            return f"{{{', '.join(pairs)}}}"
        inside = ", ".join(self._inside(one, where) for one in value)
        plain = all(isinstance(one, str | int | float) for one in value)
        return f"({inside})" if isinstance(value, tuple) and plain else f"[{inside}]"

    def _inside(self, value: Any, where: str) -> str:
        if isinstance(value, Kernel):
            return _word(self.written(value, 0))
        return self._value(list(value) if isinstance(value, tuple) else value, where)


def _word(text: str) -> str:
    if _WORD.fullmatch(text) and text.lower() not in ("true", "false", "none"):
        return text
    quote = "'" if '"' in text else '"'
    return f"{quote}{text}{quote}"


def _number(value: float) -> str:
    return str(int(value)) if float(value).is_integer() and abs(value) < 1e15 else repr(value)


def _same(value: Any, default: Any) -> bool:
    return type(value) is type(default) and bool(value == default)
