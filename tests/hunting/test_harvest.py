from __future__ import annotations

import numpy as np
import pytest

import rarefind as rf
from rarefind.core.asked_by import HARVEST, UNKNOWN
from rarefind.core.errors import (
    DataError,
    NotAvailableError,
    ParameterError,
    StateError,
    UnknownNameError,
)
from rarefind.discovery.contract.event import Event
from rarefind.hunting import progress_line
from rarefind.hunting.forecast import (
    FEWEST_LOOKS,
    Forecast,
    Interval,
    chance_by_place,
    circumstances,
    foresee,
    learnt_numbers,
    left_and_needed,
)
from rarefind.hunting.harvest_round import new_class, other_class


def knot(rare=30, ordinary=300, seed=0):
    rng = np.random.default_rng(seed)
    return np.vstack([rng.normal(size=(ordinary, 3)), rng.normal(2.5, 0.4, size=(rare, 3))])


def begun(rare=30, ordinary=300, **settings):
    hunt = rf.Hunt(knot(rare, ordinary), strategy="random", **settings)
    for row in range(12):
        hunt.tell(row, "ordinary", asked_by=UNKNOWN)
    hunt.tell(ordinary, "odd", asked_by=UNKNOWN)
    return hunt


def test_rounds_bring_the_class_home_and_every_answer_is_one_of_the_hunt():
    hunt = begun()
    harvest = hunt.harvest("odd", "lago")
    found = [harvest.found]
    for _ in range(4):
        looks = harvest.ask()
        assert len(looks) == 10
        assert [look.row for look in harvest.ask()] == [look.row for look in looks]
        for look in looks:
            harvest.tell(look.row, look.row >= 300)
        found.append(harvest.found)
    assert found[0] == 1
    assert found[-1] == 30
    assert harvest.looked == 40
    assert len(hunt.labels) == 13 + 40
    asked = [event.asked_by for event in hunt.events[13:]]
    assert all(by is not None and by.member == HARVEST for by in asked)
    assert all("chance" not in by.notes for by in asked[:10])  # nothing is known of lago's
    assert all(0.0 <= by.notes["chance"] <= 1.0 for by in asked[10:])
    assert "30 found in 40 looks" in repr(harvest)


def test_a_harvest_made_again_from_the_events_goes_on_where_it_was():
    hunt = begun()
    harvest = hunt.harvest("odd", "lago")
    for look in harvest.ask(7):
        harvest.tell(look.row, look.row >= 300)
    other = begun()
    other.restore(hunt.events)
    again = other.harvest("odd", "lago")
    assert again.ask() == harvest.ask()
    assert again.looked == harvest.looked == 7
    assert str(again.forecast()) == str(harvest.forecast())


def test_the_class_brought_home_does_not_become_the_ordinary_one():
    hunt = begun()
    harvest = hunt.harvest("odd", "lago")
    while harvest.found < 30:
        for look in harvest.ask():
            harvest.tell(look.row, look.row >= 300)
    told = list(hunt.labels.values())
    assert told.count("odd") > told.count("ordinary") - 12
    assert hunt.background == frozenset(["ordinary"])
    hunt.undo()
    assert hunt.background == frozenset(["ordinary"])
    assert set(hunt.found) == {"odd"}


def test_a_class_nobody_knew_ends_the_round_and_asking_goes_on():
    hunt = begun()
    harvest = hunt.harvest("odd", "lago")
    first, second, *_ = harvest.ask()
    assert harvest.ended is None
    harvest.tell(first.row, "unheard of")
    assert harvest.ended == f"Row {first.row} is of a class that nobody knew: unheard of."
    harvest.tell(second.row, "unheard of")
    assert harvest.ended is None
    assert "unheard of" in hunt.found


def test_another_harvest_does_not_count_as_looks_of_this_one():
    hunt = begun()
    harvest = hunt.harvest("odd", "lago")
    harvest.tell(harvest.ask()[0].row, "strange")
    other = hunt.harvest("strange", "lago")
    other.tell(other.ask()[0].row, False)
    assert (harvest.looked, other.looked) == (1, 1)
    assert list(hunt.labels.values())[-1] == "ordinary"


def test_the_ranking_of_a_round_shows_its_progress_as_its_hunt_does(capsys, monkeypatch):
    monkeypatch.setattr(progress_line, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress_line, "BETWEEN_SECONDS", 0.0)
    for shown in (None, True):
        harvest = begun(progress=shown).harvest("odd", "lago")
        capsys.readouterr()  # what the hunt itself showed
        harvest.ask()
        assert ("rarefind: scoring" in capsys.readouterr().err) is bool(shown)


def test_skipped_records_and_those_told_unasked_are_not_shown():
    hunt = begun()
    harvest = hunt.harvest("odd", "lago")
    first, second, *_ = (look.row for look in harvest.ask())
    harvest.skip(first)
    hunt.tell(second, "odd")
    assert not {first, second} & {look.row for look in harvest.ask()}
    assert harvest.looked == 0
    assert harvest.found == 2


def test_nothing_left_is_an_end_and_not_a_failure():
    hunt = begun(rare=3, ordinary=20)
    harvest = hunt.harvest("odd", "lago")
    for row in range(12, 23):
        if row not in hunt.labels:
            hunt.tell(row, "odd" if row >= 20 else "ordinary")
    assert "nothing is left to look at" in harvest.ended
    with pytest.raises(StateError, match="All 23 records are labelled or skipped"):
        harvest.ask()


def test_mistakes_are_told_in_a_sentence():
    hunt = begun()
    with pytest.raises(UnknownNameError, match=r"There is no class 'od'. Did you mean 'odd'"):
        hunt.harvest("od")
    with pytest.raises(ParameterError, match=r"'enough' parameter of Hunt.harvest"):
        hunt.harvest("odd", enough=0.0)
    with pytest.raises(ParameterError, match=r"'count' parameter of Harvest.ask"):
        hunt.harvest("odd").ask(0)
    with pytest.raises(DataError, match="a 'no' has no name"):
        other_class(["odd"], [], "odd")


def test_a_no_is_the_ordinary_class_or_the_one_told_most_often():
    told = ["odd", "b", "a", "a"]
    assert other_class(told, ["ordinary"], "odd") == "ordinary"
    assert other_class(told, ["odd"], "odd") == "a"
    assert other_class(told, [], "odd") == "a"
    assert new_class([Event(0, "odd"), Event(1, "b")], "odd") is None


def test_chances_fall_and_add_up_to_what_is_left():
    seen = circumstances([True, False] * 10, 11, 40, 0.5)
    learnt = learnt_numbers()["looked"]
    chances = chance_by_place(seen, 500, learnt)
    assert (np.diff(chances) <= 0).all()
    left, needed = left_and_needed(chances, 11)
    assert left == pytest.approx(chances.sum())
    found = np.cumsum(chances)
    wanted = 0.95 * (11 + left) - 11
    assert found[int(needed) - 1] >= wanted > found[int(needed) - 2]
    assert left_and_needed(np.full(10, 1e-6), 50)[1] == 0.0
    worse = chance_by_place(circumstances([False] * 20, 11, 40, 0.5), 500, learnt)
    assert worse[0] < chances[0]


def test_a_forecast_is_told_with_an_interval_after_two_rounds():
    hunt = begun(rare=18)
    harvest = hunt.harvest("odd", "lago")
    assert harvest.forecast().left is None
    assert f"after {FEWEST_LOOKS} looks" in str(harvest.forecast())
    while harvest.looked < FEWEST_LOOKS:
        for look in harvest.ask():
            harvest.tell(look.row, look.row >= 300)
    told = harvest.forecast()
    assert told.left.low <= told.left.likely <= told.left.high <= len(harvest.ranking.rows)
    assert told.looks_needed.low <= told.looks_needed.high
    assert "Left to find: about" in str(told)
    assert told.chance(0) == pytest.approx(float(told.chances[0]))
    assert told.chance(10**6) is None


def test_nothing_is_said_of_what_is_left_while_every_look_is_of_the_class():
    quality = begun().rank("odd", "lago").quality
    hits = foresee([True] * 20, quality, 300, 40)
    assert (hits.left, hits.looks_needed, hits.over()) == (None, None, None)
    assert "How many are left can be told once a round brings others, too." in str(hits)
    assert foresee([True] * 19 + [False], quality, 300, 40).left is not None


def test_after_a_round_without_a_find_none_may_be_left():
    quality = begun().rank("odd", "lago").quality
    assert foresee([True] * 11 + [False] * 9, quality, 3000, 40).left.low > 0.0
    without = foresee([True] * 11 + [False] * 10, quality, 3000, 40)
    assert without.left.low == without.looks_needed.low == 0.0
    assert without.left.high > without.left.likely > 0.0


def test_what_a_harvest_looks_at_tells_nothing_about_classes_not_seen():
    hunt = begun()
    before = hunt.outlook()
    harvest = hunt.harvest("odd", "lago")
    for look in harvest.ask(20):
        harvest.tell(look.row, look.row >= 300)
    after = hunt.outlook()
    assert after.brought == before.brought + 20
    assert (after.labels, after.since_last_new) == (before.labels, before.since_last_new)
    assert after.largest_unseen_share == before.largest_unseen_share


def test_three_rounds_without_a_find_are_told_as_a_reason_to_stop():
    quality = begun().rank("odd", "lago").quality
    going = foresee([True] + [False] * 29, quality, 300, 40)
    assert going.dry == 29
    assert going.over() is None
    dry = foresee([True] + [False] * 30, quality, 300, 40)
    assert "The last 30 looks found none" in dry.over()


def test_a_ranking_tells_the_chances_of_its_first_rows():
    hunt = begun()
    with pytest.raises(NotAvailableError, match="Chances cannot be told for a ranking by lago"):
        hunt.rank("odd", "lago").chances()
    chances = hunt.rank("odd").chances(5)
    assert chances.shape == (5,)
    assert ((chances > 0) & (chances < 1)).all()
    assert (np.diff(chances) <= 0).all()


def test_of_records_that_a_kernel_compares_nothing_is_told_that_was_found_wrong():
    rng = np.random.default_rng(0)
    letters = [np.array(list(some)) for some in ("acgt", "aaat")]
    words = ["".join(rng.choice(letters[place >= 40], 12)) for place in range(70)]
    hunt = rf.Hunt(words, "random", kernel=rf.kernels.Spectrum(2))
    for row in [*range(20), *range(40, 50)]:
        hunt.tell(row, "odd" if row >= 40 else "ordinary", asked_by=UNKNOWN)
    for model in ("auto", "svm"):
        quality = hunt.rank("odd", model).quality
        assert quality.average_precision is quality.low is quality.high is None
        assert quality.held_out > quality.chance
        assert "cannot be told where a kernel compares them" in quality.sentence
    with pytest.raises(NotAvailableError, match="where a kernel compares the records"):
        hunt.rank("odd").chances()
    harvest = hunt.harvest("odd")
    first = harvest.ask()
    assert all(look.chance is None for look in first)
    assert "The chance of each record can be told after 10 looks" in str(harvest.forecast())
    for look in first:
        harvest.tell(look.row, look.row >= 40)
    assert all(0.0 < look.chance < 1.0 for look in harvest.ask())
    quality = hunt.rank("odd", "lago").quality
    told = foresee([True, False] * 10, quality, 300, 40, by_kernel=True)
    assert "where a kernel compares the records it is a guess" in str(told)
    assert "guess" not in str(foresee([True, False] * 10, quality, 300, 40))
    over = Forecast(95, 120, np.zeros(3), Interval(1.0, 0.0, 5.0), None, by_kernel=True).over(0.95)
    assert over.endswith("where a kernel compares the records it is a guess.")


def test_it_is_over_when_even_the_most_that_may_be_left_is_little():
    def over(most):
        return Forecast(95, 120, np.zeros(3), Interval(1.0, 0.0, most), None).over(0.95)

    assert over(6.0) is None
    assert "at least 95% are found in nine cases of ten" in over(5.0)
    assert Forecast(95, 0, np.zeros(3), None, None).over() is None
