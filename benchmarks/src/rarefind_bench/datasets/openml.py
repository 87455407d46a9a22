"""Data sets as OpenML and scikit-learn's loaders have them, brought into the form of our files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import DataError
from rarefind.records.table import Table
from rarefind_bench.datasets import webkb
from rarefind_bench.datasets.fingerprints import EXPECTED

Column = NDArray[Any]

_RETRIES = 1
"""How often a download that broke off is tried again."""


class Raw(NamedTuple):
    """A data set as it came: a column for every feature, and the classes."""

    features: list[Column]
    labels: list[str]

    def rows(self, *parts: slice) -> Raw:
        """Return these rows only, in this order."""
        chosen = np.concatenate([np.arange(len(self.labels))[part] for part in parts])
        return Raw([column[chosen] for column in self.features], [self.labels[i] for i in chosen])


@dataclass(frozen=True)
class Recipe:
    """How one of our files is made.

    Attributes
    ----------
    get
        Downloads into the folder it is given.
    source
        Where from, in words.
    address
        What must answer, if it is not OpenML.
    training
        How many of the rows are the published training part, if the file tells.
    """

    get: Callable[[Path], Raw]
    source: str = "OpenML"
    address: str | None = None
    training: int | None = None

    def table(self, file: str, folder: Path) -> Table:
        """Download, check and lay out the data as the file has them."""
        raw = self.get(folder)
        expected = EXPECTED[file]
        fault = expected.fault(raw.features, raw.labels)
        if fault is not None:
            raise DataError(f"not the records that figures were measured on: {fault}")
        columns = dict(zip(expected.columns, raw.features, strict=True))
        columns["label"] = np.array(raw.labels, dtype=object)
        if self.training is not None:
            place = np.arange(expected.rows)
            columns["split"] = np.where(place < self.training, "train", "test").astype(object)
        return Table(columns, file)


def from_openml(number: int, folder: Path) -> Raw:
    """Download a data set by its number; scikit-learn checks it against OpenML's own digest."""
    from sklearn.datasets import fetch_openml

    bunch = fetch_openml(
        data_id=number,
        data_home=str(folder),
        as_frame=False,
        parser="liac-arff",
        n_retries=_RETRIES,
        delay=1.0,
    )
    X = bunch.data.toarray() if hasattr(bunch.data, "toarray") else np.asarray(bunch.data)
    words: Mapping[str, Sequence[Any]] = bunch.categories or {}
    features = [
        _named(X[:, place], words[name]) if name in words else X[:, place].astype(np.float64)
        for place, name in enumerate(bunch.feature_names)
    ]
    return Raw(features, [_class_name(label) for label in bunch.target])


def _named(codes: Column, words: Sequence[Any]) -> Column:
    """Write categories as words again."""
    names = np.array([str(word).strip("'\" ") for word in words], dtype=object)
    return names[codes.astype(np.int64)]


def _class_name(label: Any) -> str:
    """Write a class as our files do.

    >>> _class_name("'build wind float' "), _class_name(3.0), _class_name(b"normal.")
    ('build wind float', '3', 'normal')
    """
    if isinstance(label, bytes):
        return label.decode("ascii").rstrip(".")
    if isinstance(label, float | np.floating):
        return f"{label:g}"
    return str(label).strip("'\" ")


def _part(number: int, *parts: slice) -> Callable[[Path], Raw]:
    return lambda folder: from_openml(number, folder).rows(*(parts or (slice(None),)))


def _renamed(number: int, names: Mapping[str, str], folder: Path) -> Raw:
    """Give the classes the names of our file."""
    raw = from_openml(number, folder)
    return Raw(raw.features, [names.get(label, label) for label in raw.labels])


def _wine(folder: Path) -> Raw:
    """Put red above white. Grades may be numbered anew: the lowest is 3 in both."""
    features: list[list[Column]] = []
    labels: list[str] = []
    for number, color in ((40691, "red"), (40498, "white")):
        raw = from_openml(number, folder)
        grades = sorted(set(raw.labels), key=float)
        named = {grade: str(3 + place) for place, grade in enumerate(grades)}
        features.append([*raw.features, np.full(len(raw.labels), color, dtype=object)])
        labels += [named[label] for label in raw.labels]
    return Raw([np.concatenate(both) for both in zip(*features, strict=True)], labels)


def _splice(folder: Path) -> Raw:
    """Join the columns of single letters; the name of the record is none."""
    raw = from_openml(46, folder)
    letters = [column for column in raw.features if all(len(str(cell)) == 1 for cell in column)]
    joined = ["".join(map(str, row)) for row in zip(*letters, strict=True)]
    return Raw([np.array(joined, dtype=object)], raw.labels)


def _kdd(folder: Path) -> Raw:
    """Take the tenth of the intrusions that scikit-learn's own loader brings."""
    from sklearn.datasets import fetch_kddcup99

    bunch = fetch_kddcup99(data_home=str(folder), percent10=True, n_retries=_RETRIES)
    features = [
        np.array([cell.decode("ascii") for cell in column], dtype=object)
        if isinstance(column[0], bytes)
        else column.astype(np.float64)
        for column in np.asarray(bunch.data).T
    ]
    return Raw(features, [_class_name(label) for label in bunch.target])


def _webkb(folder: Path) -> Raw:
    """Build WebKB; the archive stays in the cache, so that a download that broke off goes on."""
    return Raw(*webkb.fetched(folder.parent))


_GLASS = {
    "build wind float": "1",
    "build wind non-float": "2",
    "vehic wind float": "3",
    "containers": "5",
    "tableware": "6",
    "headlamps": "7",
}
"""UCI's numbers for OpenML's words."""

RECIPES: dict[str, Recipe] = {
    "shuttle_train.parquet": Recipe(_part(40685, slice(43_500))),
    "shuttle_test.parquet": Recipe(_part(40685, slice(43_500, None))),
    "ecoli.parquet": Recipe(_part(39)),
    "glass.parquet": Recipe(partial(_renamed, 41, _GLASS)),
    "page_blocks.parquet": Recipe(_part(30)),
    "abalone.parquet": Recipe(_part(183)),
    "winequality.parquet": Recipe(_wine),
    "nursery.parquet": Recipe(_part(26)),
    "mammography.parquet": Recipe(_part(310)),
    "pendigits.parquet": Recipe(_part(32), training=7494),
    "optdigits.parquet": Recipe(_part(28), training=3823),
    "kdd99_10.parquet": Recipe(_kdd, source="scikit-learn's fetch_kddcup99"),
    "hiva.parquet": Recipe(_part(1039, slice(3845))),
    "mnist.parquet": Recipe(_part(554, slice(20_000), slice(60_000, None)), training=20_000),
    "splice.parquet": Recipe(_splice),
    "webkb.parquet": Recipe(_webkb, "the archive of the four universities", webkb.ADDRESS),
}
"""The files that can be fetched by name; the others must be put into the folder."""
