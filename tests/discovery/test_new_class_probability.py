from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.distance import cdist

from rarefind.core.errors import ParameterError
from rarefind.discovery import Hunt, NewClassProbability
from rarefind.discovery.strategies.novelty.concentration import posterior_concentration
from rarefind.discovery.strategies.novelty.kernel_density import KernelDensity
from rarefind.evaluation.simulation import simulate
from tests.discovery.problems import clouds, fresh, priority_of, problem, published, rows_asked


def similarities(X, factor):
    D = cdist(X, X)
    different = np.unique(X, axis=0)
    between = np.sort(cdist(different, different), axis=1)
    h = factor * np.median(between[:, min(10, len(different) - 1)])
    return D, np.exp(-0.5 * (D / h) ** 2)


def promise(X, S, labels, criterion, alpha, picks):
    """What each record promises after these picks, by the formula."""
    if not picks:
        return -((X - X.mean(axis=0)) ** 2).sum(axis=1)
    classes = {labels[q] for q in picks}
    new = alpha * S.mean(axis=1)
    like = {c: sum(S[q] for q in picks if labels[q] == c) for c in classes}
    everything = new + sum(like.values())
    if criterion == "new":
        return new / everything
    often = {c: sum(labels[q] == c for q in picks) for c in classes}
    return np.array(
        [
            1 - like[max(classes, key=lambda c: like[c][j] / often[c])][j] / everything[j]
            for j in range(len(X))
        ]
    )


@given(clouds(), st.sampled_from(["new", "wrong"]), st.integers(0, 3), st.data())
def test_picks_equal_the_formula(X, criterion, seed, data):
    kinds = st.sampled_from(["ordinary", "a", "b"])
    labels = data.draw(st.lists(kinds, min_size=len(X), max_size=len(X)))
    strategy = NewClassProbability(2.0, criterion, alpha=0.7)
    asked = rows_asked(X, labels, strategy, 9, seed=seed)
    assert len(set(asked)) == min(9, len(X))
    D, S = similarities(X, 2.0)
    priority = priority_of(len(X), seed)
    for number, row in enumerate(asked):
        promised = promise(X, S, labels, criterion, 0.7, asked[:number])
        left = np.array(fresh(D, asked[:number]))
        behind = promised[left].max() - promised
        assert row in left
        assert behind[row] < 1e-9
        equal = left[behind[left] < 1e-9]
        if behind[equal].max() < 1e-15:  # ties beyond doubt, whatever rounding did
            assert row == min(equal, key=lambda j: priority[j])


@given(clouds())
def test_the_density_of_few_records_is_exact(X):
    task = problem(X)
    _, S = similarities(X, 1.0)
    density = KernelDensity(task, 1.0).values[task.space.folded.point_of]
    np.testing.assert_allclose(density, S.mean(axis=1))


def test_the_density_of_many_records_is_close_through_a_sample():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(1500, 2)), [[9.0, 9.0]]])
    task = problem(X)
    exact = KernelDensity(task, 2.0).values
    sampled = KernelDensity(task, 2.0, exact_up_to=100).values
    assert np.median(np.abs(sampled / exact - 1)) < 0.1
    assert sampled[-1] == pytest.approx(exact[-1])  # a lonely record is not overlooked


@pytest.mark.parametrize(("labels", "classes"), [(1, 1), (10, 2), (60, 7)])
def test_the_concentration_is_the_mean_of_escobar_and_wests_sampler(labels, classes):
    rng = np.random.default_rng(0)
    alpha, drawn = 1.0, []
    for _ in range(40_000):
        rate = 1.0 - np.log(rng.beta(alpha + 1, labels))
        odds = classes / (labels * rate)
        shape = 1 + classes - (rng.random() > odds / (1 + odds))
        alpha = rng.gamma(shape, 1.0 / rate)
        drawn.append(alpha)
    assert posterior_concentration(labels, classes) == pytest.approx(np.mean(drawn), rel=0.04)


def test_records_unlike_any_labelled_one_are_equal_and_chance_decides():
    X = np.r_[np.zeros(20) + np.arange(20) / 100, [50.0, 90.0, 99.0]].reshape(-1, 1)
    first = set()
    for seed in range(8):
        hunt = Hunt(X, "p-new", random_state=seed, scale="none")
        hunt.tell(5, "ordinary")
        question = hunt.ask()
        first.add(question.row)
        assert question.why == "Nothing like it has been labelled so far: one of 3 such records."
        far = Hunt(X, NewClassProbability(ties="far"), random_state=seed, scale="none")
        far.tell(5, "ordinary")
        assert far.ask().row == 22
    assert first == {20, 21, 22}


def test_the_reason_names_the_probability():
    X = np.arange(12.0).reshape(-1, 1)
    hunt = Hunt(X, NewClassProbability(5.0))
    hunt.tell(0, "ordinary")
    question = hunt.ask()
    assert "of a class not seen yet with a probability of 0." in question.why
    assert 0 < question.evidence["probability"] < 1
    wrong = Hunt(X, NewClassProbability(5.0, "wrong"))
    wrong.tell(0, "ordinary")
    assert "of another class than it looks like" in wrong.ask().why


def test_ecoli_and_glass_need_what_was_measured_before():
    for name in ("ecoli", "glass"):
        X, labels = published(name)
        assert simulate(X, labels, "p-new", [0]).labels_needed(background=True)[0] <= 20


@pytest.mark.parametrize(
    "arguments", [{"bandwidth_factor": 0}, {"criterion": "old"}, {"alpha": -1}, {"ties": "near"}]
)
def test_wrong_parameters_are_refused(arguments):
    with pytest.raises(ParameterError, match="of NewClassProbability must be"):
        Hunt([[0.0], [1.0]], NewClassProbability(**arguments))
