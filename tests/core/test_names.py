from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core import names
from rarefind.core.errors import UnknownNameError
from rarefind.core.names import Registry, mistyped_name, same_name, slips, unknown_name


def test_a_registry_imports_what_a_name_stands_for():
    registry = Registry("thing", "rarefind.things", {"path": "pathlib:Path"})
    from pathlib import Path

    assert registry.get("path") is Path
    assert registry.names() == ["path"]


def test_installed_packages_come_through_the_same_door(monkeypatch):
    plugin = EntryPoint("theirs", "collections:Counter", "rarefind.things")
    monkeypatch.setattr(names, "entry_points", lambda group: [plugin])
    registry = Registry("thing", "rarefind.things", {"path": "pathlib:Path"})
    from collections import Counter

    assert registry.names() == ["path", "theirs"]
    assert registry.get("theirs") is Counter


def test_an_unknown_name_lists_the_nearest_and_all():
    registry = Registry("thing", "rarefind.things", {"path": "pathlib:Path"})
    with pytest.raises(UnknownNameError) as problem:
        registry.get("pth")
    expected = "There is no thing 'pth'. Did you mean 'path'? Available: path."
    assert str(problem.value) == expected
    assert isinstance(problem.value, LookupError)


def test_long_lists_are_cut_and_empty_ones_said():
    assert "and 70 more" in str(unknown_name("row", "x", range(100)))
    assert "Available: none." in str(unknown_name("row", "x", []))


@given(st.text("abcd", min_size=1, max_size=6), st.text("abcd", min_size=1, max_size=6))
def test_slips_are_counted_as_the_plain_definition_counts_them(word, other):
    def slow(a, b):
        if not a or not b:
            return len(a) + len(b)
        ways = [slow(a[1:], b) + 1, slow(a, b[1:]) + 1, slow(a[1:], b[1:]) + (a[0] != b[0])]
        if len(a) > 1 and len(b) > 1 and a[:2] == b[1::-1]:
            ways.append(slow(a[2:], b[2:]) + 1)
        return min(ways)

    assert slips(word, other) == slow(word, other)


@pytest.mark.parametrize(
    ("typed", "known", "meant"),
    [
        ("fraude", "Fraud", "Fraud"),
        ("rueckbuchung", "Rückbuchung", "Rückbuchung"),
        ("card fruad", "card fraud", "card fraud"),
        ("giftcrad", "gift card", "gift card"),
        ("gift-crad", "gift card", "gift card"),
        ("case 1", "case 2", None),
        ("type a", "type b", None),
        ("atypical", "typical", None),
        ("abnormal", "normal", None),
        ("new", "few", None),
        ("", "normal", None),
    ],
)
def test_slips_of_the_finger_are_told_from_other_names(typed, known, meant):
    assert mistyped_name(typed, ["something", known]) == meant
    assert same_name(typed, [known]) is None


@pytest.mark.parametrize(
    "typed", ["giftcard", "gift-card", "gift_card", "Gift  Card", "GIFT - card"]
)
def test_names_that_differ_in_what_parts_their_words_are_the_same(typed):
    assert same_name(typed, ["gift voucher", "gift card"]) == "gift card"
    assert same_name("gift card", [typed]) == typed


@pytest.mark.parametrize(
    ("typed", "known"), [("case 1-2", "case 12"), ("a-", "a"), ("-", "_"), ("type 1", "type 2")]
)
def test_names_that_differ_in_more_are_not_the_same(typed, known):
    assert same_name(typed, [known]) is None
