from __future__ import annotations

import json

import pytest

from tests.cli.command import rarefind


@pytest.fixture(scope="module")
def home(folder, tmp_path_factory):
    home = tmp_path_factory.mktemp("find")
    (home / "raw.csv").write_bytes((folder / "raw.csv").read_bytes())
    done = rarefind("discover", "raw.csv", cwd=home, stdin="q\n")
    assert done.returncode == 0, done.stderr
    return home


def test_records_are_found_labelled_in_one_step_and_undone(home):
    whole = json.loads(rarefind("find", "raw", "", "--json", cwd=home).stdout)
    assert whole["total"] == whole["n_records"] > 20
    assert len(whole["records"]) == 20
    done = rarefind("find", "raw", "row < 3", "--label", "odd", cwd=home)
    assert "3 records of" in done.stdout
    assert "rarefind undo raw takes it back" in done.stdout
    found = json.loads(rarefind("find", "raw", "class = odd", "--json", cwd=home).stdout)
    assert [each["row"] for each in found["records"]] == [0, 1, 2]
    undone = rarefind("undo", "raw", cwd=home)
    assert undone.stdout == "The 3 answers of one step are taken back.\n"
    assert json.loads(rarefind("find", "raw", "labelled", "--json", cwd=home).stdout)["total"] == 0
    nothing = rarefind("undo", "raw", cwd=home)
    assert (nothing.returncode, "has told nothing" in nothing.stderr) == (2, True)


def test_a_wrong_query_is_one_sentence(home):
    done = rarefind("find", "raw", "amuont > 3", cwd=home)
    assert done.returncode == 2
    assert done.stderr.startswith("rarefind: There is no column 'amuont', named at character 1")
