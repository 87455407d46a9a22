from __future__ import annotations

import json

import numpy as np
import pytest
from scipy import sparse
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import LeaveOneOut, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC, LinearSVC

from rarefind.core.errors import DataError, NotAvailableError, ParameterError
from rarefind.detection.kernel.fisher import KernelFisherDiscriminant
from rarefind.detection.kernel.logistic import KernelLogisticRegression
from rarefind.detection.kernel.mkl import SimpleMKL
from rarefind.detection.kernel.perceptron import KernelPerceptron
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.models import make, registry
from rarefind.detection.reports.of_model import BOUND, report
from rarefind.kernels import Gaussian, Linear, Spectrum
from tests.detection.letters import KINDS, WORDS, Letters


def apart(n=80, distance=4.0, seed=0):
    rng = np.random.default_rng(seed)
    y = np.arange(n) % 2
    return rng.normal(size=(n, 2)) * 0.8 + distance * y[:, None] * [1, 0], y


def test_a_hard_margin_machine_satisfies_the_identities():
    X, y = apart()
    model = SVC(kernel="linear", C=1e6, tol=1e-8).fit(X, y)
    found = report(model, X, y).to_dict()
    w = model.coef_[0]
    margin, bounds = found["margin"], found["bounds"]
    assert margin["‖w‖²"] == pytest.approx(w @ w)
    assert margin["margin 1/‖w‖"] == pytest.approx(1 / np.linalg.norm(w))
    assert margin["width 2/‖w‖"] == pytest.approx(2 / np.linalg.norm(w))
    assert margin["records inside the margin"] == 0
    # Hard margin: Σα = ‖w‖² = twice the dual objective.
    assert found["support vectors"]["sum of multipliers"] == pytest.approx(w @ w, rel=1e-4)
    distances = np.abs(model.decision_function(X)) / np.linalg.norm(w)
    assert distances.min() == pytest.approx(margin["margin 1/‖w‖"], rel=1e-4)
    # The true leave-one-out error is below the bounds.
    truth = 1 - cross_val_score(SVC(kernel="linear", C=1e6), X, y, cv=LeaveOneOut()).mean()
    assert truth <= bounds["leave-one-out error at most, #SV/n"]
    assert bounds["leave-one-out error at most, #SV/n"] == len(model.support_) / 80
    squared = found["smallest enclosing ball"]["R²"]
    assert bounds["R²‖w‖²"] == pytest.approx(squared * (w @ w))
    assert bounds["R²‖w‖²/n"] == pytest.approx(squared * (w @ w) / 80)
    assert bounds["4R²‖w‖²/n"] == pytest.approx(4 * squared * (w @ w) / 80)
    assert bounds["VC dimension at most"] == pytest.approx(min(squared * (w @ w), 2) + 1)


@pytest.mark.parametrize(
    "kernel", ["linear", "rbf", "poly", Gaussian(1.5), Linear(), "precomputed"], ids=str
)
def test_every_kernel_gives_the_length_of_its_own_plane(kernel):
    X, y = apart(n=40, distance=1.0)
    records = Gaussian(1.5)(X) if kernel == "precomputed" else X
    model = SVC(kernel=kernel, C=2.0, tol=1e-8).fit(records, y)
    found = report(model, records, y).to_dict()
    if kernel in ("rbf", "poly"):
        gamma = 1 / (2 * X.var())
        square = ((X[:, None] - X[None]) ** 2).sum(axis=2)
        K = np.exp(-gamma * square) if kernel == "rbf" else (gamma * X @ X.T) ** 3
    else:
        K = X @ X.T if kernel == "linear" or isinstance(kernel, Linear) else Gaussian(1.5)(X)
    a = np.zeros(40)
    a[model.support_] = model.dual_coef_[0]
    assert found["margin"]["‖w‖²"] == pytest.approx(a @ K @ a, rel=1e-6)
    sizes, slack = np.abs(a), np.maximum(1 - (2 * y - 1) * model.decision_function(records), 0)
    largest = (np.diag(K)[a != 0] - K[a != 0].min(axis=1)).max()
    expected = np.mean((2 * sizes * largest + slack >= 1) & (sizes > 0))
    assert found["bounds"]["ξα estimate of the leave-one-out error"] == pytest.approx(expected)


def test_bounds_are_labelled_as_bounds_in_every_form():
    X, y = apart()
    made = report(SVC(kernel="linear", C=10.0).fit(X, y), X, y)
    for fact in made.sections["bounds"]:
        if "at most" in fact.name:
            assert BOUND in fact.note
    assert BOUND in str(made)
    assert BOUND in made._repr_html_()
    json.dumps(made.to_dict(), allow_nan=False)


def test_hopeless_bounds_say_so():
    X, y = apart(n=40, distance=0.1)
    made = report(SVC(kernel="rbf", C=1e4).fit(X, y), X, y)
    risk = next(fact for fact in made.sections["bounds"] if fact.name.startswith("risk"))
    assert risk.value is None or risk.value >= 1
    assert "says nothing" in risk.note or "vacuous" in risk.note


def test_names_of_features_are_escaped_and_ordered_by_effect():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 3)) * [1.0, 1.0, 0.3]
    y = (X[:, 0] + 0.3 * X[:, 1] > 0).astype(int)
    names = ["<b>large</b>", "small", "none"]
    for model in (
        LogisticRegression(max_iter=1000),
        LinearDiscriminantAnalysis(),
        KernelFisherDiscriminant("linear"),
        KernelLogisticRegression("linear"),
        SVC(kernel="linear"),
        LinearSVC(max_iter=100_000, tol=1e-2),
    ):
        made = report(model.fit(X, y), X, y, feature_names=names)
        features = next(
            facts for title, facts in made.sections.items() if title.startswith("features")
        )
        assert [fact.name for fact in features[:2]] == names[:2]
        assert "<b>" not in made.to_html()
        assert "&lt;b&gt;large" in made.to_html()
    with pytest.raises(DataError, match=r"one name per feature. Got 1 for 3"):
        report(model, X, y, feature_names=["x"])


def test_pipelines_are_reported_on_scaled_records():
    X, y = apart()
    made = report(make_pipeline(StandardScaler(), SVC(kernel="linear")).fit(X, y), X, y)
    scaled = StandardScaler().fit_transform(X)
    alone = report(SVC(kernel="linear").fit(scaled, y), scaled, y)
    assert made.to_dict()["margin"] == alone.to_dict()["margin"]
    assert [fact.name for fact in made.sections["features that matter"]] == ["x0", "x1"]


def test_kernel_weights_and_certificate_are_reported():
    X, y = apart(n=40, distance=1.5)
    for normalize in ("average", "diagonal"):
        model = SimpleMKL([("straight", Linear()), Gaussian(0.5)], C=5.0, normalize=normalize)
        found = report(model.fit(X, y), X, y).to_dict()
        assert sum(found["kernel weights"].values()) == pytest.approx(1.0)
        assert "straight" in found["kernel weights"]
        assert found["optimality"]["relative duality gap"] <= 1e-3
        # J = Σα - ‖w‖²/2
        length, total = found["margin"]["‖w‖²"], found["support vectors"]["sum of multipliers"]
        assert total - length / 2 == pytest.approx(found["optimality"]["objective J"], rel=1e-5)
    stack = np.array([Linear()(X), Gaussian(0.5)(X)])
    stored = SimpleMKL("precomputed", C=5.0).fit(stack, y)
    straight = SimpleMKL([Linear(), Gaussian(0.5)], C=5.0).fit(X, y)
    left, right = report(stored, stack, y).to_dict(), report(straight, X, y).to_dict()
    assert left["bounds"] == pytest.approx(right["bounds"], rel=1e-6)


def test_a_perceptron_reports_mistakes_and_their_bound():
    found = report(KernelPerceptron(Letters(), random_state=0).fit(WORDS, KINDS), WORDS, KINDS)
    facts = found.to_dict()["mistakes"]
    assert 0 < facts["mistakes in learning"] <= facts["Novikoff's bound"]
    X, y = apart(distance=0.0)
    model = KernelPerceptron(Linear(), epochs=2).fit(X, y)
    assert report(model, X, y).to_dict()["mistakes"]["Novikoff's bound"] is None


@pytest.mark.parametrize(
    "model",
    [
        SVC(),
        KernelPerceptron(random_state=0),
        KernelLogisticRegression(),
        KernelFisherDiscriminant(),
        SimpleMKL(),
        LogisticRegression(),
        LinearDiscriminantAnalysis(),
    ],
    ids=lambda model: type(model).__name__,
)
def test_several_classes_are_reported(model):
    rng = np.random.default_rng(1)
    y = np.arange(60) % 3
    X = rng.normal(size=(60, 2)) + 2.0 * y[:, None]
    made = report(model.fit(X, y), X, y)
    assert made.to_dict()["training"]["classes"] == "0, 1, 2"
    assert type(model).__name__ in str(made)
    assert not any(
        isinstance(fact.value, float) and not np.isfinite(fact.value)
        for facts in made.sections.values()
        for fact in facts
    )


def test_sparse_records_give_the_same_report():
    X, y = apart(n=40)
    X = np.where(np.abs(X) < 0.5, 0.0, X)
    for model in (SVC(kernel="linear"), LogisticRegression(), KernelFisherDiscriminant("linear")):
        dense = report(model.fit(X, y), X, y).to_dict()
        thin = sparse.csr_array(X)
        found = report(model.fit(thin, y), thin, y).to_dict()
        for section in ("margin", "features that matter", "smallest enclosing ball"):
            if section in dense:
                assert found[section] == pytest.approx(dense[section], rel=1e-4)


def test_what_cannot_be_reported_is_refused_in_words():
    X, y = apart(n=20)
    with pytest.raises(NotAvailableError, match="Got RandomForestClassifier"):
        report(RandomForestClassifier(2).fit(X, y), X, y)
    model = SVC(kernel="linear").fit(X, y)
    with pytest.raises(DataError, match=r"trained on \(20 of them\). Got 5 records"):
        report(model, X[:5], y[:5])
    with pytest.raises(DataError, match="20 records and 3 labels"):
        report(model, X, y[:3])
    with pytest.raises(ParameterError, match="'delta' parameter of report"):
        report(model, X, y, delta=1.5)


def test_lago_reports_settings_bandwidths_and_votes():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 2)), rng.normal(3.0, 0.2, size=(5, 2))])
    y = ["plain"] * 60 + ["rare"] * 5
    model = Lago().fit(X, y)
    found = report(model).to_dict()
    assert found["settings"]["known examples"] == 5
    assert found["settings"]["alpha, width of a vote in radii"] == model.alpha_[0]
    assert found["settings"]["K, neighbours"] == model.n_neighbors_[0]
    precision = found["settings"]["leave-one-out average precision"]
    assert precision == model.average_precision_[0]
    widths = model.alpha_[0] * model.radii_
    assert found["bandwidths"]["largest"] == widths.max()
    assert found["bandwidths"][f"record {model.centre_rows_[widths.argmax()]}"] == widths.max()
    assert "votes" not in found
    votes = report(model, X, y).to_dict()["votes"]
    assert votes["records above the cut"] == (model.decision_function(X) > 0).sum()
    shares = [votes[f"record {row}"] for row in range(60, 65)]
    np.testing.assert_allclose(sum(shares), 1.0)
    piped = make("lago").fit(X, y)
    assert "tuned" in report(piped, X, y).to_text()
    assert "<h3>bandwidths</h3>" in report(piped).to_html()


def test_lago_reports_every_class_and_a_single_example():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = np.array(["plain"] * 36 + ["a"] * 3 + ["b"])
    found = report(Lago().fit(X, y), X).to_dict()
    assert found["settings of b"]["leave-one-out average precision"] is None
    assert {"votes of a", "votes of b"} <= set(found)
    words = ["aab", "aba", "bba", "xyx", "xxy"]
    strings = report(Lago(kernel=Spectrum(2)).fit(words, [0, 0, 0, 1, 1]), words)
    assert strings.to_dict()["training"]["kernel"] == "Spectrum(length=2)"


def test_a_report_without_records_is_refused_where_they_are_needed():
    X, y = [[0.0], [1.0], [3.0], [4.0]], [0, 0, 1, 1]
    with pytest.raises(DataError, match="report needs the records X and labels y that SVC"):
        report(SVC().fit(X, y))


def three_classes():
    rng = np.random.default_rng(0)
    parts = [rng.normal(size=(60, 4)), rng.normal(2.0, 0.5, (12, 4)), rng.normal(-3.0, 0.5, (9, 4))]
    return np.vstack(parts), np.repeat(["plain", "odd", "strange"], [60, 12, 9])


@pytest.mark.parametrize("name", sorted(set(registry.names())))
def test_every_model_by_name_reports_with_the_labels_it_was_fitted_with(name):
    X, y = three_classes()
    small = {"candidates": ["logistic", "forest"]} if name == "auto" else {}
    for target in ("odd", None):
        model = make(name, target=target, **small).fit(X, y)
        found = report(model, X, y)
        plain = found.to_dict()
        json.dumps(plain)
        assert str(found) in found.to_text()
        assert any(title.startswith("training") for title in plain)
        if target is None and "lago" not in name:
            assert any(title.endswith("for strange") for title in plain)


def test_trees_neighbours_and_averages_tell_what_their_scores_depend_on():
    X, y = three_classes()
    X[:, 1] = np.random.default_rng(1).normal(size=len(X))  # says nothing about the class
    names = ["a", "noise", "c", "d"]
    for name in ("forest", "boosting", "neighbours", "auto"):
        options = {"min_samples_leaf": 2} if name == "boosting" else {}
        options |= {"candidates": ["logistic", "forest"]} if name == "auto" else {}
        model = make(name, target="odd", **options).fit(X, y)
        found = report(model, X, y, feature_names=names)
        matters = found.to_dict()["features that matter"]
        assert set(matters) == set(names)
        assert min(matters, key=matters.get) == "noise", name
        assert "shuffled" in found.sections["features that matter"][0].note
    members = found.to_dict()["members"]
    assert set(members) == {"logistic", "forest"}
    assert found.to_dict()["quality"]["a random order has"] > 0


@pytest.mark.parametrize(
    "name", ["svm", "svm-hard", "kernel-fisher", "kernel-logistic", "kernel-perceptron", "mkl"]
)
def test_machines_in_the_feature_space_of_a_kernel_tell_what_their_scores_depend_on(name):
    X, y = three_classes()
    X[:, 1] = np.random.default_rng(1).normal(size=len(X)) / 10.0  # of no weight, once scaled
    X[:, 1] = np.where(np.arange(len(X)) == 0, 10.0, X[:, 1])
    found = report(make(name, target="odd").fit(X, y), X, y, feature_names=["a", "b", "c", "d"])
    matters = found.to_dict()["features that matter"]
    assert set(matters) == {"a", "b", "c", "d"}
    assert min(matters, key=matters.get) == "b"


def test_what_a_kernel_sees_in_strings_or_in_rows_of_a_matrix_has_no_features():
    words, y = ["aab", "aba", "bba", "xyx", "xxy", "yyx"], [0, 0, 0, 1, 1, 1]
    strings = report(make("svm", kernel=Spectrum(2)).fit(words, y), words, y)
    given = Gaussian(1.0)(np.arange(6.0)[:, None])
    rows = report(make("svm", kernel="precomputed").fit(given, y), given, y)
    for found in (strings, rows):
        assert not any(title.startswith("features") for title in found.to_dict())


def test_a_report_by_scores_refuses_what_does_not_fit():
    X, y = three_classes()
    for name in ("forest", "auto"):
        small = {"candidates": ["forest"]} if name == "auto" else {}
        model = make(name, target="odd", **small).fit(X, y)
        with pytest.raises(DataError, match=r"one label per record. Got 81 records and 80 labels"):
            report(model, X, y[:-1])
        with pytest.raises(DataError, match="needs the records X and labels y"):
            report(model)
