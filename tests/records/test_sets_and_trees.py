from __future__ import annotations

import json

import numpy as np
import pytest

from rarefind.core.errors import DataError
from rarefind.kernels import AllSubtree, Intersection, Normalized
from rarefind.records import detect_kinds, prepare, read_table
from rarefind.records.shown.collections import collection_payload, tree_payload
from rarefind.records.table import Table
from rarefind.service.facade import Service
from rarefind.service.hunts.records import prepare_table
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store


def written(path, cells, name="x"):
    lines = [json.dumps({name: cell, "amount": row}) for row, cell in enumerate(cells)]
    path.write_text("\n".join(lines))
    return read_table(path)


def kind_of(table, name="x", **told):
    return {kind.name: kind for kind in detect_kinds(table, told)}[name]


def test_sets_are_recognised_compared_and_drawn(tmp_path):
    cells = [["red", "round"], ["round"], [], ["green", "round", "round"], None]
    table = written(tmp_path / "s.jsonl", cells)
    assert kind_of(table).kind == "set"
    data = prepare_table(table.without(["amount"]), HuntSettings())
    sets = [frozenset(cell or ()) for cell in cells]
    assert list(data.records) == sets
    kernel = data.prepared.kernel
    np.testing.assert_allclose(kernel(sets), Normalized(Intersection())(sets))
    drawn = collection_payload(table, "x", "set", 0)
    assert drawn == {"kind": "text", "name": "x", "text": "red · round", "marks": []}


TREES = ["(S (NP she) (VP sleeps))", "(S (NP he) (VP runs (ADV far)))", "(S (NP she) (VP runs))"]


def test_trees_are_recognised_compared_and_drawn(tmp_path):
    table = written(tmp_path / "t.jsonl", [*TREES, None])
    assert kind_of(table).kind == "tree"
    data = prepare_table(table.without(["amount"]), HuntSettings())
    expected = Normalized(AllSubtree(decay=0.4))(TREES)
    np.testing.assert_allclose(data.prepared.kernel(data.records[:3]), expected)
    assert (data.prepared.kernel(data.records)[3] == 0).all()  # the missing one is like no other
    drawn = collection_payload(table, "x", "tree", 0)
    assert drawn["kind"] == "graph"
    assert drawn["nodes"] == ["she", "NP", "sleeps", "VP", "S"]
    assert sorted(map(sorted, drawn["edges"])) == [[0, 1], [1, 4], [2, 3], [3, 4]]
    heights = [place[1] for place in drawn["layout"]]
    assert heights[4] < heights[1] == heights[3] < heights[0] == heights[2]
    assert np.abs(drawn["layout"]).max() <= 1


def test_nested_json_is_a_tree_in_either_form(tmp_path):
    array = ["S", ["NP", "she"], ["VP", "sleeps"]]
    objects = {
        "label": "S",
        "children": [
            {"label": "NP", "children": [{"label": "she"}]},
            {"label": "VP", "children": [{"label": "sleeps", "children": []}]},
        ],
    }
    for place, cell in enumerate((array, objects)):
        table = written(tmp_path / f"{place}.jsonl", [cell, cell])
        assert kind_of(table).kind == "tree"
        records = prepare(table.without(["amount"]), (kind_of(table),)).records
        assert records[0] == ("S", ("NP", ("she",)), ("VP", ("sleeps",)))
    bracketed = Normalized(AllSubtree(decay=0.4))([TREES[0]], [records[0]])
    assert bracketed[0, 0] == pytest.approx(1.0)


def test_in_csv_files_as_well(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text('tags,parse\n"[""a"", ""b""]",(S (A b) c)\n"[""b""]",(S c)\n')
    kinds = {kind.name: kind.kind for kind in detect_kinds(read_table(path))}
    assert kinds == {"tags": "set", "parse": "tree"}


def test_numbers_of_one_length_are_vectors_and_others_are_sets(tmp_path):
    assert kind_of(written(tmp_path / "v.jsonl", [[1, 2], [3, 4.5]])).kind == "vector"
    table = written(tmp_path / "s.jsonl", [[1, 2], [3], [2, 17, 4]])
    assert kind_of(table).kind == "set"
    same = written(tmp_path / "f.jsonl", [[1, 2], [2, 1], [1, 3]])
    told = kind_of(same, x="set")
    records = prepare(same.without(["amount"]), (told,)).records
    assert records[0] == records[1] == frozenset([1.0, 2.0])


@pytest.mark.parametrize(
    "cells",
    [
        ["(a remark)", "(another remark)"],
        ["[1] a reference", "[2] another"],
        ["a, b", "b"],
        ["(S (NP", "(S)"],
        ["(a)(b)", "(c)(d)"],
        ['[["a"], 3]', '[["b"], 4]'],
        ['{"a": 1}', '{"a": 2}'],
    ],
)
def test_what_only_looks_like_it_stays_what_it_is(cells):
    table = Table({"x": np.array(cells * 20, dtype=object)}, "t")
    assert kind_of(table).kind not in ("set", "tree")


def test_cells_that_do_not_fit_are_named():
    table = Table({"x": np.array(['["a"]', "b"], dtype=object)}, "t.csv")
    with pytest.raises(DataError, match=r"t.csv: row 1 of column 'x' holds 'b', which is no set"):
        detect_kinds(table, {"x": "set"})
    with pytest.raises(DataError, match=r"row 1 of column 'x' holds 'b', which is no tree"):
        detect_kinds(table, {"x": "tree"})
    deep = "[" * 80 + '"a"' + "]" * 80
    with pytest.raises(DataError, match="which is no tree"):
        detect_kinds(Table({"x": np.array([deep], dtype=object)}, "t"), {"x": "tree"})


def test_a_tree_too_large_to_be_drawn_is_told_in_words():
    assert tree_payload("t", "(S " + "a " * 400 + ")") is None
    assert tree_payload("t", ("leaf",))["layout"] == [[0.0, 0.0]]


def test_a_hunt_goes_through_sets_and_trees(tmp_path):
    from rarefind import Hunt

    table = written(tmp_path / "t.jsonl", [*TREES, "(Q (Z (Z (Z odd))))"])
    ready = prepare(table.without(["amount"]), (kind_of(table),))
    hunt = Hunt(ready.records, kernel=ready.kernel, scale=ready.scale)
    assert hunt.ask().row in range(4)


def test_the_workbench_is_given_them_to_draw(tmp_path):
    lines = [json.dumps({"tags": ["a", "b"], "parse": tree}) for tree in TREES]
    path = tmp_path / "both.jsonl"
    path.write_text("\n".join(lines))
    with Service(open_store("memory:")) as service:
        hunt = service.open_hunt(path, settings=HuntSettings(strategy="farthest-first"))
        payloads = {one["name"]: one for one in service.record(hunt.id, 0).payloads}
    assert payloads["tags"]["text"] == "a · b"
    assert payloads["parse"]["nodes"][-1] == "S"
