from __future__ import annotations

import threading
import time
import uuid
from concurrent.futures import ThreadPoolExecutor

import pytest

from rarefind.core.errors import DataError, ParameterError, StateError, UnknownNameError
from rarefind.discovery import Hunt
from rarefind.service.facade import Service
from rarefind.service.hunts.opened import NotReadyError
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from tests.waiting import PATIENCE


def test_somebody_alone_is_asked_exactly_what_the_hunt_asks(payments):
    hunt = payments(strategy="auto")
    live = hunt.service.opened(hunt.id)
    reference = live.data.hunt(live.settings)
    for _ in range(15):
        question = hunt.service.ask(hunt.id, "anna")[0]
        assert question.row == reference.ask().row
        assert question.why
        hunt.service.tell(hunt.id, question.row, hunt.truth[question.row], "anna")
        reference.tell(question.row, hunt.truth[question.row])


def test_a_question_comes_again_until_it_is_answered(payments):
    hunt = payments()
    first = hunt.service.ask(hunt.id, "anna")[0]
    again = hunt.service.ask(hunt.id, "anna")[0]
    assert (again.row, again.lease, again.why) == (first.row, first.lease, first.why)
    assert again.expires_at >= first.expires_at


def test_two_people_never_look_at_the_same_record(payments):
    hunt = payments()
    rows = []
    for _ in range(10):
        for who in ("anna", "bert", "carl"):
            rows.append(hunt.service.ask(hunt.id, who)[0].row)
        for who in ("anna", "bert", "carl"):
            row = hunt.service.ask(hunt.id, who)[0].row
            hunt.service.tell(hunt.id, row, hunt.truth[row], who)
    assert len(set(rows)) == len(rows) == 30


def test_a_strategy_that_breaks_is_told_and_goes_on_when_it_works_again(payments, monkeypatch):
    hunt = payments()
    hunt.answer()

    def broken(self, *args, **kwargs):
        raise ZeroDivisionError("division by zero")

    with monkeypatch.context() as broke:
        broke.setattr(Hunt, "ask", broken)
        with pytest.raises(StateError, match=r"'farthest-first' stopped with ZeroDivisionError"):
            hunt.service.ask(hunt.id, "anna", 3)
        hunt.service.tell(hunt.id, 5, "ordinary", "anna", asked=False)
    hunt.answer()
    assert hunt.service.progress(hunt.id).labels == 3


def test_who_asks_at_the_end_of_a_quiet_wait_is_not_forgotten(payments):
    hunt = payments()
    asks, nudged = threading.Event(), threading.Event()

    class EndsAsSomebodyAsks(threading.Event):
        """Nobody has come when the wait is over, and somebody comes before that is known."""

        def wait(self, timeout=None):
            woken = super().wait(timeout)
            if not woken and not asks.is_set():
                asks.set()
                nudged.wait(PATIENCE)
            return woken

        def set(self):
            super().set()
            nudged.set()

    hunt.service.opened(hunt.id).live.wake = EndsAsSomebodyAsks()
    assert asks.wait(PATIENCE)
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(hunt.service.ask, hunt.id, "anna", 4)
        assert len(asked.result(PATIENCE)) == 4


def test_several_questions_at_once(payments):
    hunt = payments()
    asked = hunt.service.ask(hunt.id, "anna", 4)
    assert len({question.row for question in asked}) == 4
    hunt.service.tell(hunt.id, asked[0].row, "ordinary", "anna")
    rest = [question.row for question in hunt.service.ask(hunt.id, "anna", 4)]
    assert rest[:3] == [question.row for question in asked[1:]]
    with pytest.raises(ParameterError, match="'count' parameter of ask"):
        hunt.service.ask(hunt.id, "anna", 0)


def test_a_hunt_goes_on_at_the_same_question_after_it_was_closed(payments, tmp_path):
    hunt = payments(store=str(tmp_path / "kept.db"))
    for _ in range(5):
        hunt.answer()
    waiting = hunt.service.ask(hunt.id, "anna")[0]
    hunt.close()
    service = hunt.open()
    assert service.progress(hunt.id).labels == 5
    again = service.ask(hunt.id, "anna")[0]
    assert (again.row, again.why, again.lease) == (waiting.row, waiting.why, waiting.lease)


def test_the_same_label_sent_twice_counts_once(payments):
    hunt = payments()
    once = str(uuid.uuid4())
    first = hunt.service.tell(hunt.id, 3, "ordinary", "anna", once)
    second = hunt.service.tell(hunt.id, 3, "ordinary", "anna", once)
    assert not first.repeated
    assert second.repeated
    assert second.event.seq == first.event.seq
    assert len(hunt.service.history(hunt.id)) == 1
    with pytest.raises(StateError, match="another event"):
        hunt.service.tell(hunt.id, 4, "ordinary", "anna", once)


def test_undo_takes_back_the_own_last_answer_and_the_question_comes_again(payments):
    hunt = payments()
    hunt.answer()
    row = hunt.answer()
    hunt.service.tell(hunt.id, 99, "ordinary", "bert", asked=False)
    kept = hunt.service.undo(hunt.id, "anna", "e1")
    assert hunt.service.undo(hunt.id, "anna", "e1").repeated
    assert row not in hunt.service.labels(hunt.id)
    assert 99 in hunt.service.labels(hunt.id)
    assert hunt.service.ask(hunt.id, "anna")[0].row == row
    words = [entry.words for entry in hunt.service.history(hunt.id, 1)]
    assert words == [f"anna took back the answer about row {row}."]
    assert kept.event.kind == "undo"


def test_undo_of_a_named_event_and_of_nothing(payments):
    hunt = payments()
    first = hunt.service.tell(hunt.id, 1, "ordinary", "anna").event
    hunt.service.tell(hunt.id, 2, "fraud", "anna")
    hunt.service.undo(hunt.id, "bert", target=first.id)
    assert hunt.service.labels(hunt.id) == {2: "fraud"}
    with pytest.raises(StateError, match="bert has told nothing"):
        hunt.service.undo(hunt.id, "bert")
    with pytest.raises(StateError, match="taken back already"):
        hunt.service.undo(hunt.id, "anna", target=first.id)


def test_skipped_records_are_not_asked_again(payments):
    hunt = payments()
    row = hunt.service.ask(hunt.id, "anna")[0].row
    hunt.service.skip(hunt.id, row, "anna")
    assert hunt.service.ask(hunt.id, "anna")[0].row != row
    assert hunt.service.progress(hunt.id).skipped == 1


def test_told_again_the_last_word_counts(payments):
    hunt = payments()
    hunt.service.tell(hunt.id, 5, "ordinary", "anna")
    hunt.service.tell(hunt.id, 5, "fraud", "anna")
    assert hunt.service.labels(hunt.id) == {5: "fraud"}
    live = hunt.service.opened(hunt.id).live
    live.wait_until_heard(PATIENCE)
    assert live.hunt.labels == {5: "fraud"}


def test_with_overlap_each_record_is_shown_to_that_many_people(payments):
    hunt = payments(overlap=2)
    one = hunt.service.ask(hunt.id, "anna")[0].row
    other = hunt.service.ask(hunt.id, "bert")[0].row
    assert one != other
    hunt.service.tell(hunt.id, one, "fraud", "anna")
    hunt.service.tell(hunt.id, other, "ordinary", "bert")
    again = hunt.service.ask(hunt.id, "bert")[0]
    assert again.row == one
    assert again.why == "Every record is shown to 2 people; 1 answered this one so far."
    assert hunt.service.ask(hunt.id, "anna")[0].row == other
    assert hunt.service.ask(hunt.id, "carl")[0].row not in (one, other)
    hunt.service.tell(hunt.id, one, "ordinary", "bert")
    differing = hunt.service.progress(hunt.id).disagreements
    assert [(each.row, each.label) for each in differing] == [(one, "fraud")]


def test_settings_that_may_change_do_and_others_do_not(payments):
    hunt = payments()
    view = hunt.service.change(hunt.id, overlap=3, background=["ordinary"])
    assert (view.settings["overlap"], view.settings["background"]) == (3, ["ordinary"])
    assert hunt.service.opened(hunt.id).live.hunt.background == {"ordinary"}
    with pytest.raises(ParameterError, match="'strategy' of a hunt cannot change"):
        hunt.service.change(hunt.id, strategy="random")


def test_when_nothing_is_left_it_says_so(payments):
    hunt = payments()
    for row in range(156):
        hunt.service.tell(hunt.id, row, hunt.truth[row], "anna", asked=False)
    with pytest.raises(StateError, match="there is nothing left to ask"):
        hunt.service.ask(hunt.id, "anna")
    hunt.service.undo(hunt.id, "anna")
    assert hunt.service.ask(hunt.id, "anna")[0].row == 155
    with pytest.raises(StateError, match="looked at by somebody else"):
        hunt.service.ask(hunt.id, "bert")


def test_a_lease_that_runs_out_is_given_to_the_next(payments, monkeypatch):
    hunt = payments(lease_seconds=PATIENCE, strategy="random")
    row = hunt.service.ask(hunt.id, "anna")[0].row
    assert hunt.service.ask(hunt.id, "bert")[0].row != row
    hunt.service.opened(hunt.id).live.pool.wait(0, 157, PATIENCE)  # all that can be chosen now is
    for clock in ("time", "monotonic"):  # nobody comes back for long
        now = getattr(time, clock)
        monkeypatch.setattr(time, clock, lambda now=now: now() + PATIENCE + 1)
    asked = [question.row for question in hunt.service.ask(hunt.id, "carl", 20)]
    assert row in asked
    hunt.service.tell(hunt.id, row, "ordinary", "anna")  # a late answer still counts
    assert hunt.service.labels(hunt.id) == {row: "ordinary"}


def test_a_question_given_back_is_asked_again(payments):
    hunt = payments()
    question = hunt.service.ask(hunt.id, "anna")[0]
    hunt.service.release(hunt.id, question)
    hunt.service.opened(hunt.id).live.pool.renew(0)
    assert hunt.service.ask(hunt.id, "bert")[0].row == question.row


@pytest.mark.parametrize("row", [-1, 156, True, "3", 2.0])
def test_rows_that_do_not_exist_are_refused(payments, row):
    hunt = payments()
    with pytest.raises((ParameterError, UnknownNameError), match="row"):
        hunt.service.tell(hunt.id, row, "ordinary", "anna")


@pytest.mark.parametrize(("label", "who"), [("", "anna"), ("  ", "anna"), ("x", " "), ("x", None)])
def test_empty_labels_and_names_are_refused(payments, label, who):
    hunt = payments()
    with pytest.raises(ParameterError):
        hunt.service.tell(hunt.id, 1, label, who)


def test_a_hunt_that_is_not_prepared_takes_labels_but_asks_nothing(tmp_path, payments):
    hunt = payments()
    hunt.service.close_hunt(hunt.id)
    assert hunt.service.state(hunt.id).state == "closed"
    hunt.service.tell(hunt.id, 1, "ordinary", "anna")
    assert hunt.service.progress(hunt.id).labels == 1
    with pytest.raises(NotReadyError, match="Prepare it first"):
        hunt.service.ask(hunt.id, "anna")
    hunt.service.prepare(hunt.id)
    assert hunt.service.ask(hunt.id, "anna")[0].row != 1


def test_records_are_added_while_the_hunt_runs(payments, tmp_path):
    from tests.service.conftest import write_payments

    hunt = payments()
    hunt.answer()
    more = tmp_path / "more.csv"
    truth = write_payments(more, rows=40, rare=4, seed=1)
    view = hunt.service.append(hunt.id, more, "anna")
    assert view.n_records == 200
    assert hunt.service.record(hunt.id, 199).row == 199
    hunt.service.tell(hunt.id, 199, truth[-1], "anna", asked=False)
    hunt.service.close_hunt(hunt.id)
    hunt.service.prepare(hunt.id)
    assert hunt.service.truth(hunt.id)[156:] == tuple(truth)
    assert hunt.service.labels(hunt.id)[199] == truth[-1]
    (tmp_path / "other.csv").write_text("amount,kind\n1,x\n")
    with pytest.raises(UnknownNameError, match=r"other\.csv: There is no column 'hour'"):
        hunt.service.append(hunt.id, tmp_path / "other.csv", "anna")
    with pytest.raises(StateError, match=r"more\.csv are in the hunt 'payments' already"):
        hunt.service.append(hunt.id, more, "anna")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("many,12,se,ordinary", "column 'amount' must hold numbers, as in payments.csv"),
        ("1,12,se,", None),
        ("1,,,ordinary", None),
        ("1,12,7,ordinary", None),
    ],
)
@pytest.mark.parametrize("ready", [True, False])
def test_records_that_do_not_fit_are_refused_before_anything_is_kept(
    payments, tmp_path, line, words, ready
):
    hunt = payments()
    if not ready:
        hunt.service.close_hunt(hunt.id)
    more = tmp_path / "more.csv"
    more.write_text(f"amount,hour,country,kind\n{line}\n")
    if words is None:
        assert hunt.service.append(hunt.id, more, "anna").n_records == 157
    else:
        with pytest.raises(DataError, match=words):
            hunt.service.append(hunt.id, more, "anna")
    hunt.service.close_hunt(hunt.id)
    hunt.service.prepare(hunt.id)


def test_two_services_on_one_store_hear_of_each_other(payments, tmp_path):
    path = str(tmp_path / "shared.db")
    one = payments(store=path)
    other = payments(store=path)
    assert one.id == other.id
    rows = []
    for _ in range(6):
        rows.append(one.answer("anna"))
        rows.append(other.answer("bert"))
    assert len(set(rows)) == 12
    assert one.service.labels(one.id) == other.service.labels(other.id)
    live = one.service.opened(one.id).live
    one.service.opened(one.id).log.catch_up(force=True)
    live.wait_until_heard(PATIENCE)
    assert set(live.hunt.labels) == set(rows)


def test_many_people_at_once_lose_nothing_and_share_no_record(payments, tmp_path):
    hunt = payments(store=str(tmp_path / "many.db"), background=("ordinary",))
    people, each = 12, 8
    answered: list[int] = []

    def work(number):
        for _ in range(each):
            answered.append(hunt.answer(f"p{number}"))

    with ThreadPoolExecutor(people) as pool:
        list(pool.map(work, range(people)))
    assert len(answered) == len(set(answered)) == people * each
    assert set(hunt.service.labels(hunt.id)) == set(answered)


def test_telling_does_not_wait_for_the_strategy(payments, monkeypatch):
    hunt = payments()
    thinking, done = threading.Event(), threading.Event()
    ask = Hunt.ask

    def think_long(self, *args, **kwargs):
        thinking.set()
        assert done.wait(PATIENCE)
        return ask(self, *args, **kwargs)

    monkeypatch.setattr(Hunt, "ask", think_long)
    hunt.service.tell(hunt.id, 0, "ordinary", "anna", asked=False)
    assert thinking.wait(PATIENCE)
    for row in range(1, 50):
        hunt.service.tell(hunt.id, row, "ordinary", "anna", asked=False)
    assert hunt.service.progress(hunt.id).labels == 50
    done.set()


def test_the_thread_of_a_hunt_ends_with_it(payments):
    before = threading.active_count()
    hunt = payments()
    hunt.answer()
    hunt.close()
    hunt.service = Service(open_store("memory:"))
    assert threading.active_count() <= before


def test_a_changed_file_and_other_settings_are_refused(payments, tmp_path):
    hunt = payments()
    otherwise = HuntSettings(strategy="random", leave_out=("country",))
    assert hunt.service.open_hunt(hunt.path, settings=otherwise).id == hunt.id  # nothing said yet
    assert hunt.service.opened(hunt.id).settings.leave_out == ("country",)
    hunt.service.tell(hunt.id, 0, "ordinary", "anna")
    with pytest.raises(StateError, match="begun with strategy random: that cannot become"):
        hunt.service.open_hunt(hunt.path, settings=HuntSettings(strategy="malice"))
    same = hunt.service.open_hunt(hunt.path)
    assert same.id == hunt.id
    moved = tmp_path / "moved.csv"
    moved.write_bytes(hunt.path.read_bytes())
    assert hunt.service.open_hunt(moved, name="payments").id == hunt.id
    beside = hunt.path.with_suffix(".tsv")
    beside.write_text("a\tb\n1\t2\n3\t4\n")
    with pytest.raises(StateError, match=rf"is about .*, not about .*{beside.name}. Go on with"):
        hunt.service.open_hunt(beside)
    hunt.path.write_text(hunt.path.read_text() + "1,2,se,ordinary\n")
    with pytest.raises(DataError, match="has changed since 'payments' began"):
        hunt.service.open_hunt(hunt.path)
    (tmp_path / "others.csv").write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(StateError, match="another name with name="):
        hunt.service.open_hunt(tmp_path / "others.csv", name="payments")
    with pytest.raises(UnknownNameError, match="paymnts"):
        hunt.service.hunt("paymnts")


def test_hunts_are_strategies_of_the_library(payments):
    hunt = payments()
    assert isinstance(hunt.service.opened(hunt.id).live.hunt, Hunt)
    with pytest.raises(UnknownNameError, match="There is no strategy 'alicee'"):
        hunt.service.open_hunt(hunt.path, name="x", settings=HuntSettings(strategy="alicee"))
