"""The parameters of a kernel as a formula gives them: which there are, and what they take."""

from __future__ import annotations

import inspect
from typing import Any

from rarefind.core.params import BOOLEAN, Constraint, Number, OneOf
from rarefind.kernels.contract import A_KERNEL, Kernel
from rarefind.kernels.formulas.tokens import FormulaToken


def plain_name(name: str) -> str:
    """Spell a name as GapWeighted, gap_weighted and gap-weighted have in common."""
    return name.lower().replace("-", "").replace("_", "")


def is_call(token: FormulaToken) -> bool:
    """Tell whether a token opens the parameters of a kernel."""
    return token.kind == "sign" and token.text == "("


def parameters_of(kind: type[Kernel]) -> dict[str, inspect.Parameter]:
    """List the parameters of a kernel in order."""
    known = kind._get_param_names()
    parameters = inspect.signature(kind).parameters
    return {name: parameters[name] for name in parameters if name in known}


def is_needed(parameter: inspect.Parameter, given: dict[str, Any]) -> bool:
    """Tell whether a parameter without a usual value is missing."""
    return parameter.default is parameter.empty and parameter.name not in given


def example_of(token: FormulaToken, kind: type[Kernel]) -> str:
    """Show how the kernel would be written."""
    return f"{token.text}({', '.join(parameters_of(kind))})"


def wanted(allowed: tuple[Constraint, ...]) -> str:
    """Say in words what a parameter takes."""
    if A_KERNEL in allowed:
        return "a kernel"
    if BOOLEAN in allowed:
        return "true or false"
    words = [str(one).partition(" in ")[0] for one in allowed if isinstance(one, Number | OneOf)]
    return " or ".join(words) or "a value"
