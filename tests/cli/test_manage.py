"""A hunt changed from the command line without being asked, and files read as somebody says."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing

import pytest

from tests.cli.command import rarefind


@pytest.fixture
def home(folder, tmp_path):
    (tmp_path / "raw.csv").write_bytes((folder / "raw.csv").read_bytes())
    done = rarefind("discover", "raw.csv", cwd=tmp_path, stdin="q\n")
    assert done.returncode == 0, done.stderr
    return tmp_path


def test_settings_labels_and_deletion(home):
    done = rarefind("set", "raw", "background=normal, dull", "title=March", cwd=home)
    unseen = "No record is called normal or dull yet."
    assert done.stdout == (
        f"raw: background is normal, dull now. {unseen}\nraw: title is March now.\n"
    )
    back = "(rarefind label raw 7 --undo takes it back.)"
    done = rarefind("label", "raw", 7, "fraud", cwd=home)
    assert done.stdout == f"Row 7 is fraud, the first of a new class. {back}\n"
    done = rarefind("label", "raw", 7, "odd", cwd=home)
    assert done.stdout == f"Row 7 is odd, the first of a new class. It was fraud. {back}\n"
    done = rarefind("label", "raw", 7, "--undo", cwd=home)
    assert done.stdout == "Row 7 is fraud, the 1st of it. It was odd.\n"
    done = rarefind("label", "raw", 8, "fraud", "--json", cwd=home)
    told = {"hunt": "raw", "row": 8, "label": "fraud", "labels": 2}
    assert json.loads(done.stdout) == told
    for slip in (
        ["label", "raw", 8, "fruad"],
        ["find", "raw", "row = 8", "--label", "fruad"],
        ["set", "raw", "background=fruad"],
    ):
        done = rarefind(*slip, cwd=home)
        assert done.returncode == 2
        assert "Did you mean 'fraud'? For a new class write '=fruad'." in done.stderr
    shown = json.loads(rarefind("show", "raw", "--json", cwd=home).stdout)
    assert shown["progress"]["background"] == ["normal", "dull"]
    assert "2 brought along" in shown["progress"]["outlook_words"]
    assert "--undo brings it back" in rarefind("delete", "raw", cwd=home).stdout
    assert json.loads(rarefind("hunts", "--json", cwd=home).stdout) == []
    assert "was deleted" in rarefind("discover", "raw.csv", cwd=home, stdin="q\n").stderr
    done = rarefind("delete", "raw", "--undo", cwd=home)
    assert done.stdout == "raw is back, with 2 answers.\n"


def test_a_damaged_store_is_salvaged_and_what_is_missing_is_told(home):
    done = rarefind("discover", "raw.csv", "--store", "k.db", cwd=home, stdin="q\n")
    assert done.returncode == 0, done.stderr
    for row in (7, 8, 9):
        assert rarefind("label", "raw", row, "fraud", "--store", "k.db", cwd=home).returncode == 0
    with closing(sqlite3.connect(home / "k.db")) as connection, connection:
        connection.execute("UPDATE events SET value = 'other' WHERE row = 8")
    done = rarefind("check", "--store", "k.db", cwd=home)
    assert (done.returncode, "place 2 is damaged" in done.stderr) == (2, True)
    done = rarefind("salvage", "k.db", "--out", "new.db", cwd=home)
    assert done.returncode == 0, done.stderr
    missing, brought = done.stdout.splitlines()
    assert "damaged: 1" in missing
    assert brought == "Brought back into new.db: 1 hunt, 2 events, 0 rankings."
    assert "is whole: 1 hunt, 2 events" in rarefind("check", "--store", "new.db", cwd=home).stdout
    assert "new.db" in rarefind("salvage", "k.db", "--out", "new.db", cwd=home).stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["set", "raw", "background"], "A setting is changed as in background=normal"),
        (["set", "raw", "seed=3"], "There is no setting that can change called 'seed'"),
        (["set", "raw", "overlap=many"], "The setting 'overlap' must be a number"),
        (["label", "raw", "999", "x"], "There is no row 999"),
        (["label", "rw", "1", "x"], "Did you mean 'raw'?"),
        (["label", "raw", "1"], "Give the class of the record, or --undo"),
        (["label", "raw", "1", "--undo"], "has said nothing of row 1"),
    ],
)
def test_what_cannot_be_is_said(home, arguments, words):
    done = rarefind(*arguments, cwd=home)
    assert done.returncode == 2
    assert words in done.stderr


def test_how_a_file_is_read_may_change_until_something_is_said(tmp_path):
    lines = [f"{-999 if row % 9 == 4 else row * 37 % 101}.0,{row % 3}" for row in range(60)]
    (tmp_path / "gaps.csv").write_text("size,shop\n" + "\n".join(lines) + "\n")

    def discover(*options, said="q\n"):
        return rarefind("discover", "gaps.csv", *options, cwd=tmp_path, stdin=said)

    assert discover().returncode == 0
    done = discover("--missing", "-999", "--kind", "shop=category")
    assert "Records are compared by 1 number and 1 category." in done.stdout, done.stderr
    assert "-999" not in done.stdout.split("Question 1")[1]  # asked anew, as it is read now
    again = discover(said="odd\nq\n")  # shown and compared as it was begun
    assert "Records are compared by 1 number and 1 category." in again.stdout
    assert again.stdout.split("\n")[2:4] == done.stdout.split("\n")[2:4]
    assert "Row" in again.stdout
    late = discover("--kind", "shop=number")
    assert late.returncode == 2
    assert (
        "has answers, and was begun with kinds shop=category: that cannot become kinds shop=number"
    ) in late.stderr
    late = discover("--header", "yes", "--missing", "-999")
    assert (
        "was begun with the file read with missing -999: that cannot become the file read with "
        "header yes, missing -999"
    ) in late.stderr
    assert rarefind("delete", "gaps", cwd=tmp_path).returncode == 0
    assert "The hunt 'gaps' was deleted." in discover("--header", "yes").stderr
    fewer = rarefind("discover", "gaps.csv", "--hunt", "other", cwd=tmp_path, stdin="q\n")
    assert fewer.returncode == 0
    fewer = discover("--hunt", "other", "--header", "no")
    assert "has not the 60 records that the hunt 'other' was begun with" in fewer.stderr


def test_a_record_is_named_by_its_id(tmp_path):
    lines = [f"PX{10 + row // 2 if row < 4 else 900 + row},{row * 37 % 101}.5" for row in range(60)]
    (tmp_path / "ids.csv").write_text("payment_id,size\n" + "\n".join(lines) + "\n")
    assert rarefind("discover", "ids.csv", cwd=tmp_path, stdin="q\n").returncode == 0
    done = rarefind("label", "ids", "PX917", "odd", cwd=tmp_path)
    assert done.stdout.startswith("Row 17 is odd, the first of a new class."), done.stderr
    for name, words in [
        ("PX10", "2 records have the id 'PX10': name one by its row, such as 0."),
        ("PX1", "No record has the id 'PX1': a record is named by its row, a number from 0 to 59"),
    ]:
        done = rarefind("label", "ids", name, "odd", cwd=tmp_path)
        assert done.returncode == 2
        assert words in done.stderr


def test_a_correction_of_an_answer_is_not_brought_along(home):
    done = rarefind("discover", "raw.csv", "--json", cwd=home, stdin="odd\nq\n")
    row = json.loads(done.stdout)["asked"][0]["row"]
    assert rarefind("label", "raw", row, "dull", cwd=home).returncode == 0
    shown = json.loads(rarefind("show", "raw", "--json", cwd=home).stdout)
    assert "brought along" not in shown["progress"]["outlook_words"]
    assert [each["name"] for each in shown["progress"]["classes"]] == ["dull"]


def test_what_was_taken_back_is_shown_again_whatever_would_be_asked(home):
    asked = rarefind("discover", "raw.csv", cwd=home, stdin="q\n").stdout
    row = next(row for row in (7, 8) if f"what is row {row}?" not in asked)
    assert rarefind("label", "raw", row, "odd", cwd=home).returncode == 0
    done = rarefind("discover", "raw.csv", cwd=home, stdin="u\ndull\nq\n")
    said = done.stdout.split(f"The answer about row {row} is taken back.")[1]
    assert f"what is row {row}?" in said
    assert "Why: You took back what you said of it." in said
    assert f"Row {row} is dull, the first of a new class." in said
    assert said.count("what is row") == 2  # and then what was asked before


def test_a_label_column_with_gaps_begins_a_hunt(tmp_path):
    lines = [f"{row % 7}.{row},{'fraud' if row in (3, 9) else ''}" for row in range(40)]
    (tmp_path / "half.csv").write_text("size,kind\n" + "\n".join(lines) + "\n")
    answers = "normal\nq\n"
    done = rarefind("discover", "half.csv", "--label-column", "kind", cwd=tmp_path, stdin=answers)
    assert done.returncode == 0, done.stderr
    assert "2 labels brought along from column kind." in done.stdout
    assert "None of them is the ordinary one" not in done.stdout
    options = ("--hunt", "half a", "--label-column", "kind")
    unasked = rarefind("discover", "half.csv", *options, cwd=tmp_path, stdin="q\n").stdout
    assert "the ordinary one yet: rarefind set 'half a' background=CLASS says which" in " ".join(
        unasked.split()
    )
    unsaid = rarefind("discover", "half.csv", "--hunt", "b", cwd=tmp_path, stdin="q\n").stdout
    assert "Does kind hold answers? Records are compared by it, too: --label-column kind" in unsaid
    assert "is normal, the first of a new class" in done.stdout
    shown = json.loads(rarefind("show", "half", "--json", cwd=tmp_path).stdout)
    classes = {each["name"]: each["background"] for each in shown["progress"]["classes"]}
    assert classes == {"fraud": False, "normal": True}


def test_several_files_and_what_is_said_of_them(tmp_path):
    for month in ("may", "june"):
        lines = [f"{row}:{row % 7}.5:{'-' if row % 9 else '-999'}" for row in range(20)]
        (tmp_path / f"{month}.csv").write_text("nr:size:note\n" + "\n".join(lines) + "\n")
    told = ("--delimiter", ":", "--missing", "-999", "--kind", "note=category", "--json")
    done = rarefind("discover", "may.csv", "june.csv", *told, cwd=tmp_path, stdin="q\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["records"] == 40
    again = rarefind("discover", "may.csv", "june.csv", *told, cwd=tmp_path, stdin="q\n")
    assert again.returncode == 0, again.stderr
    wrong = rarefind("discover", "may.csv", "--delimiter", "::", cwd=tmp_path)
    assert "must be one character, or the word tab" in wrong.stderr
