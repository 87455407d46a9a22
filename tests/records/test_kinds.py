from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.records.columns.kinds import KINDS, detect_kinds
from rarefind.records.table import Table, word_array

RNG = np.random.default_rng(0)
N = 60
GRAPH = {"nodes": ["C", "O"], "edges": [[0, 1]]}


def letters(alphabet, size, n=N):
    return ["".join(RNG.choice(list(alphabet), size)) for _ in range(n)]


COLUMNS = {
    "amount": (RNG.normal(size=N), "number"),
    "always": (np.full(N, 7.0), "number"),
    "flag": (np.arange(N) % 2 * 1.0, "boolean"),
    "answer": (["yes", "No"] * (N // 2), "boolean"),
    "sex": (["M", "F", "I"] * (N // 3), "category"),
    "grade": ([f"{i % 9}a" for i in range(N)], "category"),
    "day": ([f"2024-02-{i % 28 + 1:02d}" for i in range(N)], "date"),
    "german": ([f"{i % 28 + 1}.{i % 12 + 1}.1999 12:30" for i in range(N)], "date"),
    "american": ([f"{i % 12 + 1}/{i % 28 + 1}/1999 1:30 PM" for i in range(N)], "date"),
    "stamp": ([f"2024-02-01T10:{i:02d}:00Z" for i in range(N)], "date"),
    "story": ([f"once upon a time there were {i} bears" for i in range(N)], "text"),
    "person": ([f"Ann Number{i}" for i in range(N)], "text"),
    "dna": (letters("ACGT", 30), "sequence"),
    "rna_small": (letters("acgu", 12), "sequence"),
    "chain": (letters("ACDEFGHIKLMNPQRSTVWY", 20), "sequence"),
    "surname": (letters("abcdefghij", 7), "sequence"),
    "sequence": (letters("xyz", 5), "sequence"),
    "smiles": (["CCO", "CCN", "CC(=O)O", "c1ccccc1"] * (N // 4), "molecule"),  # few, by its name
    "drug": (["CC(=O)O" + "C" * i for i in range(N)], "molecule"),
    "structure": ([GRAPH] * N, "graph"),
    "customer_id": (np.arange(N) * 17.0 % 41, "id"),
    "row": (np.arange(N) * 3.0, "id"),
    "counted": (np.arange(1.0, N + 1), "id"),
    "counted down": (np.arange(N + 7.0, 7.0, -1), "id"),
    "counted down with gaps": (np.sort(RNG.choice(75, N, replace=False))[::-1] * 1.0, "id"),
    "booked": (20240101.0 + np.arange(N) % 31, "date"),
    "size in thousands": (20240132.0 + np.arange(N) % 31 * 2, "number"),
    "array": ([f"{{{i},{i % 7}.5}}" for i in range(N)], "vector"),
    "place": ([f"{55 + i / 9:.4f}, {13 + i / 7:.4f}" for i in range(N)], "vector"),
    "pair": ([f"({i}, {i % 9})" for i in range(N)], "vector"),
    "pressure": ([f"{100 + i}/{60 + i % 30}" for i in range(N)], "vector"),
    "ticket": ([f"A-{i:05d}" for i in range(N)], "id"),
    "Buchungs-ID": ([f"B-{1000 + 17 * i}" for i in range(N)], "id"),
    "number": ([f"B-{1000 + 17 * i}" for i in range(N)], "id"),
    "uuid": ([f"{i:032x}" for i in range(N)], "id"),
    "split": (["train", "test"] * (N // 2), "id"),
    "empty": (np.full(N, np.nan), "id"),
    "nothing": ([None] * N, "id"),
    "time": (np.arange(N) * 2.0, "number"),
}


@pytest.mark.parametrize("name", COLUMNS)
def test_the_kind_of_a_column_is_seen(name):
    cells, kind = COLUMNS[name]
    column = cells if isinstance(cells, np.ndarray) else word_array(cells)
    found = detect_kinds(Table({name: column}, "t"))
    assert [(one.name, one.kind) for one in found] == [(name, kind)]
    assert found[0].why
    assert found[0].columns == (name,)
    assert found[0].kind in KINDS


def test_missing_cells_are_counted_and_examples_shown():
    column = word_array(["a", None, "b", "a", "x" * 500] + ["a"] * 20)
    kind = detect_kinds(Table({"c": column}, "t"))[0]
    assert kind.missing == 1
    assert kind.examples[:2] == ("a", "b")
    assert len(kind.examples[2]) == 60
    assert kind.why == "3 different words in 25 rows"
    alike = detect_kinds(Table({"c": word_array(["a"] * 25)}, "t"))[0]
    assert alike.why == "always the same word"
    numbers = detect_kinds(Table({"n": np.array([1.5, np.nan, -3.0])}, "t"))[0]
    assert (numbers.missing, numbers.examples) == (1, ("1.5", "-3"))
    assert numbers.why == "numbers from -3 to 1.5"


def pixels(prefix, n, first=0):
    return {f"{prefix}{i}": RNG.integers(0, 16, N) * 1.0 for i in range(first, first + n)}


def test_columns_that_form_a_grid_are_one_picture():
    columns = {"a": RNG.normal(size=N), **pixels("pixel", 64, first=1), "b": RNG.normal(size=N)}
    kinds = detect_kinds(Table(columns, "t"))
    assert [kind.kind for kind in kinds] == ["number", "picture", "number"]
    assert kinds[1].name == "pixel1-pixel64"
    assert kinds[1].shape == (8, 8)
    assert kinds[1].columns == tuple(pixels("pixel", 64, first=1))
    named = {f"{row}x{column}": np.ones(N) for row in range(1, 6) for column in range(1, 5)}
    assert detect_kinds(Table(named, "t"))[0].shape == (5, 4)


def test_other_numbered_columns_are_no_picture_unless_said():
    table = Table(pixels("x", 16), "t")
    assert {kind.kind for kind in detect_kinds(table)} == {"number"}
    kinds = detect_kinds(table, {"x": "picture"})
    assert [(kind.name, kind.shape) for kind in kinds] == [("x0-x15", (4, 4))]
    table = Table(pixels("p", 16), "t")
    assert {kind.kind for kind in detect_kinds(table, {"p": "number"})} == {"number"}
    assert len(detect_kinds(table, {"p0-p15": "number"})) == 16
    assert len(detect_kinds(Table(pixels("p", 15), "t"))) == 15
    negative = {name: column - 5 for name, column in pixels("p", 16).items()}
    assert len(detect_kinds(Table(negative, "t"))) == 16
    with pytest.raises(DataError, match="no picture called 'y'"):
        detect_kinds(table, {"y": "picture"})


def test_a_kind_that_is_said_holds():
    table = Table({"a": np.arange(5.0), "b": word_array(["1", "2", None, "3", "4"])}, "t.csv")
    kinds = detect_kinds(table, {"a": "category", "b": "number"})
    assert [(kind.kind, kind.why) for kind in kinds] == [
        ("category", "as you said"),
        ("number", "as you said"),
    ]


@pytest.mark.parametrize(
    ("overrides", "words"),
    [
        ({"amuont": "number"}, r"no column in t.csv called 'amuont'. Did you mean 'amount'"),
        ({"amount": "numbr"}, r"no kind \(for column 'amount'\) 'numbr'. Did you mean 'number'"),
        ({"word": "number"}, "t.csv: row 1 of column 'word' holds 'b', which is no number"),
        ({"word": "date"}, "t.csv: row 0 of column 'word' holds '1', which is no date"),
        ({"amount": "date"}, "which is no date"),
        ({"word": "boolean"}, "row 1 of column 'word' holds 'b', which is no yes or no"),
        ({"word": "graph"}, "holds no graphs"),
        ({"word": "picture"}, "alone is no picture"),
    ],
)
def test_a_kind_that_cannot_be_is_refused(overrides, words):
    table = Table({"amount": np.arange(3.0), "word": word_array(["1", "b", None])}, "t.csv")
    with pytest.raises((DataError, UnknownNameError), match=words):
        detect_kinds(table, overrides)


def test_few_rows_of_words_are_categories():
    table = Table({"w": word_array(["red", "green", "blue"])}, "t")
    assert detect_kinds(table)[0].kind == "category"


def test_numbers_that_may_stand_for_gaps_are_pointed_out():
    measured = np.linspace(-3.0, 3.0, N)
    columns = {
        "gaps": np.where(np.arange(N) % 9 == 0, -999.0, measured),
        "rare": np.where(np.arange(N) == 7, -999.0, measured),
        "percent": np.round(np.linspace(90.2, 99.4, N)),
    }
    told = {each.name: each.why for each in detect_kinds(Table(columns, "t.csv"))}
    assert told["gaps"].endswith(", 7 of them -999, which may stand for gaps")
    assert "gaps" not in told["rare"] + told["percent"]


def test_cells_that_no_number_can_be_made_of_are_counted_as_missing():
    words = word_array(["3 cm", "4 cm", "big", None, "5.5 cm", "7 cm"])
    (kind,) = detect_kinds(Table({"size": words}, "t"), {"size": "number"})
    assert kind.missing == 2
    assert "1 unreadable cell taken for missing: 'big'" in kind.why
