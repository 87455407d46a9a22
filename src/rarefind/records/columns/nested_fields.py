"""Records within records: each field becomes a column of its own, named as in ``who.age``."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

_WHOLE = frozenset({"nodes", "edges", "links", "children"})
"""Fields that make an object a graph or a tree, which stays in one piece."""

_PICTURE = frozenset({"bytes", "path"})
"""The fields of a picture in a Parquet file."""


def flat_fields(fields: dict[str, Any]) -> dict[str, Any]:
    """Replace the objects among the fields of a JSON object by what they hold.

    >>> flat_fields({"id": 3, "who": {"age": 40, "at": {"zip": "07"}}, "shape": {"nodes": 2}})
    {'id': 3, 'who.age': 40, 'who.at.zip': '07', 'shape': {'nodes': 2}}
    """
    if not any(type(cell) is dict for cell in fields.values()):
        return fields
    flat: dict[str, Any] = {}
    for name, cell in fields.items():
        if type(cell) is dict and _WHOLE.isdisjoint(cell):
            for inner, value in flat_fields(cell).items():
                if f"{name}.{inner}" not in fields:
                    flat[f"{name}.{inner}"] = value
        else:
            flat[name] = cell
    return flat


def flat_columns(pa: Any, table: Any) -> Any:
    """Replace the columns of structures of an Arrow table by their fields."""
    if not any(_is_record(pa, field.type) for field in table.schema):
        return table
    pairs = [pair for name in table.schema.names for pair in _parts(pa, name, table.column(name))]
    return pa.table([cells for _, cells in pairs], names=[name for name, _ in pairs])


def _parts(pa: Any, name: str, cells: Any) -> Iterator[tuple[str, Any]]:
    if not _is_record(pa, cells.type):
        yield name, cells
        return
    for field, part in zip(cells.type, cells.flatten(), strict=True):
        yield from _parts(pa, f"{name}.{field.name}", part)


def _is_record(pa: Any, kind: Any) -> bool:
    if not pa.types.is_struct(kind):
        return False
    names = {field.name for field in kind}
    return bool(names) and names != _PICTURE and _WHOLE.isdisjoint(names)
