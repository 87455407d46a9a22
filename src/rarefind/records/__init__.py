"""Users' files in and out, and the examples that ship with the package."""

from __future__ import annotations

from rarefind.records.tables import Table

__all__ = ["Table"]
