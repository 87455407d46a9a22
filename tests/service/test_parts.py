from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.asked_by import UNKNOWN
from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.kernels.graphs.smiles import read_smiles
from rarefind.records.shown.column_facts import NumberFacts, StringFacts, TermFacts, WordFacts
from rarefind.records.shown.graph_layout import layout
from rarefind.service.asking.news import Leased, Ready, Subscriptions
from rarefind.service.asking.pool import QuestionPool
from rarefind.service.asking.tally import Tally
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.contract import Candidate, Event
from rarefind.store.rules.projection import Projection
from rarefind.store.rules.renames import rename_value

WORDS = st.tuples(
    st.sampled_from(["label", "label", "skip", "undo", "rename"]),
    st.integers(0, 3),
    st.sampled_from(["a", "b"]),
    st.sampled_from(["anna", "bert", "cleo"]),
)


@given(st.lists(WORDS, max_size=25))
def test_the_tally_equals_the_projection(words):
    projection = Projection()
    tally = Tally(projection)
    standing = []
    for seq, (kind, row, value, who) in enumerate(words, start=1):
        if kind == "undo":
            if not standing:
                continue
            taken = standing.pop(row % len(standing))
            event = Event(f"e{seq}", "h", "undo", None, taken, who, 0.0, seq=seq)
        elif kind == "rename":
            event = Event(f"e{seq}", "h", kind, None, rename_value(value, "c"), who, 0.0, seq=seq)
            standing.append(event.id)
        else:
            said = value if kind == "label" else None
            by = UNKNOWN if seq % 2 else None
            event = Event(f"e{seq}", "h", kind, row, said, who, 0.0, asked_by=by, seq=seq)
            standing.append(event.id)
        projection.apply(event)
        tally.hear(event)
        if seq % 3 == 0:
            assert tally.labels == projection.agreed
    assert tally.labels == projection.agreed
    assert list(tally.labels) == list(projection.agreed)
    spoken = {}
    for word in projection.statements:
        spoken.setdefault(word.row, set()).add(word.annotator)
    assert tally.speakers == spoken
    first = {}
    for word in projection.statements:
        if (word.row in projection.agreed) == (word.label is not None):
            first.setdefault(word.row, word)
    assert [(each.row, each.asked_by) for each in tally.said] == [
        (row, word.asked_by) for row, word in first.items()
    ]
    assert sorted(tally.skipped) == sorted(projection.skipped)
    assert tally.counts == projection.counts
    assert tally.disagreements == projection.disagreements
    labelled = {said.row: said.label for said in tally.said if said.label is not None}
    assert labelled == projection.agreed


def test_the_pool_offers_what_is_fresh_first_and_keeps_the_rest_in_reserve():
    pool = QuestionPool()
    pool.renew(0)
    pool.add([Candidate(1, "a"), Candidate(2, "b")], pool.generation)
    pool.renew(1)
    pool.add([Candidate(3, "c"), Candidate(2, "fresh")], pool.generation)
    assert pool.wait(1, 2, 0.0)
    assert not pool.wait(2, 1, 0.01)
    taken = pool.take(4)
    assert [(each.row, each.why) for each in taken] == [(3, "c"), (2, "fresh"), (1, "a")]
    pool.put_back(taken[:2])
    assert [each.row for each in pool.take(1)] == [3]
    pool.take(1)
    pool.settle("nothing")
    assert pool.wait(1, 5, 0.0)
    assert pool.nothing_left == "nothing"
    pool.reopen()
    assert not pool.wait(1, 5, 0.01)


def test_what_was_begun_before_the_pool_was_renewed_comes_too_late():
    pool = QuestionPool()
    pool.renew(0)
    begun = pool.generation
    pool.add([Candidate(1, "a")], begun, clear_of=[7])
    assert pool.clear_of == {7}
    pool.renew(0)
    pool.add([Candidate(2, "b")], begun, clear_of=[8])
    pool.settle("nothing", begun)
    assert (len(pool), pool.clear_of, pool.nothing_left) == (0, frozenset(), None)
    assert not pool.wait(0, 1, 0.01)
    pool.add([Candidate(3, "c")], pool.generation)
    pool.add([Candidate(4, "d")], pool.generation, clear_of=[9])
    assert [each.row for each in pool.take(2)] == [3, 4]
    assert pool.clear_of == {9}


def test_whoever_listens_hears_of_their_hunt_until_they_go():
    news, first, second = Subscriptions(), [], []
    news.subscribe("h", first.append)
    news.subscribe("h", second.append)
    news.publish("h", Ready())
    news.publish("other", Ready())
    news.unsubscribe("h", first.append)
    news.publish("h", Leased(3, "anna"))
    assert first == [Ready()]
    assert second == [Ready(), Leased(3, "anna")]
    assert news.hunts() == ["h"]
    news.unsubscribe("h", second.append)
    assert not news.hunts()


@given(st.lists(st.floats(-1e6, 1e6), min_size=2, max_size=60), st.data())
def test_shares_of_numbers_are_those_counted_one_by_one(values, data):
    column = np.array(values)
    value = data.draw(st.sampled_from(values))
    middle = float(np.median(column))
    as_far = np.mean(np.abs(column - middle) >= abs(value - middle))
    at_this_end = column >= value if value >= middle else column <= value
    facts = NumberFacts(column)
    expected = min(as_far, 2 * np.mean(at_this_end))
    assert facts.unusual(value).share == pytest.approx(expected)
    assert 0 <= facts.unusual(value).level <= 1


def test_the_low_end_of_a_lopsided_column_is_marked():
    amounts = np.concatenate([np.geomspace(1.0, 5000.0, 992), np.linspace(-9.0, -2.0, 8)])
    facts = NumberFacts(amounts)
    assert all(facts.unusual(value).marked for value in amounts[992:])
    assert facts.unusual(-9.0).words == "lower than all others"
    assert facts.unusual(5000.0).marked
    assert not facts.unusual(10.0).marked


def test_missing_cells_are_told_as_such():
    assert NumberFacts(np.array([1.0, np.nan])).unusual(np.nan).share == 0.5
    assert "missing here" in WordFacts(np.array(["a", None], object)).unusual(None).words
    assert NumberFacts(np.array([np.nan])).histogram(1.0) is None
    assert NumberFacts(np.array([3.0, 3.0])).histogram(3.0) is None


def test_rare_pieces_of_a_sequence_are_marked():
    column = np.array(["AAAAAAAA"] * 99 + ["AAATTTAA"], dtype=object)
    assert StringFacts(column).marks("AAATTTAA") == [(1, 8)]
    assert StringFacts(column).marks("AAAAAAAA") == []


def test_rare_words_of_a_text_are_marked_where_a_browser_counts_them():
    column = np.array(["the paper tray is empty"] * 99 + ["the dump of hashes"], dtype=object)
    facts = TermFacts(column)
    assert facts.marks("the paper tray is empty") == []
    assert facts.marks("\U0001f600 the dump, the Dump") == [(7, 11), (17, 21)]
    assert facts.marks("") == []


@pytest.mark.parametrize(
    ("smiles", "atoms", "bonds"),
    [
        ("C", 1, 0),
        ("CCO", 3, 2),
        ("C1CC1", 3, 3),
        ("c1ccccc1C(=O)[O-]", 9, 9),
        ("[NH4+].[Cl-]", 2, 0),
        ("C%10CC%10", 3, 3),
        ("CC(C)(C)Br", 5, 4),
        ("F/C=C/F", 4, 3),
    ],
)
def test_molecules_are_read(smiles, atoms, bonds):
    read = read_smiles(smiles)
    assert (len(read.atoms), len(read.bonds)) == (atoms, bonds)


@pytest.mark.parametrize("text", ["C[", "C[?]", "Q", "C)", "1C", "C C"])
def test_what_is_no_molecule_is_refused(text):
    with pytest.raises(DataError, match="is no SMILES notation"):
        read_smiles(text)


def test_layouts_keep_neighbours_near():
    ring = [(number, (number + 1) % 12) for number in range(12)]
    points = layout(12, ring)
    side = np.linalg.norm(points[0] - points[1])
    across = np.linalg.norm(points[0] - points[6])
    assert across > 1.5 * side
    assert layout(1, []).tolist() == [[0.0, 0.0]]


@pytest.mark.parametrize("size", [3, 5, 6, 8])
def test_rings_are_drawn_regular(size):
    points = layout(size, [(number, (number + 1) % size) for number in range(size)])
    sides = np.linalg.norm(points - np.roll(points, 1, axis=0), axis=1)
    np.testing.assert_allclose(sides, sides.mean(), rtol=0.02)


def test_parts_that_are_not_connected_stand_side_by_side():
    points = layout(5, [(0, 1), (1, 2), (3, 4)])
    assert points[:3, 0].max() < points[3:, 0].min()
    np.testing.assert_array_equal(points, layout(5, [(0, 1), (1, 2), (3, 4)]))


def test_settings_come_back_as_they_were_kept_and_wrong_ones_are_refused():
    settings = HuntSettings(background=("a", "b"), kinds={"x": "id"}, overlap=2)
    assert HuntSettings.from_mapping(settings.as_mapping()) == settings
    with pytest.raises(UnknownNameError, match="There is no setting 'stratgy'"):
        HuntSettings.from_mapping({"stratgy": "auto"})
    with pytest.raises(ParameterError, match="'overlap' parameter of HuntSettings"):
        HuntSettings(overlap=0).check()
    with pytest.raises(ParameterError, match="names of classes"):
        HuntSettings(background=("",)).check()
