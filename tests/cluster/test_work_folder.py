from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from rarefind.cluster.work_folder import MOST_DAYS, WorkFolder
from rarefind.core.errors import DataError


@pytest.fixture
def folder(tmp_path):
    return tmp_path / ".data.cluster"


def work(room):
    """Leave what a run leaves: points, results, and a draft of a worker that was killed."""
    left = [
        room.path / "points-1.npy",
        room.path / "points-1-weights.npy",
        room.path / ".vectors-1.a.part",
        room.journal / "1.npz",
        room.journal / ".2.b.part",
    ]
    for path in left:
        path.write_bytes(b"work")
    return left


def test_nothing_is_left_when_the_work_has_ended_well(folder):
    room = WorkFolder(folder, keep=False)
    work(room)
    room.leave(done=True)
    assert not folder.exists()


def test_all_is_left_for_the_next_run_when_it_has_not(folder):
    room = WorkFolder(folder, keep=False)
    left = work(room)
    room.leave(done=False)
    assert all(path.exists() for path in left)
    WorkFolder(folder, keep=False).leave(done=True)
    assert not folder.exists()


def test_a_run_that_does_nothing_leaves_no_folder(folder):
    for keep in (True, False):
        WorkFolder(folder, keep=keep).leave(done=False)
        assert not folder.exists()


def test_what_somebody_asked_to_keep_survives_the_runs_of_others(folder):
    room = WorkFolder(folder, keep=True)
    left = work(room)
    room.leave(done=True)
    WorkFolder(folder, keep=False).leave(done=True)
    assert all(path.exists() for path in left)


def test_files_of_others_are_left_alone(folder):
    room = WorkFolder(folder, keep=False)
    work(room)
    (folder / "mine.txt").touch()
    room.leave(done=True)
    assert [path.name for path in folder.iterdir()] == ["mine.txt"]


def test_the_last_of_several_runs_removes_the_work(folder):
    first, second = WorkFolder(folder, keep=False), WorkFolder(folder, keep=False)
    left = work(first)
    first.leave(done=True)
    assert all(path.exists() for path in left)
    second.leave(done=True)
    assert not folder.exists()


def test_a_run_that_was_killed_is_not_waited_for_and_one_elsewhere_is(folder):
    room = WorkFolder(folder, keep=False)
    with subprocess.Popen([sys.executable, "-c", ""]) as gone:
        pass
    here = os.uname().nodename
    (folder / "working-killed").write_text(f"{gone.pid} {here}")
    (folder / "working-broken").write_text("?")
    far = folder / "working-far"
    far.write_text("1 another-machine")
    left = work(room)
    room.leave(done=True)
    assert all(path.exists() for path in left)
    assert [path.name for path in folder.glob("working-*")] == ["working-far"]
    old = time.time() - 86_400 * (MOST_DAYS + 1)
    os.utime(far, (old, old))
    WorkFolder(folder, keep=False).leave(done=True)
    assert not folder.exists()


def test_what_is_old_is_removed_when_a_run_begins_unless_another_is_at_work(folder):
    room = WorkFolder(folder, keep=True)
    left = work(room)
    old = time.time() - 86_400 * (MOST_DAYS + 1)
    for path in left[:3]:
        os.utime(path, (old, old))
    other = WorkFolder(folder, keep=True)
    assert all(path.exists() for path in left)
    room.leave(done=False)
    other.leave(done=False)
    WorkFolder(folder, keep=True)
    assert [path.exists() for path in left] == [False, False, False, True, True]


def test_a_folder_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(
        DataError, match=r"for the work of the cluster cannot be made.*Name another"
    ):
        WorkFolder(tmp_path / "file" / "work", keep=True)
