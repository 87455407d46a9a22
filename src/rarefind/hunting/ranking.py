"""A ranking: rows, scores, the reason for each, and how good it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, Literal, overload

import narwhals.stable.v2 as nw
import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records
from rarefind.core.errors import MissingPackageError, NotAvailableError, UnknownNameError
from rarefind.core.html_card import html_card
from rarefind.core.params import Integer, check_param
from rarefind.detection.auto.quality import Quality
from rarefind.hunting.reasons import Explainer, Reason, reason_for

_FRAMES: tuple[Literal["pandas", "polars", "pyarrow"], ...] = ("pandas", "polars", "pyarrow")
"""Makers of tables, in the order in which they are tried."""


@dataclass(frozen=True)
class Examples:
    """What it takes to tell why a row has its score: the records as compared, and the model."""

    records: Records
    explainer: Callable[[], Explainer | None]
    trained: IntArray
    names: tuple[str, ...]
    table: Any = None


@dataclass(frozen=True, eq=False)
class Ranking:
    """Rows ranked for a class, most like it first.

    Attributes
    ----------
    target
        The class.
    model
        The name of the model that ranked.
    rows, scores
        The ranked rows, and their scores: higher is more like the class.
    quality
        How good the ranking is, as far as the labels can tell.
    chosen
        Which model it is, and why.
    fitted
        The fitted model; None if every row was ranked by a model that had not seen it.
    seconds
        How long it took.
    kernel_weights
        What each term of a sum of kernels counts, where the model has learnt that (``mkl``).
    by_kernel
        Whether only a kernel can compare the records: then chances are not told before looks.
    """

    target: Any
    model: str
    rows: IntArray
    scores: FloatArray
    quality: Quality
    chosen: str
    fitted: Any = field(default=None, repr=False)
    seconds: float = 0.0
    examples: Examples | None = field(default=None, repr=False)
    kernel_weights: Mapping[str, float] = field(default_factory=dict)
    by_kernel: bool = False

    def __repr__(self) -> str:
        return (
            f"<Ranking of {len(self.rows):,} records for {self.target!r}: {self.quality.sentence}>"
        )

    def _repr_html_(self) -> str:
        best = ", ".join(str(row) for row in self.rows[:10])
        facts = {"Model": self.model, "Records": f"{len(self.rows):,}", "First rows": best}
        return html_card(f"Ranking for {self.target}", self.quality.sentence, facts)

    def top(self, count: int = 10) -> IntArray:
        """Return the first rows: those most like the class."""
        check_param("Ranking.top", "count", count, Integer(1))
        return self.rows[:count]

    def chances(self, count: int = 10) -> FloatArray:
        """Return the chance that each of the first rows is of the class.

        Learnt from rankings of other sets with as many examples that did as well on records held
        out. Told for ``auto`` alone: a model's own probabilities are of the mix of labels that it
        learnt from, and not of the records in the ranking.
        """
        from rarefind.hunting.forecast import foresee

        check_param("Ranking.chances", "count", count, Integer(1))
        if self.model != "auto":
            raise NotAvailableError(
                f"Chances cannot be told for a ranking by {self.model}: its own probabilities are "
                "of the mix of labels. Rank with auto, or begin a harvest: ten looks tell them."
            )
        if self.by_kernel:
            raise NotAvailableError(
                "Chances cannot be told from the labels where a kernel compares the records: they "
                "were found too high. Begin a harvest: ten looks tell them."
            )
        labelled = 0 if self.examples is None else len(self.examples.trained)
        return foresee((), self.quality, len(self.rows), max(labelled, 1)).chances[:count]

    @overload
    def why(self, row: int) -> Reason: ...
    @overload
    def why(self, row: Sequence[int] | IntArray) -> list[Reason]: ...
    def why(self, row: int | Sequence[int] | IntArray) -> Reason | list[Reason]:
        """Tell why a row has its score: which known examples vote for it, or what features add.

        Of several rows, a list of reasons.
        """
        if isinstance(row, Sequence | np.ndarray):
            return [self.why(int(each)) for each in row]
        if self.examples is None:
            raise NotAvailableError(
                "This ranking no longer has its records, so it cannot explain a score. Rank again."
            )
        if row not in self.rows:
            raise UnknownNameError(
                f"Row {row} is not in the ranking, which holds the records without a label."
            )
        given = self.examples
        return reason_for(given.explainer(), given.records, int(row), given.trained, given.names)

    def to_frame(self) -> Any:
        """Give rows and scores as a table, of the library the records came in."""
        data = {"row": self.rows, "score": self.scores}
        table = None if self.examples is None else self.examples.table
        given = nw.from_native(table, pass_through=True, eager_only=True)
        if isinstance(given, nw.DataFrame):
            return nw.from_dict(data, backend=given.implementation).to_native()
        for backend in _FRAMES:
            if find_spec(backend) is not None:
                return nw.from_dict(data, backend=backend).to_native()
        raise MissingPackageError("A table of the ranking", "pyarrow", "parquet")

    def plot(self, axes: Any = None) -> Any:
        """Draw the scores from the first place to the last; returns matplotlib's axes."""
        from rarefind.evaluation.plots import draw_scores, own_axes

        axes = own_axes() if axes is None else axes
        draw_scores(axes, np.asarray(self.scores), str(self.target))
        return axes


def kernel_weights(model: Any) -> dict[str, float]:
    """Return the weights that a fitted model learnt for its kernels, greatest first; {} if none.

    >>> kernel_weights(None)
    {}
    """
    for estimator in getattr(model, "estimators_", ()):
        last = estimator.steps[-1][1] if hasattr(estimator, "steps") else estimator
        if hasattr(last, "weights_table"):
            return {str(row["kernel"]): float(row["weight"]) for row in last.weights_table()}
    return {}


def mean_kernel_weights(models: Sequence[Any]) -> dict[str, float]:
    """Return the weights that models fitted to parts of the labels learnt on average."""
    learnt = [kernel_weights(model) for model in models]
    means = {name: sum(each.get(name, 0.0) for each in learnt) / len(learnt) for name in learnt[0]}
    return dict(sorted(means.items(), key=lambda named: -named[1]))
