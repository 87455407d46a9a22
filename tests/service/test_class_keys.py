"""Keys and colours of classes: given once, and never moved."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rarefind.discovery.class_keys import KEYS
from rarefind.service.asking.class_keys import ClassKey, ClassKeys
from rarefind.store import Event, Projection
from rarefind.store.rules.renames import rename_value


class Told:
    """A hunt that is spoken about."""

    def __init__(self, *named, ordinary=()):
        self.answers = ClassKeys(named, ordinary)
        self.projection = Projection()
        self.seq = 0

    def say(self, kind, row, value):
        self.seq += 1
        event = Event(f"e{self.seq}", "hunt", kind, row, value, "ann", 0.0, seq=self.seq)
        self.projection.apply(event)
        self.answers.hear(event, self.projection)
        return event.id

    def label(self, *names):
        return [self.say("label", self.seq, name) for name in names]

    def of(self, name, **wishes):
        return self.answers.of(name, wishes, {})


def test_keys_are_given_in_turn_and_a_digit_has_its_own():
    told = Told()
    told.label("weird", "3", "odd", "2", "1", "new")
    assert [told.of(name).key for name in ("weird", "3", "odd", "2", "1", "new")] == [
        "1", "3", "2", "4", "5", "6",
    ]  # fmt: skip


def test_names_beside_which_digits_are_expected_leave_them_their_keys():
    told = Told()
    told.label("-1", "1", "10", "2", "404", "plain")
    names = ("-1", "1", "10", "2", "404", "plain")
    assert [told.of(name).key for name in names] == ["a", "1", "b", "2", "3", "4"]


def test_a_class_named_by_a_digit_keeps_that_digit_free():
    told = Told("1", "weird", ordinary=["1"])
    assert (told.of("1"), told.of("weird")) == (ClassKey("1", 0), ClassKey("2", 1))


def test_more_than_ten_classes_get_letters_that_are_no_commands():
    told = Told()
    told.label(*(f"class {number}" for number in range(len(KEYS) + 2)))
    keys = [told.of(f"class {number}").key for number in range(len(KEYS) + 2)]
    assert "".join(key or "-" for key in keys) == KEYS + "--"
    assert not set(KEYS) & set("nsumjkyx?")
    assert len({told.of(f"class {n}").colour for n in range(30)}) == 30


def test_undo_and_the_same_name_again_give_the_same_key():
    told = Told()
    told.label("ash")
    (second,) = told.label("bay")
    told.say("undo", None, second)
    told.label("bay")
    assert told.of("bay").key == "2"


def test_a_class_that_is_gone_leaves_its_key_to_the_next():
    told = Told()
    told.label("ash")
    (slip,) = told.label("frued")
    told.say("undo", None, slip)
    told.label("fraud")
    assert told.of("fraud") == ClassKey("2", 2)
    assert told.of("frued") == ClassKey(None, 0)


def test_a_new_name_takes_key_and_colour_along_and_gives_them_back():
    told = Told()
    told.label("ash", "frued", "cob")
    id = told.say("rename", None, rename_value("frued", "fraud"))
    assert told.of("fraud") == ClassKey("2", 2)
    told.label("dun")
    assert told.of("dun") == ClassKey("4", 4)
    told.say("undo", None, id)
    assert told.of("frued") == ClassKey("2", 2)


def test_a_merge_leaves_the_other_class_as_it_was():
    told = Told()
    told.label("ash", "bay")
    id = told.say("rename", None, rename_value("ash", "bay"))
    assert told.of("bay") == ClassKey("2", 2)
    told.say("undo", None, id)
    assert (told.of("ash"), told.of("bay")) == (ClassKey("1", 1), ClassKey("2", 2))


def test_a_key_that_is_chosen_is_swapped():
    told = Told()
    told.label("ash", "bay", "cob")
    assert [told.of(name, cob="1").key for name in ("ash", "bay", "cob")] == ["3", "2", "1"]
    of = told.answers.of
    assert [of(name, {}, {"cob": 1}).colour for name in ("ash", "bay", "cob")] == [3, 2, 1]


words = st.tuples(st.integers(0, 6), st.sampled_from(["a", "b", "1", "2", "x", "y"]))


@given(st.lists(words, max_size=40))
def test_a_class_somebody_holds_never_moves(said):
    told, before = Told(), {}
    for row, name in said:
        told.say("label", row, name)
        held = {word.label for word in told.projection.statements}
        now = {each: told.of(each) for each in held}
        assert all(now[each] == answer for each, answer in before.items() if each in held)
        assert len({answer.key for answer in now.values()}) == len(held)
        assert len({answer.colour for answer in now.values()}) == len(held)
        before = now
