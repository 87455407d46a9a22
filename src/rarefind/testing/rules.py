"""How every suite speaks: a rule is a function, its docstring the sentence that says what it asks.

A rule that finds an example against it raises :class:`RuleBrokenError` with that example; whatever
else goes wrong while a rule is tried counts against the thing tried as well.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

Rule = Callable[..., None]

_SHOWN = 120
"""Characters of a value that an example shows."""


class RuleBrokenError(AssertionError):
    """An example that breaks a rule."""


def judge(what: str, rules: Sequence[Rule], *tried: Any) -> None:
    """Try every rule on the same things, and say of the first one broken which it is, and how."""
    for rule in rules:
        said = " ".join((rule.__doc__ or rule.__name__).split())
        try:
            rule(*tried)
        except RuleBrokenError as example:
            raise AssertionError(f"{what} breaks the rule: {said} {example}") from None
        except Exception as problem:
            kind = type(problem).__name__
            raise AssertionError(
                f"{what} breaks the rule: {said} It raised {kind}: {problem}"
            ) from problem


def require(holds: object, example: str) -> None:
    """Break the rule with this example unless it holds."""
    if not holds:
        raise RuleBrokenError(example)


def require_equal(found: Any, expected: Any, what: str) -> None:
    """Break the rule unless both are the same: plain values, or arrays digit by digit."""
    same = (
        np.array_equal(found, expected)
        if isinstance(found, np.ndarray) or isinstance(expected, np.ndarray)
        else found == expected
    )
    require(same, f"{what}: expected {shown(expected)}, got {shown(found)}.")


def require_refused(
    call: Callable[[], Any], errors: type[Exception] | tuple[type[Exception], ...], what: str
) -> None:
    """Break the rule unless the call is answered with one of these errors, and in words."""
    try:
        call()
    except errors as refusal:
        require(str(refusal).strip(), f"{what} was refused without a word.")
    except Exception as problem:
        kind = type(problem).__name__
        raise RuleBrokenError(
            f"{what} should have raised {_names(errors)}, and raised {kind}: {problem}"
        ) from problem
    else:
        raise RuleBrokenError(f"{what} should have raised {_names(errors)}, and was accepted.")


def shown(value: Any) -> str:
    """Write a value as an example shows it: on one line, and not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]} …"


def _names(errors: type[Exception] | tuple[type[Exception], ...]) -> str:
    kinds = errors if isinstance(errors, tuple) else (errors,)
    return " or ".join(kind.__name__ for kind in kinds)
