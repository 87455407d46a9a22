from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import DataError, ParameterError
from rarefind.discovery import Hunt, Malice, registry
from rarefind.evaluation.known_answers import remembering
from rarefind.evaluation.simulation import geometric_mean_ratio, simulate
from rarefind.geometry import vector_space

RNG = np.random.default_rng(0)
X = np.vstack([RNG.normal(size=(40, 2)), RNG.normal(4, 0.3, size=(6, 2)), [[9.0, 0.0]] * 2])
LABELS = np.array(["common"] * 40 + ["lump"] * 6 + ["twin"] * 2)


def hunted(strategy, seed, background):
    hunt = Hunt(X, strategy, priors=[0.05, 0.1], background=background, random_state=seed)
    first = {}
    for asked in range(1, 49):
        row = hunt.ask().row
        hunt.tell(row, LABELS[row])
        first.setdefault(str(LABELS[row]), asked)
        if len(first) == 3:
            break
    return first


def test_several_at_a_time_are_those_a_hunt_asks_for_at_once():
    played = simulate(X, LABELS, "auto", [3], budget=20, at_a_time=4, spend_all=True)
    hunt = Hunt(X, "auto", background="common", random_state=3)
    asked = []
    while len(asked) < 20:
        questions = hunt.ask(4)
        asked += [question.row for question in questions]
        for question in questions:
            hunt.tell(question.row, LABELS[question.row])
    assert played.rows == (tuple(asked),)
    with pytest.raises(ParameterError, match="at_a_time"):
        simulate(X, LABELS, "auto", [3], at_a_time=0)


@pytest.mark.parametrize("name", registry.names())
@pytest.mark.parametrize("told", [True, False])
def test_a_simulation_is_a_hunt_for_every_seed(name, told):
    played = simulate(
        X, LABELS, name, [0, 5], priors=[0.05, 0.1], background="common", tell_background=told
    )
    background = "common" if told else None
    assert played.seen == (hunted(name, 0, background), hunted(name, 5, background))
    assert played.asked == tuple(max(first.values()) for first in played.seen)
    assert played.strategy == name


def test_the_budget_ends_a_simulation_and_unseen_classes_are_missing():
    played = simulate(X, LABELS, "random", range(20), budget=3)
    assert max(played.asked) == 3
    assert any("twin" not in first for first in played.seen)
    assert max(played.labels_needed()) == np.inf
    assert played.rare == ("twin", "lump")
    assert played.background == {"common"}


def test_random_sampling_has_ratio_one_on_average():
    played = simulate(X, LABELS, "random", range(400))
    assert played.ratio_to_random == pytest.approx(1.0, abs=0.1)


@given(st.lists(st.integers(1, 10), min_size=1, max_size=4))
def test_the_ratio_is_the_mean_over_rare_classes_of_labels_over_chance(budgets):
    runs = [simulate(X, LABELS, "farthest-first", [1], budget=budget) for budget in budgets]
    for run in runs:
        first = run.seen[0]
        cost = [first.get(name, run.budget + 1) for name in ("lump", "twin")]
        expected = np.mean([cost[0] / (49 / 7), cost[1] / (49 / 3)])
        assert run.ratio_to_random == pytest.approx(expected)
    ratios = [run.ratio_to_random for run in runs]
    assert geometric_mean_ratio(runs) == pytest.approx(np.prod(ratios) ** (1 / len(ratios)))


def test_a_space_may_be_given_and_its_geometry_is_asked_once(monkeypatch):
    space = vector_space(X)
    calls = []
    least = type(space.engine).least_kth_distance

    def counted(engine, k):
        calls.append(k)
        return least(engine, k)

    monkeypatch.setattr(type(space.engine), "least_kth_distance", counted)
    played = simulate(space, LABELS, Malice(), range(4), priors=[0.1])
    assert calls == [5]
    assert played.strategy == "Malice"
    assert played.seen == simulate(X, LABELS, "malice", range(4), priors=[0.1]).seen


def test_what_is_remembered_cannot_be_spoilt():
    space = remembering(vector_space(X))
    distances, _ = space.engine.nearest(3)
    distances[:] = -1.0
    assert (space.engine.nearest(3)[0] > 0).all()
    some = np.array([1, 2])
    assert space.engine.counts(0.5, some).tolist() == space.engine.counts(0.5)[some].tolist()


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: simulate(X, LABELS[:5], "random"), DataError, "each of the 48 records. Got 5"),
        (lambda: simulate(X, LABELS, "random", []), ParameterError, "at least one seed"),
        (lambda: simulate(X, LABELS, "random", budget=0), ParameterError, "'budget' parameter"),
        (lambda: simulate(X, LABELS, "random", background="no"), ParameterError, "names 'no'"),
        (lambda: geometric_mean_ratio([]), ParameterError, "at least one simulation"),
        (
            lambda: simulate(X, ["a"] * 48, "random", [0]).ratio_to_random,
            DataError,
            "every class is ordinary",
        ),
    ],
)
def test_wrong_calls_are_refused_in_words(call, error, words):
    with pytest.raises(error, match=words):
        call()


def test_a_simulation_keeps_the_rows_asked_and_goes_on_if_told_to():
    X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    labels = ["even"] * 4 + ["odd"]
    stopped = simulate(X, labels, "farthest-first", [0, 1])
    assert [len(rows) for rows in stopped.rows] == list(stopped.asked) == [2, 2]
    assert [rows[-1] for rows in stopped.rows] == [4, 4]
    spent = simulate(X, labels, "farthest-first", [0], budget=4, spend_all=True)
    assert spent.asked == (4,)
    assert spent.rows[0][:2] == stopped.rows[0]
    assert spent.seen == stopped.seen[:1]
