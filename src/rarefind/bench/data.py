"""Find the data sets, and draw contests from them.

Files lie in the folder named by the environment variable ``RAREFIND_DATA``; some that are not there
are fetched by name (:mod:`rarefind.bench.fetching`). Which classes are rare is said in
:mod:`rarefind.bench.labelled`; every draw follows from its seed.
"""

from __future__ import annotations

import gzip
import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rarefind.bench.fetching import CACHE, CannotFetchError, cached, fetch
from rarefind.bench.labelled import (
    LabelledSet,
    chosen,
    cut_rows,
    rare_rows,
    without_small_print,
)
from rarefind.bench.openml import RECIPES
from rarefind.core.arrays import Records
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.features.table import table_vectors
from rarefind.kernels import (
    BlendedSpectrum,
    LatentSemantic,
    Normalized,
    Spectrum,
    VectorSpace,
    WeisfeilerLehman,
)
from rarefind.kernels.contract import Kernel
from rarefind.records.formats.by_ending import read_table

VARIABLE = "RAREFIND_DATA"
DEFAULT_FOLDER = Path("../shared/datasets")

_PUT_IT = (
    "Put files such as shuttle_train.parquet (a column 'label', every other column a feature) into "
    f"a folder and name it in the environment variable {VARIABLE}"
)
_OR_FETCH = (
    f", or run this where there is a network: what OpenML has is fetched, and kept in {CACHE} "
    "(usually ~/.cache/rarefind)"
)

_DRAW = 7_919
"""Thinning follows this seed, so that every draw of a set has the same rare classes."""


class _Read(NamedTuple):
    """A file's records and labels; ``scaled`` if the vectors are ready to be compared."""

    records: Records
    labels: tuple[str, ...]
    scaled: bool = False


@dataclass(frozen=True)
class Source:
    """A data set that sets for a contest can be drawn from."""

    name: str
    read: _Read
    kernel: Kernel | None

    def draw(self, seed: int, rows: int | None = None) -> LabelledSet:
        """Draw a set of about so many rows (all if None), in random order."""
        labels = self.read.labels
        published = self.name == "shuttle"
        kept = shuttle_rows(labels, seed) if published else rare_rows(labels, _DRAW)
        kept = kept[cut_rows([labels[row] for row in kept], rows, seed)]
        return LabelledSet(
            self.name,
            chosen(self.read.records, kept),
            tuple(labels[row] for row in kept),
            self.kernel,
            "none" if self.read.scaled else "auto",
        )


def data_folder() -> Path:
    """Return the folder with the data sets; one sentence if it is not there."""
    folder = _named_folder()
    if not folder.is_dir():
        raise DataError(f"There is no folder {folder} with data sets. {_PUT_IT}{_OR_FETCH}.")
    return folder


def data_file(file: str, wanted_by: str) -> Path:
    """Return where a file is: in the folder, or else in the cache, fetched if need be.

    ``wanted_by`` begins the sentence that says what to put where if there is no way to get it.
    """
    folder = _named_folder()
    if (folder / file).exists():
        return folder / file
    try:
        return cached(file) or fetch(file)
    except CannotFetchError as problem:
        raise DataError(
            f"{wanted_by} needs the file {file}, which is not in {folder} and was not fetched: "
            f"{problem}. {_PUT_IT}{_OR_FETCH if file in RECIPES else ''}."
        ) from None


def _named_folder() -> Path:
    named = os.environ.get(VARIABLE)
    return Path(named) if named else DEFAULT_FOLDER


def set_names() -> list[str]:
    """List the sets that are known, those of vectors first."""
    return list(_SETS)


def is_kernel_set(name: str) -> bool:
    """Whether only a kernel can compare the records of this set."""
    return _SETS[name].kernel is not None


def open_set(name: str, folder: Path | None = None) -> Source:
    """Read a data set by its name: from this folder, or from where :func:`data_file` finds it."""
    if name not in _SETS:
        raise unknown_name("data set", name, _SETS)
    known = _SETS[name]
    if folder is None:
        path = data_file(known.file, f"The data set {name}")
    else:
        path = folder / known.file
        if not path.exists():
            raise DataError(f"The data set {name} needs {known.file}, which is not in {folder}.")
    return Source(name, known.reader(path), known.kernel() if known.kernel else None)


def shuttle_rows(labels: tuple[str, ...], seed: int) -> Any:
    """Choose the rows of Shuttle-4515: a tenth of classes 1, 4 and 5, all of 2, 3, 6 and 7."""
    rng = np.random.default_rng(seed)
    truth = np.asarray(labels)
    kept = []
    for name in sorted(set(labels)):
        rows = rng.permutation(np.flatnonzero(truth == name))
        kept.append(rows[: len(rows) // 10] if name in {"1", "4", "5"} else rows)
    return np.sort(np.concatenate(kept))


def _vectors(path: Path, drop: tuple[str, ...] = ()) -> _Read:
    table = read_table(path)
    features = [name for name in without_small_print(table.columns) if name not in drop]
    columns = {name: table.columns[name] for name in features}
    labels = tuple(str(word) for word in table.words("label"))
    if all(column.dtype.kind == "f" for column in columns.values()):
        return _Read(np.column_stack(list(columns.values())), labels)
    return _Read(table_vectors(columns, table.source).X, labels, scaled=True)


def _ecoli(path: Path) -> _Read:
    """Merge the three classes of two to five records into one, as the papers did."""
    read = _vectors(path)
    merged = {"omL": "omL/imL/imS", "imL": "omL/imL/imS", "imS": "omL/imL/imS"}
    return _Read(read.records, tuple(merged.get(label, label) for label in read.labels))


def _abalone(path: Path) -> _Read:
    """Leave out the sex and clip the rings to 3 ... 22, which gives the 20 published classes."""
    read = _vectors(path, drop=("sex",))
    return _Read(read.records, tuple(str(min(max(int(age), 3), 22)) for age in read.labels))


def _words(path: Path, column: str) -> _Read:
    table = read_table(path)
    labels = tuple(str(word) for word in table.words("label"))
    return _Read([str(record) for record in table.column(column)], labels)


def _graphs(path: Path) -> _Read:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        graphs = [json.loads(line) for line in lines]
    labels = tuple(str(graph["label"]) for graph in graphs)
    return _Read([{"nodes": g["nodes"], "edges": g["edges"]} for g in graphs], labels)


class _Known(NamedTuple):
    file: str
    reader: Callable[[Path], _Read] = _vectors
    kernel: Callable[[], Kernel] | None = None


_strings = partial(_words, column="sequence")
_text = partial(_words, column="text")

_SETS: dict[str, _Known] = {
    "shuttle": _Known("shuttle_train.parquet"),
    "ecoli": _Known("ecoli.parquet", _ecoli),
    "glass": _Known("glass.parquet"),
    "page_blocks": _Known("page_blocks.parquet"),
    "abalone": _Known("abalone.parquet", _abalone),
    "winequality": _Known("winequality.parquet"),
    "nursery": _Known("nursery.parquet"),
    "mammography": _Known("mammography.parquet"),
    "pendigits": _Known("pendigits.parquet"),
    "optdigits": _Known("optdigits.parquet"),
    "shuttle_test": _Known("shuttle_test.parquet"),
    "kdd99_10": _Known("kdd99_10.parquet"),
    "hiv_bcut": _Known("hiv_bcut.parquet"),
    "hiva": _Known("hiva.parquet"),
    "mnist": _Known("mnist.parquet"),
    "surnames": _Known("surnames.parquet", _strings, lambda: Normalized(BlendedSpectrum(3))),
    "splice": _Known("splice.parquet", _strings, lambda: Normalized(Spectrum(3))),
    "amp_peptides": _Known("amp_peptides.parquet", _strings, lambda: Normalized(Spectrum(2))),
    "caspase3_sites": _Known("caspase3_sites.parquet", _strings, lambda: Normalized(Spectrum(2))),
    "hiv": _Known("hiv.parquet", _strings, lambda: Normalized(BlendedSpectrum(4))),
    "sms_spam": _Known("sms_spam.parquet", _text, lambda: Normalized(VectorSpace())),
    "webkb": _Known("webkb.parquet", _text, lambda: Normalized(LatentSemantic(50))),
    "webkb4_stemmed": _Known(
        "webkb4_stemmed.parquet", _text, lambda: Normalized(LatentSemantic(50))
    ),
    "MUTAG": _Known("MUTAG.jsonl.gz", _graphs, lambda: Normalized(WeisfeilerLehman(3))),
    "PROTEINS": _Known("PROTEINS.jsonl.gz", _graphs, lambda: Normalized(WeisfeilerLehman(3))),
}
