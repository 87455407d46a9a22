"""How a record is laid out on the terminal, with what is unusual about it marked."""

from __future__ import annotations

import numpy as np
from rich.table import Table as Grid
from rich.text import Text

from rarefind.records.tables import Table, as_word

_MOST = 24
"""Fields shown of a record; the most unusual ones come first when there are more."""


def shown_value(cell: object) -> str:
    """Write a cell for people: short numbers, "missing" where there is none."""
    if isinstance(cell, float) and not cell.is_integer() and not np.isnan(cell):
        return f"{cell:.4g}"
    return as_word(cell) or "missing"


def unusual(table: Table, row: int) -> dict[str, float]:
    """Tell how unusual each field of a row is: shares of records as extreme, 0 is never seen."""
    shares: dict[str, float] = {}
    for name, column in table.columns.items():
        cell = column[row]
        if column.dtype.kind == "f":
            known = column[~np.isnan(column)]
            if np.isnan(cell) or len(known) < 2:
                continue
            distance = np.abs(known - np.median(known))
            shares[name] = float(np.mean(distance >= abs(cell - np.median(known))))
        elif cell is not None:
            shares[name] = float(np.mean(column == cell))
    return shares


def record_fields(table: Table, row: int) -> Grid:
    """Lay out a record: names and values, the unusual ones marked and explained."""
    shares = unusual(table, row)
    names = list(table.columns)
    if len(names) > _MOST:
        names = sorted(names, key=lambda name: shares.get(name, 1.0))[:_MOST]
    grid = Grid(box=None, show_header=False, pad_edge=False)
    for name in names:
        share = shares.get(name, 1.0)
        rare = share <= 0.02
        note = f"only {max(share, 1 / table.n_rows):.1%} are like this" if rare else ""
        value = Text(shown_value(table.columns[name][row]), style="bold yellow" if rare else "")
        grid.add_row(Text(name, style="dim"), value, Text(note, style="yellow"))
    if len(table.columns) > len(names):
        left = len(table.columns) - len(names)
        grid.add_row(Text(f"and {left} fields nearer to the ordinary", style="dim"), "", "")
    return grid
