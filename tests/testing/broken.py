"""How the tests of a suite show that every one of its rules can be broken."""

from __future__ import annotations

import pytest


def sentence(rule):
    """What a suite says of a rule."""
    return " ".join(rule.__doc__.split())


def assert_breaks(check, rule, example):
    """The suite names the rule (its first words) and an example against it, in one line."""
    with pytest.raises(AssertionError) as caught:
        check()
    said = str(caught.value)
    assert f"breaks the rule: {rule}" in said
    assert example in said
    assert "\n" not in said


def assert_every_rule_is_tried(rules, tried):
    """For each rule there is something that breaks it."""
    assert [said for said in map(sentence, rules) if not said.startswith(tuple(tried))] == []
