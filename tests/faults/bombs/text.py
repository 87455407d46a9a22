"""Small text files that cost far more than their size to read, each by a way of its own."""

from __future__ import annotations

import gzip
import json
import os

from tests.faults.bombs.arrow import MB, WIDE


def _lines(path, lines):
    path.write_text("\n".join(lines) + "\n")


def _cell(text):
    """Make a file of one column that holds a cell many times as long as any should be."""

    def make(path):
        _lines(path, ["a,b", *(f"{text},{i}" for i in range(5))])

    return make


def a_new_key_per_line(path):
    _lines(path, (json.dumps({f"k{i}": 1}) for i in range(3000)))


def very_many_new_keys(path):
    _lines(path, (json.dumps({f"k{i}": 1}) for i in range(60_000)))


def a_new_key_now_and_then(path):
    _lines(path, (json.dumps({f"k{i // 10}": "x"}) for i in range(50_000)))


def wide_json(path):
    _lines(path, [json.dumps({f"c{i}": i for i in range(WIDE)})] * 3)


def wide_json_words(path):
    _lines(path, [json.dumps({f"c{i}": f"w{i}" for i in range(WIDE)})] * 3)


def wide_csv(path):
    _lines(path, [",".join(f"c{i}" for i in range(WIDE)), *[",".join("1" * WIDE)] * 3])


def wide_csv_words(path):
    names = ",".join(f"c{i}" for i in range(WIDE))
    _lines(path, [names, *(",".join(f"{letter}{i}" for i in range(WIDE)) for letter in "abc")])


def wide_csv_dates(path):
    _lines(path, [",".join(f"c{i}" for i in range(WIDE)), *[",".join(["2020-01-01"] * WIDE)] * 3])


def wide_csv_grid(path):
    names = ",".join(f"p{i}" for i in range(20_164))  # 142 by 142
    _lines(path, [names, *[",".join("1" * 20_164)] * 3])


def very_wide_csv(path):
    _lines(path, [",".join(f"c{i}" for i in range(99_000)), *[",".join("1" * 99_000)] * 3])


def one_name_for_all(path):
    _lines(path, [",".join(["same"] * WIDE), ",".join("1" * WIDE)])


def packed_cells(path):
    with gzip.open(path, "wb") as file:
        file.write(",".join(f"c{i}" for i in range(500)).encode() + b"\n")
        for row in range(4_000):
            file.write(",".join(str(row % 7 + i % 3) for i in range(500)).encode() + b"\n")


def packed_empty_cells(path):
    # Random bytes in the first column keep the ratio below what is refused.
    with gzip.open(path, "wb") as file:
        file.write(
            b"a" + b",b" * 0 + ",".join(["", *(f"c{i}" for i in range(200))]).encode() + b"\n"
        )
        for _ in range(30_000):
            file.write(os.urandom(4).hex().encode() + b"," * 200 + b"\n")


def many_graphs_that_claim_nodes(path):
    _lines(path, ['{"nodes": 10000000, "edges": []}'] * 1000)


def one_graph_that_claims_nodes(path):
    _lines(path, ['{"nodes": 10000000, "edges": []}'] * 3)


def many_edges(path):
    graph = {"nodes": 2, "edges": [[0, 1]] * 100_000}
    _lines(path, [json.dumps(graph)])


def a_complete_graph(path):
    edges = [[i, j] for i in range(400) for j in range(i)]
    _lines(path, [json.dumps({"nodes": ["C"] * 400, "edges": edges})] * 2)


def json_escapes(path):
    _lines(path, ['{"a": "' + "\\u0041" * 500_000 + '"}'] * 3)


def json_numbers(path):
    _lines(path, ['{"a": ' + "1" * 4000 + "}"] * 1000)


def json_lists(path):
    _lines(path, ['{"a": [' + "0," * 200_000 + "0]}"] * 5)


def json_wide_lists(path):
    _lines(path, ['{"a": [' + "[]," * 300_000 + "[]]}"] * 5)


def json_long_keys(path):
    _lines(path, (json.dumps({f"{'k' * 100_000}{i}": 1}) for i in range(50)))


def json_equal_keys(path):
    _lines(path, ["{" + '"a": 1,' * 500_000 + '"a": 2}'])


def many_short_lines(path):
    path.write_bytes(b"a\n" * MB)


def many_empty_lines(path):
    path.write_bytes(b"a\n" + b"\n" * 4 * MB)


def many_quotes(path):
    path.write_bytes(b'a,b\n"' + b'""' * MB + b'",1\n')


def many_carriage_returns(path):
    path.write_bytes(b"a,b\n" + b"1,2\r" * MB)


def utf16(path):
    path.write_bytes(("a,b\n" + "1,2\n" * (MB // 4)).encode("utf-16"))


def many_different_words(path):
    _lines(path, ["a,b", *(f"w{i} x{i} y{i},{i}" for i in range(50_000))])


def many_different_dates(path):
    _lines(
        path, ["a,b", *(f"{1 + i % 28}/{1 + i % 12}/{1000 + i % 9000},{i}" for i in range(60_000))]
    )


def long_texts(path):
    text = " ".join(f"w{i}" for i in range(50_000))
    _lines(path, [text] * 5)


def one_long_sequence(path):
    path.write_text(">a\n" + "ACGT" * MB)


def many_sequences(path):
    path.write_text(">\nA\n" * 100_000)


def long_molecules(path):
    _lines(path, ["C(" * 100_000 + ")" * 100_000] * 10)


def long_chains(path):
    _lines(path, ["C" * 3 * MB] * 3)


def ring_molecules(path):
    _lines(path, ["C1" * 500_000] * 3)


def _graphml(body):
    return f'<graphml xmlns="http://graphml.graphdrawing.org/xmlns">{body}</graphml>'


def a_new_key_per_graph(path):
    graphs = "".join(
        f'<graph edgedefault="undirected"><data key="k{i}">1</data><node id="a"/></graph>'
        for i in range(20_000)
    )
    path.write_text(_graphml(graphs))


def many_attributes(path):
    words = " ".join(f'a{i}="1"' for i in range(200_000))
    path.write_text(_graphml(f'<graph edgedefault="undirected"><node id="a" {words}/></graph>'))


def one_long_attribute(path):
    path.write_text(
        _graphml(f'<graph edgedefault="undirected"><node id="{"a" * 8 * MB}"/></graph>')
    )


def open_xml_tag(path):
    path.write_text("<graphml " + "a" * 6 * MB)


def open_xml_comment(path):
    path.write_text("<graphml><!-- " + "a" * 6 * MB)


def many_small_graphs(path):
    path.write_text(_graphml('<graph edgedefault="undirected"><node id="a"/></graph>' * 30_000))


CELLS = {
    "digits": "1" * MB,
    "signs": "-" * MB,
    "points": "1." * (MB // 2),
    "thousands": '"' + "1," * (MB // 2) + '"',
    "blanks": '"1' + " " * MB + 'x"',
    "slashes": "1/" * (MB // 2),
    "clocks": "1:" * (MB // 2),
    "hours": "1h" * (MB // 2),
    "exponents": "1e" + "9" * MB,
    "brackets": "(" * MB,
    "percent": "1" + "%" * MB,
    "money": "$" * MB + "1",
    "apostrophes": "'" * MB,
}
"""Cells that look as if they might be read as something, for a megabyte."""

TEXT_BOMBS = [
    *((_cell(text), f"{name}.csv") for name, text in CELLS.items()),
    *((make, "t.jsonl") for make in (
        a_new_key_per_line, very_many_new_keys, a_new_key_now_and_then, wide_json, wide_json_words,
        many_graphs_that_claim_nodes, one_graph_that_claims_nodes, many_edges, a_complete_graph,
        json_escapes, json_numbers, json_lists, json_wide_lists, json_long_keys, json_equal_keys,
    )),
    *((make, "t.csv") for make in (
        wide_csv, wide_csv_words, wide_csv_dates, wide_csv_grid, very_wide_csv, one_name_for_all,
        many_quotes, many_carriage_returns, utf16, many_different_words, many_different_dates,
    )),
    (packed_cells, "t.csv.gz"),
    (packed_empty_cells, "t.csv.gz"),
    (many_short_lines, "t.txt"),
    (many_empty_lines, "t.txt"),
    (long_texts, "t.txt"),
    (one_long_sequence, "t.fasta"),
    (many_sequences, "t.fasta"),
    (long_molecules, "t.smi"),
    (long_chains, "t.smi"),
    (ring_molecules, "t.smi"),
    *((make, "t.graphml") for make in (
        a_new_key_per_graph, many_attributes, one_long_attribute, open_xml_tag, open_xml_comment,
        many_small_graphs,
    )),
]  # fmt: skip
"""Makers of a file, and the name it has to have."""
