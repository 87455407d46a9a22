"""Kernels that need data, on the command line."""

from __future__ import annotations

import json

import numpy as np
import pytest

from tests.cli.command import rarefind


@pytest.fixture
def strings(folder):
    rng = np.random.default_rng(0)
    lines = ["sequence,node,kind"]
    for row in range(60):
        rare = row % 15 == 0
        letters = "".join(rng.choice(list("AC" if rare else "ACGT"), size=8))
        lines.append(f"{letters},n{row % 6},{'rare' if rare else 'ordinary'}")
    (folder / "strings.csv").write_text("\n".join(lines))
    (folder / "edges.csv").write_text("from,to\n" + "\n".join(f"n{i},n{i + 1}" for i in range(5)))
    table = [[0.25] * 4, [0.4, 0.4, 0.1, 0.1]]
    model = {"initial": [0.5, 0.5], "transition": [[0.9, 0.1], [0.1, 0.9]], "emission": table}
    (folder / "model.json").write_text(json.dumps({**model, "alphabet": "ACGT"}))
    return folder


@pytest.mark.parametrize(
    "kernel",
    [
        "on(sequence, hmm(states=2, normalized=true))",
        "on(sequence, hmm(file=model.json, normalized=true))",
        "on(sequence, pair-hmm(file=model.json, normalized=true))",
        "on(sequence, character-weighted(2, weights={A: 0.9}))",
        "on(node, diffusion(graph=edges.csv, decay=0.5))",
        "path-sum([[s, t, 'on(sequence, spectrum(2))'], [s, t, 1]], source=s, sink=t)",
    ],
)
def test_a_hunt_goes_by_a_kernel_that_carries_data(strings, kernel):
    arguments = ("strings.csv", "--label-column", "kind", "--kernel", kernel, "--json")
    done = rarefind("discover", *arguments, "--budget", "5", cwd=strings)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["labels"] >= 1


def test_a_hunt_that_is_kept_needs_the_file_no_longer(strings):
    kernel = "on(sequence, hmm(file=model.json, normalized=true))"
    arguments = ("strings.csv", "--label-column", "kind", "--hunt", "h", "--budget", "3")
    done = rarefind("discover", *arguments, "--kernel", kernel, cwd=strings)
    assert done.returncode == 0, done.stderr
    (strings / "model.json").unlink()
    again = rarefind("show", "h", cwd=strings)
    assert again.returncode == 0, again.stderr


def test_a_file_that_is_not_there_is_said(strings):
    arguments = ("strings.csv", "--label-column", "kind", "--kernel", "hmm(file=no.json)")
    done = rarefind("discover", *arguments, cwd=strings)
    assert done.returncode == 2
    assert "no.json: the file cannot be read" in done.stderr
