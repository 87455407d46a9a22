"""Who asked is plain data that comes back as it went."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import ParameterError

names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=40)
finite = st.floats(allow_nan=False, allow_infinity=False)


@given(names, st.dictionaries(names, finite, max_size=16))
def test_what_is_written_is_read_again_to_the_last_digit(member, notes):
    asked_by = AskedBy(member, notes)
    again = AskedBy.read(asked_by.written())
    assert again == asked_by
    assert again.written() == asked_by.written()
    assert hash(again) == hash(asked_by)


def test_numbers_of_any_kind_become_plain():
    asked_by = AskedBy("knot", {"size": np.int64(7), "chance": np.float32(0.5)})
    assert asked_by.notes == {"size": 7.0, "chance": 0.5}
    assert [type(number) for number in asked_by.notes.values()] == [float, float]


def test_the_order_of_notes_does_not_matter():
    assert AskedBy("a", {"x": 1, "y": 2}).written() == AskedBy("a", {"y": 2, "x": 1}).written()
    assert AskedBy("a") != UNKNOWN


@pytest.mark.parametrize(
    ("member", "notes", "words"),
    [
        ("", {}, "member of AskedBy must be a text of 1 to 40 characters. Got ''"),
        (3, {}, "member of AskedBy must be a text"),
        ("a", {"": 1.0}, "name of a note of AskedBy"),
        ("a", {"x": float("nan")}, "note 'x' of AskedBy must be a finite number. Got nan"),
        ("a", {"x": "much"}, "note 'x' of AskedBy must be a finite number. Got 'much'"),
        ("a", [1.0], "must be at most 16 numbers by name"),
        ("a", {str(i): 0.0 for i in range(17)}, "must be at most 16 numbers by name"),
    ],
)
def test_what_is_not_plain_is_refused(member, notes, words):
    with pytest.raises(ParameterError, match=words):
        AskedBy(member, notes)
