"""What the columns of Parquet files hold and how they become numbers, found out on a cluster.

One task looks at one column of all partitions, with the functions that one machine uses: kinds,
scales and categories are the same to the last digit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

import numpy as np

from rarefind.cluster.connection import Cluster
from rarefind.cluster.journal import Result
from rarefind.cluster.partitions import Files, Source
from rarefind.cluster.tasks import Task
from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError, Remedy
from rarefind.core.names import unknown_name
from rarefind.features.cells.dates import telling_dates
from rarefind.features.encoders import Dates, Encoder, Numbers, Words
from rarefind.features.scaling import Squash, Standard
from rarefind.records.columns.kinds import KINDS, ColumnKind, detect_kinds
from rarefind.records.columns.picture_grids import find_grids, possible_grids
from rarefind.records.columns.titles import check_names
from rarefind.records.formats.parquet_stream import Batch
from rarefind.records.preparing.parts import SPECIAL, VectorPart, learn_part, stacked
from rarefind.records.table import Column, Table

_KNOWN = {each.__name__: each for each in (ColumnKind, Dates, Numbers, Squash, Standard, Words)}
"""The only classes that a journal may name: nothing else is made because a file says so."""


@dataclass(frozen=True)
class LearntColumn:
    """What is known of a column: its kind, how it becomes numbers, and its least number.

    ``telling`` are dates that say how the others are written.
    """

    kind: ColumnKind
    encoder: Encoder | None
    is_number: bool
    least: float
    telling: tuple[str, ...]


def learn_columns(
    cluster: Cluster, files: Files, wanted: Mapping[str, str], leave: str | None = None
) -> tuple[LearntColumn, ...]:
    """Look at all columns but ``leave``; ``wanted`` are kinds that somebody chose."""
    titles = check_names(files.names, files.name)
    for name, kind in wanted.items():
        if kind not in KINDS:
            raise unknown_name(f"kind (for column {name!r})", kind, KINDS)
    chosen = [pair for pair in zip(titles, files.names, strict=True) if pair[0] != leave]
    tasks = [
        Task(
            learn_column,
            (files.sources, name, files.name, wanted.get(title)),
            f"column {title!r}",
        )
        for title, name in chosen
    ]
    found = tuple(_unpacked(each) for each in cluster.run("looking at columns", tasks))
    _refuse_pictures(files, dict(zip((title for title, _ in chosen), found, strict=True)), wanted)
    return found


def learn_column(sources: tuple[Source, ...], name: str, file: str, wanted: str | None) -> Result:
    """Look at one column of all partitions."""
    table = _whole_column(sources, name, file)
    ((title, column),) = table.columns.items()
    (kind,) = detect_kinds(table, {} if wanted is None else {title: wanted})
    part = None if kind.kind in (*SPECIAL, "id", "picture") else learn_part(table, kind)
    is_number = column.dtype.kind == "f"
    least = float(np.nanmin(column, initial=0.0)) if is_number else 0.0
    telling: tuple[str, ...] = ()
    if kind.kind == "date":
        telling = telling_dates(sorted({str(word) for word in table.words(title) if word}))
    encoder = None if part is None else part.encoder
    return _packed(LearntColumn(kind, encoder, is_number, least, telling))


@dataclass(frozen=True, repr=False)
class Encoded:
    """Makes vectors of an Arrow batch, as :func:`rarefind.records.preparing.recipe.prepare` does.

    Attributes
    ----------
    parts
        How each column becomes numbers.
    telling
        Dates, by column, that say how the others are written: they are read with every batch.
    file
        What people call the file.
    mark
        Tells it from others.
    """

    parts: tuple[VectorPart, ...]
    telling: tuple[tuple[str, tuple[str, ...]], ...]
    file: str
    mark: str

    @classmethod
    def of(cls, columns: Sequence[LearntColumn], file: str) -> Encoded:
        """Put together what was learnt of the columns."""
        used = [each for each in columns if each.encoder is not None]
        parts = tuple(VectorPart(each.kind, each.encoder) for each in used if each.encoder)
        telling = tuple((each.kind.name, each.telling) for each in used if each.telling)
        written = json.dumps([_plain(each) for each in used], sort_keys=True)
        return cls(parts, telling, file, hashlib.sha256(written.encode()).hexdigest()[:32])

    def __repr__(self) -> str:
        return f"Encoded({self.mark})"

    def __call__(self, batch: Any) -> FloatArray:
        """Encode the rows of a batch."""
        table = self.table(batch)
        for name, dates in self.telling:
            table = _with_dates(table, name, dates)
        return stacked(self.parts, table)[: batch.num_rows]

    def table(self, batch: Any) -> Table:
        """Return the rows of a batch as a table."""
        return Batch(0, batch, self.file).table()


def _with_dates(table: Table, name: str, dates: tuple[str, ...]) -> Table:
    """Put rows under a table that hold these dates in one column, and a copy of a row else."""
    columns = {}
    for title, column in table.columns.items():
        more = np.repeat(column[:1], len(dates))
        if title == name:
            more = np.array(dates, dtype=object)
        columns[title] = np.concatenate([column, more])
    return Table(columns, table.source)


def _whole_column(sources: Sequence[Source], name: str, file: str) -> Table:
    """Read one column of all partitions; each different word is kept once."""
    pieces: list[Column] = []
    words: dict[Any, Any] = {}
    first: Table | None = None
    for source in sources:
        for batch in source.batches([name]):
            table = Batch(source.start, batch, file).table()
            first = table if first is None else first
            (cells,) = table.columns.values()
            if cells.dtype == object and all(isinstance(cell, str | None) for cell in cells):
                cells[:] = [words.setdefault(cell, cell) for cell in cells.tolist()]
            pieces.append(cells)
    assert first is not None
    if any(piece.dtype == object for piece in pieces):
        pieces = [_objects(piece) for piece in pieces]
    (title,) = first.columns
    return Table({title: np.concatenate(pieces)}, file, first.original, "arrow")


def _objects(column: Column) -> Column:
    """Return a column of objects; one of nothing but gaps is read as numbers at first."""
    return column if column.dtype == object else np.full(len(column), None, dtype=object)


def _refuse_pictures(
    files: Files, found: Mapping[str, LearntColumn], wanted: Mapping[str, str]
) -> None:
    """Refuse groups of columns that one machine would take for a picture, and unknown names."""
    least = {
        title: np.array([each.least]) if each.is_number else np.array([None])
        for title, each in found.items()
    }
    groups = {part for grid in possible_grids(least) for part in (grid.prefix, grid.title)}
    names = [*least, *sorted(groups - {""})]
    for name in wanted:
        if name not in names:
            raise unknown_name(f"column in {files.name} called", name, names)
    pictures = {name for name, kind in wanted.items() if kind == "picture"}
    for grid in find_grids(least, (pictures, set(wanted) - pictures)):
        raise DataError(
            f"{files.name}: columns {grid.title} form a picture, which a cluster cannot compare."
        ).advising(
            Remedy(
                "Take them as numbers with {kinds}, or leave out {cluster}.",
                kinds=f"{grid.title}=number",
            )
        )


def _packed(learnt: LearntColumn) -> Result:
    written = json.dumps(_plain(learnt), ensure_ascii=False)
    return {"learnt": np.frombuffer(written.encode("utf-8", "surrogatepass"), dtype=np.uint8)}


def _unpacked(result: Result) -> LearntColumn:
    plain = json.loads(result["learnt"].tobytes().decode("utf-8", "surrogatepass"))
    values = _value(plain)
    return LearntColumn(**values)


def _plain(value: Any) -> Any:
    """Write what was learnt as JSON can have it; numbers keep every digit."""
    if isinstance(value, LearntColumn):
        return {"values": {each.name: _plain(getattr(value, each.name)) for each in fields(value)}}
    if is_dataclass(value) and not isinstance(value, type):
        inner = {each.name: _plain(getattr(value, each.name)) for each in fields(value)}
        return {"class": type(value).__name__, "values": inner}
    if isinstance(value, np.ndarray):
        return {"array": value.tolist(), "type": str(value.dtype)}
    if isinstance(value, tuple | list):
        return {"tuple": [_plain(each) for each in value]}
    return value.item() if isinstance(value, np.generic) else value


def _value(plain: Any) -> Any:
    if not isinstance(plain, dict):
        return plain
    if "tuple" in plain:
        return tuple(_value(each) for each in plain["tuple"])
    if "array" in plain:
        return np.array(plain["array"], dtype=plain["type"])
    values = {name: _value(each) for name, each in plain["values"].items()}
    return _KNOWN[plain["class"]](**values) if "class" in plain else values
