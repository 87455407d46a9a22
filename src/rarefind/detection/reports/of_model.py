"""What can be said about a fitted model: support vectors, margin, bounds, what matters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.pipeline import Pipeline
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.params import Number, check_param
from rarefind.detection.auto.detector import AutoDetector
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.ranker import RareRanker
from rarefind.detection.reports.facts import Fact, ModelReport
from rarefind.detection.reports.of_lago import lago_sections
from rarefind.detection.reports.of_scores import (
    RELEVANCE,
    auto_sections,
    relevance_sections,
    score_sections,
)
from rarefind.detection.reports.planes import ModelPlanes, Plane, planes_of
from rarefind.detection.reports.risk_bounds import srm_bound, vc_bound, xi_alpha_estimate
from rarefind.detection.reports.smallest_ball import enclosing_ball
from rarefind.geometry.measures import row_blocks

BOUND = "bound, not an estimate"
"""Said with every bound, because it is easily read as an error rate."""

_TOP_FEATURES = 20
"""Features listed in a report: as many as a person reads."""


def report(
    model: Any,
    X: Records = None,
    y: Any = None,
    *,
    delta: float = 0.05,
    feature_names: Sequence[str] | None = None,
) -> ModelReport:
    """Report on a fitted model and the records it was trained on.

    Parameters
    ----------
    model
        Any model that ``make`` gives; or a linear model, an SVC, a kernel learner of rarefind,
        Lago, or a pipeline that ends in one. Models that judge by no plane, such as trees,
        neighbours and averages, tell their votes and what their scores depend on; so do those of
        ``make`` whose plane lies in the feature space of a kernel.
    X, y
        The records and labels the model was fitted to. Lago needs neither; with records it also
        tells whose votes put those at the top there.
    delta
        The risk bound holds with probability ``1 - delta``.
    feature_names
        Names of the features, if neither the model nor the records know them.

    Examples
    --------
    >>> from sklearn.svm import SVC
    >>> X, y = [[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]
    >>> found = report(SVC(kernel="linear", C=1e6).fit(X, y), X, y).to_dict()
    >>> round(found["margin"]["margin 1/‖w‖"], 3), found["support vectors"]["number"]
    (1.0, 2)
    """
    check_param("report", "delta", delta, Number(0, 1, closed="neither"))
    if isinstance(model, RareRanker):
        return _of_ranker(model, X, y, delta, feature_names)
    if isinstance(model, AutoDetector):
        check_is_fitted(model)
        _need(model, X, y)
        return ModelReport("AutoDetector", auto_sections(model, X, y, feature_names))
    last = model.steps[-1][1] if isinstance(model, Pipeline) else model
    if isinstance(last, Lago):
        check_is_fitted(last)
        if X is not None and isinstance(model, Pipeline) and len(model.steps) > 1:
            X = model[:-1].transform(X)
        return ModelReport(type(last).__name__, lago_sections(last, X))
    _need(last, X, y)
    seen = planes_of(model, X, y, feature_names)
    sections = {"training": _training(seen)}
    if seen.support is not None:
        sections["support vectors"] = _support(seen)
    ball = enclosing_ball(seen.own, lambda i: seen.similarity(np.array([i]), None)[0])
    sections["smallest enclosing ball"] = [
        Fact("radius R", ball.radius),
        Fact("R²", ball.squared_radius, f"exact to {ball.gap:.1g}"),
    ]
    judging = [plane for plane in seen.planes if len(plane.values)]
    for plane in judging:
        suffix = "" if len(judging) == 1 else f" of {plane.name} against the rest"
        facts, length = _margin(plane)
        sections["margin" + suffix] = facts
        if length is not None:
            sections["bounds" + suffix] = _bounds(seen, plane, length, ball.squared_radius, delta)
    for plane in seen.planes:
        if plane.direction is not None:
            suffix = "" if len(seen.planes) == 1 else f" for {plane.name}"
            sections[RELEVANCE + suffix] = _features(seen, plane.direction)
    sections |= _own_sections(seen.model)
    return ModelReport(type(seen.model).__name__, sections)


def _need(model: Any, X: Records, y: Any) -> None:
    if X is None or y is None:
        raise DataError(
            f"report needs the records X and labels y that {type(model).__name__} was fitted to. "
            "Got none; call report(model, X, y)."
        )


def _of_ranker(
    ranker: RareRanker, X: Records, y: Any, delta: float, names: Sequence[str] | None
) -> ModelReport:
    """Report on the classifier of each target, against all the rest."""
    check_is_fitted(ranker)
    _need(ranker, X, y)
    title = type(ranker).__name__
    sections: dict[str, list[Fact]] = {}
    for name, model in zip(ranker.targets_.tolist(), ranker.estimators_, strict=True):
        wanted = np.asarray(y) == name
        last = model.steps[-1][1] if isinstance(model, Pipeline) else model
        if hasattr(last, "coef_") or hasattr(last, "dual_coef_"):
            found = report(model, X, wanted, delta=delta, feature_names=names)
            title, own = found.title, found.sections
            if RELEVANCE not in own:  # no plane that features could be weighed by
                own = own | relevance_sections(model, X, wanted, names)
        else:
            title, own = type(last).__name__, score_sections(model, X, wanted, names)
        of = "" if len(ranker.estimators_) == 1 else f" for {name}"
        sections |= {section + of: facts for section, facts in own.items()}
    return ModelReport(title, sections)


def _training(seen: ModelPlanes) -> list[Fact]:
    facts = [Fact("records", seen.n), Fact("classes", ", ".join(map(str, seen.classes)))]
    for plane in seen.planes:
        if len(plane.values):
            wrong = float(np.mean(np.sign(plane.values) != plane.signs))
            name = "training error" if len(seen.planes) == 1 else f"training error, {plane.name}"
            facts.append(Fact(name, wrong))
    return facts


def _support(seen: ModelPlanes) -> list[Fact]:
    assert seen.support is not None
    number = len(seen.support)
    facts = [Fact("number", number), Fact("share of the records", number / seen.n)]
    for plane in seen.planes:
        if plane.alphas is not None:
            of = "" if len(seen.planes) == 1 else f", {plane.name}"
            facts.append(Fact(f"sum of multipliers{of}", float(plane.alphas.sum())))
    return facts


def _margin(plane: Plane) -> tuple[list[Fact], float | None]:
    """Facts on the margin, and ``‖w‖²`` scaled so that the margin is ``1 / ‖w‖``."""
    length = math.sqrt(plane.squared_length)
    if length <= 0:
        return [Fact("‖w‖²", 0.0, "the function is constant")], None
    if plane.alphas is not None:
        return [
            Fact("‖w‖²", plane.squared_length),
            Fact("margin 1/‖w‖", 1.0 / length),
            Fact("width 2/‖w‖", 2.0 / length),
            Fact("records inside the margin", int((_slacks(plane) > 1e-3).sum())),
        ], plane.squared_length
    least = float((plane.signs * plane.values).min())
    facts = [Fact("‖w‖²", plane.squared_length)]
    if least <= 0:
        return [*facts, Fact("margin", None, "the plane does not separate the classes")], None
    margin = least / length
    facts += [Fact("margin", margin, "distance of the nearest record"), Fact("width", 2 * margin)]
    return facts, 1.0 / margin**2


def _slacks(plane: Plane) -> FloatArray:
    return np.maximum(1.0 - plane.signs * plane.values, 0.0)


def _bounds(
    seen: ModelPlanes, plane: Plane, length: float, squared_radius: float, delta: float
) -> list[Fact]:
    product = squared_radius * length
    h = vc_bound(product, seen.dimensions)
    inside = 0.0 if plane.alphas is None else float(np.mean(_slacks(plane) > 1e-3))
    risk = srm_bound(inside, h, seen.n, delta)
    facts = [
        Fact("R²‖w‖²", product),
        Fact("VC dimension at most", h, BOUND),
        Fact(
            f"risk at most, with probability {1 - delta:g}",
            risk,
            f"{BOUND}; " + _usefulness(risk, h, seen.n),
        ),
    ]
    if plane.alphas is None:
        return facts
    support = np.flatnonzero(plane.alphas > 0)
    separated = bool((_slacks(plane) <= 1e-3).all())
    facts.append(Fact("leave-one-out error at most, #SV/n", len(support) / seen.n, BOUND))
    if separated:
        facts += [
            Fact("R²‖w‖²/n", product / seen.n, f"{BOUND}; leave-one-out, without bias"),
            Fact("4R²‖w‖²/n", 4 * product / seen.n, f"{BOUND}; leave-one-out, with bias"),
        ]
    estimate = xi_alpha_estimate(plane.alphas, _slacks(plane), _squared_range(seen, support))
    facts.append(Fact("ξα estimate of the leave-one-out error", estimate, "tends to be too high"))
    return facts


def _usefulness(risk: float | None, h: float, n: int) -> str:
    if risk is None:
        return f"says nothing for a VC dimension of {h:.4g} with {n} records"
    if risk >= 1:
        return "vacuous"
    return "records inside the margin count as errors"


def _squared_range(seen: ModelPlanes, support: Any) -> float:
    """Greatest ``k(x, x) - k(x, z)`` of a support vector with any record."""
    most = 0.0
    for part in row_blocks(len(support), seen.n):
        rows = support[part]
        least = seen.similarity(rows, None).min(axis=1)
        most = max(most, float((seen.own[rows] - least).max()))
    return most


def _features(seen: ModelPlanes, direction: FloatArray) -> list[Fact]:
    """Features by how much one standard deviation moves the function, greatest first."""
    assert seen.spread is not None
    assert seen.feature_names is not None
    effect = direction * seen.spread
    order = np.argsort(-np.abs(effect), kind="stable")[:_TOP_FEATURES]
    return [
        Fact(seen.feature_names[i], float(effect[i]), f"coefficient {direction[i]:.4g}")
        for i in order
    ]


def _own_sections(model: Any) -> dict[str, list[Fact]]:
    """Collect what only one kind of model has to say."""
    sections: dict[str, list[Fact]] = {}
    if hasattr(model, "weights_table"):
        rows = model.weights_table()
        sections["kernel weights"] = [Fact(row["kernel"], row["weight"]) for row in rows]
        sections["optimality"] = [
            Fact("objective J", float(model.objective_)),
            Fact("relative duality gap", float(model.duality_gap_)),
            Fact("machines trained", int(model.n_svm_solves_)),
        ]
    if hasattr(model, "mistakes_"):
        sections["mistakes"] = [
            Fact("mistakes in learning", int(model.mistakes_.sum())),
            Fact("passes", int(model.n_iter_)),
        ]
        if hasattr(model, "novikoff_bound_"):
            limit = float(model.novikoff_bound_.sum())
            note = BOUND if math.isfinite(limit) else "no separating plane was found"
            value = limit if math.isfinite(limit) else None
            sections["mistakes"].append(Fact("Novikoff's bound", value, note))
    if hasattr(model, "gradient_"):
        none = "a plane separates the classes, or more passes are needed"
        sections["likelihood"] = [
            Fact("is at its greatest", bool(model.converged_), "" if model.converged_ else none),
            Fact("slope that is left", float(model.gradient_)),
        ]
    if hasattr(model, "eta_"):
        sections["descent"] = [
            Fact(
                "passes", int(model.n_iter_), "converged" if model.converged_ else "not converged"
            ),
            Fact("first step", float(model.eta_[0])),
            Fact("last step", float(model.eta_[-1])),
            Fact("mean log-likelihood", float(model.log_likelihood_[-1])),
        ]
    if hasattr(model, "eigenvalues_"):
        sections["directions"] = [
            Fact(f"between/within, direction {i + 1}", float(value))
            for i, value in enumerate(model.eigenvalues_)
        ]
    return sections
