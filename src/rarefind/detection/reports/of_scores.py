"""What can be said about models whose scores come from no plane: trees, neighbours, averages."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from scipy import sparse
from sklearn.utils import get_tags

from rarefind.core.arrays import BoolArray, FloatArray, Records, count
from rarefind.core.errors import DataError
from rarefind.detection.auto.committee import Committee
from rarefind.detection.auto.detector import AutoDetector
from rarefind.detection.reports.facts import Fact
from rarefind.kernels.contract import Kernel

RELEVANCE = "features that matter"
"""The section about what scores depend on, whatever it was learnt from."""

_TOP_FEATURES = 20
"""Features listed in a report: as many as a person reads."""

_TRIED = 60
"""Features shuffled at most, those first in which the classes differ most: each costs a scoring."""


def score_sections(
    model: Any, X: Records, wanted: BoolArray, names: Sequence[str] | None
) -> dict[str, list[Fact]]:
    """Report on a fitted classifier of two classes, False and True, by its scores alone.

    Parameters
    ----------
    model
        A classifier, or a pipeline that ends in one.
    X, wanted
        The records it was fitted to, and which are of the class.
    names
        What the features are called; None if the model may know.
    """
    last, vectors, names = _as_seen(model, X, names)
    scores = _chances if hasattr(last, "predict_proba") else _decisions
    _check_count(vectors, wanted)
    sections = {
        "training": _training(scores(last, vectors) > (0.5 if scores is _chances else 0.0), wanted)
    }
    if scores is _chances:
        sections["votes"] = _margins(_chances(last, vectors), wanted)
    if hasattr(last, "estimators_") and hasattr(last, "feature_importances_"):
        trees = [each.tree_ for each in last.estimators_]
        sections["trees"] = [
            Fact("number", len(trees)),
            Fact("mean number of leaves", float(np.mean([tree.n_leaves for tree in trees]))),
            Fact("mean depth", float(np.mean([tree.max_depth for tree in trees]))),
        ]
    if hasattr(last, "n_iter_") and hasattr(last, "max_leaf_nodes"):
        sections["trees"] = [Fact("rounds of boosting", int(last.n_iter_))]
    if hasattr(last, "n_neighbors"):
        sections["neighbours"] = [Fact("that vote", int(last.n_neighbors), str(last.weights))]
    return sections | _relevance(lambda rows: scores(last, rows), vectors, wanted, names)


def relevance_sections(
    model: Any, X: Records, wanted: BoolArray, names: Sequence[str] | None
) -> dict[str, list[Fact]]:
    """Tell what the scores of a fitted classifier depend on, where its records are vectors.

    For machines whose plane lies in a space that has no features anybody could name.
    """
    last, vectors, names = _as_seen(model, X, names)
    kernel, tags = getattr(last, "kernel", None), get_tags(last).input_tags
    takes_vectors = kernel.takes_vectors if isinstance(kernel, Kernel) else tags.two_d_array
    if not takes_vectors or tags.pairwise:
        return {}
    return _relevance(lambda rows: _decisions(last, rows), vectors, wanted, names)


def auto_sections(
    model: AutoDetector, X: Records, labels: Any, names: Sequence[str] | None
) -> dict[str, list[Fact]]:
    """Report on an average of models: its members, how good it is, and what matters to it."""
    sections: dict[str, list[Fact]] = {}
    several = len(model.targets_) > 1
    decisions = np.asarray(model.decision_function(X), dtype=np.float64)
    for column, (name, committee) in enumerate(
        zip(model.targets_.tolist(), model.committees_, strict=True)
    ):
        of = f" for {name}" if several else ""
        wanted = np.asarray(labels) == name
        _check_count(X, wanted)
        mine = decisions if decisions.ndim == 1 else _column(model, decisions, column)
        sections["training" + of] = _training(mine > 0, wanted)
        sections["members" + of] = _members(committee)
        sections["quality" + of] = _quality(committee)
        if model.kernel is None or model.kernel.takes_vectors:
            vectors = model.vectors(X)
            found = _relevance(committee.decide, vectors, wanted, names or _names(model))
            sections |= {title + of: facts for title, facts in found.items()}
    return sections


def _as_seen(
    model: Any, X: Records, names: Sequence[str] | None
) -> tuple[Any, Any, Sequence[str] | None]:
    """Return what a pipeline ends in, and records and features as that sees them."""
    *before, (_, last) = getattr(model, "steps", [("", model)])
    if not before:
        return last, X, names
    return last, model[:-1].transform(X), names or _names(model[:-1])


def _column(model: AutoDetector, decisions: FloatArray, column: int) -> FloatArray:
    places = model.targets_ if decisions.shape[1] == len(model.targets_) else model.classes_
    return decisions[:, places.tolist().index(model.targets_[column])]


def _check_count(X: Records, wanted: BoolArray) -> None:
    if count(X) != len(wanted):
        raise DataError(
            f"report needs one label per record. Got {count(X)} records and {len(wanted)} labels."
        )


def _training(said: BoolArray, wanted: BoolArray) -> list[Fact]:
    return [
        Fact("records", len(wanted)),
        Fact("known examples", int(wanted.sum())),
        Fact("training error", float(np.mean(said != wanted))),
    ]


def _margins(chances: FloatArray, wanted: BoolArray) -> list[Fact]:
    """Tell by how much the votes for the right class exceed those for the other."""
    margins = np.where(wanted, 1.0, -1.0) * (2.0 * chances - 1.0)
    note = "votes for the right class less those for the other, on the records learnt from"
    return [
        Fact("mean margin", float(margins.mean()), note),
        Fact("least margin", float(margins.min())),
    ]


def _members(committee: Committee) -> list[Fact]:
    weights = {member.name: member.weight for member in committee.members}
    return [
        Fact(
            score.model,
            None if np.isnan(score.average_precision) else score.average_precision,
            score.note or f"average precision held out; weight {weights[score.model]:g}",
        )
        for score in committee.scores
    ]


def _quality(committee: Committee) -> list[Fact]:
    quality = committee.quality
    return [
        Fact("average precision to expect", quality.average_precision, quality.sentence),
        Fact("at least, nine times in ten", quality.low),
        Fact("at most, nine times in ten", quality.high),
        Fact("a random order has", quality.chance),
        Fact("held out", quality.held_out),
    ]


def _relevance(
    score: Callable[[Any], FloatArray], X: Any, wanted: BoolArray, names: Sequence[str] | None
) -> dict[str, list[Fact]]:
    """Tell by how much scores change when one feature is shuffled among the records."""
    if sparse.issparse(X) or np.ndim(X) != 2 or not np.issubdtype(np.asarray(X).dtype, np.number):
        return {}
    matrix = np.asarray(X, dtype=np.float64)
    base = score(matrix)
    spread = float(base.std())
    if spread <= 0 or not wanted.any() or wanted.all():
        return {}
    rng = np.random.default_rng(0)
    deviation = matrix.std(axis=0)
    apart = np.abs(matrix[wanted].mean(axis=0) - matrix[~wanted].mean(axis=0))
    differ = np.divide(apart, deviation, out=np.zeros_like(apart), where=deviation > 0)
    found = []
    for column in np.argsort(-differ, kind="stable")[:_TRIED]:
        shuffled = matrix.copy()
        shuffled[:, column] = rng.permutation(shuffled[:, column])
        change = float(np.mean(np.abs(score(shuffled) - base))) / spread
        found.append((change, int(column)))
    found.sort(key=lambda pair: (-pair[0], pair[1]))
    note = "mean change of the score, in its deviations, when the feature is shuffled"
    return {
        RELEVANCE: [
            Fact(_called(names, column), change, note if place == 0 else "")
            for place, (change, column) in enumerate(found[:_TOP_FEATURES])
        ]
    }


def _called(names: Sequence[str] | None, column: int) -> str:
    return names[column] if names is not None and column < len(names) else f"feature {column}"


def _names(model: Any) -> list[str] | None:
    """Return what a transformer, or the table features of a model, call their columns."""
    known = getattr(model, "table_features_", model)
    try:
        return [str(name) for name in known.get_feature_names_out()]
    except (AttributeError, ValueError):
        return None


def _chances(model: Any, X: Any) -> FloatArray:
    place = list(model.classes_).index(True)
    return np.asarray(model.predict_proba(X), dtype=np.float64)[:, place]


def _decisions(model: Any, X: Any) -> FloatArray:
    return np.asarray(model.decision_function(X), dtype=np.float64)
