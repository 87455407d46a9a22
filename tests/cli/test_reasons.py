"""What models go by: ``rank --explain``, ``compare --report``, and weights of kernels."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.cli.command import rarefind


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    """Strings of which a few begin alike; the last twenty rows have no label."""
    folder = tmp_path_factory.mktemp("reasons")
    rng = np.random.default_rng(0)
    lines = ["seq,amount,kind"]
    for row in range(80):
        odd = row % 8 == 0
        text = "".join(rng.choice(list("acgt"), 12))
        kind = "" if row >= 60 else "odd" if odd else "plain"
        lines.append(f"{'ggggg' + text[5:] if odd else text},{rng.normal():.3f},{kind}")
    (folder / "seqs.csv").write_text("\n".join(lines) + "\n")
    return folder


RANK = ("rank", "seqs.csv", "--label-column", "kind", "--target", "odd", "--top", "2")
SUM = ("--kernel", "on(seq, spectrum(3)) + on(amount, gaussian)", "--model", "mkl")


def test_weights_of_a_sum_of_kernels_are_learnt_shown_and_exported(home):
    done = rarefind(*RANK, *SUM, "--json", cwd=home)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert list(told["kernel_weights"]) == ["on(seq, spectrum)", "on(amount, gaussian)"]
    assert sum(told["kernel_weights"].values()) == pytest.approx(1.0)
    assert "What each kernel counts: on(seq, spectrum)" in told["why"]
    assert {each["row"] for each in told["ranking"]} == {64, 72}
    assert "why" not in told["ranking"][0]


def test_where_every_row_has_a_label_the_weights_are_those_of_models_that_left_some_out(home):
    lines = (home / "seqs.csv").read_text().splitlines()
    (home / "whole.csv").write_text("\n".join(lines[:61]) + "\n")
    done = rarefind("rank", "whole.csv", *RANK[2:], *SUM, "--json", cwd=home)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["ranked"] == 60
    assert next(iter(told["kernel_weights"])) == "on(seq, spectrum)"
    assert sum(told["kernel_weights"].values()) == pytest.approx(1.0)
    assert "What each kernel counts: on(seq, spectrum)" in told["why"]


def test_each_row_shown_is_explained(home):
    done = rarefind(*RANK, *SUM, "--explain", "--json", cwd=home)
    why = json.loads(done.stdout)["ranking"][0]["why"]
    assert why["kind"] == "votes"
    assert {part["row"] for part in why["parts"]} <= set(range(0, 60, 8))
    assert not {part["row"] for part in why["against"]} & set(range(0, 60, 8))
    shown = rarefind(*RANK, *SUM, "--explain", cwd=home)
    assert "Against it speak the nearest that are something else" in " ".join(shown.stdout.split())
    numbers = rarefind(*RANK, "--leave-out", "seq", "--model", "forest", "--explain", cwd=home)
    assert numbers.returncode == 0, numbers.stderr
    assert numbers.stdout.count("What each feature adds to its score") == 1
    assert "amount" in numbers.stdout


def test_models_compared_report_what_they_go_by(home):
    compare = ("compare", "seqs.csv", "--label-column", "kind", "--target", "odd", *SUM[:2])
    done = rarefind(*compare, "--models", "mkl,lago", "--folds", "2", "--report", cwd=home)
    assert done.returncode == 0, done.stderr
    assert "mkl: SimpleMKL" in done.stdout
    assert "kernel weights" in done.stdout
    assert "VC dimension at most" in done.stdout
    told = rarefind(*compare, "--models", "svm", "--folds", "2", "--report", "--json", cwd=home)
    reports = json.loads(told.stdout)["reports"]
    assert reports["svm"]["support vectors"]["number"] > 0


def test_a_cluster_cannot_explain(home):
    done = rarefind(*RANK, "--explain", "--cluster", "local", cwd=home)
    assert done.returncode == 2
    assert "To explain scores the records must be in memory" in done.stderr
