"""Embeddings made of records by a model, kept so that nobody waits for them twice."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import DataError
from rarefind.core.progress import announce
from rarefind.records.embedding.cache_folder import cache_folder
from rarefind.records.embedding.models import Model, model, model_version, vectors_by
from rarefind.records.formats.digests import file_digest
from rarefind.records.pictures.cell import Picture
from rarefind.records.pictures.opening import import_pillow, points_of

_BATCH = 64
"""Records handed to a model together: what fits graphics cards, and keeps few pictures open."""

_MOST_SIDE = 1024
"""Points a side of the pictures that models are given: they look at 224 to 512."""

_WORTH_KEEPING = 200
"""Fewer records are made anew as quickly as they are read."""

_KEPT = 20
"""Files of kept embeddings; the ones not used for longest go first."""


def embed(records: Sequence[Any], name: str = "looks") -> FloatArray:
    """Turn pictures or texts into rows of numbers by a model.

    Parameters
    ----------
    records
        Pictures (paths, or bytes of files) or texts.
    name
        ``"looks"`` (colours, edges and texture) or ``"pixels"``, both for pictures; or a model that
        an installed package brings in the entry-point group ``rarefind.embeddings``.

    Examples
    --------
    >>> import io
    >>> from PIL import Image
    >>> held = io.BytesIO(); Image.new("RGB", (8, 8), "red").save(held, "PNG")
    >>> embed([held.getvalue()]).shape
    (1, 251)
    """
    chosen = model(name)
    pictures = chosen.takes == "pictures"
    cells = [_picture(each) if pictures else str(each) for each in records]
    vectors, broken = made_vectors(cells, name, chosen)
    if broken:
        row = min(broken)
        raise DataError(f"{broken[row]} It is record {row}.")
    return vectors


def made_vectors(
    cells: Sequence[Any], name: str, chosen: Model | None = None
) -> tuple[FloatArray, dict[int, str]]:
    """Make the vectors of cells; those of gaps and of pictures that do not open are missing.

    Returns the vectors and, by row, what is wrong with pictures.
    """
    chosen = model(name) if chosen is None else chosen
    kept = _kept_file(cells, name)
    found = None if kept is None else _read(kept, len(cells))
    if found is not None:
        return found, {}
    rows: list[int] = []
    parts: list[FloatArray] = []
    broken: dict[int, str] = {}
    known = [row for row, cell in enumerate(cells) if cell is not None]
    for begin in range(0, len(known), _BATCH):
        announce("embedding records", begin, len(known))
        batch: list[Any] = []
        for row in known[begin : begin + _BATCH]:
            try:
                batch.append(_handed_over(cells[row]))
            except DataError as problem:
                broken[row] = str(problem)
            else:
                rows.append(row)
        if batch:
            parts.append(vectors_by(chosen, name, batch))
    if not parts:
        said = next(iter(broken.values()), "There are no records.")
        raise DataError(f"No record can be given to the model {name!r}. {said}")
    announce("embedding records", len(known), len(known))
    if len({part.shape[1] for part in parts}) > 1:
        raise DataError(f"The model {name!r} gives rows of different lengths.")
    vectors = np.full((len(cells), parts[0].shape[1]), np.nan)
    vectors[rows] = np.vstack(parts)
    if kept is not None and not broken:
        _write(kept, vectors)
    return vectors, broken


def _picture(given: Any) -> Picture:
    if isinstance(given, bytes):
        return Picture("given as bytes", given)
    if isinstance(given, str | Path):
        return given if isinstance(given, Picture) else Picture(str(given), Path(given))
    raise DataError(
        f"A picture must be a path or the bytes of a file. Got {type(given).__name__} instead."
    )


def _handed_over(cell: Any) -> Any:
    if not isinstance(cell, Picture):
        return str(cell)
    points = points_of(cell.source, _MOST_SIDE, name=str(cell))
    return import_pillow("Embedding pictures").Image.fromarray(points)


def _kept_file(cells: Sequence[Any], name: str) -> Path | None:
    """Name the file that keeps these vectors, by all that they depend on."""
    folder = cache_folder()
    if folder is None or len(cells) < _WORTH_KEEPING:
        return None
    whole = hashlib.sha256(f"{name}\0{model_version(name)}".encode())
    for cell in cells:
        if isinstance(cell, Picture):
            held = cell.source
            content = hashlib.sha256(held).hexdigest() if isinstance(held, bytes) else _digest(held)
        else:
            content = hashlib.sha256(repr(cell).encode("utf-8", "surrogatepass")).hexdigest()
        whole.update(f"\n{content}".encode())
    return folder / "embeddings" / f"{whole.hexdigest()[:32]}.npy"


def _digest(file: Path) -> str:
    try:
        return file_digest(file)
    except DataError:
        return "missing"


def _read(kept: Path, n_rows: int) -> FloatArray | None:
    try:
        vectors = np.load(kept, allow_pickle=False)
        kept.touch()
    except (OSError, ValueError, EOFError):
        return None
    return vectors.astype(np.float64) if vectors.ndim == 2 and len(vectors) == n_rows else None


def _write(kept: Path, vectors: FloatArray) -> None:
    try:
        kept.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=kept.parent, suffix=".part", delete=False) as draft:
            np.save(draft, vectors)
        Path(draft.name).replace(kept)
        by_age = sorted(kept.parent.glob("*.npy"), key=lambda file: -file.stat().st_mtime)
        for old in by_age[_KEPT:]:
            old.unlink(missing_ok=True)
    except OSError:
        return  # a full disk costs time the next time, and nothing now
