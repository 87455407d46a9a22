"""Keeping the linear algebra library from splitting small products over processors."""

from __future__ import annotations

from rarefind.core.threads import undivided_products

__all__ = ["undivided_products"]
