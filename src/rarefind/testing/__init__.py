"""Conformance suites: what every kernel must satisfy, yours included."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.testing.kernels import check_kernel

__getattr__, __dir__ = lazy_attributes(__name__, {"check_kernel": "rarefind.testing.kernels"})

__all__ = ["check_kernel"]
