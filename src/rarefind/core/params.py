"""Declared constraints on parameters, and the one sentence that is said when they are broken.

A class lists what each parameter may be, and calls :func:`check_params` where the parameters are
first used, never in the constructor (scikit-learn's rule, so that ``set_params`` and ``clone``
always work)::

    class Malice(Strategy):
        _params = {"first_scale": [Integer(1)]}
"""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from rarefind.core.errors import ParameterError


class Constraint(Protocol):
    """What a value must satisfy; ``str()`` of it completes 'must be ...'."""

    def allows(self, value: Any) -> bool:
        """Whether the value is acceptable."""
        ...


@dataclass(frozen=True)
class Number:
    """A finite real number in an interval; ``closed`` names the ends that belong to it."""

    low: float = -math.inf
    high: float = math.inf
    closed: str = "both"

    def allows(self, value: Any) -> bool:
        """Whether the value is a finite number inside."""
        if isinstance(value, bool) or not isinstance(value, numbers.Real):
            return False
        x = float(value)
        above = x > self.low or (x == self.low and self.closed in ("both", "left"))
        below = x < self.high or (x == self.high and self.closed in ("both", "right"))
        return math.isfinite(x) and above and below

    def __str__(self) -> str:
        return f"a number in {self._interval()}"

    def _interval(self) -> str:
        left = "[" if self.closed in ("both", "left") and math.isfinite(self.low) else "("
        right = "]" if self.closed in ("both", "right") and math.isfinite(self.high) else ")"
        return f"{left}{self.low:g}, {self.high:g}{right}"


@dataclass(frozen=True)
class Integer(Number):
    """A whole number in an interval."""

    def allows(self, value: Any) -> bool:
        """Whether the value is a whole number inside."""
        return isinstance(value, numbers.Integral) and super().allows(value)

    def __str__(self) -> str:
        return f"a whole number in {self._interval()}"


class OneOf:
    """One of a few given values."""

    def __init__(self, *options: Any) -> None:
        self.options = options

    def allows(self, value: Any) -> bool:
        """Whether the value is one of the options, of the same type."""
        return any(type(value) is type(option) and value == option for option in self.options)

    def __str__(self) -> str:
        words = [repr(option) for option in self.options]
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


@dataclass(frozen=True)
class Is:
    """A value for which a test holds; ``words`` say what it is."""

    words: str
    test: Callable[[Any], bool]

    def allows(self, value: Any) -> bool:
        """Whether the test holds."""
        return self.test(value)

    def __str__(self) -> str:
        return self.words


BOOLEAN = Is("True or False", lambda value: isinstance(value, bool))
"""Not 0 or 1: they are more often a mistake than meant."""

NOTHING = Is("None", lambda value: value is None)
"""For a parameter that may be left out."""

CALLABLE = Is("a function", callable)
"""For a parameter that may be a function of the user's own."""


def check_params(owner: Any, constraints: Mapping[str, Sequence[Constraint]]) -> None:
    """Raise ParameterError for the first attribute of ``owner`` that breaks its constraints."""
    for name, allowed in constraints.items():
        check_param(owner, name, getattr(owner, name), *allowed)


def check_param(owner: Any, name: str, value: Any, *allowed: Constraint) -> None:
    """Raise ParameterError unless one of the constraints allows the value.

    >>> check_param("Lago", "alpha", 0, Number(0, closed="neither"), OneOf("auto"))
    Traceback (most recent call last):
    rarefind.core.errors.ParameterError: The 'alpha' parameter of Lago must be a number in \
(0, inf) or 'auto'. Got 0 instead.
    """
    if any(constraint.allows(value) for constraint in allowed):
        return
    whose = owner if isinstance(owner, str) else type(owner).__name__
    words = " or ".join(str(constraint) for constraint in allowed)
    raise ParameterError(
        f"The {name!r} parameter of {whose} must be {words}. Got {value!r} instead."
    )
