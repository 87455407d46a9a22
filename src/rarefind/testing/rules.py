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
    call: Callable[[], Any], error: type[Exception], what: str, *, naming: str = ""
) -> None:
    """Break the rule unless the call is answered with this error, in words that name the cause."""
    try:
        call()
    except error as refusal:
        said = str(refusal).strip()
        require(said, f"{what} was refused without a word.")
        require(naming in said, f"{what} was refused without naming {naming!r}: {shown(said)}")
    except Exception as problem:
        kind = type(problem).__name__
        raise RuleBrokenError(
            f"{what} should have raised {error.__name__}, and raised {kind}: {problem}"
        ) from problem
    else:
        raise RuleBrokenError(f"{what} should have raised {error.__name__}, and was accepted.")


def shown(value: Any) -> str:
    """Write a value as an example shows it: on one line, and not too long."""
    text = " ".join(repr(value).split())
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 2]} …"
