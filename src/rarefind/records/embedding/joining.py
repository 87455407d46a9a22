"""Embeddings put beside records: from a file, by order or by a key, or made by a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.records.columns.vectors import block_column, holds_lists, vectors_of
from rarefind.records.embedding.making import made_vectors
from rarefind.records.embedding.models import model
from rarefind.records.pictures.finding import holds_pictures
from rarefind.records.table import Column, Table, as_word

COLUMN = "embedding"
"""What the column of embeddings is called, unless there is one of that name."""


def file_and_key(said: str) -> tuple[Path, str | None]:
    """Part FILE:KEY; a colon in the name of a file that is there is none between.

    >>> file_and_key("vectors.parquet:id")[1]
    'id'
    """
    if Path(said).is_file() or ":" not in said:
        return Path(said), None
    file, _, key = said.rpartition(":")
    if not key or "/" in key or "\\" in key:  # C:\\vectors.npy
        return Path(said), None
    return Path(file), key


def with_embeddings(
    table: Table, said: str, read: Callable[[Path], Table], weigh: Callable[[int], None]
) -> Table:
    """Put the embeddings of a file beside the records they belong to.

    Parameters
    ----------
    table
        The records.
    said
        The file, and after a colon the column that both share.
    read
        Reads a table.
    weigh
        Refuses more numbers than should be held: many records may share one embedding.
    """
    file, key = file_and_key(said)
    given = read(file)
    shared = _shared(table, given, key)
    if shared is None:
        if given.n_rows != table.n_rows:
            raise DataError(
                f"{given.source} holds {given.n_rows:,} embeddings and {table.source} "
                f"{table.n_rows:,} records. Without a column that tells whose they are (say "
                f"{file.name}:COLUMN) there must be one for each record, in the same order."
            )
        vectors, _ = _vectors(given, ())
        return _beside(table, vectors, f"from {given.source}, by order")
    ours, theirs = shared
    vectors, width = _vectors(given, (theirs,))
    places = {_plain(word): place for place, word in enumerate(given.words(theirs)) if word}
    names = _short_names(places)
    weigh(table.n_rows * width)
    matched = np.full((table.n_rows, width), np.nan)
    missing = 0
    for row, word in enumerate(table.words(ours)):
        place = places.get(_plain(word or ""))
        if place is None and word and holds_pictures(table.columns[ours]):
            place = names.get(_short(word))
        if place is None:
            missing += 1
        else:
            matched[row] = vectors[place]
    if missing == table.n_rows:
        raise DataError(
            f"No record of {table.source} has an embedding in {given.source}: no {ours!r} is among "
            f"its {theirs!r}, such as {_example(given, theirs)} beside {_example(table, ours)}."
        )
    note = f"from {given.source}, by {theirs}"
    if missing:
        note += f"; {missing:,} records have none"
    return _beside(table, matched, note)


def with_made_embeddings(table: Table, name: str) -> Table:
    """Let a model make the embeddings of the pictures, or texts, of a table."""
    chosen = model(name)
    wanted = chosen.takes
    found = [title for title, column in table.columns.items() if _takes(column, wanted)]
    if not found:
        raise DataError(
            f"{table.source}: the model {name!r} takes {wanted}, and no column holds any "
            f"({', '.join(list(table.columns)[:10])})."
        )
    source = found[0] if wanted == "pictures" else max(found, key=lambda t: _length(table, t))
    cells = table.columns[source].tolist()
    vectors, broken = made_vectors(cells, name, chosen)
    note = f"of {source}, by the model {name}"
    if broken:
        many = f"{len(broken):,} pictures do not open, {cells[min(broken)]} first"
        note += f"; {many if len(broken) > 1 else f'{cells[min(broken)]} does not open'}"
    return _beside(table, vectors, note)


def _takes(column: Column, wanted: str) -> bool:
    if wanted == "pictures":
        return holds_pictures(column)
    some = [cell for cell in column[:100] if cell is not None]
    return column.dtype == object and bool(some) and all(type(cell) is str for cell in some)


def _length(table: Table, title: str) -> float:
    some = [len(cell) for cell in table.columns[title][:1000] if cell is not None]
    return float(np.mean(some)) if some else 0.0


def _shared(table: Table, given: Table, key: str | None) -> tuple[str, str] | None:
    """Name the columns, ours and theirs, that tell whose an embedding is; None for by order."""
    if key is not None:
        given.column(key)  # refuses what is not there, with the nearest match
        pictures = [name for name, column in table.columns.items() if holds_pictures(column)]
        if key in table.columns:
            return key, key
        if pictures:
            return pictures[0], key
        table.column(key)
    both = [name for name in given.columns if name in table.columns and _tells(given, name)]
    return (both[0], both[0]) if both else None


def _tells(given: Table, name: str) -> bool:
    """Whether no word of a column comes twice, and it holds no lists."""
    if holds_lists(given.columns[name]):
        return False
    words = given.words(name)
    return None not in words and len(set(words)) == len(words)


def _vectors(given: Table, keys: tuple[str, ...]) -> tuple[FloatArray, int]:
    lists = [name for name, column in given.columns.items() if holds_lists(column)]
    if lists:
        found = vectors_of(given, lists[0])
    else:
        numbers = [
            column
            for name, column in given.columns.items()
            if name not in keys and column.dtype.kind == "f"
        ]
        if not numbers:
            raise DataError(
                f"{given.source} holds no embeddings. Expected a column of lists of numbers, or "
                "columns of numbers."
            )
        found = np.column_stack(numbers)
    return found, found.shape[1]


def _beside(table: Table, vectors: FloatArray, note: str) -> Table:
    title = COLUMN
    while title in table.columns:
        title += "_"
    rows = np.flatnonzero(np.isfinite(vectors).any(axis=1))
    column = block_column(vectors[rows], rows.tolist(), len(vectors))
    made = table.with_columns({title: column})
    notes = {**made.writing.notes, title: note}
    return replace(made, writing=replace(made.writing, notes=notes))


def _plain(word: str) -> str:
    return word.strip().replace("\\", "/").removeprefix("./")


def _short(word: str) -> str:
    """Return the name of a picture without its folder and its ending."""
    return _plain(word).rpartition("/")[2].rpartition(".")[0].lower()


def _short_names(places: dict[str, int]) -> dict[str, int]:
    """Return the places by short names, where these are unique."""
    short: dict[str, int] = {}
    twice: set[str] = set()
    for word, place in places.items():
        name = _short(word) or _plain(word).lower()
        twice.update({name} if name in short else ())
        short[name] = place
    return {name: place for name, place in short.items() if name not in twice}


def _example(table: Table, name: str) -> Any:
    return repr(next((as_word(cell) for cell in table.columns[name] if cell is not None), ""))
