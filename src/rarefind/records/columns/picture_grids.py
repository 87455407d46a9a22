"""Columns that form a picture: p0 to p63, pixel1 to pixel784, 1x1 to 28x28."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Set
from dataclasses import dataclass

import numpy as np

from rarefind.core.errors import DataError
from rarefind.records.table import Column

_USUAL = {"p", "px", "pix", "pixel", "pixels", "img", "image", "grey", "gray", "dot"}
"""What people call the points of a picture."""

_NUMBERED = re.compile(r"(\D*?)[_\- .]?(\d{1,6})")
"""A name and a number behind it."""

_PLACED = re.compile(r"(.*?)(\d{1,3})[x_](\d{1,3})")
"""A name and two numbers, row and column."""

_SMALLEST = 16
"""Points that make a picture: four times four. Fewer are numbered columns of something else."""


@dataclass(frozen=True)
class Grid:
    """Columns that form a picture.

    Attributes
    ----------
    prefix
        What their names begin with.
    names
        The columns, line by line from the top left.
    shape
        Rows and columns of the picture.
    """

    prefix: str
    names: tuple[str, ...]
    shape: tuple[int, int]

    @property
    def title(self) -> str:
        """The first and the last name."""
        return f"{self.names[0]}-{self.names[-1]}"


def find_grids(
    columns: Mapping[str, Column], choices: tuple[Set[str], Set[str]] = (frozenset(), frozenset())
) -> list[Grid]:
    """Find the pictures among columns of numbers.

    ``choices`` are names of groups that are pictures, and of those that are not.

    >>> columns = {f"p{i}": np.arange(3.0) for i in range(64)}
    >>> find_grids(columns)[0].shape
    (8, 8)
    """
    wanted, unwanted = choices
    found = []
    for grid in possible_grids(columns, unwanted):
        chosen = bool({grid.prefix, grid.title} & wanted)
        if not ({grid.prefix, grid.title} & unwanted) and (
            chosen or (_is_usual(grid) and _is_picture([columns[name] for name in grid.names]))
        ):
            found.append(grid)
    for name in wanted - {part for grid in found for part in (grid.prefix, grid.title)}:
        if name not in columns:
            raise DataError(
                f"There is no picture called {name!r}: its columns would be called {name}0, "
                f"{name}1, ..., hold numbers, and be as many as a square has places."
            )
    return found


def possible_grids(columns: Mapping[str, Column], unwanted: Set[str] = frozenset()) -> list[Grid]:
    """Find the groups of columns whose names could be those of a picture."""
    numeric = [
        name
        for name, column in columns.items()
        if column.dtype.kind == "f" and name not in unwanted
    ]
    return [*_numbered(numeric), *_placed(numeric)]


def _is_usual(grid: Grid) -> bool:
    return len(grid.names) >= _SMALLEST and grid.prefix.lower().rstrip("_-. ") in (_USUAL | {""})


def _is_picture(cells: list[Column]) -> bool:
    """Whether the numbers are at least zero, as brightness is."""
    return all(np.nanmin(column, initial=0.0) >= 0 for column in cells)


def _numbered(names: list[str]) -> list[Grid]:
    groups: dict[str, dict[int, str]] = {}
    for name in names:
        match = _NUMBERED.fullmatch(name)
        if match is not None and match[1]:
            groups.setdefault(match[1], {})[int(match[2])] = name
    grids = []
    for prefix, group in groups.items():
        side = math.isqrt(len(group))
        first = min(group)
        if side**2 == len(group) > 1 and first in (0, 1) and max(group) == first + len(group) - 1:
            ordered = tuple(group[number] for number in sorted(group))
            grids.append(Grid(prefix, ordered, (side, side)))
    return grids


def _placed(names: list[str]) -> list[Grid]:
    groups: dict[str, dict[tuple[int, int], str]] = {}
    for name in names:
        match = _PLACED.fullmatch(name)
        if match is not None:
            groups.setdefault(match[1], {})[int(match[2]), int(match[3])] = name
    grids = []
    for prefix, group in groups.items():
        rows, columns = (sorted({place[axis] for place in group}) for axis in (0, 1))
        whole = len(rows) * len(columns) == len(group)
        if whole and min(len(rows), len(columns)) >= 4:
            ordered = tuple(group[place] for place in sorted(group))
            grids.append(Grid(prefix, ordered, (len(rows), len(columns))))
    return grids
