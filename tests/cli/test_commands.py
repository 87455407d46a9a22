from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest

from rarefind.records.files import read_table, write_table
from rarefind.records.tables import Table


def rarefind(*arguments, cwd, stdin=""):
    return subprocess.run(
        [sys.executable, "-m", "rarefind", *map(str, arguments)],
        cwd=cwd,
        input=stdin,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    home = tmp_path_factory.mktemp("cli")
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(150, 2)), rng.normal(8, 0.1, size=(6, 2))])
    kinds = np.array(["ordinary"] * 150 + ["fraud"] * 6, dtype=object)
    country = np.array([*["se", "no", "dk"] * 50, *["lt"] * 6], dtype=object)
    order = rng.permutation(156)
    columns = {
        "amount": X[order, 0],
        "hour": X[order, 1],
        "country": country[order],
        "kind": kinds[order],
    }
    for ending in ("csv", "parquet"):
        write_table(Table(columns, "t"), home / f"payments.{ending}")
    (home / "empty.csv").write_text("")
    (home / "ragged.csv").write_text("a,b\n1,2\n3\n")
    return home


@pytest.mark.parametrize("file", ["payments.csv", "payments.parquet"])
def test_discover_finds_the_class_with_a_column_that_answers(folder, file):
    done = rarefind(
        "discover", file, "--label-column", "kind", "--background", "ordinary", "--json", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["found"]["fraud"] <= 10
    assert answer["random_would_need"] == pytest.approx(157 / 7)
    assert answer["labels"] == len(answer["asked"])


def test_priors_are_read_from_the_command_line(folder):
    done = rarefind(
        *("discover", "payments.csv", "--label-column", "kind", "--strategy", "malice"),
        *("--prior", "fraud=0.04", "--background", "ordinary", "--json"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "fraud" in json.loads(done.stdout)["found"]


def test_discover_tells_its_result_in_words(folder):
    done = rarefind(
        *("discover", "payments.csv", "--label-column", "kind"),
        *("--strategy", "random", "--budget", "156", "--seed", "3"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "ordinary: ordinary" in done.stdout
    assert "1 class found with" in done.stdout
    assert "Random sampling needs 22 on average" in done.stdout


def test_a_person_answers_on_the_terminal_and_the_labels_are_written(folder):
    answers = "ordinary\n1\nU\ns\n1\nfraud\n\n9\n²\n=7\n[/]\n2\nq\n"
    done = rarefind(
        *("discover", "payments.csv", "--strategy", "random", "--out", "told.csv"),
        cwd=folder,
        stdin=answers,
    )
    assert done.returncode == 0, done.stderr
    assert "156 records, compared by" in done.stdout
    assert "Why:" in done.stdout
    assert "There is no class number 9. For a class of that name type =9." in done.stdout
    assert "7 labels" in done.stdout
    told = [word for word in read_table(folder / "told.csv").words("label") if word]
    assert sorted(told) == ["7", "[/]", "fraud", "fraud", "ordinary", "ordinary", "²"]


def test_a_file_with_answers_is_gone_on_from_and_keeps_its_cells(folder):
    text = "id,when,amount,label\n"
    text += "".join(f"00{row},2024-01-0{row % 9 + 1},{row}.50,\n" for row in range(20))
    (folder / "some.csv").write_text(
        text.replace("003,2024-01-04,3.50,", "003,2024-01-04,3.50,odd")
    )
    command = ("discover", "some.csv", "--out", "some.csv", "--json")
    done = rarefind(*command, cwd=folder, stdin="even\nodd\n")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["labels"] == 3  # nothing but JSON on standard output
    assert "Going on from 1 label that the file has" in done.stderr
    lines = (folder / "some.csv").read_text().splitlines()
    assert lines[4] == "003,2024-01-04,3.50,odd"
    assert sorted(line.rsplit(",", 1)[0] for line in lines[1:]) == sorted(
        line.rsplit(",", 1)[0] for line in text.splitlines()[1:]
    )


def test_types_of_a_parquet_file_survive(folder):
    import datetime as dt

    import pyarrow as pa
    from pyarrow import parquet

    days = [dt.datetime(2024, 1, day + 1) for day in range(20)]
    table = pa.table({"day": days, "flag": [True, False] * 10, "n": list(range(20))})
    parquet.write_table(table, folder / "typed.parquet")
    command = ("discover", "typed.parquet", "--strategy", "random", "--out", "typed2.parquet")
    assert rarefind(*command, cwd=folder, stdin="x\ny\n").returncode == 0
    again = parquet.read_table(folder / "typed2.parquet")
    assert again.select(["day", "flag", "n"]).equals(table)
    assert len(again["label"].drop_null()) == 2


def test_numbers_keep_their_classes_while_answers_come_in(folder):
    done = rarefind(
        *("discover", "payments.csv", "--strategy", "random", "--out", "n.csv"),
        cwd=folder,
        stdin="first\nsecond\n2\n2\n1\nq\n",
    )
    assert done.returncode == 0, done.stderr
    told = [word for word in read_table(folder / "n.csv").words("label") if word]
    assert sorted(told) == ["first", "first", "second", "second", "second"]


def test_the_end_of_input_ends_the_hunt_and_keeps_what_was_told(folder):
    done = rarefind("discover", "payments.csv", "--strategy", "random", cwd=folder, stdin="x\n")
    assert done.returncode == 0
    assert "1 label. Classes found: none yet." in done.stdout


def test_rank_without_unlabelled_rows_judges_itself(folder):
    done = rarefind(
        *("rank", "payments.parquet", "--label-column", "kind", "--target", "fraud"),
        *("--top", "6", "--json", "--out", "ranked.parquet"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["average_precision"] == pytest.approx(1.0)
    kinds = read_table(folder / "payments.parquet").words("kind")
    assert {kinds[entry["row"]] for entry in answer["ranking"]} == {"fraud"}
    ranked = read_table(folder / "ranked.parquet")
    assert ranked.n_rows == 156
    assert (np.diff(ranked.column("score")) <= 0).all()


def test_rank_brings_the_unlabelled_records_of_the_class_to_the_top(folder):
    table = read_table(folder / "payments.csv")
    kinds = table.words("kind")
    known = np.array([None] * 156, dtype=object)
    fraud = [row for row, kind in enumerate(kinds) if kind == "fraud"]
    for row in [*fraud[:2], *[row for row in range(30) if kinds[row] == "ordinary"]]:
        known[row] = kinds[row]
    columns = {**table.without(["kind"]).columns, "label": known}
    write_table(Table(columns, "t"), folder / "some.csv")
    done = rarefind(
        "rank", "some.csv", "--label-column", "label", "--target", "fraud", "--top", "4", cwd=folder
    )
    assert done.returncode == 0, done.stderr
    first = [int(line.split()[1]) for line in done.stdout.splitlines()[2:6]]
    assert sorted(first) == sorted(fraud[2:])


RANK_FRAUD = ["rank", "payments.csv", "--label-column", "kind", "--target", "fraud"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["discover", "missing.csv"], "There is no file missing.csv"),
        (["discover", "empty.csv"], "empty.csv: the file is empty"),
        (["discover", "ragged.csv"], "ragged.csv: line 3 has 1 cells where the header has 2"),
        (
            ["discover", "payments.csv", "--label-column", "kid"],
            "There is no column 'kid'. Did you mean 'kind'?",
        ),
        (
            ["discover", "payments.csv", "--strategy", "malicee"],
            "There is no strategy 'malicee'. Did you mean 'malice'?",
        ),
        (["discover", "payments.csv", "--prior", "x"], "--prior takes a share"),
        (["discover", "payments.csv", "--prior", "a=.1", "--prior", ".1"], "for none of them"),
        (["discover", "payments.csv", "--budget", "0"], "0 is not in the range"),
        (["discover"], "Missing argument 'FILE'"),
        (["rank", "payments.csv", "--label-column", "kind", "--target", "frod"], "'fraud'"),
        (["rank", "payments.csv", "--target", "fraud"], "--label-column"),
        (["discovr", "x"], "There is no command 'discovr'. Did you mean 'discover'?"),
        (["discover", "a.xyz"], "files ending in '.xyz' are not known"),
        (["discover", "payments.csv", "--out", "a.xlsx"], "'.xlsx' are not known"),
        (["discover", "payments.csv", "--out", "no/a.csv"], "there is no folder"),
        (
            ["discover", "payments.csv", "--label-column", "kind", "--background", "ordinry"],
            "There is no class in column 'kind' called 'ordinry'. Did you mean 'ordinary'?",
        ),
        (
            [*RANK_FRAUD, "--out", "payments.csv"],
            "--out would replace payments.csv, which holds the labels",
        ),
        (["demo", "--picture", "a.xyz"], "a.xyz cannot be drawn"),
    ],
)
def test_wrong_use_is_answered_in_one_sentence_with_exit_code_2(folder, arguments, words):
    done = rarefind(*arguments, cwd=folder)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_lists_the_commands(folder):
    done = rarefind("--help", cwd=folder)
    assert done.returncode == 0
    for command in ("demo", "discover", "rank"):
        assert command in done.stdout
        assert rarefind(command, "--help", cwd=folder).returncode == 0
