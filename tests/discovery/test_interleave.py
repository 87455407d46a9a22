from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import NotAvailableError, ParameterError
from rarefind.discovery import Hunt, Interleave
from rarefind.discovery.strategies.mixtures.gaussian import Mixture
from rarefind.evaluation.simulation import simulate
from rarefind.kernels import Gaussian
from tests.discovery.problems import clouds, grids, published, rows_asked


def mixture_of(X, components=3, floor=1e-3, seed=0, weights=None):
    weights = np.ones(len(X), dtype=np.int64) if weights is None else weights
    return Mixture(X, weights, components, floor, np.random.default_rng(seed))


def density(x, mean, variance):
    return math.prod(
        math.exp(-((a - m) ** 2) / (2 * v)) / math.sqrt(2 * math.pi * v)
        for a, m, v in zip(x, mean, variance, strict=True)
    )


@given(clouds(copies=False), st.data())
def test_a_step_equals_the_textbook_with_labelled_records_held(X, data):
    X = X - X.mean(axis=0)
    mixture = mixture_of(X)
    owner = data.draw(st.dictionaries(st.integers(0, len(X) - 1), st.integers(0, 2), max_size=4))
    means, variances, shares = mixture.means.copy(), mixture.variances.copy(), mixture.shares
    K = len(means)
    r = np.zeros((len(X), K))
    for i, x in enumerate(X):
        joint = [shares[k] * density(x, means[k], variances[k]) for k in range(K)]
        r[i] = np.divide(joint, sum(joint))
        if i in owner:
            r[i] = np.arange(K) == owner[i]
    mixture.fit(np.array(list(owner), dtype=int), np.array(list(owner.values()), dtype=int), 1)
    for k in range(K):
        mean = sum(r[i, k] * X[i] for i in range(len(X))) / r[:, k].sum()
        spread = sum(r[i, k] * (X[i] - mean) ** 2 for i in range(len(X))) / r[:, k].sum()
        np.testing.assert_allclose(mixture.means[k], mean, atol=1e-9)
        floor = 1e-3 * X.var(axis=0)
        np.testing.assert_allclose(mixture.variances[k], np.maximum(spread, floor), atol=1e-9)
        assert mixture.shares[k] == pytest.approx(r[:, k].sum() / len(X))


@given(clouds(copies=False), st.data())
def test_weights_stand_for_copies(X, data):
    times = np.array(data.draw(st.lists(st.integers(1, 3), min_size=len(X), max_size=len(X))))
    folded = mixture_of(X, weights=times)
    rows = mixture_of(np.repeat(X, times, axis=0))
    rows.means, rows.variances, rows.shares = (
        folded.means.copy(),
        folded.variances.copy(),
        folded.shares.copy(),
    )
    none = np.array([], dtype=int)
    folded.fit(none, none, 5)
    rows.fit(none, none, 5)
    np.testing.assert_allclose(folded.means, rows.means, atol=1e-8)


def test_the_first_question_is_the_oddest_member_of_the_first_component():
    X = np.random.default_rng(0).normal(size=(50, 2))
    hunt = Hunt(X, Interleave(components=1), scale="none")
    odd = (((X - X.mean(axis=0)) / X.std(axis=0)) ** 2).sum(axis=1)
    question = hunt.ask()
    assert question.row == np.argmax(odd)
    assert question.why.startswith("Of the 50 records in the data, it fits least")


def test_components_take_turns_and_a_new_class_brings_its_own_after_the_round():
    X = np.random.default_rng(0).normal(size=(60, 2))
    hunt = Hunt(X, Interleave(components=3))
    parts = []
    for label in ["a", "b", "a"]:
        question = hunt.ask()
        parts.append(question.evidence["component"])
        assert question.evidence["components"] == 3
        hunt.tell(question.row, label)
    assert parts == [1, 2, 3]
    assert hunt.ask().evidence["components"] == 5


@given(grids(), st.integers(1, 9), st.integers(0, 3), st.data())
def test_ties_copies_and_any_answers_ask_every_record_once(X, components, seed, data):
    labels = data.draw(st.lists(st.sampled_from("abc"), min_size=len(X), max_size=len(X)))
    rows = rows_asked(X, labels, Interleave(components), len(X), seed=seed)
    assert sorted(rows) == list(range(len(X)))


def test_priors_set_the_number_of_components():
    X = np.random.default_rng(0).normal(size=(60, 2))
    assert Hunt(X, "interleave", priors=[0.1, 0.2]).ask().evidence["components"] == 3
    assert Hunt(X, "interleave").ask().evidence["components"] == 7


def test_ecoli_needs_about_half_of_random_sampling():
    X, labels = published("ecoli")
    assert np.mean(simulate(X, labels, "interleave", range(4)).labels_needed()) <= 25


def test_a_kernel_has_no_features_to_work_on():
    with pytest.raises(NotAvailableError, match="'interleave' needs a dense table of numbers"):
        Hunt([[0.0], [1.0]], "interleave", kernel=Gaussian())


@pytest.mark.parametrize("arguments", [{"components": 0}, {"floor": 0.0}])
def test_wrong_parameters_are_refused(arguments):
    with pytest.raises(ParameterError, match="of Interleave must be"):
        Hunt([[0.0], [1.0]], Interleave(**arguments))


def test_a_record_alone_in_its_part_is_called_the_only_one():
    hunt = Hunt([[0.0], [0.1], [9.0]], "interleave", scale="none")
    reasons = []
    for label in "abc":
        question = hunt.ask()
        reasons.append(question.why)
        hunt.tell(question.row, label)
    assert any(why.startswith("It is the only record in part") for why in reasons)
