"""Conformance suites: what every kernel, strategy, engine, store and model must satisfy.

Each raises AssertionError with one sentence, the rule broken and an example that breaks it. Ours
pass them, and what you write yourself can be tried in the same way, with any test runner.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.testing.engines import check_engine
    from rarefind.testing.kernels import check_kernel
    from rarefind.testing.models import check_model
    from rarefind.testing.stores import check_store
    from rarefind.testing.strategies import check_strategy

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "check_engine": "rarefind.testing.engines",
        "check_kernel": "rarefind.testing.kernels",
        "check_model": "rarefind.testing.models",
        "check_store": "rarefind.testing.stores",
        "check_strategy": "rarefind.testing.strategies",
    },
)

__all__ = ["check_engine", "check_kernel", "check_model", "check_store", "check_strategy"]
