from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from rarefind.core.errors import ParameterError
from rarefind.discovery import Alice, Hunt, Malice, discover
from rarefind.kernels import Constant, Linear
from tests.discovery.naive import naive_picks


def asked_rows(X, labels, strategy, priors, seed, budget):
    hunt = Hunt(X, strategy, priors=priors, background="ordinary", random_state=seed)
    for _ in range(min(budget, len(X))):
        row = hunt.ask().row
        hunt.tell(row, labels[row])
    return list(hunt.labels)


@settings(max_examples=80, deadline=None)
@given(
    arrays(np.int64, st.tuples(st.integers(6, 24), st.just(2)), elements=st.integers(-4, 4)),
    st.integers(0, 5),
    st.sampled_from(["alice", "malice"]),
    st.data(),
)
def test_picks_equal_the_printed_algorithm_step_by_step(X, seed, strategy, data):
    n = len(X)
    if len(np.unique(X, axis=0)) < 2:
        return
    kinds = ["ordinary", "a", "b", "unforeseen"]
    labels = data.draw(st.lists(st.sampled_from(kinds), min_size=n, max_size=n))
    priors = {"a": data.draw(st.floats(1 / n, 0.3)), "b": data.draw(st.floats(1 / n, 0.4))}
    if priors["a"] == priors["b"] or round(n * min(priors.values())) < 1:
        return
    priority = np.random.default_rng(seed).permutation(n)
    expected = naive_picks(
        X, labels, priors, "ordinary", priority, malice=strategy == "malice", budget=12
    )
    assert asked_rows(X.astype(float), labels, strategy, priors, seed, 12) == expected
    for descending, frozen in ((True, False), (False, True)):
        other = (Malice if strategy == "malice" else Alice)(
            order="largest-first" if descending else "smallest-first",
            widen="never" if frozen else "usual",
        )
        expected = naive_picks(
            *(X, labels, priors, "ordinary", priority),
            malice=strategy == "malice",
            budget=12,
            descending=descending,
            frozen=frozen,
        )
        assert asked_rows(X.astype(float), labels, other, priors, seed, 12) == expected


def buried(seed, size=10):
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(1000, 2)), rng.uniform(-0.05, 0.05, size=(size, 2))])
    labels = ["ordinary"] * 1000 + ["rare"] * size
    return X, labels


def test_a_class_buried_in_the_crowd_is_found_with_few_labels():
    needed = []
    for seed in range(7):
        X, labels = buried(seed)
        hunt = discover(X, labels.__getitem__, "malice", 200, priors=[10 / 1010], classes=1)
        needed.append(len(hunt.labels))
    assert np.median(needed) <= 15  # random sampling needs 92 on average


def test_names_and_sizes_as_priors_ask_the_same_until_the_class_is_found():
    X, labels = buried(3)
    named = discover(X, labels.__getitem__, "malice", 200, priors={"rare": 0.01}, classes=1)
    sized = discover(X, labels.__getitem__, "malice", 200, priors=[0.01], classes=1)
    assert list(named.labels) == list(sized.labels)


def test_the_linear_kernel_asks_what_the_vectors_themselves_ask():
    X, labels = buried(1)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    plain = discover(X, labels.__getitem__, "malice", 12, priors=[0.01])
    through = discover(X, labels.__getitem__, "malice", 12, priors=[0.01], kernel=Linear())
    assert list(plain.labels) == list(through.labels)


def test_the_reason_names_the_jump_in_words_and_numbers():
    X, _ = buried(0)
    question = Hunt(X, "malice", priors=[0.01]).ask()
    assert "other records lie within" in question.why
    assert "around its neighbour at" in question.why
    assert "the density jumps here" in question.why
    evidence = question.evidence
    assert evidence["records_within_radius"] > evidence["fewest_nearby"] >= 1
    assert evidence["expected_size"] == 10
    assert len(question.neighbours) == 5


def test_an_absent_class_does_not_stop_the_search():
    X, labels = buried(2)
    hunt = discover(X, labels.__getitem__, "malice", 400, priors={"ghost": 0.005, "rare": 0.01})
    assert "rare" in hunt.found


@pytest.mark.parametrize("strategy", ["alice", "malice"])
def test_priors_are_needed(strategy):
    with pytest.raises(ParameterError, match=f"strategy '{strategy}' needs 'priors'"):
        Hunt([[0.0], [1.0]], strategy)


def test_a_scale_below_one_is_refused():
    with pytest.raises(ParameterError, match="'first_scale' parameter of Malice"):
        Hunt([[0.0], [1.0]], Malice(first_scale=0), priors=[0.5])


@pytest.mark.parametrize("strategy", ["alice", "malice", "grade", "density-change"])
def test_numbers_are_finite_where_a_kernel_sees_no_difference_at_all(strategy):
    hunt = Hunt(list("abcdef"), strategy, kernel=Constant(), priors=[0.2], background=0)
    for _ in range(6):
        question = hunt.ask()
        assert all(np.isfinite(value) for value in question.evidence.values()), question
        assert "inf" not in question.why
        assert "1 records" not in question.why
        hunt.tell(question.row, 0)
