from __future__ import annotations

import json

import pytest

from tests.cli.command import rarefind


@pytest.fixture
def hunt(folder, tmp_path):
    """A hunt with two names for one class."""
    store = tmp_path / "store.db"
    (tmp_path / "labels.csv").write_text("row,label\n0,ordinary\n1,frued\n2,frued\n3,fraud\n")
    raw = folder / "raw.csv"
    begun = rarefind("discover", raw, "--store", store, "--hunt", "pay", cwd=tmp_path, stdin="q\n")
    assert begun.returncode == 0, begun.stderr
    brought = rarefind("import", "pay", "labels.csv", "--store", store, cwd=tmp_path)
    assert brought.returncode == 0, brought.stderr

    def run(*arguments):
        return rarefind(*arguments, "--store", store, cwd=tmp_path)

    return run


def test_a_class_is_renamed_merged_and_parted_again(hunt):
    merged = json.loads(hunt("merge", "pay", "frued", "fraud", "--json").stdout)
    assert merged["classes"] == {"ordinary": 1, "fraud": 3}
    assert (
        "The class fraud of pay is theft now: 3 labels."
        in hunt("rename", "pay", "fraud", "theft").stdout
    )
    back = json.loads(hunt("rename", "pay", "--undo", "--json").stdout)
    assert (back["old"], back["new"], back["undone"]) == ("fraud", "theft", True)
    parted = json.loads(hunt("merge", "pay", "--undo", "--json").stdout)
    assert parted["classes"] == {"ordinary": 1, "frued": 2, "fraud": 1}


def test_undo_takes_a_new_name_back_before_the_answers_before_it(hunt):
    assert hunt("label", "pay", 3, "frued").returncode == 0
    assert hunt("rename", "pay", "frued", "theft").returncode == 0
    assert "took back the name theft of the class frued" in hunt("undo", "pay").stdout
    assert json.loads(hunt("undo", "pay", "--json").stdout)["rows"] == [3]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("rename", "pay", "frued", "fraud"), "merge 'frued' into it"),
        (("rename", "pay", "none", "fraud"), "There is no class 'none'"),
        (("merge", "pay", "frued"), "or --undo alone"),
        (("merge", "pay", "frued", "fraud", "--undo"), "or --undo alone"),
        (("merge", "pay", "--undo"), "renamed or merged"),
    ],
)
def test_what_makes_no_sense_is_refused_in_a_sentence(hunt, arguments, words):
    done = hunt(*arguments)
    assert done.returncode == 2
    assert words in done.stderr.replace("\n", " ")
