"""Records become vectors: one transformer for tables and arrays alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.names import unknown_name
from rarefind.core.params import NOTHING, Is, OneOf, check_params
from rarefind.features.columns import KINDS, Column, guess_kind, read_column, table_columns
from rarefind.features.encoders import Dates, Encoder, Matrix, Numbers, Pictures, Words
from rarefind.features.scaling import SCALES
from rarefind.features.vectors import check_features, read_vectors

MAX_WORDS = 100
"""A column with more different words than this is left out."""

_FEW = 20
"""Among fewer records, words that do not repeat may still be categories."""


@dataclass(frozen=True)
class Part:
    """Some columns of a table, what they hold, and how they become numbers."""

    columns: tuple[str, ...]
    kind: str
    encoder: Encoder


class TableFeatures(TransformerMixin, BaseEstimator):
    """Turn tables of pandas, polars or Arrow, and arrays, into vectors that can be compared.

    Numbers, and yes-or-no columns as numbers, are scaled; missing ones are set to the median of
    their column, and a column that misses some also tells which. Words become a column each, so
    that two different words are one standard deviation of a number apart. Dates tell when, and
    where on the clock, in the week and in the year they lie. Lists of numbers (embeddings) have
    one scale for all their numbers, so that their distances stay in proportion. Columns of words
    that hardly ever repeat (identifiers, free text) are left out.

    Parameters
    ----------
    scale
        How numbers are scaled: ``"squash"`` (a robust scale, far tails pulled in), ``"standard"``
        (mean 0 and deviation 1) or ``"none"`` (as they are; dates in days).
    kinds
        What columns hold where their type does not tell, by name: ``"number"``, ``"boolean"``,
        ``"category"``, ``"date"``, ``"vector"``, or ``"id"`` for columns to be left out.

    Attributes
    ----------
    parts_
        The columns used, what they hold, and how they become numbers.
    left_out_
        The columns that play no part.
    n_features_in_, feature_names_in_
        The columns that ``fit`` saw, as in scikit-learn.

    Examples
    --------
    >>> import numpy as np
    >>> columns = {"size": np.array([1.0, 3.0]), "kind": np.array(["a", "b"], object)}
    >>> TableFeatures().fit(columns).get_feature_names_out().tolist()
    ['size', 'kind=a', 'kind=b']
    """

    _params: ClassVar[Mapping[str, Any]] = {
        "scale": [OneOf(*SCALES)],
        "kinds": [
            NOTHING,
            Is("a mapping from columns to kinds", lambda value: isinstance(value, Mapping)),
        ],
    }

    def __init__(
        self,
        scale: Literal["squash", "standard", "none"] = "squash",
        *,
        kinds: Mapping[str, str] | None = None,
    ) -> None:
        self.scale = scale
        self.kinds = kinds

    def fit(self, X: Records, y: Any = None) -> TableFeatures:
        """Learn from records how their columns become numbers."""
        check_params(self, self._params)
        table = table_columns(X)
        if table is None:
            self._refuse_kinds()
            matrix = read_vectors(self, X, reset=True, accept_sparse=False, largest=None)
            self.parts_: tuple[Part, ...] = (
                Part((), "number", Matrix.learnt((), matrix, self.scale)),
            )
            self.left_out_: tuple[str, ...] = ()
            return self
        check_features(self, X, len(table), type(self).__name__, reset=True)
        columns = [read_column(name, table[name], kind) for name, kind in self._kinds(table)]
        self.parts_ = self._learnt(columns)
        used = {name for part in self.parts_ for name in part.columns}
        self.left_out_ = tuple(name for name in table if name not in used)
        if not self.parts_:
            raise DataError(
                "No column holds numbers or repeating words, so there is nothing to compare "
                f"records by (columns: {', '.join(table) or 'none'}). Say what a column holds with "
                "kinds={'column': 'category'}."
            )
        return self

    def transform(self, X: Records) -> FloatArray:
        """Turn records into vectors by what was learnt; a word never seen is all zeros."""
        check_is_fitted(self)
        table = table_columns(X)
        if table is None:
            first = self.parts_[0]
            if first.columns and not isinstance(first.encoder, Matrix):
                raise DataError(
                    f"TableFeatures was fitted to a table with the columns "
                    f"{', '.join(self.feature_names_in_)}. Got {type(X).__name__}: give a table."
                )
            matrix = read_vectors(self, X, reset=False, accept_sparse=False, largest=None)
            return first.encoder(matrix)
        check_features(self, X, len(table), type(self).__name__, reset=False)
        found = [part.encoder(_values(part, table)) for part in self.parts_]
        return found[0] if len(found) == 1 else np.hstack(found)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Name the columns of the vectors."""
        check_is_fitted(self)
        given = _check_feature_names_in(self, input_features)
        if isinstance(self.parts_[0].encoder, Matrix):
            return np.asarray(given, dtype=object)
        names = [name for part in self.parts_ for name in part.encoder.names]
        return np.array(names, dtype=object)

    def _kinds(self, table: Mapping[str, Any]) -> list[tuple[str, str]]:
        """Tell what each column holds: what the user says, or else what it looks like."""
        said = self.kinds or {}
        for name, kind in said.items():
            if name not in table:
                raise unknown_name("column (named in 'kinds' of TableFeatures)", name, list(table))
            if kind not in KINDS:
                raise unknown_name(f"kind (of column {name!r} in TableFeatures)", kind, KINDS)
        return [(name, said.get(name) or guess_kind(column)) for name, column in table.items()]

    def _learnt(self, columns: list[Column]) -> tuple[Part, ...]:
        numbers = [column.values for column in columns if column.kind == "number"]
        if len(numbers) == len(columns) > 0:
            matrix = np.column_stack(numbers)
            if np.isfinite(matrix).all():
                # Then a table is an array: the same numbers, to the last digit.
                names = tuple(column.name for column in columns)
                return (Part(names, "number", Matrix.learnt(names, matrix, self.scale)),)
        found = ((column, self._encoder(column)) for column in columns)
        return tuple(Part((c.name,), c.kind, encoder) for c, encoder in found if encoder)

    def _encoder(self, column: Column) -> Encoder | None:
        name, values = column.name, column.values
        if column.kind == "id":
            return None
        if column.kind == "date":
            return Dates.learnt(name, values, self.scale)
        if column.kind == "vector":
            names = tuple(f"{name}[{place}]" for place in range(values.shape[1]))
            return Pictures.learnt(names, values, self.scale) if names else None
        if column.kind == "category":
            sure = column.name in (self.kinds or {})
            return Words.learnt(name, values, MAX_WORDS) if sure or _repeat(values) else None
        return Numbers.learnt(name, values, self.scale)

    def _refuse_kinds(self) -> None:
        if self.kinds:
            raise ParameterError(
                "The 'kinds' parameter of TableFeatures names columns of a table, and the records "
                "are an array. Give a table, or leave 'kinds' out."
            )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _values(part: Part, table: Mapping[str, Any]) -> NDArray[Any]:
    columns = [read_column(name, table[name], part.kind).values for name in part.columns]
    return np.column_stack(columns) if isinstance(part.encoder, Matrix) else columns[0]


def _repeat(words: NDArray[Any]) -> bool:
    """Whether a column of words holds categories, not identifiers or free text."""
    different = {word for word in words if word is not None}
    hardly = len(words) >= _FEW and len(different) > len(words) / 2
    return len(different) <= MAX_WORDS and not hardly
