"""Warnings that point at the line of the person who called, however deep they arise."""

from __future__ import annotations

import sys
import warnings

from rarefind.core.errors import RarefindWarning


def warn_caller(message: str, category: type[Warning] = RarefindWarning) -> None:
    """Warn, and name the first line outside of this package (and scikit-learn's) as the place."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and _is_inner(frame.f_globals.get("__name__", "")):
        level, frame = level + 1, frame.f_back
    warnings.warn(message, category, stacklevel=level)


def _is_inner(module: str) -> bool:
    return module.partition(".")[0] in ("rarefind", "sklearn")
