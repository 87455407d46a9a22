"""Formulas that name files: what they read, what they refuse, and how they carry it on."""

from __future__ import annotations

import json

import numpy as np
import pytest

from rarefind.core.errors import ParameterError
from rarefind.kernels import ExponentialDiffusion, PathSum, format_kernel, parse_kernel
from rarefind.kernels.formulas import data_files
from rarefind.kernels.formulas.reading import with_files_inside
from rarefind.records import read_table
from rarefind.service.hunts.records import prepare_table
from rarefind.service.hunts.settings import HuntSettings

CHAIN = {
    "initial": [0.5, 0.5],
    "transition": [[0.9, 0.1], [0.1, 0.9]],
    "emission": [[0.8, 0.2], [0.2, 0.8]],
    "alphabet": "ab",
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.json").write_text(json.dumps(CHAIN))
    (tmp_path / "edges.csv").write_text("from,to\na,b\nb, c\n\n")
    (tmp_path / "numbers.tsv").write_text("from\tto\n0\t1\n1\t2\n")
    (tmp_path / "tree.json").write_text(json.dumps({"parents": [-1, 0, 0], **CHAIN}))
    paths = {"edges": [["s", "t", 1], ["s", "t", "linear"]], "source": "s", "sink": "t"}
    (tmp_path / "paths.json").write_text(json.dumps(paths))
    (tmp_path / "weights.json").write_text(json.dumps({"weights": {"a": 0.1}}))
    return tmp_path


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("formula", "records"),
    [
        ("hmm(file=model.json)", ["aab", "abb"]),
        ("hmm(file=model.json, normalized=true)", ["aab", "abb"]),
        ("pair-hmm(file=model.json, stop=0.3)", ["aab", "a"]),
        ("hidden-tree(file=tree.json)", ["aab", "abb"]),
        ("diffusion(graph=edges.csv, decay=0.5)", ["a", "c"]),
        ("von-neumann-diffusion(graph=numbers.tsv)", [0, 2.0]),
        ("path-sum(file=paths.json)", np.array([[1.0], [2.0]])),
        ("character-weighted(2, file=weights.json)", ["aab", "ab"]),
        ("2*normalized(hmm(file='model.json')) + constant(1)", ["aab", "abb"]),
    ],
)
def test_a_formula_with_a_file_is_the_formula_that_carries_what_is_in_it(formula, records):
    carried = with_files_inside(formula)
    assert carried != formula
    np.testing.assert_allclose(
        parse_kernel(carried, files=False)(records), parse_kernel(formula)(records)
    )


@pytest.mark.usefixtures("folder")
def test_values_are_those_of_the_kernel_made_in_python():
    read = parse_kernel("diffusion(graph=edges.csv, decay=0.5)")
    made = ExponentialDiffusion([("a", "b"), ("b", "c")], 0.5)
    np.testing.assert_allclose(read(["a", "b", "c"]), made(["a", "b", "c"]))
    read = parse_kernel("path-sum(file=paths.json)")
    made = PathSum([("s", "t", 1), ("s", "t", parse_kernel("linear"))], source="s", sink="t")
    np.testing.assert_allclose(read(np.eye(2)), made(np.eye(2)))


def test_a_formula_without_files_stays_as_it_is():
    assert with_files_inside("spectrum( 4 )") == "spectrum( 4 )"


@pytest.mark.usefixtures("folder")
def test_what_the_formula_says_goes_before_the_file():
    kernel = parse_kernel("hmm(initial=[0.9, 0.1], file=model.json)")
    assert kernel.initial == [0.9, 0.1]


@pytest.mark.usefixtures("folder")
def test_files_are_not_read_for_strangers():
    for formula in ("hmm(file=model.json)", "diffusion(graph=edges.csv)"):
        with pytest.raises(ParameterError, match="on the command line and in Python only"):
            parse_kernel(formula, files=False)


@pytest.mark.usefixtures("folder")
def test_a_short_form_leaves_long_lists_out():
    shown = format_kernel(parse_kernel("hidden-tree(file=tree.json)"), short=True)
    assert len(shown) < 200


WRONG = {
    "model.json": ("{", "this is no JSON"),
    "list.json": ("[1]", "Got a list instead"),
    "other.json": ('{"intial": [1]}', "FixedLengthHMM has no parameter 'intial'"),
    "nan.json": ('{"initial": [NaN]}', "NaN is no number"),
    "deep.json": ("[" * 30 + "]" * 30, "nested more than 20 levels deep"),
    "bytes.json": (b"\xff\xfe", "no text in UTF-8"),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_in_a_file_is_said(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    content, words = WRONG[name]
    (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ParameterError, match=words) as caught:
        parse_kernel(f"hmm(file={name})")
    assert name in str(caught.value)
    assert "\n" not in str(caught.value)


def test_what_is_wrong_in_a_graph_is_said(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "g.csv").write_text("from,to\na,b,0.5\n")
    with pytest.raises(ParameterError, match=r"g.csv: line 2 must name the two nodes.*3 cells"):
        parse_kernel("diffusion(graph=g.csv)")
    (tmp_path / "g.csv").write_text("from,to\n")
    with pytest.raises(ParameterError, match="there are no edges"):
        parse_kernel("diffusion(graph=g.csv)")
    (tmp_path / "g.json").write_text("3")
    with pytest.raises(ParameterError, match="Got a number instead"):
        parse_kernel("diffusion(graph=g.json)")
    (tmp_path / "d.json").mkdir()
    with pytest.raises(ParameterError, match="this is no file"):
        parse_kernel("hmm(file=d.json)")


def test_a_file_too_large_is_not_read_to_its_end(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(data_files, "LARGEST", 10)
    (tmp_path / "m.json").write_text(json.dumps(CHAIN))
    with pytest.raises(ParameterError, match="more than a formula reads"):
        parse_kernel("hmm(file=m.json)")


@pytest.mark.usefixtures("folder")
def test_the_workbench_and_the_store_read_no_file_that_a_formula_names(tmp_path):
    (tmp_path / "s.csv").write_text("sequence\naab\nabb\n")
    settings = HuntSettings(kernel="hmm(file=model.json)", kinds={"sequence": "sequence"})
    with pytest.raises(ParameterError, match="on the command line and in Python only"):
        prepare_table(read_table(tmp_path / "s.csv"), settings)
