"""Small things a newcomer meets on the command line."""

from __future__ import annotations

import json

import matplotlib as mpl
import pytest

from rarefind.detection.models import registry as models
from rarefind.discovery.registry import registry as strategies
from rarefind.evaluation.plots import draw_comparison, own_axes
from tests.cli.command import rarefind


def test_help_names_every_strategy_and_model(folder):
    shown = "".join(rarefind("discover", "--help", cwd=folder).stdout.split())
    assert all(name in shown for name in strategies.names())
    for command in ("rank", "compare"):
        shown = "".join(rarefind(command, "--help", cwd=folder).stdout.split())
        assert all(name in shown for name in models.names())
    assert "rarefind bench" in " ".join(rarefind("--help", cwd=folder).stdout.split())


def test_what_chance_would_need_is_told_also_when_nothing_was_found(folder):
    told = ("discover", "payments.csv", "--label-column", "kind", "--budget", 1)
    done = rarefind(*told, "--strategy", "random", cwd=folder)
    assert "0 classes found with 1 label." in done.stdout
    said = " ".join(done.stdout.split())
    assert "Random sampling needs 22 on average to see them all. 1 was not found." in said
    done = rarefind(*told, "--strategy", "random", "--json", cwd=folder)
    assert json.loads(done.stdout)["random_would_need"] == pytest.approx(157 / 7)


def test_help_at_a_question_tells_the_numbers_behind_it_in_words(folder):
    done = rarefind("discover", "payments.csv", cwd=folder, stdin="?\nq\n")
    said = " ".join(done.stdout.split())
    assert "The numbers behind the reason:" in said
    assert "how far the record most like it is" in said


def test_warnings_come_in_one_line_without_the_program(tmp_path):
    (tmp_path / "t.csv").write_text("a,b\n" + "".join(f"{n},{n % 3}.5\n" for n in range(30)))
    arguments = ("--kernel", "mismatch(9, 1)", "--kind", "b=category")
    done = rarefind("discover", "t.csv", *arguments, cwd=tmp_path, stdin="q\n")
    assert ".py:" not in done.stderr


def test_a_ranking_can_be_confirmed_at_once(tmp_path):
    lines = [f"{n % 7}.{n},{n % 5}.5" for n in range(40)] + ["90.5,80.5", "91.5,81.5", "92.5,82.5"]
    (tmp_path / "t.csv").write_text("a,b\n" + "\n".join(lines) + "\n")
    assert rarefind("discover", "t.csv", cwd=tmp_path, stdin="q\n").returncode == 0
    for row, name in {0: "plain", 1: "plain", 2: "plain", 40: "fraud", 41: "fraud"}.items():
        assert rarefind("label", "t", row, name, cwd=tmp_path).returncode == 0
    arguments = ("rank", "t.csv", "--target", "fraud", "--model", "lago", "--top", 1)
    done = rarefind(*arguments, "--ask", cwd=tmp_path, stdin="y\n")
    assert done.returncode == 0, done.stderr
    shown = json.loads(rarefind("show", "t", "--json", cwd=tmp_path).stdout)
    counts = {each["name"]: each["count"] for each in shown["progress"]["classes"]}
    assert counts == {"plain": 3, "fraud": 3}
    wrong = rarefind(*arguments, "--ask", "--json", cwd=tmp_path)
    assert "--ask goes with a hunt" in wrong.stderr


def test_what_a_file_writes_goes_out_as_it_came(tmp_path):
    lines = [f"${n}.50,{n}.25" for n in range(5, 30)]
    (tmp_path / "pay.csv").write_text("amount,size\n" + "\n".join(lines) + "\n")
    assert rarefind("discover", "pay.csv", cwd=tmp_path, stdin="fraud\nq\n").returncode == 0
    for out in ("all.jsonl", "all.parquet", "tasks.json"):
        assert rarefind("export", "pay", out, cwd=tmp_path).returncode == 0
    row = json.loads((tmp_path / "all.jsonl").read_text().splitlines()[0])
    assert (row["amount"], row["size"]) == ("$5.50", 5.25)
    (task,) = json.loads((tmp_path / "tasks.json").read_text())
    assert task["data"]["amount"].startswith("$")
    from pyarrow import parquet

    columns = parquet.read_table(tmp_path / "all.parquet").to_pydict()
    assert columns["amount"][:2] == ["$5.50", "$6.50"]
    assert columns["size"][:2] == [5.25, 6.25]


def test_the_left_end_of_a_comparison_gets_the_most_room():
    mpl.use("Agg")
    axes = own_axes()
    draw_comparison(axes, {"lago": [0.0, *[1.0] * 1000]}, "fraud")
    middle = axes.transData.transform((25, 0))[0]
    left, right = (axes.transData.transform((x, 0))[0] for x in (0, 100))
    assert middle == pytest.approx((left + right) / 2)  # a quarter of the records, half the room


def test_on_a_tie_every_class_is_told_and_texts_have_the_name_of_their_column(tmp_path):
    lines = [f"{n},{n * 37 % 101}.5,{n % 9 + 1} days,{n % 4 + 10} of 20" for n in range(60)]
    (tmp_path / "t.csv").write_text("nr,size,age,tries\n" + "\n".join(lines) + "\n")
    said = ("--kind", "tries=text", "--kind", "age=number")
    done = rarefind("discover", "t.csv", *said, cwd=tmp_path, stdin="takeover\nnormal\nq\n")
    assert done.returncode == 0, done.stderr
    shown = " ".join(done.stdout.split())
    first, second = (part.split("?")[0] for part in shown.split("what is row ")[1:3])
    assert f"Classes found: takeover (row {first}), normal (row {second})." in shown
    assert "as you said, in s" in shown
    assert "│ tries " in done.stdout


def test_ranges_of_numbers_with_units_are_told_as_the_file_writes_them(tmp_path):
    lines = [f"{n * 37 % 101}.5,{n * 7 % 90 + 1} days" for n in range(60)]
    (tmp_path / "t.csv").write_text("size,age\n" + "\n".join(lines) + "\n")
    done = rarefind("discover", "t.csv", cwd=tmp_path, stdin="q\n")
    most = max(n * 7 % 90 + 1 for n in range(60))
    assert f"numbers from 1 days to {most} days" in " ".join(done.stdout.split())
    found = rarefind("find", "t", "age < 5 days", "--json", cwd=tmp_path)
    rows = {each["row"] for each in json.loads(found.stdout)["records"]}
    assert rows == {n for n in range(60) if n * 7 % 90 + 1 < 5}
