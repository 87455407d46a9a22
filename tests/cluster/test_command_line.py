"""The commands with --cluster, as processes that are killed and stopped."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time

import numpy as np
import psutil
import pyarrow as pa
import pytest
from click.testing import CliRunner
from pyarrow import parquet

from rarefind.cli.discover import discover
from rarefind.cli.rank import rank
from rarefind.core.errors import DataError, ParameterError
from rarefind.service.service import Service
from rarefind.store.opening import open_store

COMMAND = [sys.executable, "-m", "rarefind"]


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
    parquet.write_table(
        pa.table({**columns, "colour": colour, "label": label}), path, row_group_size=200
    )
    return path


def run(command, *arguments):
    """Run a command in this process, and return its answer."""
    result = CliRunner().invoke(command, [*map(str, arguments), "--json"])
    if result.exception is not None:
        raise result.exception
    return json.loads(result.stdout)


def finished(path):
    journal = path.with_name(f".{path.name}.cluster") / "journal"
    return {kept.name: kept.stat().st_mtime_ns for kept in journal.glob("*.npz")}


def kill_after(path, results, *arguments):
    """Run a command and kill it once the journal has so many results."""
    driver = subprocess.Popen([*COMMAND, *map(str, arguments)], stdout=subprocess.DEVNULL)
    while len(finished(path)) < results:
        assert driver.poll() is None
        time.sleep(0.01)
    driver.send_signal(signal.SIGKILL)
    driver.wait()


def test_discover_killed_and_started_again_goes_on_to_the_same_answer(processes, data):
    play = [data, "--label-column", "label", "--budget", 8]
    address = ["--cluster", processes.scheduler_address]
    kill_after(data, 10, "discover", *play, *address)
    before = finished(data)
    assert run(discover, *play, *address) == run(discover, *play)
    after = finished(data)
    assert len(after) > len(before)
    same = sum(after[name] == written for name, written in before.items())
    assert same >= 0.8 * len(before)


def test_rank_killed_and_started_again_writes_the_same_scores(processes, data, tmp_path):
    store = ["--store", tmp_path / "hunts.db"]
    run(discover, data, "--label-column", "label", "--budget", 30, *store)
    asked = [data, "--target", "odd", *store]
    out = tmp_path / "ranked"
    there = ["--cluster", processes.scheduler_address, "--out", out]
    kill_after(data, 6 + 5, "rank", *asked, *there)
    assert not out.exists()
    before = finished(data)
    one, many = run(rank, *asked, "--model", "lago"), run(rank, *asked, *there)
    for name in ("ranking", "known_examples", "ranked", "why", "average_precision", "chance"):
        assert many[name] == one[name]
    after = finished(data)
    same = sum(after[name] == written for name, written in before.items())
    assert same >= 0.8 * len(before)
    assert parquet.read_table(out)["score"].to_numpy().shape == (2000,)
    assert len(list(out.iterdir())) == 10
    assert not list(tmp_path.glob(".ranked.*"))
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
    while len(finished(data)) < 5:
        assert driver.poll() is None
        time.sleep(0.05)
    children = psutil.Process(driver.pid).children(recursive=True)
    assert len(children) >= 2
    os.killpg(driver.pid, signal.SIGINT)
    _, problem = driver.communicate(timeout=60)
    assert driver.returncode == 130
    assert "rarefind: stopped." in problem
    assert "Traceback" not in problem
    _, alive = psutil.wait_procs(children, timeout=20)
    assert not alive


def test_what_is_wrong_is_told_in_one_sentence_and_nothing_is_left(data, tmp_path):
    asked = [*COMMAND, "discover", str(data), "--leave-out", "label"]
    done = subprocess.run(
        [*asked, "--cluster", "tcp://127.0.0.1:1"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("rarefind: There is no Dask cluster at tcp://127.0.0.1:1: nobody")
    assert done.stderr.count("\n") == 1
    assert not list(tmp_path.glob("*.db"))


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
