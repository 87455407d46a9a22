from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import (
    DataError,
    ParameterError,
    RarefindWarning,
    StateError,
    UnknownNameError,
)
from rarefind.discovery import Hunt, discover, make_strategy, registry
from rarefind.discovery.contract.event import Event
from rarefind.geometry import Precomputed
from rarefind.kernels import Spectrum
from rarefind.testing import check_strategy

X = np.random.default_rng(0).normal(size=(30, 3))
TRUTH = ["common" if row % 7 else "rare" for row in range(30)]
STRATEGIES = {
    "alice": [0.1, 0.2],
    "auto": None,
    "auto-1": None,
    "density-change": None,
    "farthest-first": None,
    "gap-ratio": None,
    "grade": {"rare": 0.1},
    "grade-li": [0.1, 0.2],
    "interleave": None,
    "linkage": None,
    "malice": {"rare": 0.1},
    "p-new": None,
    "random": None,
    "seder": None,
}


def hunt_with(name, seed=0):
    return Hunt(X, name, priors=STRATEGIES[name], random_state=seed)


def test_every_strategy_is_covered_here():
    assert set(STRATEGIES) == set(registry.names())


@pytest.mark.parametrize("name", STRATEGIES)
def test_every_strategy_keeps_its_promises(name):
    check_strategy(make_strategy(name), priors=STRATEGIES[name])


@pytest.mark.parametrize("name", STRATEGIES)
def test_skipped_and_excluded_rows_do_not_come_back(name):
    hunt = hunt_with(name)
    skipped = hunt.ask().row
    hunt.skip(skipped)
    held = hunt.ask().row
    rows = [question.row for question in hunt.ask(28, exclude=[held])]
    assert sorted([*rows, skipped, held]) == list(range(30))


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["tell", "skip", "undo"]), st.integers(0, 29))))
def test_any_history_leaves_the_state_its_events_give(steps):
    hunt = hunt_with("malice")
    for verb, row in steps:
        try:
            if verb == "tell":
                hunt.tell(row, TRUTH[row], asked_by=UNKNOWN if row % 2 == 0 else None)
            elif verb == "skip":
                hunt.skip(row)
            else:
                hunt.undo()
        except StateError:
            continue
    again = hunt_with("malice")
    again.replay(hunt.events)
    assert again.labels == hunt.labels
    assert again.found == hunt.found
    if len(hunt.events) < 30:
        assert again.ask() == hunt.ask()


def test_the_background_is_the_class_answered_most_often_unless_named():
    hunt = hunt_with("random")
    hunt.tell(0, "rare", asked_by=UNKNOWN)
    assert hunt.found == {}
    hunt.tell(1, "common", asked_by=UNKNOWN)
    assert not hunt.background_is_sure
    hunt.tell(2, "common", asked_by=UNKNOWN)
    assert hunt.background == {"common"}
    assert hunt.background_is_sure
    assert hunt.found == {"rare": 0}
    named = Hunt(X, "random", background=["rare", "common"])
    named.tell(0, "rare")
    named.tell(5, "third")
    assert named.found == {"third": 5}


def test_what_is_told_unasked_makes_nothing_ordinary():
    hunt = hunt_with("random")
    hunt.replay([Event(0, "fraud"), Event(1, "fraud"), Event(2, "abuse")])
    assert hunt.background == frozenset()
    assert not hunt.background_is_sure
    assert hunt.found == {"fraud": 0, "abuse": 2}
    hunt.tell(3, "common", asked_by=UNKNOWN)
    assert hunt.background == {"common"}
    hunt.undo()
    assert hunt.background == frozenset()
    assert Hunt(X, "random", background="common").background_is_sure


def test_a_class_first_taken_for_the_background_is_found_once_the_crowd_speaks():
    hunt = Hunt(X, "malice", priors=[0.1])
    hunt.tell(0, "rare", asked_by=UNKNOWN)
    hunt.tell(1, "common", asked_by=UNKNOWN)
    hunt.tell(2, "common", asked_by=UNKNOWN)
    known = Hunt(X, "malice", priors=[0.1], background="common")
    for row, label in [(0, "rare"), (1, "common"), (2, "common")]:
        known.tell(row, label, asked_by=UNKNOWN)
    assert hunt.ask() == known.ask()


def test_telling_the_same_twice_is_harmless_and_a_contradiction_is_refused():
    hunt = hunt_with("random")
    hunt.tell(4, "a")
    hunt.tell(4, "a")
    assert hunt.labels == {4: "a"}
    with pytest.raises(StateError, match=r"Row 4 was told 'a' before and cannot also be 'b'.*undo"):
        hunt.tell(4, "b")
    with pytest.raises(StateError, match="cannot be skipped"):
        hunt.skip(4)


def test_a_skipped_record_may_still_be_told():
    hunt = hunt_with("random")
    hunt.skip(4)
    hunt.tell(4, "a")
    assert hunt.labels == {4: "a"}


def test_labels_of_any_kind_are_kept_as_they_are():
    hunt = hunt_with("random")
    hunt.tell(0, 1)
    hunt.tell(1, ("tuple", 2))
    hunt.tell(np.int64(2), np.str_("text"))
    assert hunt.labels == {0: 1, 1: ("tuple", 2), 2: "text"}


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda h: h.tell(30, "a"), UnknownNameError, "no row 30: the hunt has 30 records"),
        (lambda h: h.tell(-1, "a"), UnknownNameError, "no row -1"),
        (lambda h: h.tell(1.5, "a"), ParameterError, "whole number from 0. Got 1.5"),
        (lambda h: h.tell(1, None), ParameterError, "Got None instead; use skip"),
        (lambda h: h.tell(1, ["a"]), ParameterError, "must be a name or number"),
        (lambda h: h.tell(1, float("nan")), ParameterError, "label of row 1 is empty"),
        (lambda h: h.tell(1, "  "), ParameterError, "label of row 1 is empty"),
        (lambda h: h.ask(exclude=3), ParameterError, "'exclude' parameter of Hunt.ask"),
        (lambda h: h.undo(), StateError, "nothing to undo"),
        (lambda h: h.undo(3), StateError, "Nothing was told of row 3"),
        (lambda h: h.ask(0), ParameterError, "'count' parameter of Hunt.ask"),
        (lambda h: h.ask(exclude=range(30)), StateError, "nothing left to ask"),
    ],
)
def test_wrong_calls_are_refused_in_words(call, error, words):
    with pytest.raises(error, match=words):
        call(hunt_with("random"))


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"X": [[1.0], [np.nan]]}, DataError, "Row 1, column 0 holds nan"),
        ({"X": [[1.0], [np.inf]]}, DataError, "holds inf"),
        ({"X": [[1.0], [1.0]]}, DataError, "at least two different records"),
        ({"X": [1.0, 2.0]}, DataError, "1 dimension"),
        ({"X": [[0.0, np.nan], [1.0, 0.0]]}, DataError, r"as pandas.DataFrame\(X\), gaps are fine"),
        ({"X": [{"a": 1.0}, {"a": 2.0}]}, DataError, "Make a table of dicts, as with pandas"),
        ({"X": np.zeros((3, 1, 1, 1, 2))}, DataError, r"reshape it with X.reshape\(len\(X\), -1\)"),
        ({"X": ["ab", "cd"]}, DataError, "pass a kernel"),
        ({"strategy": "malic"}, UnknownNameError, "Did you mean 'malice'"),
        ({"strategy": 3}, ParameterError, "'strategy' parameter must be a name"),
        ({"kernel": "gausian"}, UnknownNameError, "Did you mean 'gaussian'"),
        ({"priors": [0.6, 0.5]}, ParameterError, "sum to less than 1.*They sum to 1.1"),
        ({"priors": [0.001]}, ParameterError, "expects less than one of the 30 records"),
        ({"priors": {"a": -1}}, ParameterError, "class 'a' must be a share between 0 and 1"),
        ({"priors": [True]}, ParameterError, "entry 0 must be a share"),
        ({"priors": []}, ParameterError, "holds no class"),
        ({"priors": "many"}, ParameterError, "mapping of class to share"),
        ({"background": {"a": 1}}, ParameterError, "'background' parameter of Hunt"),
        (
            {"X": ["ab", "ba", "aa"], "kernel": Spectrum(20)},
            DataError,
            "Spectrum finds nothing in any of the records",
        ),
        ({"random_state": -1}, ParameterError, "'random_state' parameter of Hunt"),
    ],
)
@pytest.mark.filterwarnings("ignore::rarefind.core.errors.RarefindWarning")
def test_wrong_arguments_are_refused_in_words(arguments, error, words):
    given_arguments = {"X": X, "strategy": "random", **arguments}
    with pytest.raises(error, match=words):
        Hunt(**given_arguments)


def test_identical_records_are_asked_once_before_all_others_are():
    copies = np.repeat(X[:5], 4, axis=0)
    hunt = discover(copies, lambda row: "x", "malice", 5, priors=[0.2])
    assert len({row // 4 for row in hunt.labels}) == 5


@pytest.mark.parametrize("name", ["auto", "malice", "random"])
def test_records_may_be_added_while_the_hunt_runs(name):
    hunt = Hunt(X[:20], name, priors=STRATEGIES[name])
    for _ in range(4):
        row = hunt.ask().row
        hunt.tell(row, TRUTH[row])
    told = hunt.labels
    hunt.append(X[20:])
    assert hunt.n_records == 30
    assert hunt.labels == told
    again = Hunt(X[:20], name, priors=STRATEGIES[name])
    again.append(X[20:])
    again.replay(hunt.events)
    assert again.ask() == hunt.ask()
    rows = [question.row for question in hunt.ask(26)]
    assert set(rows) == set(range(30)) - set(told)


def test_records_of_any_kind_may_be_added():
    import pandas as pd

    table = pd.DataFrame({"a": [1.0, 2.0, 3.0], "b": ["x", "y", "x"]})
    hunt = Hunt(table, "random")
    hunt.append(table.iloc[:1])
    assert hunt.n_records == 4
    words = Hunt(["ab", "ba", "aa"], "random", kernel=Spectrum(1))
    words.append(["bb"])
    assert words.n_records == 4


def test_what_does_not_fit_is_not_added_and_nothing_is_lost():
    hunt = hunt_with("random")
    hunt.tell(0, "a")
    with pytest.raises(DataError, match=r"Hunt.append cannot add|finite numbers"):
        hunt.append([[1.0, 2.0]])
    with pytest.raises(DataError, match="finite numbers"):
        hunt.append([[1.0, 2.0, np.nan]])
    assert hunt.n_records == 30
    assert hunt.labels == {0: "a"}
    given_matrix = Hunt(np.eye(3), "random", kernel="precomputed")
    with pytest.raises(StateError, match="cannot be added to a given matrix"):
        given_matrix.append([[1.0]])


def test_the_reason_names_the_features_that_stand_out():
    import pandas as pd

    rng = np.random.default_rng(0)
    table = pd.DataFrame(rng.normal(size=(60, 3)), columns=["amount", "hour", "age"])
    table.loc[59, ["amount", "hour"]] = [9.0, -8.0]
    question = Hunt(table).ask()
    assert question.row == 59
    assert question.why.endswith("It differs most in hour and amount.")


def test_a_table_of_numbers_may_have_gaps_but_nothing_infinite():
    import pandas as pd
    import polars as pl

    numbers = np.vstack([np.random.default_rng(0).normal(size=(40, 2)), [[30.0, 30.0]]])
    numbers[3, 1] = np.nan
    table = pd.DataFrame(numbers, columns=["amount", "hour"])
    whole = pd.DataFrame(
        {"amount": pd.array([1, 2, None] * 9, dtype="Int64"), "hour": [1, 2, 3] * 9}
    )
    for records in (table, pl.from_pandas(table)):
        assert Hunt(records).ask().row == 40
    assert Hunt(whole, "random").n_records == 27
    table.loc[5, "hour"] = np.inf
    for records in (table, pl.from_pandas(table)):
        with pytest.raises(DataError, match="Row 5 of column 'hour' is infinite"):
            Hunt(records)


def test_a_hunt_shows_how_far_it_has_come():
    hunt = Hunt(X, "random")
    assert repr(hunt) == "<Hunt in 30 records by RandomSampling: 0 labels, found nothing rare yet>"
    hunt.tell(0, "usual", asked_by=UNKNOWN)
    assert repr(hunt) == "<Hunt in 30 records by RandomSampling: 1 label, found nothing rare yet>"
    for row, label in enumerate(["usual", "usual", "odd", 7]):
        hunt.tell(row, label)
    assert repr(hunt) == "<Hunt in 30 records by RandomSampling: 4 labels, found odd, 7>"


def test_a_table_with_a_column_that_tells_records_apart_gets_a_warning():
    import pandas as pd

    table = pd.DataFrame({"amount": X[:, 0], "nr": range(30), "order_id": X[:, 1].round() * 7})
    with pytest.warns(RarefindWarning) as said:
        Hunt(table, "random")
    (warning,) = said
    assert str(warning.message).startswith(
        "Left out of the comparison: 'nr' (counts the rows), 'order_id' (whole numbers, and its "
        "name). To keep a column, say"
    )
    assert said[0].filename == __file__
    Hunt(table[["amount"]], "random")
    Hunt(table[["nr"]], "random")


@pytest.mark.parametrize("dates", [False, True], ids=["times", "dates"])
def test_a_table_is_compared_by_its_dates_too(dates):
    import pandas as pd
    import polars as pl

    days = pd.to_datetime(["2026-01-01", "2026-01-02"] * 20 + ["2019-05-05", None])
    table = pl.from_pandas(pd.DataFrame({"day": days, "kind": ["a", "b"] * 21}))
    if dates:
        table = table.with_columns(pl.col("day").dt.date())
    for records in (table, table.to_pandas()):
        assert Hunt(records, background="usual").ask().row == 40


def test_a_search_for_classes_does_not_stop_before_the_ordinary_one_is_known():
    crowd = np.vstack([X, [[50.0, 50.0, 50.0]]])
    hunt = discover(crowd, lambda row: "odd" if row == 30 else "even", budget=20, classes=1)
    assert hunt.found == {"odd": 30}
    assert hunt.background == {"even"}
    with pytest.raises(ParameterError, match="'classes' parameter of discover"):
        discover(crowd, lambda row: "x", classes=0)


@pytest.mark.parametrize(
    ("X", "kernel", "words"),
    [
        (["abc", "abd", "xyz"], "spectrum(2)", "a kernel compares records as they are"),
        (sparse.csr_array(np.eye(3)), None, "the rows of a sparse matrix are taken as they are"),
        (Precomputed(1.0 - np.eye(3)), None, "given distances are taken as they are"),
    ],
    ids=["kernel", "sparse", "distances"],
)
def test_a_scale_that_would_be_left_out_is_refused(X, kernel, words):
    for scale in ("standard", "squash"):
        with pytest.raises(ParameterError, match=words):
            Hunt(X, kernel=kernel, scale=scale)
    assert len(Hunt(X, kernel=kernel, scale="none").ask(3)) == 3
