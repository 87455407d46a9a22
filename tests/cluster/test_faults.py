from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from rarefind.cluster import Cluster, cluster_space
from rarefind.cluster.connection import Task
from rarefind.cluster.journal import Journal
from rarefind.core.errors import DataError, StateError
from rarefind.core.progress import listen
from rarefind.geometry import TreeEngine

DRIVER = """
import sys
from pathlib import Path
from rarefind.cluster import Cluster, cluster_space

with Cluster(sys.argv[1], Path(sys.argv[2]), timeout=60) as cluster:
    engine = cluster_space(cluster, Path(sys.argv[3]), scale="none").engine
    for k in range(5, 60):
        engine.nearest(k)
"""


def records(rows=1500):
    return np.random.default_rng(0).normal(size=(rows, 3))


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def run_out_of_memory():
    raise MemoryError


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, write):
    X = records()
    engine = cluster_space(cluster, write(X), scale="none").engine
    before = cluster.client.run(os.getpid)
    killed = []

    def kill_one(step):
        if step.task == "finding neighbours" and not killed:
            killed.append(next(iter(before.values())))
            os.kill(killed[0], signal.SIGKILL)

    with listen(kill_one):
        distances, numbers = engine.nearest(12)
    assert killed
    expected = TreeEngine(X).nearest(12)
    np.testing.assert_array_equal(distances, expected[0])
    np.testing.assert_array_equal(numbers, expected[1])
    cluster.client.wait_for_workers(2, timeout=60)
    assert killed[0] not in cluster.client.run(os.getpid).values()


def test_a_driver_killed_and_started_again_repeats_little(processes, write, tmp_path):
    folder, work = write(records(), files=1, groups=8), tmp_path / "shared"
    kept = work / "journal"
    arguments = [processes.scheduler_address, str(work), str(folder)]
    driver = subprocess.Popen([sys.executable, "-c", DRIVER, *arguments])
    while len(list(kept.glob("*.npz")) if kept.exists() else []) < 20:
        assert driver.poll() is None
        time.sleep(0.02)
    driver.send_signal(signal.SIGKILL)
    driver.wait()
    finished = len(list(kept.glob("*.npz")))
    with Cluster(processes.scheduler_address, work, timeout=60) as cluster:
        engine = cluster_space(cluster, folder, scale="none").engine
        answers = [engine.nearest(k) for k in range(5, 8)]
        found = cluster.found
        again = sum(1 for path in kept.glob("*.npz")) - finished
    expected = TreeEngine(records())
    for k, answer in zip(range(5, 8), answers, strict=True):
        np.testing.assert_array_equal(answer[1], expected.nearest(k)[1])
    asked = 8 + 3 * 8
    assert found + again >= asked
    # What the first driver had finished of this work is not done again.
    assert found >= 0.8 * min(finished, asked)


def test_a_damaged_journal_is_as_good_as_none(tmp_path):
    journal = Journal(tmp_path)
    journal.write("a", {"x": np.arange(3)})
    journal.write("b", {"x": np.arange(3)})
    (tmp_path / "b.npz").write_bytes((tmp_path / "b.npz").read_bytes()[:60])
    known = journal.read("a")
    assert known is not None
    assert known["x"].tolist() == [0, 1, 2]
    assert journal.read("b") is None
    assert journal.read("c") is None


def test_a_cluster_that_is_not_there_is_told_in_one_sentence(tmp_path):
    with pytest.raises(StateError, match=r"There is no Dask cluster at tcp://127.0.0.1:1: "):
        Cluster("tcp://127.0.0.1:1", tmp_path, timeout=1)
    with pytest.raises(StateError, match=r"There is no Dask cluster at nowhere"):
        Cluster("nowhere:x", tmp_path, timeout=1)


def test_workers_that_die_or_run_out_of_memory_are_told_in_one_sentence(processes, cluster):
    allowed = processes.scheduler.allowed_failures
    processes.scheduler.allowed_failures = 0
    try:
        with pytest.raises(StateError, match=r"died again and again on part 7, most likely"):
            cluster.run("work", [Task(die, (), "part 7")])
    finally:
        processes.scheduler.allowed_failures = allowed
    with pytest.raises(StateError, match=r"ran out of memory on part 8\. Give it more"):
        cluster.run("work", [Task(run_out_of_memory, (), "part 8")])
    assert list((cluster.folder / "journal").iterdir()) == []
    cluster.client.wait_for_workers(2, timeout=60)


def test_a_partition_that_cannot_be_read_is_named(cluster, write):
    folder = write(records(300), files=1, groups=3)
    file = folder / "part-0.parquet"
    content = bytearray(file.read_bytes())
    content[10:200] = b"\xff" * 190
    file.write_bytes(content)
    with pytest.raises(DataError, match=r"row group 0 of part-0.parquet cannot be read"):
        cluster_space(cluster, folder, scale="none")
    file.write_bytes(content[:-100])
    with pytest.raises(DataError, match=r"part-0.parquet is not a readable Parquet file"):
        cluster_space(cluster, folder)
    with pytest.raises(DataError, match=r"There is no Parquet file at"):
        cluster_space(cluster, folder / "missing")


def test_gaps_and_words_are_named(cluster, write):
    X = records(90)
    X[77, 1] = np.nan
    folder = write(X)
    with pytest.raises(DataError, match=r"Row 77 of column 'x1' is missing or infinite"):
        cluster_space(cluster, folder, scale="none")
    with pytest.raises(DataError, match=r"has no column 'y'"):
        cluster_space(cluster, folder, columns=["y"])
    assert cluster_space(cluster, folder, columns=["x0", "x2"], scale="none").n_rows == 90
    with pytest.raises(DataError, match=r"Got 90 row\(s\) that are all the same"):
        cluster_space(cluster, write(np.ones((90, 2)), name="same"), scale="none")
