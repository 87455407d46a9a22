from __future__ import annotations

import json

import numpy as np
import pytest
from click.testing import CliRunner

from rarefind.cli.bench import bench
from rarefind.core.errors import DataError
from rarefind.records.files import write_table
from rarefind.records.tables import Table


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


def test_synthetic_prints_medians_and_draws_what_was_asked(tmp_path):
    options = ("--seeds", 2, "--set", "set 1", "--set", "six balls", "--budget", 40)
    printed = run("synthetic", *options, "--out", tmp_path / "pictures")
    assert "random, exact mean" in printed
    assert "Interleave, as printed" in printed
    for name in ("set-1", "six-balls"):
        assert (tmp_path / "pictures" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


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
