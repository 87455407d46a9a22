from __future__ import annotations

import contextlib
import math
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import rarefind
from rarefind.core.errors import DataError, MissingPackageError, StateError, UnknownNameError
from rarefind.core.progress import Step, listen
from rarefind.service.facade import Service
from rarefind.service.heavy import workroom as module
from rarefind.service.heavy.cancelling import Cancelled, Work
from rarefind.service.heavy.workroom import Workplace, Workroom
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.ranking.comparing import compare_models
from rarefind.service.ranking.in_workroom import fit_and_explain, rank_and_explain
from rarefind.store.opening import open_store
from tests.service.conftest import write_payments
from tests.service.workroom_tasks import (
    count_slowly,
    describe,
    fail,
    give_back_a_function,
    hold,
    miss_a_package,
    refuse,
)
from tests.waiting import PATIENCE, wait_until


@pytest.fixture(scope="module")
def shared_room():
    room = Workroom()
    yield room
    room.close()


@pytest.fixture
def room():
    room = Workroom()
    yield room
    room.close()


def alive(process):
    """Whether a process runs; one that has ended and was not yet waited for does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def in_background(call):
    """Call in a thread; returns the thread and a list that gets the result or the error."""
    outcome = []

    def run():
        try:
            outcome.append(call())
        except Exception as problem:
            outcome.append(problem)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, outcome


def labelled_vectors(rows=200, rare=12):
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(rows, 3)), rng.normal(3, 0.5, size=(rare, 3))])
    labels = {row: "odd" if row >= rows else "usual" for row in range(0, rows + rare, 2)}
    return X, labels


@pytest.mark.parametrize("model", ["lago", "logistic", "forest"])
def test_rankings_are_the_same_as_in_this_process(shared_room, model):
    X, labels = labelled_vectors()
    here, why_here = rank_and_explain(X, None, labels, "odd", model, False)
    there, why_there = shared_room.run(
        "ranking", "hunt", (X, None), rank_and_explain, labels, "odd", model, False
    )
    np.testing.assert_array_equal(there.rows, here.rows)
    np.testing.assert_allclose(there.scores, here.scores, rtol=1e-12)
    assert (there.chosen, there.fitted) == (here.chosen, None)
    assert there.quality.examples == here.quality.examples
    expected = here.quality.average_precision
    assert there.quality.average_precision == pytest.approx(expected)
    trained, names = np.array(list(labels)), ["a", "b", "c"]
    again = shared_room.run(
        "explanation", "hunt", (X, None), fit_and_explain, labels, "odd", model, False
    )
    expected = why_here.explain(X, 1, trained, names)
    for explainer in (why_there, again):
        view = explainer.explain(X, 1, trained, names)
        assert (view.kind, view.words) == (expected.kind, expected.words)
        for part, wanted in zip(view.parts, expected.parts, strict=True):
            assert part == pytest.approx(wanted)


def test_comparisons_are_the_same_as_in_this_process(shared_room):
    X, labels = labelled_vectors()
    known = [labels.get(row) for row in range(len(X))]
    compared = partial(compare_models, folds=3, seed=0)
    here = compared(X, None, known, "odd", ["lago", "neighbours"])
    there = shared_room.run(
        "comparison", "hunt", (X, None), compared, known, "odd", ["lago", "neighbours"]
    )
    assert [(row.model, row.average_precision) for row in there.rows] == [
        (row.model, pytest.approx(row.average_precision)) for row in here.rows
    ]


def test_a_service_with_a_workroom_ranks_votes_and_compares_as_one_without(tmp_path):
    truth = write_payments(tmp_path / "payments.csv")
    seen = []
    for place in (Workplace(), Workroom()):
        with Service(open_store("memory:"), workplace=place) as service:
            settings = HuntSettings(label_column="kind", strategy="random")
            hunt = service.open_hunt(tmp_path / "payments.csv", settings=settings).id
            service.prepare(hunt)
            rare = [row for row, kind in enumerate(truth) if kind == "fraud"]
            for row in [*rare[:4], *(row for row in range(40) if row not in rare)]:
                service.tell(hunt, row, truth[row], "anna", asked=False)
            made = service.rank(hunt, "fraud", "lago")
            votes = service.votes(hunt, made.id, rare[5])
            service.opened(hunt).explainers.clear()
            assert service.votes(hunt, made.id, rare[5]) == votes
            table = service.compare(hunt, "fraud", ["lago"], folds=2)
            rows = [each.row for each in service.ranked(hunt, made.id)]
            seen.append((rows, votes, made.why, table.rows[0].average_precision))
            with pytest.raises(UnknownNameError, match="There is no class 'frod'"):
                service.rank(hunt, "frod")
            service.close_hunt(hunt)
    assert seen[0] == seen[1]


def test_records_of_a_kernel_travel_with_it(shared_room, tmp_path):
    from rarefind.hunting.learnt_kernel import Learnt
    from rarefind.kernels import Spectrum

    records = ["ACGTACGT", "ACGTTCGT", "TTTTTTTT", "TTTTTTTA", "ACGAACGA", "TTTTATTT"]
    labels = {0: "usual", 2: "odd", 4: "usual"}
    kernel = Learnt(Spectrum(3).fit(records))
    here, _ = rank_and_explain(records, kernel, labels, "odd", "lago", False)
    there, why = shared_room.run(
        "ranking", "letters", (records, kernel), rank_and_explain, labels, "odd", "lago", False
    )
    np.testing.assert_array_equal(there.rows, here.rows)
    np.testing.assert_allclose(there.scores, here.scores, rtol=1e-12)
    assert why.explain(records, 3, np.array(list(labels)), []).parts[0]["row"] == 2


def test_steps_are_reported_here(shared_room):
    steps = []
    with listen(steps.append):
        assert shared_room.run("count", "few", [[1, 2]], count_slowly, 4, 0.15) == 2
    heard = [step for step in steps if step.task == "counting"]
    assert set(heard) == {Step("counting", done, 4) for done in range(4)}
    assert heard == sorted(heard, key=lambda step: step.done)


def test_errors_keep_their_class_and_their_sentence(shared_room):
    with pytest.raises(DataError, match=r"^There are 3 numbers\.$"):
        shared_room.run("count", "three", [[1, 2, 3]], refuse)
    with pytest.raises(MissingPackageError) as caught:
        shared_room.run("count", "three", [[1, 2, 3]], miss_a_package)
    assert str(caught.value) == str(MissingPackageError("Counting", "abacus", "count"))
    before = shared_room.process_id
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        shared_room.run("count", "three", [[1, 2, 3]], fail)
    assert shared_room.process_id == before


def test_the_process_is_kept_and_gives_way_to_others(shared_room):
    first = shared_room.run("look", "few", [[1]], describe)
    second = shared_room.run("look", "few", [[1]], describe)
    assert first["process"] == second["process"] == shared_room.process_id != os.getpid()
    assert first["priority"] >= min(19, os.nice(0) + 5)
    assert first["threads"] == "1"


def test_large_matrices_are_handed_over_once_by_a_file_that_does_not_stay(shared_room):
    before = set(Path(tempfile.gettempdir()).glob("rarefind-*.npy"))
    X = np.arange(200_000.0).reshape(-1, 2)
    first = shared_room.run("look", "large", [X], describe)
    second = shared_room.run("look", "large", [X], describe)
    assert first["mapped"]
    assert first["place"] == second["place"]
    assert shared_room.run("sum", "large", [X], np.sum) == X.sum()
    other = X + 1
    assert shared_room.run("sum", "large", [other], np.sum) == other.sum()
    shared_room.forget("large")
    assert shared_room.run("sum", "large", [other], np.sum) == other.sum()
    for key in range(6):
        assert shared_room.run("sum", f"other {key}", [[key]], math.fsum) == key
    assert shared_room.run("sum", "large", [other], np.sum) == other.sum()
    assert set(Path(tempfile.gettempdir()).glob("rarefind-*.npy")) <= before


def test_a_process_that_has_nothing_left_to_keep_ends(room):
    for key in ("one", "two"):
        assert room.run("sum", key, [[1, 2]], math.fsum) == 3.0
    process = room.process_id
    room.forget("never heard of")
    room.forget("one")
    assert room.process_id == process
    room.forget("two")
    assert room.process_id is None
    assert not alive(process)
    assert room.run("sum", "one", [[1, 2]], math.fsum) == 3.0


def test_what_is_forgotten_during_other_work_is_let_go_later(room, tmp_path):
    assert room.run("sum", "one", [[1, 2]], math.fsum) == 3.0
    thread, outcome = in_background(lambda: room.run("hold", "two", [[1]], hold, tmp_path))
    wait_until((tmp_path / "begun").exists)
    room.forget("one")
    (tmp_path / "go").touch()
    thread.join(PATIENCE)
    assert outcome == [1]
    assert room.run("sum", "two", [[4]], math.fsum) == 4.0
    assert room.held == ["two"]


def test_a_full_disk_sends_matrices_through_the_line(shared_room, monkeypatch):
    def full(*_):
        raise OSError("No space left on device")

    monkeypatch.setattr(tempfile, "mkstemp", full)
    X = np.arange(200_000.0)
    assert shared_room.run("sum", "full", [X], np.sum) == X.sum()


def test_what_cannot_travel_is_computed_here(shared_room):
    here = os.getpid()
    assert shared_room.run("look", "odd", [threading.Lock()], lambda _: os.getpid()) == here
    assert callable(shared_room.run("look", "few", [[1]], give_back_a_function))
    assert shared_room.run("look", "few", [[1]], describe)["process"] != here


def test_work_is_stopped_even_between_two_steps(room, tmp_path):
    room.run("count", "few", [[1]], math.fsum)
    process = room.process_id
    work = Work("holding")

    def hold_watched():
        with work.watched():
            room.run("hold", "few", [[1]], hold, tmp_path)

    thread, outcome = in_background(hold_watched)
    wait_until((tmp_path / "begun").exists)
    work.cancel()
    thread.join(PATIENCE)
    assert isinstance(outcome[0], Cancelled)
    wait_until(lambda: not alive(process))
    assert room.run("count", "few", [[1, 2]], math.fsum) == 3.0
    assert room.process_id != process


def test_work_that_waits_its_turn_can_be_stopped_and_leaves_the_other_alone(room):
    thread, outcome = in_background(lambda: room.run("count", "few", [[1]], count_slowly, 10, 0.1))
    wait_until(lambda: room.process_id is not None)
    work = Work("waiting")
    work.cancel()
    with pytest.raises(Cancelled), work.watched():
        room.run("count", "few", [[1]], count_slowly, 1, 0.0)
    assert work.step.task == "waiting until another count is done"
    thread.join(PATIENCE)
    assert outcome == [1]


def test_a_process_that_is_killed_is_told_in_a_sentence_and_replaced(room, tmp_path):
    assert room.run("sum", "few", [[1, 2]], math.fsum) == 3.0
    thread, outcome = in_background(lambda: room.run("ranking", "few", [[1]], hold, tmp_path))
    wait_until((tmp_path / "begun").exists)
    os.kill(room.process_id, signal.SIGKILL)
    thread.join(PATIENCE)
    assert isinstance(outcome[0], StateError)
    assert str(outcome[0]) == (
        "The ranking was stopped because its process ended; ask for it again."
    )
    assert room.run("sum", "few", [[1, 2]], math.fsum) == 3.0
    killed = room.process_id
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: not alive(killed))  # all its threads, not just the first
    assert room.run("sum", "few", [[1, 2]], math.fsum) == 3.0  # nobody notices between works


def test_a_process_that_ends_before_it_begins_what_it_was_asked_is_replaced_unnoticed(room):
    assert room.run("sum", "few", [[1, 2]], math.fsum) == 3.0
    first = room.process_id
    os.kill(first, signal.SIGSTOP)  # looks alive, and hears nothing
    thread, outcome = in_background(lambda: room.run("sum", "more", [[1, 2, 3]], math.fsum))
    wait_until(lambda: "more" in room.held)
    os.kill(first, signal.SIGKILL)
    thread.join(PATIENCE)
    assert outcome == [6.0]
    assert room.process_id != first


def test_a_process_that_is_killed_as_it_begins_is_replaced_too(room, tmp_path):
    thread, outcome = in_background(lambda: room.run("ranking", "few", [[1]], hold, tmp_path))
    wait_until(lambda: room.process_id is not None)
    os.kill(room.process_id, signal.SIGKILL)
    thread.join(PATIENCE)
    assert isinstance(outcome[0], StateError)
    assert room.run("look", "few", [[1]], describe)["process"] != os.getpid()


def test_closing_leaves_no_process_file_or_thread(monkeypatch, tmp_path):
    made, told = tmp_path / "made", tmp_path / "told"
    made.mkdir()
    told.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    Workroom().close()
    threads, files = set(threading.enumerate()), _open_files()
    room = Workroom()
    X = np.arange(200_000.0)
    assert room.run("sum", "large", [X], np.sum) == X.sum()
    process = room.process_id
    thread, outcome = in_background(lambda: room.run("hold", "large", [X], hold, told))
    wait_until((told / "begun").exists)
    room.close()
    thread.join(PATIENCE)
    assert isinstance(outcome[0], Cancelled)
    assert not Path(f"/proc/{process}").exists()
    assert list(made.iterdir()) == []
    assert set(threading.enumerate()) <= threads
    # Python keeps one line to the helper with which it begins processes.
    assert len(_open_files() - files) <= 1
    with pytest.raises(Cancelled):
        room.run("sum", "large", [X], np.sum)


def test_where_no_process_can_be_begun_work_is_done_here(room, monkeypatch, caplog):
    def none(*_):
        raise OSError("Resource temporarily unavailable")

    monkeypatch.setattr(module, "WorkerProcess", none)
    assert room.run("sum", "few", [[1, 2]], math.fsum) == 3.0
    assert room.run("sum", "few", [[1, 2]], math.fsum) == 3.0
    assert caplog.text.count("without a process of their own") == 1


def test_the_process_ends_with_a_server_that_is_killed(tmp_path):
    script = tmp_path / "server.py"
    script.write_text(
        "import threading, time\n"
        "from rarefind.service.heavy.workroom import Workroom\n"
        "if __name__ == '__main__':\n"
        "    room = Workroom()\n"
        "    room.run('sleep', 'few', [], time.sleep, 0.0)\n"
        "    print(room.process_id, flush=True)\n"
        "    room.run('sleep', 'few', [], time.sleep, 60.0)\n"
    )
    source = str(Path(rarefind.__file__).parents[1])
    with subprocess.Popen(
        [sys.executable, script],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": source},
    ) as server:
        process = int(server.stdout.readline())
        time.sleep(0.3)
        assert alive(process)
        server.kill()
        server.wait()
        wait_until(lambda: not alive(process))


def test_a_script_that_may_not_run_twice_computes_by_itself(tmp_path):
    script = tmp_path / "unguarded.py"
    script.write_text(
        "import math\n"
        "from rarefind.service.heavy.workroom import Workroom\n"
        "room = Workroom()\n"
        "print(room.run('sum', 'few', [[1, 2]], math.fsum), flush=True)\n"
        "room.close()\n"
    )
    source = str(Path(rarefind.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        env={**os.environ, "PYTHONPATH": source},
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "3.0"


def _open_files():
    found = set()
    for entry in Path("/proc/self/fd").iterdir():
        with contextlib.suppress(OSError):
            found.add(f"{entry.name} {entry.readlink()}")
    return found
