from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table
from rarefind_bench.command import bench
from rarefind_bench.registry import BENCHES


def run(*arguments):
    done = CliRunner().invoke(bench, list(map(str, arguments)), catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return done.output


@pytest.fixture
def shuttle(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    sizes = {"1": 1500, "2": 4, "3": 6, "4": 300, "5": 150, "6": 4, "7": 5}
    X, labels = [], []
    for number, (name, size) in enumerate(sizes.items()):
        X.append(rng.normal(loc=6.0 * number, size=(size, 2)))
        labels += [name] * size
    places = np.vstack(X)
    columns = {"x": places[:, 0], "y": places[:, 1], "label": np.array(labels, dtype=object)}
    write_table(Table(columns, "t"), tmp_path / "shuttle_train.parquet")
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))


@pytest.mark.usefixtures("shuttle")
def test_shuttle_prints_medians_beside_the_published_rows():
    printed = run("shuttle", "--seeds", 2, "--budget", 60)
    for words in ("alice", "malice", "interleave", "farthest-first", "auto"):
        assert words in printed
    assert "MALICE, as printed" in printed
    row = next(line for line in printed.splitlines() if line.startswith("MALICE, as"))
    assert row.split()[3:] == ["6", "11", "49", "71", "72", "84"]
    answer = json.loads(run("shuttle", "--seeds", 2, "--strategy", "auto", "--json"))["shuttle"]
    auto = answer["strategies"]["auto"]
    assert len(auto["median"]) == len(answer["random"]) == 6
    assert auto["best"] <= auto["median"][-1] <= auto["worst"]


def test_synthetic_prints_medians_and_writes_a_page_with_what_was_asked(tmp_path):
    options = ("--seeds", 2, "--set", "set 1", "--set", "six balls", "--budget", 40)
    printed = run("synthetic", *options, "--out", tmp_path / "page.html")
    assert "random, exact mean" in printed
    assert "Interleave, as printed" in printed
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert page.count("<svg") == 2
    assert "set 1: the" in page
    assert "numpy" in page


def test_a_stopped_benchmark_goes_on_from_its_journal(tmp_path):
    options = ("--set", "set 1", "--budget", 20, "--json", "--journal", tmp_path / "parts.jsonl")
    run("synthetic", "--seeds", 1, *options)
    kept = (tmp_path / "parts.jsonl").read_text(encoding="utf-8")
    (tmp_path / "parts.jsonl").write_text(kept + '{"version": "0', encoding="utf-8")
    answer = json.loads(run("synthetic", "--seeds", 2, *options))["set 1"]
    assert (tmp_path / "parts.jsonl").read_text(encoding="utf-8").startswith(kept)
    fresh = json.loads(run("synthetic", "--seeds", 2, *options[:5]))["set 1"]
    for name, row in fresh["strategies"].items():
        assert answer["strategies"][name]["median"] == row["median"]


def test_a_file_that_is_no_journal_is_refused(tmp_path):
    (tmp_path / "notes.txt").write_text("dear diary\ntoday\n", encoding="utf-8")
    with pytest.raises(DataError, match="no journal of a benchmark"):
        run("synthetic", "--seeds", 1, "--set", "set 1", "--journal", tmp_path / "notes.txt")


def test_robustness_compares_malice_told_wrong_with_auto_told_nothing():
    options = ("--set", "set 1", "--seeds", 1, "--budget", 60, "--json")
    answer = json.loads(run("robustness", *options))["set 1"]
    assert "MALICE, shares x 0.25" in answer
    assert "auto, 20% of answers wrong" in answer
    assert len(answer["auto, told nothing"]) == 1


def test_synthetic_answers_in_json_with_none_for_what_was_not_seen():
    options = ("--seeds", 1, "--set", "set 1", "--strategy", "random", "--budget", 1, "--json")
    answer = json.loads(run("synthetic", *options))["set 1"]
    assert answer["strategies"]["random"]["median"] == [None]
    assert answer["random"] == [pytest.approx(1011 / 11)]
    assert answer["printed"] == {"MALICE": [3], "Interleave": [35], "random": [101]}


def test_without_data_shuttle_says_what_to_put_where(tmp_path, monkeypatch):
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))
    with pytest.raises(DataError, match=r"needs the file shuttle_train\.parquet"):
        run("shuttle", "--seeds", 1)


def test_discovery_prints_shares_of_what_random_sampling_needs():
    options = ("--set", "set 1", "--seeds", 1, "--budget", 30, "--strategy", "auto")
    printed = run("discovery", *options, "--strategy", "malice").splitlines()
    table = printed.index("By set") + 1
    assert printed[table].split()[:3] == ["set", "auto", "malice"]
    assert all(0 < float(share) < 1 for share in printed[table + 1].split()[2:4])
    assert any(line.startswith("Is the outlook right? auto: ") for line in printed)
    data = json.loads(run("discovery", *options, "--json"))
    assert len(data["set 1"]["auto"]) == 1


def test_the_store_is_timed_beside_plain_connections_and_left_whole(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    printed = run("store", "--budget", 1)
    assert "own connections, BEGIN IMMEDIATE" in printed
    assert "events: whole" in printed
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "wrong"), [("kernels", "string"), ("detection", "hivaa"), ("discovery", "set 9")]
)
def test_a_part_that_does_not_exist_is_answered_with_the_nearest(
    name, wrong, tmp_path, monkeypatch
):
    monkeypatch.setenv("RAREFIND_DATA", str(tmp_path))
    with pytest.raises(UnknownNameError, match=wrong):
        run(name, "--set", wrong)


def test_help_tells_all_of_every_benchmark():
    said = " ".join(run("--help").split())
    assert all(f"{name} {chosen.words}" in said for name, chosen in BENCHES.items())
