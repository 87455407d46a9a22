"""Users' files in and out, the kinds of their columns, and records made ready to be compared."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes
from rarefind.records.table import Table

if TYPE_CHECKING:
    from rarefind.records.columns.kinds import KINDS, ColumnKind, detect_kinds
    from rarefind.records.embedding.making import embed
    from rarefind.records.formats.by_ending import file_digest, read_frame, read_table, write_table
    from rarefind.records.formats.limits import DEFAULT_LIMITS, Limits
    from rarefind.records.pictures.places import pictures_in
    from rarefind.records.preparing.recipe import Prepared, prepare

_WHERE = {
    "rarefind.records.formats.by_ending": [
        "file_digest",
        "read_frame",
        "read_table",
        "write_table",
    ],
    "rarefind.records.columns.kinds": ["KINDS", "ColumnKind", "detect_kinds"],
    "rarefind.records.embedding.making": ["embed"],
    "rarefind.records.pictures.places": ["pictures_in"],
    "rarefind.records.formats.limits": ["DEFAULT_LIMITS", "Limits"],
    "rarefind.records.preparing.recipe": ["Prepared", "prepare"],
}
"""The public names by the module that holds them, imported when one is used."""

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
    "embed",
    "file_digest",
    "pictures_in",
    "prepare",
    "read_frame",
    "read_table",
    "write_table",
]
