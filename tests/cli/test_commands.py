from __future__ import annotations

import json
import re
import subprocess
import sys

import numpy as np
import pytest

from rarefind.records.formats.by_ending import read_table, write_table
from rarefind.records.table import Table
from tests.cli.command import rarefind


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


def test_kinds_are_shown_before_anything_runs_and_can_be_corrected(folder):
    command = ("discover", "payments.csv", "--label-column", "kind", "--budget", "3")
    shown = rarefind(*command, cwd=folder).stdout
    assert "country  category  4 different words in 156 rows" in shown
    assert "compared by 2 numbers and 1 category" in shown
    shown = rarefind(*command, "--leave-out", "country", "--kind", "hour=category", cwd=folder)
    assert "compared by 1 number and 1 category" in shown.stdout
    assert "country  left out  as you said" in shown.stdout
    with_kernel = rarefind(*command, "--kernel", "on(country, spectrum(2))", cwd=folder)
    assert with_kernel.returncode == 0, with_kernel.stderr
    assert "spectrum(2)" in with_kernel.stdout


def test_answers_of_a_column_are_kept_if_a_hunt_is_named(folder):
    command = (
        "discover", "payments.csv", "--label-column", "kind", "--hunt", "column", "--budget", "4",
        "--strategy", "random", "--store", "columns.db", "--json",
    )  # fmt: skip
    first = json.loads(rarefind(*command, cwd=folder).stdout)
    again = json.loads(rarefind(*command, "--budget", "6", cwd=folder).stdout)
    assert again["asked"][:4] == first["asked"]
    assert (first["labels"], again["labels"]) == (4, 6)
    assert (folder / "columns.db").exists()


def test_rank_works_on_the_labels_of_a_hunt(folder):
    table = read_table(folder / "payments.csv")
    labels = "".join(
        f"{row},{kind}\n" for row, kind in enumerate(table.words("kind")) if row % 3 == 0
    )
    (folder / "third.csv").write_text(f"row,label\n{labels}")
    begun = rarefind("discover", "raw.csv", "--hunt", "r", "--store", "r.db", cwd=folder)
    assert begun.returncode == 0, begun.stderr
    done = rarefind("import", "r", "third.csv", "--store", "r.db", "--json", cwd=folder)
    assert json.loads(done.stdout) == {"hunt": "r", "new": 52, "changed": 0, "labels": 52}
    done = rarefind(
        *("rank", "raw.csv", "--hunt", "r", "--store", "r.db", "--target", "fraud"),
        *("--model", "lago", "--top", "3", "--out", "top.csv", "--json"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert answer["ranked"] == 104
    assert {table.words("kind")[each["row"]] for each in answer["ranking"]} == {"fraud"}
    ranked = read_table(folder / "top.csv")
    assert ranked.n_rows == 104
    assert list(ranked.columns) == RANKED
    shown = rarefind("show", "r", "--store", "r.db", cwd=folder).stdout
    assert "52 labels" in shown
    assert "Ranked for fraud by lago" in shown
    told = re.findall(r"called row (\d+) \w+\. (\w+) ([^,*]+)", " ".join(shown.split()))
    assert len(told) == 5
    for row, name, value in told:  # the record itself, beside its number
        assert table.words(name)[int(row)] == value
    listed = json.loads(rarefind("hunts", "--store", "r.db", "--json", cwd=folder).stdout)
    assert [(hunt["name"], hunt["labels"]) for hunt in listed] == [("r", 52)]
    out = rarefind("export", "r", "tasks.json", "--store", "r.db", "--json", cwd=folder)
    assert json.loads(out.stdout) == {"file": "tasks.json", "what": "labels", "rows": 52}


def test_compare_prints_a_table_and_draws_it(folder):
    done = rarefind(
        *("compare", "payments.csv", "--label-column", "kind", "--target", "fraud"),
        *("--models", "lago,logistic", "--folds", "3", "--plot", "curves.svg"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    assert "6 records of fraud among 156, 3 folds" in done.stdout
    header = next(line for line in done.stdout.splitlines() if line.startswith("model"))
    assert header.split()[:2] == ["model", "AP"]
    assert (folder / "curves.svg").read_text().startswith("<?xml")


def test_compare_says_how_high_precision_can_be(folder):
    models = ("--models", "lago", "--folds", "4")
    done = rarefind(*COMPARE, "fraud", *models, "--k", "2", cwd=folder)
    assert "A fold holds about 1.5 records of fraud, so P@2 is 0.750 at most." in done.stdout
    assert "P@1" in rarefind(*COMPARE, "fraud", *models, "--k", "1", cwd=folder).stdout
    assert "at most" not in rarefind(*COMPARE, "fraud", *models, "--k", "1", cwd=folder).stdout


def test_missing_cells_are_counted_where_columns_are_shown(folder):
    lines = "".join(f"{n},{'' if n % 4 else n}\n" for n in range(24))
    (folder / "gaps.csv").write_text(f"size,weight\n{lines}")
    done = rarefind("discover", "gaps.csv", "--store", "memory:", cwd=folder, stdin="q\n")
    assert re.search(r"column +kind +missing +because", done.stdout)
    assert re.search(r"weight +number +18 +numbers", done.stdout)
    done = rarefind("discover", "raw.csv", "--store", "memory:", cwd=folder, stdin="q\n")
    assert re.search(r"column +kind +because", done.stdout)
    assert "missing" not in done.stdout.replace("--missing WORD", "")


def test_a_store_is_copied_and_checked(folder):
    rarefind(
        *("discover", "payments.csv", "--label-column", "kind", "--store", "k.db", "--budget", "2"),
        cwd=folder,
    )
    done = rarefind("backup", "copy.db", "--store", "k.db", cwd=folder)
    assert done.returncode == 0, done.stderr
    done = rarefind("check", "--store", "copy.db", "--json", cwd=folder)
    assert json.loads(done.stdout) == {
        "ok": True, "faults": [], "repaired": [], "hunts": 1, "events": 2,
    }  # fmt: skip
    assert (
        "The store is whole: 1 hunt, 2 events."
        in rarefind("check", "--store", "k.db", cwd=folder).stdout
    )
    (folder / "broken.db").write_bytes(b"no database at all" * 100)
    done = rarefind("check", "--store", "broken.db", cwd=folder)
    assert done.returncode == 2
    assert "broken.db" in done.stderr
    assert done.stderr.count("\n") == 1


def test_rank_without_unlabelled_rows_judges_itself(folder):
    done = rarefind(
        *("rank", "payments.parquet", "--label-column", "kind", "--target", "fraud"),
        *("--top", "6", "--json", "--out", "ranked.parquet", "--model", "lago"),
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
    assert list(ranked.columns) == RANKED
    assert ranked.words("label") == [kinds[int(row)] for row in ranked.column("row")]


def test_rank_says_what_auto_averages(folder):
    table = read_table(folder / "payments.csv")
    write_table(table.chosen(np.arange(60)), folder / "few.csv")
    fraud = table.words("kind")[:60].count("fraud")
    assert fraud >= 2
    done = rarefind(
        *("rank", "few.csv", "--label-column", "kind", "--target", "fraud", "--json"), cwd=folder
    )
    why = json.loads(done.stdout)["why"]
    first = "Every record was ranked by auto, fitted without it. It averages the rankings of trees,"
    assert why.startswith(first)
    assert "a random order has 0." in why


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
        *("rank", "some.csv", "--label-column", "label", "--target", "fraud", "--top", "4"),
        *("--model", "lago"),
        cwd=folder,
    )
    assert done.returncode == 0, done.stderr
    first = [int(line.split()[1]) for line in done.stdout.splitlines()[2:6]]
    assert sorted(first) == sorted(fraud[2:])


RANKED = ["rank", "row", "score", "label", "amount", "hour", "country"]
COMPARE = ["compare", "payments.csv", "--label-column", "kind", "--target"]
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
        (["discover"], "Missing argument 'FILE...'"),
        (["rank", "payments.csv", "--label-column", "kind", "--target", "frod"], "'fraud'"),
        (["rank", "payments.csv", "--target", "fraud", "--store", "no.db"], "There is no store"),
        (
            ["rank", "payments.csv", "--target", "x", "--hunt", "h", "--label-column", "kind"],
            "--hunt or from --label-column",
        ),
        (["discover", "payments.csv", "--kind", "hour"], "--kind takes a column and a kind"),
        (["discover", "payments.csv", "--kind", "hour=nmber"], "Did you mean 'number'?"),
        (["discover", "payments.csv", "--kernel", "spectrum("], "spectrum("),
        (["compare", "payments.csv", "--label-column", "kind", "--target", "frod"], "'fraud'"),
        (["hunts", "--store", "no.db"], "There is no store"),
        (["check", "--store", "mysql://x/y"], "Got mysql://"),
        (
            ["export", "h", "a.xlsx"],
            "'.xlsx' are not known. Expected one of .csv, .tsv, .jsonl, "
            ".ndjson, .parquet, .json (Label Studio).",
        ),
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
            "The ranking would replace payments.csv, which holds the records",
        ),
        (["rank", "nofile.csv", "--target", "x"], "There is no file nofile.csv. Check the name"),
        (["rank", "nofile.csv", "--target", "x", "--label-column", "y"], "There is no file"),
        (["demo", "--picture", "a.xyz"], "a.xyz cannot be drawn"),
    ],
)
def test_wrong_use_is_answered_in_one_sentence_with_exit_code_2(folder, arguments, words):
    done = rarefind(*arguments, cwd=folder)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["bench", "shutle"], "There is no benchmark 'shutle'. Did you mean 'shuttle'?"),
        (["hunts", "--store", "zero.db"], "zero.db is an empty file and no store"),
        ([*COMPARE, "fraud", "--plot", "a.xyz"], "a.xyz cannot be drawn: a picture ends in one of"),
        ([*COMPARE, "fraud", "--plot", "no/a.png"], "in a folder that exists"),
        ([*COMPARE, "fraud", "--folds", "9"], "take at most 6 folds, or label more"),
        (
            ["compare", "one.csv", "--label-column", "kind", "--target", "fraud"],
            "There are 1 and 20: label more.",
        ),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence_with_exit_code_2(folder, arguments, words):
    done = rarefind(*arguments, cwd=folder)
    assert done.returncode == 2
    assert words in done.stderr
    assert done.stderr.count("\n") == 1


def test_help_lists_the_commands(folder):
    from rarefind.cli.main import COMMANDS

    done = rarefind("--help", cwd=folder)
    assert done.returncode == 0
    assert all(f"  {command}  " in done.stdout for command in COMMANDS)


def test_show_writes_the_whole_hunt_as_one_page(folder):
    command = ("--hunt", "page", "--store", "page.db", "--budget", "12", "--json")
    rarefind("discover", "payments.csv", "--label-column", "kind", *command, cwd=folder)
    shown = rarefind("show", "page", "--store", "page.db", "--out", "page.html", cwd=folder)
    assert shown.returncode == 0, shown.stderr
    assert "All of it as one page" in shown.stdout
    html = (folder / "page.html").read_text(encoding="utf-8")
    assert "<h1>What was found in page</h1>" in html
    assert "<svg" in html
    told = rarefind(
        "show", "page", "--store", "page.db", "--out", "page.html", "--json", cwd=folder
    )
    assert json.loads(told.stdout)["report"] == "page.html"


@pytest.mark.parametrize("out", ["page.txt", "nowhere/page.html"])
def test_a_page_that_cannot_be_written_is_refused_in_a_sentence(folder, out):
    done = rarefind("show", "page", "--store", "page.db", "--out", out, cwd=folder)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert out.rpartition("/")[2] in done.stderr


def test_the_demo_without_matplotlib_names_the_extra_to_install(tmp_path):
    code = (
        "import sys; sys.modules['matplotlib'] = None\n"
        "from rarefind.cli.main import main\n"
        "sys.argv = ['rarefind', 'demo']\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "pip install 'rarefind[plots]'" in " ".join(done.stdout.split())
    assert not (tmp_path / "report.html").exists()


def test_the_store_beside_a_file_is_found_from_the_folder_above(folder, tmp_path):
    data = tmp_path / "data"
    data.mkdir()
    (data / "payments.csv").write_bytes((folder / "payments.csv").read_bytes())
    begun = ("--label-column", "kind", "--hunt", "begun", "--budget", "2", "--strategy", "random")
    assert rarefind("discover", "data/payments.csv", *begun, cwd=tmp_path).returncode == 0
    listed = json.loads(rarefind("hunts", "--json", cwd=tmp_path).stdout)
    assert [each["name"] for each in listed] == ["begun"]
    assert "2 labels" in rarefind("show", "begun", cwd=tmp_path).stdout
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "rarefind.db").write_bytes((data / "rarefind.db").read_bytes())
    several = rarefind("hunts", cwd=tmp_path)
    assert several.returncode == 2
    assert "data/rarefind.db, other/rarefind.db. Name one with --store." in several.stderr


def test_rank_and_compare_tell_the_same_chance(folder):
    labels = ("payments.csv", "--label-column", "kind", "--target", "fraud", "--json")
    ranked = json.loads(rarefind("rank", *labels, "--model", "lago", cwd=folder).stdout)
    compared = json.loads(rarefind("compare", *labels, "--models", "lago", cwd=folder).stdout)
    assert ranked["chance"] == compared["chance"]
    assert f"a random order has {ranked['chance']:.3f}" in ranked["why"]
