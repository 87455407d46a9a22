from __future__ import annotations

import pytest

from rarefind.core.asked_by import HARVEST
from rarefind.core.errors import ParameterError, UnknownNameError


@pytest.fixture
def hunt(payments):
    begun = payments(background=("ordinary",))
    for row, label in enumerate(begun.truth[:12]):
        begun.service.tell(begun.id, row, label, "anna", asked=False)
    first = begun.truth.index("fraud")
    begun.service.tell(begun.id, first, "fraud", "anna", asked=False)
    return begun


def test_looks_answers_and_the_next_round(hunt):
    service = hunt.service
    made = service.harvest(hunt.id, "fraud", "anna", "lago", 4)
    assert [len(made.looks), made.found, made.looked] == [4, 1, 0]
    assert made.ended is None
    assert made.left is None
    for look in made.looks:
        answer = hunt.truth[look.row] == "fraud"
        kept = service.tell_look(hunt.id, "fraud", look.row, answer, "anna")
        assert kept.event.asked_by.member == HARVEST
        assert kept.event.value == hunt.truth[look.row]
    again = service.harvest(hunt.id, "fraud", "anna", "lago", 4)
    assert again.looked == 4
    assert again.found == 1 + sum(hunt.truth[look.row] == "fraud" for look in made.looks)
    assert not {look.row for look in again.looks} & {look.row for look in made.looks}


def test_two_people_do_not_get_the_same_records_and_one_gets_them_again(hunt):
    first = hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3)
    other = hunt.service.harvest(hunt.id, "fraud", "bert", "lago", 3)
    again = hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3)
    assert not {look.row for look in first.looks} & {look.row for look in other.looks}
    assert again.looks == first.looks


def test_a_class_nobody_knew_ends_the_round_and_is_one_of_the_hunt(hunt):
    look = hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3).looks[0]
    hunt.service.tell_look(hunt.id, "fraud", look.row, " new kind ", "anna")
    made = hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3)
    assert made.ended == f"Row {look.row} is of a class that nobody knew: new kind."
    assert made.looks
    assert "new kind" in [each.name for each in hunt.service.progress(hunt.id).classes]


def test_answers_of_a_harvest_do_not_make_its_class_the_ordinary_one(payments):
    hunt = payments()
    row = hunt.truth.index("fraud")
    hunt.service.tell(hunt.id, row, "fraud", "anna", asked=False)
    for ordinary in [place for place, word in enumerate(hunt.truth) if word == "ordinary"][:2]:
        hunt.service.tell(hunt.id, ordinary, "ordinary", "anna", asked=False)
    for _ in range(2):
        for look in hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3).looks:
            hunt.service.tell_look(hunt.id, "fraud", look.row, True, "anna")
    assert hunt.service.progress(hunt.id).background == ("ordinary",)


def test_skipping_and_taking_back_work_as_ever(hunt):
    first, second, _ = hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3).looks
    hunt.service.skip(hunt.id, first.row, "anna")
    hunt.service.tell_look(hunt.id, "fraud", second.row, True, "anna")
    hunt.service.undo(hunt.id, "anna")
    rows = [look.row for look in hunt.service.harvest(hunt.id, "fraud", "anna", "lago", 3).looks]
    assert first.row not in rows
    assert second.row in rows


def test_the_end_of_all_records_is_told(hunt):
    for row, label in enumerate(hunt.truth):
        hunt.service.tell(hunt.id, row, label, "anna", asked=False)
    made = hunt.service.harvest(hunt.id, "fraud", "anna", "lago")
    assert made.looks == ()
    assert made.found == 6
    assert "nothing is left to look at" in made.ended


def test_mistakes_are_told_in_a_sentence(hunt):
    service = hunt.service
    with pytest.raises(UnknownNameError, match=r"There is no class 'frau'. Did you mean 'fraud'"):
        service.harvest(hunt.id, "frau", "anna")
    with pytest.raises(ParameterError, match="'looks' parameter of harvest"):
        service.harvest(hunt.id, "fraud", "anna", looks=0)
    with pytest.raises(ParameterError, match="The answer about row 3 is empty"):
        service.tell_look(hunt.id, "fraud", 3, "  ", "anna")
    with pytest.raises(UnknownNameError, match="There is no row 999"):
        service.tell_look(hunt.id, "fraud", 999, True, "anna")
