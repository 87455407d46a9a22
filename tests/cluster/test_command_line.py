"""The commands with --cluster, as processes that are killed and stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys

import dask
import numpy as np
import psutil
import pyarrow as pa
import pytest
from click.testing import CliRunner
from distributed import LocalCluster
from pyarrow import parquet

from rarefind.cli.commands.discover import discover
from rarefind.cli.commands.rank import rank
from rarefind.cli.main import main
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.progress import also, listen
from rarefind.service.facade import Service
from rarefind.store.opening import open_store
from tests.waiting import PATIENCE, wait_until

COMMAND = [sys.executable, "-m", "rarefind"]

KILLED = """
import os, signal, sys
from pathlib import Path
from rarefind.cli.main import main
from rarefind.core.progress import listen

work, journal, done = sys.argv.pop(1), Path(sys.argv.pop(1)), int(sys.argv.pop(1))

def die(step):
    if step.task == work and len(list(journal.glob("*.npz"))) >= done:
        os.kill(os.getpid(), signal.SIGKILL)

with listen(die):
    main()
"""
"""A command that is killed in the middle of some work, once so many tasks are in the journal."""

PARTITIONS = 40


@pytest.fixture
def data(tmp_path):
    """Records of which a few are odd, in groups of rows."""
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 5))
    X[:12] = 5.0 + random.normal(0.0, 0.1, size=(12, 5))
    order = random.permutation(len(X))
    columns = {f"x{number}": X[order, number] for number in range(5)}
    colour = random.choice(["red", "green"], size=len(X))
    label = np.where(order < 12, "odd", "plain")
    path = tmp_path / "data.parquet"
    table = pa.table({**columns, "colour": colour, "label": label})
    parquet.write_table(table, path, row_group_size=len(X) // PARTITIONS)
    return path


def run(command, *arguments):
    """Run a command in this process, and return its answer."""
    result = CliRunner().invoke(command, [*map(str, arguments), "--json"])
    if result.exception is not None:
        raise result.exception
    # Before click 8.2 what is said on the other stream is among it.
    (answer,) = (line for line in result.stdout.splitlines() if line.startswith("{"))
    return json.loads(answer)


def told(monkeypatch, capsys, *arguments):
    """Run a command that fails; return the one line it says."""
    monkeypatch.setattr(sys, "argv", ["rarefind", *map(str, arguments)])
    with pytest.raises(SystemExit) as ended:
        main()
    said = capsys.readouterr()
    assert (ended.value.code, said.out) == (2, "")
    assert said.err.count("\n") == 1
    return said.err


def work_of(path):
    return path.with_name(f".{path.name}.cluster")


def finished(path):
    journal = work_of(path) / "journal"
    return {kept.name: kept.stat().st_mtime_ns for kept in journal.glob("*.npz")}


def killed_after(path, work, done, *arguments):
    """Run a command that is killed with signal 9 in the middle of some work on a file."""
    begun = [sys.executable, "-c", KILLED, work, str(work_of(path) / "journal"), str(done)]
    arguments = [*begun, *map(str, arguments)]
    driver = subprocess.run(arguments, stdout=subprocess.DEVNULL, check=False)
    assert driver.returncode == -signal.SIGKILL


def repeated(path, before, command, *arguments):
    """Run a command to its end; return its answer, and the share of work done before its end."""
    seen = {}
    with also(lambda step: seen.update(finished(path))):
        answer = run(command, *arguments)
    assert len(seen) > len(before)  # there was more to do
    return answer, sum(seen[name] != written for name, written in before.items()) / len(before)


def test_discover_killed_and_started_again_goes_on_to_the_same_answer(processes, data):
    play = [data, "--label-column", "label", "--budget", 8]
    address = ["--cluster", processes.scheduler_address]
    killed_after(data, "preparing partitions", 6 + 25, "discover", *play, *address)
    before = finished(data)
    assert 6 + 25 <= len(before) < 6 + PARTITIONS  # six columns, and in the middle of partitions
    answer, again = repeated(data, before, discover, *play, *address)
    assert answer == run(discover, *play)
    assert again <= 0.2
    assert not work_of(data).exists()


def test_rank_with_driver_and_worker_killed_writes_the_same_scores(processes, data, tmp_path):
    store = ["--store", tmp_path / "hunts.db"]
    run(discover, data, "--label-column", "label", "--budget", 30, *store)
    asked = [data, "--target", "odd", *store]
    out = tmp_path / "ranked"
    there = ["--cluster", processes.scheduler_address, "--out", out]
    killed_after(data, "scoring", 20, "rank", *asked, *there)
    assert not out.exists()
    before = finished(data)
    killed = []

    def kill_a_worker(step):
        if step.task == "scoring" and step.done > 30 and not killed:
            killed.append(next(iter(processes.workers.values())).pid)
            os.kill(killed[0], signal.SIGKILL)

    with listen(kill_a_worker):
        many, again = repeated(data, before, rank, *asked, *there)
    assert killed
    assert again <= 0.2
    one = run(rank, *asked, "--model", "lago")
    for name in ("ranking", "known_examples", "ranked", "why", "average_precision", "chance"):
        assert many[name] == one[name]
    assert parquet.read_table(out)["score"].to_numpy().shape == (2000,)
    assert len(list(out.iterdir())) == PARTITIONS
    assert not list(tmp_path.glob(".ranked.*"))
    assert not work_of(data).exists()
    with pytest.raises(DataError, match="is already there"):
        run(rank, *asked, *there)


def test_control_c_ends_a_local_cluster_without_leaving_processes(data):
    driver = subprocess.Popen(
        [*COMMAND, "discover", str(data), "--leave-out", "label", "--cluster", "local"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    wait_until(lambda: len(finished(data)) >= 5 or driver.poll() is not None)
    assert driver.poll() is None
    children = psutil.Process(driver.pid).children(recursive=True)
    assert len(children) >= 2
    os.killpg(driver.pid, signal.SIGINT)
    _, problem = driver.communicate(timeout=PATIENCE)
    assert driver.returncode == 130
    assert "rarefind: stopped." in problem
    assert "Traceback" not in problem
    _, alive = psutil.wait_procs(children, timeout=PATIENCE)
    assert not alive


def ranking(data, folder):
    named = ("--label-column", "label", "--target", "odd")
    return ["rank", data, *named, "--out", folder / "out"]


def test_a_cluster_that_is_not_there_is_told(data, tmp_path, monkeypatch, capsys):
    asked = ["discover", data, "--leave-out", "label", "--cluster", "tcp://127.0.0.1:1"]
    words = told(monkeypatch, capsys, *asked)
    assert words.startswith("rarefind: There is no Dask cluster at tcp://127.0.0.1:1: nobody")
    words = told(monkeypatch, capsys, *ranking(data, tmp_path), "--cluster", "127.0.0.1")
    assert words.startswith(
        "rarefind: There is no Dask cluster at 127.0.0.1: an address looks like"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["data.parquet"]


def test_a_partition_that_cannot_be_read_is_told(processes, data, tmp_path, monkeypatch, capsys):
    about = parquet.read_metadata(data)
    cells = about.row_group(30).column(0).data_page_offset
    content = bytearray(data.read_bytes())
    content[cells : cells + 300] = b"\xff" * 300
    data.write_bytes(content)
    there = ["--cluster", processes.scheduler_address]
    words = told(monkeypatch, capsys, "discover", data, "--leave-out", "label", *there)
    assert words.startswith("rarefind: Partition row group 30 of data.parquet cannot be read: ")
    words = told(monkeypatch, capsys, *ranking(data, tmp_path), *there)
    assert words.startswith("rarefind: Partition row group 30 of data.parquet cannot be read: ")
    assert not [path for path in tmp_path.iterdir() if path not in (data, work_of(data))]


def test_a_worker_out_of_memory_is_told(tmp_path, monkeypatch, capsys, tight):
    long = tmp_path / "long.parquet"
    some = pa.table({"x": np.arange(1_000_000) % 7 * 1.0})
    with parquet.ParquetWriter(long, some.schema) as writer:
        for _ in range(30):  # 240 MB in memory, and little in the file
            writer.write_table(some)
    with (
        dask.config.set({"distributed.scheduler.allowed-failures": 0}),
        LocalCluster(
            n_workers=1,
            threads_per_worker=1,
            memory_limit=tight(50_000_000),
            dashboard_address="127.0.0.1:0",
            silence_logs=50,
        ) as small,
    ):
        words = told(monkeypatch, capsys, "discover", long, "--cluster", small.scheduler_address)
    assert words.startswith("rarefind: Workers of the cluster died again and again on column 'x', ")
    assert "most likely because they ran out of memory. Give them more" in words
    assert [path.name for path in tmp_path.iterdir()] == ["long.parquet"]


def test_options_that_do_not_go_together_are_refused(data, tmp_path):
    asked = [str(data), "--label-column", "label"]
    for command, more in ((discover, []), (rank, ["--target", "odd"])):
        result = CliRunner().invoke(command, [*asked, *more, "--cluster-folder", str(tmp_path)])
        assert isinstance(result.exception, ParameterError)
        assert "--cluster-folder goes with --cluster" in str(result.exception)
    svm = ["--target", "odd", "--model", "svm", "--cluster", "local"]
    result = CliRunner().invoke(rank, [*asked, *svm])
    assert "A cluster ranks by lago" in str(result.exception)


def test_a_file_larger_than_memory_should_hold_is_ranked_by_stream(data, tmp_path, monkeypatch):
    monkeypatch.setenv("RAREFIND_MEMORY_LIMIT", "300KB")
    out = tmp_path / "ranked.parquet"
    asked = [str(data), "--label-column", "label", "--target", "odd"]
    refused = CliRunner().invoke(rank, asked)
    assert "larger than memory should hold" in str(refused.exception)
    result = CliRunner().invoke(rank, [*asked, "--out", str(out), "--json"])
    assert result.exception is None
    told = json.loads(result.stdout)
    assert "by stream" in told["why"]
    assert (told["known_examples"], told["ranked"]) == (12, 2000)
    table = parquet.read_table(out)
    best = np.argsort(-table["score"].to_numpy())[:12]
    assert set(table["label"].to_numpy()[best]) == {"odd"}


def test_a_hunt_in_a_large_file_is_ranked_by_stream(data, tmp_path, monkeypatch):
    plain = tmp_path / "plain.parquet"
    parquet.write_table(parquet.read_table(data).drop_columns("label"), plain)
    truth = parquet.read_table(data)["label"].to_pylist()
    with Service(open_store(str(tmp_path / "hunts.db"))) as service:
        view = service.open_hunt(plain)
        odd = [row for row, word in enumerate(truth) if word == "odd"]
        for row in [*odd[:3], *range(20)]:
            service.tell(view.id, row, truth[row], "anna")
    monkeypatch.setenv("RAREFIND_MEMORY_LIMIT", "300KB")
    asked = [str(plain), "--store", str(tmp_path / "hunts.db"), "--target", "odd", "--json"]
    result = CliRunner().invoke(rank, [*asked, "--out", str(tmp_path / "out.parquet")])
    assert result.exception is None
    told = json.loads(result.stdout)
    assert told["known_examples"] == 3
    assert {each["row"] for each in told["ranking"][:9]} == set(odd[3:])
