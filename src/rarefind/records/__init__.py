"""Users' files in and out, the kinds of their columns, and records made ready to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes
from rarefind.records.tables import Table

if TYPE_CHECKING:
    from rarefind.records.files import file_digest, read_frame, read_table, write_table
    from rarefind.records.kinds import KINDS, ColumnKind, detect_kinds
    from rarefind.records.limits import DEFAULT_LIMITS, Limits
    from rarefind.records.preparation import Prepared, prepare

_WHERE = {
    "rarefind.records.files": ["file_digest", "read_frame", "read_table", "write_table"],
    "rarefind.records.kinds": ["KINDS", "ColumnKind", "detect_kinds"],
    "rarefind.records.limits": ["DEFAULT_LIMITS", "Limits"],
    "rarefind.records.preparation": ["Prepared", "prepare"],
}
__getattr__, __dir__ = lazy_attributes(
    __name__, {name: module for module, names in _WHERE.items() for name in names}
)

__all__ = [
    "DEFAULT_LIMITS",
    "KINDS",
    "ColumnKind",
    "Limits",
    "Prepared",
    "Table",
    "detect_kinds",
    "file_digest",
    "prepare",
    "read_frame",
    "read_table",
    "write_table",
]
