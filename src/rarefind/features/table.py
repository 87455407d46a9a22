"""Records become vectors: one transformer for tables and arrays alike."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils import Tags
from sklearn.utils.validation import _check_feature_names_in, check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError, ParameterError, warn_caller
from rarefind.core.names import unknown_name
from rarefind.core.params import NOTHING, Is, OneOf, check_params
from rarefind.features.cells.readers import Reader
from rarefind.features.column_guesses import Guess, guess_columns
from rarefind.features.columns import KINDS, Column, read_column, table_columns
from rarefind.features.encoders import Dates, Encoder, Matrix, Numbers, Pictures, Words
from rarefind.features.scaling import SCALES
from rarefind.features.vectors import check_features, read_vectors

MAX_WORDS = 100
"""Of a column with more different words than this, the commonest are told apart."""

_EMPTY = "every cell is missing"
"""Said of a column that holds nothing."""

_TEXTS = "texts are compared by a kernel, as in kernel='on(COLUMN, vector-space)'"
"""What to do with columns of texts, which are left out."""


@dataclass(frozen=True)
class Part:
    """Some columns of a table, what they hold, and how they become numbers."""

    columns: tuple[str, ...]
    kind: str
    encoder: Encoder
    readers: Mapping[str, Reader] = field(default_factory=dict)

    def values(self, table: Mapping[str, Any]) -> NDArray[Any]:
        """Read the columns from a table."""
        columns = [
            read_column(name, table[name], self.kind, self.readers.get(name)).values
            for name in self.columns
        ]
        return np.column_stack(columns) if isinstance(self.encoder, Matrix) else columns[0]


class TableFeatures(TransformerMixin, BaseEstimator):
    """Turn tables of pandas, polars or Arrow, and arrays, into vectors that can be compared.

    Numbers, and yes-or-no columns as numbers, are scaled; missing ones are set to the median of
    their column, and a column that misses some also tells which. Words become a column each, so
    that two different words are one standard deviation of a number apart. Dates tell when, and
    where on the clock, in the week and in the year they lie. Lists of numbers (embeddings) have
    one scale for all their numbers, so that their distances stay in proportion. Words that say
    numbers or dates, such as $1,234.50 or 3 May 2024, are read as files are. Columns that only tell
    records apart (words that hardly ever repeat, numbers that count the rows) are left out, with a
    warning that names them.

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
    notes_
        What is to be said about columns: how words were read, or why one is left out.
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
        guesses = guess_columns(table, self._said(table))
        self.parts_ = self._learnt(table, guesses)
        used = {name for part in self.parts_ for name in part.columns}
        self.left_out_ = tuple(name for name in table if name not in used)
        self.notes_: dict[str, str] = {
            name: guess.left_out or guess.note if name in used or guess.left_out else _EMPTY
            for name, guess in guesses.items()
        }
        if not self.parts_:
            raise DataError(
                "No column holds numbers or repeating words, so there is nothing to compare "
                f"records by (columns: {', '.join(table) or 'none'}). Say what a column holds with "
                f"kinds={{'column': 'category'}}; {_TEXTS}."
            )
        self._warn()
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
        found = [part.encoder(part.values(table)) for part in self.parts_]
        return found[0] if len(found) == 1 else np.hstack(found)

    def get_feature_names_out(self, input_features: Any = None) -> NDArray[Any]:
        """Name the columns of the vectors."""
        check_is_fitted(self)
        given = _check_feature_names_in(self, input_features)
        if isinstance(self.parts_[0].encoder, Matrix):
            if not self.left_out_:
                return np.asarray(given, dtype=object)
            return np.array([str(name) for name in self.parts_[0].columns], dtype=object)
        names = [name for part in self.parts_ for name in part.encoder.names]
        return np.array(names, dtype=object)

    def _said(self, table: Mapping[str, Any]) -> Mapping[str, str]:
        """Return what the user says that columns hold, once it was looked at."""
        said = self.kinds or {}
        for name, kind in said.items():
            if name not in table:
                raise unknown_name("column (named in 'kinds' of TableFeatures)", name, list(table))
            if kind not in KINDS:
                raise unknown_name(f"kind (of column {name!r} in TableFeatures)", kind, KINDS)
        return said

    def _learnt(self, table: Mapping[str, Any], guesses: Mapping[str, Guess]) -> tuple[Part, ...]:
        kept = {name: guess for name, guess in guesses.items() if not guess.left_out}
        columns = [guess.read(name, table[name]) for name, guess in kept.items()]
        readers = {name: guess.reader for name, guess in kept.items() if guess.reader}
        if columns and all(column.kind == "number" for column in columns):
            matrix = np.column_stack([column.values for column in columns])
            if np.isfinite(matrix).all():
                # Then a table is an array: the same numbers, to the last digit.
                encoder = Matrix.learnt(tuple(kept), matrix, self.scale)
                return (Part(tuple(kept), "number", encoder, readers),)
        found = ((column, self._encoder(column)) for column in columns)
        return tuple(Part((c.name,), c.kind, encoder, readers) for c, encoder in found if encoder)

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
            return Words.learnt(name, values, MAX_WORDS)
        return Numbers.learnt(name, values, self.scale)

    def _warn(self) -> None:
        """Say which columns are left out, unless the user said so, and which cells were."""
        asked = {name for name, kind in (self.kinds or {}).items() if kind == "id"}
        named = [f"{name!r} ({self.notes_[name]})" for name in self.left_out_ if name not in asked]
        if named:
            warn_caller(
                f"Left out of the comparison: {', '.join(named)}. To keep a column, say what it "
                f"holds with features=TableFeatures(kinds={{'name': 'category'}}); {_TEXTS}."
            )
        for name, note in self.notes_.items():
            if "unreadable" in note and name not in self.left_out_:
                warn_caller(f"Column {name!r}: {note}.")

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
