"""Clusters that are not there or lose their workers, and partitions that cannot be read."""

from __future__ import annotations

import os
import signal
import sys
import time

import dask
import numpy as np
import pyarrow as pa
import pytest
from distributed import LocalCluster
from pyarrow import parquet

from rarefind.cluster import (
    Cluster,
    cluster_space,
    engine,
    find_files,
    joining,
    score_partitions,
    scoring,
)
from rarefind.cluster.journal import Journal
from rarefind.cluster.tasks import Task, together
from rarefind.core.errors import DataError, MissingPackageError, StateError
from rarefind.core.progress import listen
from rarefind.geometry import TreeEngine
from tests.waiting import PATIENCE, wait_until


def records(rows=1500):
    return np.random.default_rng(0).normal(size=(rows, 3))


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def run_out_of_memory():
    raise MemoryError


def number(value):
    return {"x": np.array([value])}


def summed(results):
    return {"x": sum(result["x"] for result in results)}


def row_sums(batch, row):
    return sum(column.to_numpy() for column in batch.columns)


def test_results_are_put_together_as_a_tree_and_kept(cluster):
    tasks = [Task(number, (value,), f"number {value}") for value in range(20)]
    steps = []
    with listen(steps.append):
        (result,) = cluster.run("adding", [together(summed, tasks)])
    assert result["x"].tolist() == [190]
    assert cluster.written == 20 + 3 + 1  # each, eight at a time, and all
    assert (steps[-1].done, steps[-1].total) == (24, 24)
    assert cluster.run("adding", [together(summed, tasks)])[0]["x"].tolist() == [190]
    assert (cluster.written, cluster.found) == (24, 1)
    # With one more, what is put together already is not computed again.
    (result,) = cluster.run("adding", [together(summed, [*tasks, Task(number, (5,), "5")])])
    assert result["x"].tolist() == [195]
    assert cluster.written <= 24 + 2


def test_a_worker_killed_in_the_middle_changes_nothing(cluster, write, monkeypatch):
    monkeypatch.setattr(engine, "SLICE", 60)
    X = records()
    there = cluster_space(cluster, write(X), scale="none").engine
    before = cluster.client.run(os.getpid)
    killed = []

    def kill_one(step):
        if step.task == "finding neighbours" and not killed:
            assert step.done <= 1 < step.total == 25
            killed.append(next(iter(before.values())))
            os.kill(killed[0], signal.SIGKILL)

    with listen(kill_one):
        answers = [there.nearest(k) for k in (12, 13, 14)]
    assert killed
    for k, (distances, numbers) in zip((12, 13, 14), answers, strict=True):
        expected = TreeEngine(X).nearest(k)
        np.testing.assert_array_equal(distances, expected[0])
        np.testing.assert_array_equal(numbers, expected[1])
    cluster.client.wait_for_workers(2, timeout=PATIENCE)
    assert killed[0] not in cluster.client.run(os.getpid).values()


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


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("tcp://127.0.0.1:1", "nobody answers there"),
        ("127.0.0.1:1", "nobody answers there"),
        ("tcp://no-such-host.invalid:8786", ""),
        ("tcp://127.0.0.1", "an address looks like tcp://host:8786"),
        ("nowhere:x", ""),
        ("http://127.0.0.1:80", "'http' is no way to reach one"),
    ],
)
def test_a_cluster_that_is_not_there_is_told_in_one_sentence(tmp_path, address, why):
    with pytest.raises(StateError) as told:
        Cluster(address, tmp_path, timeout=3)
    words = str(told.value)
    assert words.startswith(f"There is no Dask cluster at {address}: {why}")
    assert words.endswith("Start one with 'dask scheduler' and 'dask worker', or use 'local'.")
    assert "\n" not in words


def test_somebody_who_listens_and_is_no_scheduler_is_not_waited_for(tmp_path):
    import socket

    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with pytest.raises(StateError, match="who answers there is no Dask scheduler"):
            Cluster(f"tcp://127.0.0.1:{port}", tmp_path, timeout=1)


def test_a_cluster_without_workers_is_told(tmp_path):
    with LocalCluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as empty:
        address = empty.scheduler_address
        with pytest.raises(StateError, match=rf"The cluster at {address} has no workers\. Start"):
            Cluster(address, tmp_path, timeout=3)


def test_workers_that_do_not_fit_are_told(processes, tmp_path, monkeypatch):
    own = joining.versions()
    assert {"rarefind", "Python", "numpy", "scipy", "distributed"} <= set(own)
    with monkeypatch.context() as patch:
        patch.setattr(joining, "versions", lambda: {**own, "numpy": "0.1"})
        with pytest.raises(StateError, match=r"has numpy [0-9.]+, and this process has 0\.1: the"):
            Cluster(processes.scheduler_address, tmp_path, timeout=PATIENCE)
    with pytest.raises(StateError, match=r"The worker at w does not see the folder /f"):
        joining.check_answer("w", {"versions": own, "seen": False}, own, "/f")
    problem = ModuleNotFoundError("No module named 'rarefind'")
    with pytest.raises(StateError, match=r"The worker at w cannot run rarefind: No module named"):
        joining.check_answer("w", problem, own, "/f")


def test_without_dask_one_sentence_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MissingPackageError, match=r"pip install 'rarefind\[cluster\]'"):
        Cluster("local", tmp_path)


def test_a_folder_for_the_work_that_cannot_be_made_is_told(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match=r"for the work of the cluster cannot be made"):
        Cluster("tcp://127.0.0.1:1", tmp_path / "file" / "work")


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
    cluster.client.wait_for_workers(2, timeout=PATIENCE)


def take_all_memory():
    held = []
    while True:
        held.append(np.ones(5_000_000))
        time.sleep(0.05)


def test_a_worker_is_killed_for_its_memory_or_streams_a_partition_larger_than_it(tmp_path, tight):
    columns, limit = 10, tight(150_000_000)  # twice of what it takes
    rows = limit // (8 * columns) + 1
    column = pa.array(np.arange(rows) % 7 * 1.0)
    file = tmp_path / "large.parquet"
    table = pa.table({f"x{number}": column for number in range(columns)})
    assert table.nbytes > limit
    parquet.write_table(table, file, row_group_size=rows)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        # On a busy machine it takes a while until another worker has taken the place of one.
        Cluster(
            "local",
            tmp_path / "work",
            workers=1,
            memory=f"{limit}B",
            timeout=PATIENCE,
            patience=PATIENCE,
        ) as small,
    ):
        with pytest.raises(StateError, match=r"died again and again on part 9, most likely"):
            small.run("work", [Task(take_all_memory, (), "part 9")])
        out = tmp_path / "out"
        best, scores = score_partitions(small, file, out, row_sums, top=2)
        assert best.tolist() == [6, 13]
        assert scores.tolist() == [6.0 * columns] * 2
        assert parquet.read_metadata(out / "part-00000.parquet").num_rows == rows


def test_a_partition_larger_than_memory_is_scored_a_little_at_a_time(tmp_path):
    rows, columns = 400_000, 20
    column = pa.array(np.arange(rows) % 7 * 1.0)
    file = tmp_path / "large.parquet"
    table = pa.table({f"x{number}": column for number in range(columns)})
    parquet.write_table(table, file, row_group_size=rows)
    (source,) = find_files(file).sources
    held, most = pa.total_allocated_bytes(), []

    def score(batch, row):
        most.append(pa.total_allocated_bytes() - held)
        return row_sums(batch, row)

    marked, none = scoring.Marked(score, ""), np.empty(0, dtype=np.int64)
    arguments = (source, marked, "score", 2, none, None, str(tmp_path / "out.parquet"))
    best = scoring.score_partition(*arguments)
    assert best["rows"].tolist() == [6, 13]
    assert parquet.read_metadata(tmp_path / "out.parquet").num_rows == rows
    # What waits to be written (32 MiB at most), and a batch or two.
    assert max(most) < 2**25 + 2**24 < table.nbytes


def test_workers_that_wait_for_memory_for_long_are_told(cluster, monkeypatch):
    busy = {"workers": {"a": {"status": "paused"}, "b": {"status": "paused"}}}
    with monkeypatch.context() as patch:
        patch.setattr(cluster.client, "scheduler_info", lambda n_workers: busy)
        with pytest.raises(StateError, match="All workers of the cluster wait for memory"):
            cluster.look(time.monotonic() - 1000.0)
    cluster.look(time.monotonic() - 1000.0)


def test_all_workers_gone_is_told(tmp_path):
    local = LocalCluster(
        n_workers=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    )
    with (
        local,
        Cluster(local.scheduler_address, tmp_path, timeout=PATIENCE, patience=0.5) as cluster,
    ):
        local.scale(0)
        wait_until(lambda: not cluster.client.nthreads())
        with pytest.raises(StateError, match="All workers of the cluster are gone"):
            cluster.run("work", [Task(number, (1,), "part 1")])


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


def test_a_file_that_goes_or_changes_in_the_middle_is_named(cluster, write, tmp_path):
    folder = write(records(300), files=2, groups=3)
    files, out = find_files(folder), tmp_path / "out"
    file = folder / "part-1.parquet"
    content = file.read_bytes()
    file.write_bytes(content + b" ")
    with pytest.raises(DataError, match=r"row group . of part-1.parquet has changed while it was"):
        score_partitions(cluster, files, out, row_sums)
    file.unlink()
    with pytest.raises(DataError, match=r"of part-1.parquet cannot be read: there is no file"):
        score_partitions(cluster, files, out, row_sums)
    assert not out.exists()


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
