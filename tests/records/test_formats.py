"""Every format: what is in the file is in the table, and what is wrong is told with its place."""

from __future__ import annotations

import gzip
import json
import sys

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pyarrow import feather, parquet

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats import delimited as csv_files
from rarefind.records.formats.by_ending import file_digest, read_frame, read_table, write_table
from rarefind.records.formats.limits import Limits
from rarefind.records.table import Table, word_array
from tests.faults.damage import GRAPHML

GRAPH = {"nodes": ["C", "O", "N"], "edges": [[0, 1], [1, 2]]}


def written(folder, content, name):
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def zstd(content):
    return pa.Codec("zstd").compress(content, asbytes=True)


def equal(one, other):
    assert list(one.columns) == list(other.columns)
    for name, column in one.columns.items():
        if column.dtype.kind == "f":
            np.testing.assert_array_equal(column, other.columns[name])
        else:
            assert column.tolist() == other.columns[name].tolist()


# ---- JSON lines ------------------------------------------------------------------------------


def test_json_lines_of_fields(tmp_path):
    lines = [
        {"n": 1, "w": "x", "flag": True, "mixed": 1, "list": [1, 2]},
        {"n": None, "w": None, "flag": False, "mixed": "a"},
        {"n": 2.5, "w": "", "flag": None, "mixed": True, "late": 7},
    ]
    path = written(tmp_path, "\n".join(map(json.dumps, lines)) + "\n\n", "t.jsonl")
    table = read_table(path)
    np.testing.assert_array_equal(table.column("n"), [1, np.nan, 2.5])
    np.testing.assert_array_equal(table.column("flag"), [1, 0, np.nan])
    np.testing.assert_array_equal(table.column("late"), [np.nan, np.nan, 7])
    assert table.column("w").tolist() == ["x", None, None]
    assert table.column("mixed").tolist() == ["1", "a", "true"]
    assert table.column("list")[0].tolist() == [1.0, 2.0]
    assert table.words("list") == ["[1, 2]", None, None]
    write_table(table, tmp_path / "again.jsonl")
    again = [json.loads(line) for line in (tmp_path / "again.jsonl").read_text().splitlines()]
    assert again == lines  # what a line lacked it lacks still


def test_large_whole_numbers_stay_exact_words(tmp_path):
    path = written(tmp_path, '{"id": 12345678901234567890}\n{"id": 1}\n', "t.ndjson")
    assert read_table(path).column("id").tolist() == ["12345678901234567890", "1"]


def test_graphs_in_json_lines(tmp_path):
    linked = {
        "directed": False,
        "nodes": [{"id": "a", "element": "C"}, {"id": "b", "element": "O"}],
        "links": [{"source": "b", "target": "a", "type": 2}],
        "graph": {"kind": "small"},
    }
    lines = [{**GRAPH, "label": 1}, {"nodes": 2, "edges": []}, linked]
    table = read_table(written(tmp_path, "\n".join(map(json.dumps, lines)), "t.jsonl"))
    assert table.column("graph").tolist() == [
        GRAPH,
        {"nodes": 2, "edges": []},
        {"nodes": ["C", "O"], "edges": [[1, 0]], "edge_labels": [2]},
    ]
    np.testing.assert_array_equal(table.column("label"), [1, np.nan, np.nan])
    assert table.column("kind").tolist() == [None, None, "small"]
    assert table.words("graph")[0] == "a graph of 3 nodes and 2 edges"
    for ending in (".jsonl", ".parquet"):
        write_table(table.chosen(np.array([0, 0])), tmp_path / f"again{ending}")
        again = read_table(tmp_path / f"again{ending}")
        assert again.column("graph")[1]["edges"] == GRAPH["edges"]
        assert detect_kinds(again)[0].kind == "graph"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "t.jsonl: the file has no rows"),
        ("{}\n", "t.jsonl: the objects have no fields"),
        ('{"a": 1}\n{"a": }\n', "t.jsonl: line 2, character 7 is not valid JSON"),
        ("[1]\n", "t.jsonl: line 1 is list where an object is expected"),
        ('{"a": "\\ud800"}\n', "t.jsonl: line 1, column 'a' holds half of a character"),
        ('{"a\\u202e": 1}\n', r"t.jsonl: the name of column 1 holds the invisible .* U\+202E"),
        ('{"": 1}\n', "column 1 of the header has no name"),
        (b'{"a": "\xed\xa0\x80"}\n', r"t.jsonl: byte 7 is not UTF-8 text \(line 1\)"),
        (b'\xff\xfe{\0"\0', "t.jsonl: the file is UTF-16 text"),
        ('{"nodes": ["C"], "edges": [[0, 1]]}', "row 0, column 'graph'.*edge 0 joins .0, 1."),
        ('{"nodes": ["C"], "edges": [[0]]}', "edge 0 is .0. where a pair"),
        ('{"nodes": ["C"], "edges": [[0, "C"]]}', "something else than two whole numbers"),
        ('{"nodes": [["C"]], "edges": []}', "label of a node must be a word or a number"),
        ('{"nodes": ["C"], "edges": [[0, 0]], "edge_labels": []}', "one label for each edge"),
        ('{"nodes": ["C"], "edges": [], "directed": true}', "directed"),
        ('{"nodes": -1, "edges": []}', "claims -1 nodes"),
        ('{"nodes": [{"id": 1}, {"id": 1}], "edges": []}', "an 'id' of its own"),
        ('{"nodes": [{"id": 1}], "edges": [{"source": 1, "target": 2}]}', "not both are nodes"),
    ],
)
def test_broken_json_lines_are_refused_naming_the_place(tmp_path, text, words):
    with pytest.raises(DataError, match=words):
        read_table(written(tmp_path, text, "t.jsonl"))


# ---- texts, sequences, molecules -------------------------------------------------------------


def test_fasta(tmp_path):
    text = ">one first of all\nACGT\nAC GT\n\n>two\n;a comment\nTTTT\n"
    table = read_table(written(tmp_path, text, "t.fa"))
    assert table.column("name").tolist() == ["one", "two"]
    assert table.column("description").tolist() == ["first of all", None]
    assert table.column("sequence").tolist() == ["ACGTACGT", "TTTT"]
    with pytest.raises(DataError, match=r"t.fasta: line 1 comes before the first '>'"):
        read_table(written(tmp_path, "ACGT\n", "t.fasta"))
    with pytest.raises(DataError, match=r"t.fasta: the sequence 'a' has no letters"):
        read_table(written(tmp_path, ">a\n>b\nA\n", "t.fasta"))
    with pytest.raises(DataError, match=r"t.fasta: the file is empty"):
        read_table(written(tmp_path, "", "t.fasta"))


def test_smiles(tmp_path):
    table = read_table(written(tmp_path, "smiles name\nCCO ethyl alcohol\nC\n", "t.smi"))
    assert table.column("smiles").tolist() == ["CCO", "C"]
    assert table.column("name").tolist() == ["ethyl alcohol", None]
    table = read_table(written(tmp_path, "CCO\nC\n", "t.smiles"))
    assert list(table.columns) == ["smiles"]


def test_texts_in_a_file_or_a_folder(tmp_path):
    table = read_table(written(tmp_path, "\ufeffone text\n\n  two\u202e \r\n", "t.txt"))
    assert table.column("text").tolist() == ["one text", "two\u202e"]
    folder = tmp_path / "texts"
    folder.mkdir()
    written(folder, "first\nline", "a.txt")
    written(folder, gzip.compress(b"second"), "b.txt.gz")
    written(folder, "x", ".hidden.txt")
    table = read_table(folder)
    assert table.column("file").tolist() == ["a.txt", "b.txt.gz"]
    assert table.column("text").tolist() == ["first\nline", "second"]
    assert detect_kinds(table)[0].kind == "id"
    written(folder, b"\xff", "a.txt")
    with pytest.raises(DataError, match=r"texts/a.txt: byte 0 is not UTF-8"):
        read_table(folder)


def test_graphml_in_a_file_or_a_folder(tmp_path):
    table = read_table(written(tmp_path, GRAPHML, "t.graphml"))
    assert table.column("graph")[0] == {
        "nodes": ["C", "O", "N"],
        "edges": [[0, 1], [1, 2]],
        "edge_labels": [1, 2],
    }
    assert table.column("kind").tolist() == ["ring"]
    folder = tmp_path / "graphs"
    folder.mkdir()
    for name in ("a.graphml", "b.graphml"):
        written(folder, GRAPHML, name)
    assert read_table(folder).column("file").tolist() == ["a.graphml", "b.graphml"]
    written(folder, "x", "c.txt")
    with pytest.raises(DataError, match=r"is a folder with 1 .txt and 2 .graphml"):
        read_table(folder)


def test_networkx_graphs_come_back(tmp_path):
    import networkx as nx

    graph = nx.Graph()
    graph.add_node("x", label="C")
    graph.add_node("y", label="O")
    graph.add_edge("x", "y", label="double")
    nx.write_graphml(graph, tmp_path / "t.graphml")
    assert read_table(tmp_path / "t.graphml").column("graph")[0] == {
        "nodes": ["C", "O"],
        "edges": [[0, 1]],
        "edge_labels": ["double"],
    }


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"undirected"', '"directed"', "line 6: its edges are directed"),
        ('target="c"', 'target="z"', "line 12: an edge joins 'z', which is no node"),
        ('id="b"', 'id="a"', "line 9: every node needs an id of its own"),
        (">2<", ">two<", "line 12: 'two' is no number, though its key says int"),
        ("</graph>", "", "line 14, character 3 is not valid XML"),
        ("<node", "<graph><node", "line 8: a graph lies within a graph"),
        ("utf-8", "klingon", "t.graphml"),
        (GRAPHML, "<graphml/>", "there is no <graph>"),
        (GRAPHML, "", "not valid XML: no element found"),
        ("<graphml", "<!DOCTYPE a><graphml", "line 2 declares a document type or an entity"),
    ],
)
def test_broken_graphml_is_refused_naming_the_line(tmp_path, old, new, words):
    text = GRAPHML.replace("UTF-8", "utf-8")
    path = written(tmp_path, text.replace(old.replace("UTF-8", "utf-8"), new, 1), "t.graphml")
    with pytest.raises(DataError, match=words):
        read_table(path)


# ---- Parquet and Arrow -----------------------------------------------------------------------


def typed():
    return pa.table(
        {
            "n": pa.array([1, None, 3], pa.int16()),
            "x": pa.array([0.5, float("inf"), None]),
            "flag": [True, None, False],
            "w": ["a", None, "=c"],
            "coded": pa.array(["u", "v", None]).dictionary_encode(),
            "day": pa.array([0, 1, None], pa.date32()),
            "fine": pa.array([1, 2, None], pa.timestamp("ns")),
            "price": pa.array([1, 2, None], pa.decimal128(5, 2)),
            "bytes": [b"a", None, b"b"],
            "none": pa.nulls(3),
        }
    )


@pytest.mark.parametrize("ending", ["parquet", "arrow", "feather", "stream.arrow", "parquet.gz"])
def test_types_of_arrow_files(tmp_path, ending):
    path = tmp_path / f"t.{ending}"
    if ending == "parquet":
        parquet.write_table(typed(), path)
    elif ending == "stream.arrow":
        with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, typed().schema) as out:
            out.write_table(typed())
    elif ending == "parquet.gz":
        parquet.write_table(typed(), tmp_path / "plain")
        path.write_bytes(gzip.compress((tmp_path / "plain").read_bytes()))
    else:
        feather.write_feather(typed(), path)
    table = read_table(path)
    np.testing.assert_array_equal(table.column("n"), [1, np.nan, 3])
    np.testing.assert_array_equal(table.column("x"), [0.5, np.nan, np.nan])
    np.testing.assert_array_equal(table.column("flag"), [1, np.nan, 0])
    np.testing.assert_array_equal(table.column("price"), [1, 2, np.nan])
    assert table.column("w").tolist() == ["a", None, "=c"]
    assert table.column("coded").tolist() == ["u", "v", None]
    assert table.column("day").tolist() == ["1970-01-01", "1970-01-02", None]
    assert table.column("fine")[0].startswith("1970-01-01")
    write_table(table, tmp_path / "again.parquet")
    assert parquet.read_table(tmp_path / "again.parquet").equals(typed())
    kinds = {kind.name: kind.kind for kind in detect_kinds(table)}
    assert (kinds["flag"], kinds["day"], kinds["fine"]) == ("boolean", "date", "date")
    for other in ("t.csv", "t.jsonl"):
        write_table(table.without(["bytes"]), tmp_path / other)
        assert read_table(tmp_path / other).column("w").tolist() == ["a", None, "=c"]


def test_tables_of_nothing_are_refused(tmp_path):
    parquet.write_table(pa.table({"a": pa.array([], pa.int8())}), tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"t.parquet: the file has no rows"):
        read_table(tmp_path / "t.parquet")
    with pytest.raises(DataError, match=r"a.arrow is not a readable Arrow file"):
        read_table(written(tmp_path, "not arrow", "a.arrow"))


def test_without_pyarrow_the_message_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    for name in ("t.parquet", "t.feather", "t.csv.zst"):
        with pytest.raises(MissingPackageError, match=r"pip install 'rarefind\[parquet\]'"):
            read_table(written(tmp_path, "x", name))
    monkeypatch.setattr(csv_files, "LARGE", 1)
    assert read_table(written(tmp_path, "a\n1\n", "t.csv")).n_rows == 1
    frame = pl.DataFrame({"a": [1, 2], "w": ["x", None]})
    assert read_frame(frame).column("w").tolist() == ["x", None]


# ---- compression, limits, digests ------------------------------------------------------------


@pytest.mark.parametrize("name", ["t.csv", "t.tsv", "t.jsonl", "t.txt", "t.fasta", "t.smi"])
def test_compressed_files_read_the_same(tmp_path, name):
    contents = {
        "t.csv": "a,b\n1,x\n",
        "t.tsv": "a\tb\n1\tx\n",
        "t.jsonl": '{"a": 1}\n',
        "t.txt": "a text\n",
        "t.fasta": ">a\nACGT\n",
        "t.smi": "CCO\n",
    }
    content = contents[name].encode()
    plain = read_table(written(tmp_path, content, name))
    equal(plain, read_table(written(tmp_path, gzip.compress(content), f"{name}.gz")))
    path = tmp_path / f"{name}.zst"
    with pa.OSFile(str(path), "wb") as file, pa.CompressedOutputStream(file, "zstd") as out:
        out.write(content)
    equal(plain, read_table(path))
    with pytest.raises(DataError, match="gzip file is damaged"):
        read_table(written(tmp_path, gzip.compress(content)[:-5], f"{name}.gz"))
    with pytest.raises(DataError, match="zstd file is damaged"):
        read_table(written(tmp_path, content, f"{name}.zst"))


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(rows=2), r"t.csv: the file has more than 2 rows.*Limits\(rows=...\)"),
        (Limits(columns=1), "more than 1 columns"),
        (Limits(bytes=10), "holds more than 10 B"),
        (Limits(cell_bytes=3), r"cell of more than 3 B \((line 4|column 'b')\)"),
        (Limits(seconds=-1), "takes longer than -1 seconds"),
    ],
)
@pytest.mark.parametrize("large", [1, 2**30])
def test_limits_hold(tmp_path, monkeypatch, limits, words, large):
    monkeypatch.setattr(csv_files, "LARGE", large)
    path = written(tmp_path, "a,b\n1,2\n1,2\n1,xxxxx\n", "t.csv")
    with pytest.raises(DataError, match=words):
        read_table(path, limits)
    assert read_table(path).n_rows == 3


def test_a_digest_changes_with_the_content(tmp_path):
    path = written(tmp_path, "a\n1\n", "t.csv")
    first = file_digest(path)
    assert len(first) == 64
    assert file_digest(written(tmp_path, "a\n1\n", "other.csv")) == first
    written(tmp_path, "a\n2\n", "t.csv")
    assert file_digest(path) != first
    folder = tmp_path / "folder"
    folder.mkdir()
    written(folder, "x", "a.txt")
    before = file_digest(folder)
    (folder / "a.txt").rename(folder / "b.txt")
    assert file_digest(folder) != before
    with pytest.raises(DataError, match="cannot be read"):
        file_digest(tmp_path / "missing")


# ---- CSV: two routes, other programs, round trips ---------------------------------------------

CELLS = st.one_of(
    st.sampled_from(["", "NA", "1", "-2.5", "x", "a b", "é漢", "0017", "'=1", "1e3", "nan", " y"]),
    st.text(st.sampled_from("ab1., ;'=-\t\r\n\"é"), max_size=6),
)


def test_large_files_read_as_small_ones_do(tmp_path, monkeypatch):
    @given(st.lists(st.tuples(CELLS, CELLS), min_size=1), st.sampled_from([".csv", ".tsv"]))
    def check(rows, ending):
        import csv

        path = tmp_path / f"t{ending}"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, delimiter="," if ending == ".csv" else "\t")
            writer.writerows([("one", "two"), *rows])
        monkeypatch.setattr(csv_files, "LARGE", 2**30)
        slow = read_table(path)
        monkeypatch.setattr(csv_files, "LARGE", 1)
        fast = read_table(path)
        equal(slow, fast)
        for name in slow.columns:
            assert slow.original[name] == list(map(str, fast.original[name]))
        write_table(fast, tmp_path / f"f{ending}")
        write_table(slow, tmp_path / f"s{ending}")
        assert (tmp_path / f"f{ending}").read_bytes() == (tmp_path / f"s{ending}").read_bytes()

    check()


def test_large_broken_files_are_refused_as_small_ones_are(tmp_path, monkeypatch):
    monkeypatch.setattr(csv_files, "LARGE", 1)
    for text, words in [
        ("a,b\n1,2\n1,2,3\n", "line 3 has 3 cells"),
        (b"a,b\n1,\x81\n", "the file is not all windows-1252 text. Say its encoding"),
        ("a,b\n", "a header but no rows"),
        ('a,b\n1,"x\n2,y\n', "line 2 cannot be read: a quoted cell begins there and never ends"),
        ('a,b\n1,"x\n2,y\n3,"z\n', "line 2 cannot be read"),
        ('a,b\n1,"x"y\n', "line 2 cannot be read"),
        ("a,b\n1,x\r2,y\n", "line 2 cannot be read: a line ends in a carriage return alone"),
    ]:
        with pytest.raises(DataError, match=words):
            read_table(written(tmp_path, text, "t.csv"))
    table = read_table(written(tmp_path, '\ufeff"a\n1",b\n1,2\n', "t.csv"))
    assert list(table.columns) == ["a 1", "b"]
    assert table.column("b").tolist() == [2.0]


@pytest.mark.parametrize("ending", [".csv", ".tsv", ".jsonl", ".parquet"])
def test_any_words_come_back(tmp_path, ending):
    words = (
        st.none()
        | st.text(min_size=1).map(lambda text: f"w{text}")
        | st.text("=+-@'\t\r", min_size=1)
    )

    @given(st.lists(words, min_size=1))
    @example(["\r"])
    def check(cells):
        table = Table({"w": word_array([*cells, "word"])}, "t")
        write_table(table, tmp_path / f"t{ending}")
        assert read_table(tmp_path / f"t{ending}").column("w").tolist() == [*cells, "word"]

    check()


def test_a_csv_file_becomes_typed_when_written_as_parquet(tmp_path):
    table = read_table(written(tmp_path, "n,x,w\n1,0.50,a\n,2,NA\n", "t.csv"))
    write_table(table, tmp_path / "t.parquet")
    again = parquet.read_table(tmp_path / "t.parquet")
    assert again.to_pydict() == {"n": [1, None], "x": [0.5, 2.0], "w": ["a", None]}


# ---- tables in memory ------------------------------------------------------------------------


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, pl.LazyFrame])
def test_tables_in_memory_go_the_same_way(make):
    days = pd.date_range("2024-01-01", periods=3).to_pydatetime().tolist()
    frame = make(
        {"n": [1.0, None, 3.0], "w": ["a", None, "b"], "ok": [True, False, True], "d": days}
    )
    table = read_frame(frame)
    np.testing.assert_array_equal(table.column("n"), [1, np.nan, 3])
    assert table.column("w").tolist() == ["a", None, "b"]
    assert [kind.kind for kind in detect_kinds(table)] == ["number", "category", "boolean", "date"]


def test_cells_that_arrow_does_not_know_are_read_as_they_are():
    frame = pd.DataFrame({"g": [GRAPH, None], "mixed": [1, "a"], "s": [{1}, {2}]}, dtype=object)
    table = read_frame(frame)
    assert table.column("g").tolist() == [GRAPH, None]
    assert table.column("mixed").tolist() == ["1", "a"]


def test_what_is_no_table_is_refused():
    with pytest.raises(DataError, match="Got list instead"):
        read_frame([1, 2])
    with pytest.raises(DataError, match="the pandas table has no rows"):
        read_frame(pd.DataFrame({"a": []}))
    with pytest.raises(DataError, match="Expected unique column names, got: - 'a' 2 times"):
        read_frame(pa.table([[1], [2]], names=["a", "a"]))
