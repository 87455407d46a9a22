"""``rarefind harvest``: a column or a person answers, and it goes on where it stopped."""

from __future__ import annotations

import json
import re
import shutil

import pytest

from tests.cli.command import rarefind


@pytest.fixture
def home(folder, tmp_path):
    shutil.copy(folder / "payments.csv", tmp_path / "payments.csv")
    done = rarefind(
        *("discover", "payments.csv", "--label-column", "kind", "--store", "rarefind.db"),
        *("--strategy", "farthest-first", "--budget", "12", "--json"),
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    return tmp_path


HARVEST = ("harvest", "payments.csv", "--target", "fraud", "--model", "lago")


def test_a_column_answers_until_the_budget_is_spent(home):
    done = rarefind(*HARVEST, "--from-column", "--budget", "25", "--json", cwd=home)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["found"] == 6
    assert told["looked"] == 25
    assert told["left"]["low"] <= told["left"]["likely"] <= told["left"]["high"]
    assert "Left to find" in told["words"]


def test_a_person_says_yes_no_or_what_it_is_and_it_goes_on(home):
    first = rarefind(*HARVEST, cwd=home, stdin="?\ny\nn\nu\ns\nq\n")
    assert first.returncode == 0, first.stderr
    assert "y says that the record is of the class" in first.stdout
    assert re.search(r"Is row \d+ fraud\?", first.stdout)
    assert "is fraud. (u takes it back.)" in first.stdout
    assert "is ordinary. (u takes it back.)" in first.stdout
    row = re.search(r"Your answer about row (\d+) is taken back; here it is again", first.stdout)
    assert row is not None
    again = first.stdout[row.end() :]
    assert re.search(r"Is row (\d+) fraud\?", again)[1] == row[1]
    assert f"Row {row[1]} stays undecided" in again
    assert "stays undecided" in first.stdout
    news = rarefind(*HARVEST, cwd=home, stdin="Fraud\nfruad\nmaybe\n=odd\nu\nn\nq\n")
    told = " ".join(news.stdout.split())
    assert "No class is called fruad yet. For fraud type it, for a new class =fruad;" in told
    assert "No class is called maybe yet. For a new class =maybe; s leaves it undecided." in told
    assert "is of a class that nobody knew: odd. Go on all the same? y yes, n no, u takes" in told
    shown = json.loads(rarefind("show", "payments", "--json", cwd=home).stdout)
    assert {each["name"] for each in shown["progress"]["classes"]} == {"ordinary", "fraud"}
    limit = rarefind(*HARVEST, "--budget", "1", cwd=home, stdin="y\ny\n")
    assert "The budget of 1 look is spent." in limit.stdout


def test_mistakes_are_told_in_one_sentence(home):
    wrong = rarefind("harvest", "payments.csv", "--target", "frau", "--from-column", cwd=home)
    assert wrong.returncode == 2
    assert "There is no class 'frau'. Did you mean 'fraud'?" in wrong.stderr
    missing = rarefind("harvest", "payments.csv", "--hunt", "other", "--target", "x", cwd=home)
    assert missing.returncode == 2
    assert missing.stderr.count("\n") == 1
