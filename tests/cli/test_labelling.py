"""Labelling on the terminal: real processes, killed, resumed, and two at once."""

from __future__ import annotations

import json
import re
import shutil
import signal

import pytest

from rarefind.records.formats.by_ending import read_table
from tests.cli.command import rarefind
from tests.cli.terminal import Terminal


@pytest.fixture
def home(folder, tmp_path):
    shutil.copy(folder / "raw.csv", tmp_path / "raw.csv")
    return tmp_path


HUNT = ("discover", "raw.csv", "--strategy", "random")


def test_a_person_answers_and_everything_is_written(home):
    answers = "ordinary\n1\nU\ns\n1\nfraud\n\n9\n=²\n=7\n[/]\n2\n?\nn\nnew one\nq\n"
    done = rarefind(*HUNT, "--out", "told.csv", cwd=home, stdin=answers)
    assert done.returncode == 0, done.stderr
    assert "156 records, 3 columns" in done.stdout
    assert "Why: It was drawn at random" in done.stdout
    assert "There is no class number 9. For a class of that name type =9." in done.stdout
    assert "A number gives that class" in done.stdout
    assert "8 labels. Classes found:" in done.stdout
    assert "Kept in rarefind.db as hunt raw." in done.stdout
    assert "Written to told.csv." in done.stdout
    told = [word for word in read_table(home / "told.csv").words("label") if word]
    assert sorted(told) == ["7", "[/]", "fraud", "fraud", "new one", "ordinary", "ordinary", "²"]
    taken_back = re.search(r"answer about row (\d+) is taken back", done.stdout)[1]
    asked = re.findall(r"what is row (\d+)", done.stdout)
    assert asked.count(taken_back) == 2


def test_the_end_of_input_ends_the_hunt_and_it_goes_on_where_it_was(home):
    first = rarefind(*HUNT, cwd=home, stdin="xx\n")
    assert first.returncode == 0
    assert "1 label. Classes found: none yet." in first.stdout
    again = rarefind(*HUNT, "--json", cwd=home, stdin="yy\n")
    assert "Going on from 1 label" in again.stderr
    answer = json.loads(again.stdout)  # nothing but JSON on standard output
    assert [each["label"] for each in answer["asked"]] == ["xx", "yy"]
    assert answer["store"] == "rarefind.db"
    asked = [re.findall(r"what is row (\d+)", text) for text in (first.stdout, again.stderr)]
    assert asked[0][-1] == asked[1][0]


def test_records_are_added_and_asked_about_and_labels_stay(home):
    first = rarefind(*HUNT, cwd=home, stdin="xx\nyy\n")
    assert first.returncode == 0, first.stderr
    header, *lines = (home / "raw.csv").read_text().splitlines()
    (home / "more.csv").write_text("\n".join([header, *lines[:2], "99,99,xx"]))
    done = rarefind("add", "raw", "more.csv", cwd=home)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 records added to raw as rows 156 to 158;")
    again = rarefind("discover", "raw.csv", "--json", cwd=home, stdin="zz\n" * 157 + "q\n")
    told = json.loads(again.stdout)
    assert told["records"] == 159
    assert [each["label"] for each in told["asked"]][:3] == ["xx", "yy", "zz"]
    assert {156, 157, 158} <= {each["row"] for each in told["asked"]}
    assert "add records with rarefind add" in " ".join(again.stderr.split())
    (home / "other.csv").write_text("amount,hour\n1,2\n")
    for file, words in [("more.csv", "already"), ("other.csv", "no column 'country'"),
                        ("none.csv", "There is no file none.csv")]:  # fmt: skip
        refused = rarefind("add", "raw", file, cwd=home)
        assert refused.returncode == 2
        assert words in refused.stderr
        assert refused.stderr.count("\n") == 1


def test_a_name_nearly_like_a_class_is_taken_for_it_or_questioned(home):
    answers = "Normal\nnormal\nn\nNORMAL \n=normal\nNromal\nabnormal\nNromal\nn\nnoraml\ny\nq\n"
    done = rarefind(*HUNT, "--json", cwd=home, stdin=answers)
    told = [each["label"] for each in json.loads(done.stdout)["asked"]]
    expected = ["Normal", "Normal", "Normal", "normal", "abnormal", "Nromal", "Normal"]
    assert told == expected
    assert "Taken for Normal. For a class of its own type =normal." in done.stderr
    said = " ".join(done.stderr.split())
    assert said.count("Did you mean") == 3
    asked = "No class is called Nromal yet. Did you mean Normal? y yes, n a new class, or another"
    assert asked in said
    assert said.count("the first of a new class. (u takes it back.)") == 4
    assert "is Normal, the 4th of it. (u takes it back.)" in said


def test_what_parts_the_words_of_a_name_makes_no_other_class(home):
    answers = "gift card\ngiftcard\nGift-Card\ngift_card\ngiftcrad\ny\nq\n"
    done = rarefind(*HUNT, "--json", cwd=home, stdin=answers)
    assert [each["label"] for each in json.loads(done.stdout)["asked"]] == ["gift card"] * 5
    assert "Taken for gift card. For a class of its own type =giftcard." in done.stderr


def test_a_name_that_is_questioned_and_said_again_is_meant(home):
    done = rarefind(*HUNT, "--json", cwd=home, stdin="ok\nok\nko\nunknown\nno\nq\n")
    assert [each["label"] for each in json.loads(done.stdout)["asked"]] == ["ok", "ko"]
    done = rarefind(*HUNT, "--json", "--hunt", "more", cwd=home, stdin="fraud\nfruad\nfruad\nq\n")
    assert [each["label"] for each in json.loads(done.stdout)["asked"]] == ["fraud", "fruad"]


def test_the_budget_ends_it(home):
    done = rarefind(*HUNT, "--budget", "2", cwd=home, stdin="xx\nxx\nxx\n")
    assert "The budget of 2 labels is spent." in done.stdout


def test_a_column_called_label_must_be_explained(home):
    lines = (home / "raw.csv").read_text().splitlines()
    text = "\n".join([f"{lines[0]},label", *(f"{line}," for line in lines[1:])])
    (home / "with.csv").write_text(text)
    done = rarefind("discover", "with.csv", cwd=home)
    assert done.returncode == 2
    assert "has a column 'label'" in done.stderr
    assert not (home / "rarefind.db").exists()
    assert rarefind("discover", "with.csv", "--leave-out", "label", cwd=home).returncode == 0


def test_killed_at_a_question_it_goes_on_at_that_question(home):
    rows = []
    terminal = Terminal(*HUNT, cwd=home)
    rows.append(terminal.question())
    terminal.type("ordinary\r")
    rows.append(terminal.question())
    terminal.type("1\r")
    waiting = terminal.question()
    terminal.kill()
    terminal = Terminal(*HUNT, cwd=home)
    assert terminal.question() == waiting
    terminal.type("fraud\r")
    terminal.question()
    terminal.type("q\r")
    shown, code = terminal.end()
    assert code == 0
    assert "3 labels. Classes found: fraud" in shown
    out = rarefind("export", "raw", "labels.csv", "--what", "labels", cwd=home)
    assert out.returncode == 0, out.stderr
    labels = read_table(home / "labels.csv")
    assert [int(row) for row in labels.column("row")] == [*rows, waiting]
    assert labels.words("label") == ["ordinary", "ordinary", "fraud"]


def test_two_terminals_at_once_never_show_the_same_record(home):
    one, other = Terminal(*HUNT, cwd=home), None
    seen = [one.question()]
    other = Terminal(*HUNT, cwd=home)
    other.wait_for("is labelling this hunt elsewhere: here you are")
    seen.append(other.question())
    for number, terminal in enumerate((one, other, other, one)):
        terminal.type("ordinary\r" if number < 2 else "1\r")
        seen.append(terminal.question())
    assert len(set(seen)) == len(seen) == 6
    for terminal in (one, other):
        terminal.type("q\r")
        assert terminal.end()[1] == 0
    shown = rarefind("show", "raw", "--json", cwd=home)
    people = json.loads(shown.stdout)["progress"]["annotators"]
    assert sorted(people.values()) == [2, 2]


def test_control_c_loses_nothing_and_says_so(home):
    terminal = Terminal(*HUNT, cwd=home)
    terminal.question()
    terminal.type("odd\r")
    terminal.question()
    terminal.process.signal(signal.SIGINT)
    shown, code = terminal.end()
    assert code == 130
    assert "Every answer is kept in rarefind.db" in shown
    assert "Traceback" not in shown
    assert json.loads(rarefind("hunts", "--json", cwd=home).stdout)[0]["labels"] == 1


def test_a_changed_file_is_refused_with_what_to_do(home):
    assert rarefind(*HUNT, cwd=home, stdin="xx\n").returncode == 0
    (home / "raw.csv").write_text((home / "raw.csv").read_text() + "1,2,se\n")
    done = rarefind(*HUNT, cwd=home)
    assert done.returncode == 2
    assert "raw.csv has changed since 'raw' began" in done.stderr
    assert "--hunt NAME" in done.stderr
