"""The data sets by name, and draws from them.

Files lie in the folder named by the environment variable ``RAREFIND_DATA``; some that are not there
are fetched by name (:mod:`rarefind_bench.datasets.download`). Which rows a draw takes is said in
:mod:`rarefind_bench.datasets.row_choices`; every draw follows from its seed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rarefind.core.arrays import IntArray
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.kernels import (
    BlendedSpectrum,
    LatentSemantic,
    Normalized,
    Spectrum,
    VectorSpace,
    WeisfeilerLehman,
)
from rarefind.kernels.contract import Kernel
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.location import data_file
from rarefind_bench.datasets.readers import (
    LabelledRecords,
    read_abalone,
    read_ecoli,
    read_embeddings,
    read_graphs,
    read_vectors,
    read_words,
)
from rarefind_bench.datasets.row_choices import chosen, cut_rows, rare_rows, shuttle_rows

_DRAW = 7_919
"""Thinning follows this seed, so that every draw of a set has the same rare classes."""


@dataclass(frozen=True)
class Source:
    """A data set that sets with rare classes can be drawn from."""

    name: str
    read: LabelledRecords
    kernel: Kernel | None

    def draw(self, seed: int, rows: int | None = None) -> LabelledSet:
        """Draw a set of about so many rows (all if None), in random order."""
        labels = self.read.labels
        published = self.name == "shuttle"
        kept = shuttle_rows(labels, seed) if published else rare_rows(labels, _DRAW)
        return self._at(kept[cut_rows([labels[row] for row in kept], rows, seed)])

    def whole(self, rows: int | None = None) -> LabelledSet:
        """Return all records as they are, or a sample of so many, in random order."""
        return self._at(cut_rows(self.read.labels, rows, seed=0))

    def _at(self, rows: IntArray) -> LabelledSet:
        return LabelledSet(
            self.name,
            chosen(self.read.records, rows),
            tuple(self.read.labels[row] for row in rows),
            self.kernel,
            "none" if self.read.scaled else "auto",
        )


def set_names() -> list[str]:
    """List the sets that are known, those of vectors first."""
    return list(_SETS)


def is_kernel_set(name: str) -> bool:
    """Whether only a kernel can compare the records of this set."""
    return _SETS[name].kernel is not None


def group_of(name: str) -> str:
    """Return what the records of a set are: tables, embeddings, strings, texts or graphs."""
    return _GROUPS[_SETS[name].reader]


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


class _Known(NamedTuple):
    file: str
    reader: Callable[[Path], LabelledRecords] = read_vectors
    kernel: Callable[[], Kernel] | None = None


_strings = partial(read_words, column="sequence")
_text = partial(read_words, column="text")

_GROUPS: dict[Callable[[Path], LabelledRecords], str] = {
    read_vectors: "tables",
    read_ecoli: "tables",
    read_abalone: "tables",
    read_embeddings: "embeddings",
    _strings: "strings",
    _text: "texts",
    read_graphs: "graphs",
}
"""What a reader finds in a file."""


def _spectrum(length: int) -> Kernel:
    return Normalized(Spectrum(length))


def _topics() -> Kernel:
    return Normalized(LatentSemantic(50))


def _subtrees() -> Kernel:
    return Normalized(WeisfeilerLehman(3))


_SETS: dict[str, _Known] = {
    "shuttle": _Known("shuttle_train.parquet"),
    "ecoli": _Known("ecoli.parquet", read_ecoli),
    "glass": _Known("glass.parquet"),
    "page_blocks": _Known("page_blocks.parquet"),
    "abalone": _Known("abalone.parquet", read_abalone),
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
    "yeast": _Known("yeast.parquet"),
    "satellite": _Known("satellite.parquet"),
    "letter": _Known("letter.parquet"),
    "vowel": _Known("vowel.parquet"),
    "segment": _Known("segment.parquet"),
    "krkopt": _Known("krkopt.parquet"),
    "ann_thyroid": _Known("ann_thyroid.parquet"),
    "covertype": _Known("covertype.parquet"),
    "unsw_nb15": _Known("unsw_nb15.parquet"),
    "caravan": _Known("caravan.parquet"),
    "celeba_bald": _Known("celeba_bald.parquet"),
    "wilt": _Known("wilt.parquet"),
    "mvtec_resnet18": _Known("mvtec_resnet18.parquet", read_embeddings),
    "cifar10_deer_resnet18": _Known("cifar10_deer_resnet18.parquet", read_embeddings),
    "svhn_0_resnet18": _Known("svhn_0_resnet18.parquet", read_embeddings),
    "surnames": _Known("surnames.parquet", _strings, lambda: Normalized(BlendedSpectrum(3))),
    "splice": _Known("splice.parquet", _strings, lambda: _spectrum(3)),
    "amp_peptides": _Known("amp_peptides.parquet", _strings, lambda: _spectrum(2)),
    "caspase3_sites": _Known("caspase3_sites.parquet", _strings, lambda: _spectrum(2)),
    "furin_sites": _Known("furin_sites.parquet", _strings, lambda: _spectrum(2)),
    "promoters": _Known("promoters.parquet", _strings, lambda: _spectrum(3)),
    "gene_family": _Known("gene_family.parquet", _strings, lambda: _spectrum(3)),
    "hiv": _Known("hiv.parquet", _strings, lambda: Normalized(BlendedSpectrum(4))),
    "tox21": _Known("tox21.parquet", _strings, lambda: Normalized(BlendedSpectrum(4))),
    "sms_spam": _Known("sms_spam.parquet", _text, lambda: Normalized(VectorSpace())),
    "webkb": _Known("webkb.parquet", _text, _topics),
    "webkb4_stemmed": _Known("webkb4_stemmed.parquet", _text, _topics),
    "reuters_r52": _Known("reuters_r52.parquet", _text, _topics),
    "MUTAG": _Known("MUTAG.jsonl.gz", read_graphs, _subtrees),
    "PROTEINS": _Known("PROTEINS.jsonl.gz", read_graphs, _subtrees),
    "NCI1": _Known("NCI1.jsonl.gz", read_graphs, _subtrees),
}
"""By the names ``--set`` takes."""
