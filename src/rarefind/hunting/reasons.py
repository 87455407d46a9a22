"""Why a record has its score: votes of known examples, or what each feature adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind.core.arrays import FloatArray, IntArray, Records, take

if TYPE_CHECKING:
    from rarefind.detection.lago.estimator import Lago

_MOST = 10
"""Votes or features told: as many as a person reads."""

_SAID = 3
"""How many parts of a score are put into words, and how many records that speak against it."""

_COMPARED = 2_000
"""Records that are something else compared with one, at most: each takes a kernel a while."""


@dataclass(frozen=True)
class Reason:
    """What makes up a score: votes of known examples, or what features add, or why not.

    Attributes
    ----------
    row
        The row whose score it is.
    kind
        ``"votes"``, ``"features"`` or ``"none"``.
    words
        What the parts are.
    parts
        For votes ``row``, ``distance``, ``vote`` and ``share``; for features ``feature``, its
        ``value`` and what it ``adds``; the largest first.
    against
        Beside votes, the nearest labelled records that are something else: ``row``, ``distance``
        and how many ``times`` as far as the nearest example that is (None if that has none).
    """

    row: int
    kind: str
    words: str
    parts: tuple[Mapping[str, Any], ...]
    against: tuple[Mapping[str, Any], ...] = ()

    def __str__(self) -> str:
        said = [
            f"row {part['row']} ({part['share']:.0%}, distance {part['distance']:.3g})"
            if self.kind == "votes"
            else f"{part['feature']} ({part['adds']:+.2f})"
            for part in self.parts[:_SAID]
        ]
        first = f"{self.words} First: {', '.join(said)}." if said else self.words
        return f"{first} {self.against_words}" if self.against else first

    @property
    def against_words(self) -> str:
        """Say which records speak against it, if any are known."""
        said = [
            f"row {part['row']}"
            + ("" if part["times"] is None else f" ({part['times']:.2g} times)")
            for part in self.against
        ]
        if not said:
            return ""
        first = said[0].replace(" times)", " times as far as the nearest example)")
        rows = ", ".join([first, *said[1:]])
        return f"Against it speak the nearest that are something else: {rows}."


def reason_for(
    explainer: Explainer | None,
    records: Records,
    row: int,
    trained: IntArray,
    names: Sequence[str],
) -> Reason:
    """Tell why a row has its score, as :meth:`Explainer.explain`; None explains nothing."""
    if explainer is None:
        words = "Every record was ranked by another model, one that had not seen it."
        return Reason(row, "none", words, ())
    return explainer.explain(records, row, trained, names)


@dataclass(frozen=True)
class Occlusion:
    """A fitted model, and what an ordinary record looks like to it.

    A feature adds to a score what the score loses when the feature has its ordinary value instead,
    all others left as they are. What is below zero speaks against the record.
    """

    model: Any
    ordinary: FloatArray

    def parts(self, record: Any, names: Sequence[str], most: int) -> tuple[Mapping[str, Any], ...]:
        """Take the score of one record apart; the largest changes first."""
        values = np.asarray(record, dtype=np.float64).ravel()
        rows = np.repeat(values[None, :], len(values) + 1, axis=0)
        places = np.arange(len(values))
        rows[places + 1, places] = self.ordinary
        scores = np.asarray(self.model.decision_function(rows), dtype=np.float64)
        adds = scores[0] - scores[1:]
        order = np.argsort(-np.abs(adds), kind="stable")[:most]
        return tuple(
            {
                "feature": names[i] if i < len(names) else f"feature {i}",
                "value": float(values[i]),
                "adds": float(adds[i]),
            }
            for i in order
            if adds[i] != 0
        )


@dataclass(frozen=True)
class Explainer:
    """As much of a fitted model as it takes to tell why a record has its score.

    Attributes
    ----------
    learner
        What the model is called.
    words
        What it is to the model that ranked, where it is another.
    steps
        What happens to a record before the model sees it.
    lago, coefficients
        The model itself, if its score has parts.
    occlusion
        What shows the part of each feature in any other model on vectors.
    others
        Rows labelled as something else, which speak against records near to them.
    """

    learner: str
    words: str = ""
    steps: tuple[Any, ...] = ()
    lago: Lago | None = None
    coefficients: FloatArray | None = None
    occlusion: Occlusion | None = None
    others: IntArray | None = None

    @property
    def has_parts(self) -> bool:
        """Whether the score of the model itself has parts."""
        return self.lago is not None or self.coefficients is not None

    @classmethod
    def of(cls, model: Any, words: str = "") -> Explainer | None:
        """Take what is needed from a fitted model of ``rarefind.detection``; None for none."""
        if model is None:
            return None
        if hasattr(model, "estimators_") and hasattr(model, "targets_"):
            model = model.estimators_[0]
        *before, (_, last) = getattr(model, "steps", [("", model)])
        from rarefind.detection.lago.estimator import Lago

        lago = last if isinstance(last, Lago) else None
        coefficients = None if lago is not None else _coefficients(last)
        learner = type(_inner(last)).__name__
        if lago is None and coefficients is None:
            return cls(learner)
        return cls(learner, words, tuple(step for _, step in before), lago, coefficients)

    def explain(
        self, records: Records, row: int, trained: IntArray, names: Sequence[str]
    ) -> Reason:
        """Take the score of one row apart.

        Parameters
        ----------
        records
            All records.
        row
            The record whose score is explained.
        trained
            The rows the model was fitted to, in their order.
        names
            What the features are called.
        """
        record = take(records, np.array([row]))
        if self.occlusion is not None:
            parts = self.occlusion.parts(record, names, _MOST)
            words = (
                "What each feature adds to its score: what the score would lose with the feature's "
                "ordinary value. Below zero it speaks against the record."
            )
            return Reason(row, "features", words, parts)
        record = self._as_seen(record)
        if self.lago is not None:
            found = _votes(self.lago, record, row, trained, self.words)
            return replace(found, against=self._against(self.lago, records, record, trained))
        if self.coefficients is not None and len(self.coefficients) == record.shape[1]:
            return _contributions(self.coefficients, record, row, names, self.words)
        return Reason(
            row,
            "none",
            f"{self.learner} does not split its score into parts. Rank with lago to see which "
            "known examples vote for a record, or with logistic to see what each feature adds.",
            (),
        )

    def _as_seen(self, records: Records) -> Records:
        for step in self.steps:
            records = step.transform(records)
        return records

    def _against(
        self, lago: Lago, records: Records, record: Records, trained: IntArray
    ) -> tuple[Mapping[str, Any], ...]:
        """Find the nearest records that are something else, beside the nearest example."""
        if self.others is None or not len(self.others):
            return ()
        others = self.others[:: -(-len(self.others) // _COMPARED)]
        examples = trained[lago.centre_rows_]
        nearest, far = (
            _distances(lago, record, self._as_seen(take(records, rows)))
            for rows in (examples, others)
        )
        unit = float(nearest.min())
        return tuple(
            {
                "row": int(others[i]),
                "distance": float(far[i]),
                "times": float(far[i]) / unit if unit > 0 else None,
            }
            for i in np.argsort(far, kind="stable")[:_SAID]
        )


def _distances(lago: Lago, record: Records, others: Records) -> FloatArray:
    """Measure one record's distances from others as LAGO does."""
    from rarefind.detection.training import read_queries
    from rarefind.geometry.measures import measure_for

    measure = measure_for(lago.kernel_, angle=lago.geometry == "sphere")
    one, several = (read_queries(lago, each, lago.kernel_) for each in (record, others))
    return measure(one, several)[0]


def _votes(lago: Lago, record: Any, row: int, trained: IntArray, words: str) -> Reason:
    from rarefind.detection.kernel.learner import is_vector_kernel
    from rarefind.detection.training import is_table

    one = record if is_vector_kernel(lago.kernel_) or is_table(record) else record[0]
    votes = lago.explain(one, target=True, most=_MOST)
    parts = tuple(
        {
            "row": int(trained[vote.row]),
            "distance": vote.distance,
            "vote": vote.vote,
            "share": vote.share,
        }
        for vote in votes
    )
    return Reason(
        row, "votes", f"Known examples that vote for it, and their shares of its score{words}.",
        parts,
    )  # fmt: skip


def _contributions(
    coefficients: Any, record: Any, row: int, names: Sequence[str], words: str
) -> Reason:
    values = np.asarray(record.toarray() if hasattr(record, "toarray") else record).ravel()
    adds = coefficients * values
    order = np.argsort(-np.abs(adds), kind="stable")[:_MOST]
    parts = tuple(
        {
            "feature": names[i] if i < len(names) else f"feature {i}",
            "value": float(values[i]),
            "adds": float(adds[i]),
        }
        for i in order
        if adds[i] != 0
    )
    return Reason(
        row, "features", f"What each feature adds to its score, in deviations{words}.", parts
    )


def _coefficients(learner: Any) -> Any:
    coefficients = getattr(_inner(learner), "coef_", None)
    return None if coefficients is None else np.asarray(coefficients, dtype=np.float64).ravel()


def _inner(learner: Any) -> Any:
    return learner.estimators_[0] if type(learner).__name__ == "RareRanker" else learner
