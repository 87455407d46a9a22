"""Users' files in and out, and the examples that ship with the package."""

from __future__ import annotations

from rarefind.records.tables import Table
from rarefind.records.vectors import Vectors, to_vectors

__all__ = ["Table", "Vectors", "to_vectors"]
