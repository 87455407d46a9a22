"""What a record looks like in numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.features.table import TableFeatures

__getattr__, __dir__ = lazy_attributes(__name__, {"TableFeatures": "rarefind.features.table"})

__all__ = ["TableFeatures"]
