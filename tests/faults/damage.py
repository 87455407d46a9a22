"""Files of every format, and ways to damage them."""

from __future__ import annotations

import gzip
import io
import json
import random
from pathlib import Path

import numpy as np
import pyarrow as pa
from pyarrow import feather, parquet

from rarefind.records.formats.by_ending import write_table
from rarefind.records.table import Table

GRAPHML = """<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="d0" for="node" attr.name="label" attr.type="string"/>
  <key id="d1" for="edge" attr.name="weight" attr.type="int"/>
  <key id="d2" for="graph" attr.name="kind" attr.type="string"/>
  <graph id="G" edgedefault="undirected">
    <data key="d2">ring</data>
    <node id="a"><data key="d0">C</data></node>
    <node id="b"><data key="d0">O</data></node>
    <node id="c"><data key="d0">N</data></node>
    <edge source="a" target="b"><data key="d1">1</data></edge>
    <edge source="b" target="c"><data key="d1">2</data></edge>
  </graph>
</graphml>
"""


def seeds(folder: Path) -> list[Path]:
    """Write a sound file of every format."""
    rng = np.random.default_rng(0)
    n = 40
    arrow = pa.table(
        {
            "amount": rng.normal(size=n),
            "count": rng.integers(0, 9, n),
            "kind": [["a", "b", None][i % 3] for i in range(n)],
            "fresh": [i % 2 == 0 for i in range(n)],
            "when": pa.array(range(n), pa.timestamp("s")),
            "note": [f"some words about record {i}, é漢" for i in range(n)],
            "coded": pa.array(["x", "y"] * (n // 2)).dictionary_encode(),
            "list": [[i, i + 1] for i in range(n)],
        }
    )
    made = {"t.arrow": _stream(arrow)}
    parquet.write_table(arrow, folder / "t.parquet", compression="none", row_group_size=16)
    parquet.write_table(arrow, folder / "z.parquet", compression="zstd")
    feather.write_feather(arrow, folder / "t.feather", compression="uncompressed")
    feather.write_feather(arrow, folder / "z.feather", compression="zstd")
    columns = {
        "amount": rng.normal(size=n),
        "kind": np.array([["a", 'b "q"', None, "=1+1"][i % 4] for i in range(n)], object),
        "when": np.array([f"2024-01-{i % 28 + 1:02d} 10:{i:02d}" for i in range(n)], object),
        "note": np.array([f"line one\nline {i}, é漢" for i in range(n)], object),
    }
    for name in ("t.csv", "t.tsv", "t.jsonl"):
        write_table(Table(columns, "t"), folder / name)
    graph = {"nodes": ["C", "O", "N"], "edges": [[0, 1], [1, 2]], "edge_labels": [1, 2]}
    made["graphs.jsonl"] = "".join(
        json.dumps({**graph, "label": i, "tags": {"deep": [[i]]}}) + "\n" for i in range(12)
    ).encode()
    made["links.jsonl"] = (
        json.dumps(
            {
                "nodes": [{"id": "a", "label": "C"}, {"id": "b", "label": "O"}],
                "links": [{"source": "a", "target": "b", "type": 1}],
            }
        )
        + "\n"
    ).encode() * 4
    made["t.fasta"] = b"".join(b">seq%d some note\nACGTTGCA\nGGTTAACC\n" % i for i in range(12))
    made["t.smi"] = b"smiles name\nCCO ethanol\nc1ccccc1O phenol\nCC(=O)O\n[Na+].[Cl-] salt\n" * 5
    made["t.txt"] = "a text with words\nanother one, é漢\n".encode() * 8
    made["t.graphml"] = GRAPHML.encode()
    for name, content in made.items():
        (folder / name).write_bytes(content)
    packed = [_zstd(folder / name) for name in ("t.csv", "graphs.jsonl")]
    for name in ("t.csv", "t.jsonl", "t.graphml", "t.parquet"):
        packed.append(folder / f"{name}.gz")
        packed[-1].write_bytes(gzip.compress((folder / name).read_bytes()))
    return sorted(path for path in folder.iterdir() if path.is_file())


def _stream(table: pa.Table) -> bytes:
    sink = io.BytesIO()
    with pa.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return sink.getvalue()


def _zstd(path: Path) -> Path:
    packed = path.with_name(f"{path.name}.zst")
    with pa.OSFile(str(packed), "wb") as file, pa.CompressedOutputStream(file, "zstd") as out:
        out.write(path.read_bytes())
    return packed


_TEXTS = [
    b"\0", b"\xff\xfe", b"\xef\xbb\xbf",
    b'"', b"'", b",", b"\t", b"\r", b"\n", b"=cmd|' /C calc'!A0",
    b"[" * 300, b"{" * 300, b"]", b"}", b"1e999", b"-", b"NaN", b"9" * 400, "\u202e".encode(),
    b"\xed\xa0\x80",
    b'"\\ud800"', b"<!DOCTYPE x [<!ENTITY a 'b'>]>", b"&a;", b"<graph>", b">", b"null",
    b"0" * 5000, b"\x80\x80\x80\x80\x08", b"\xff" * 9, b"a" * 70000,
]  # fmt: skip


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Change a few places of a file: flipped, cut, repeated, swapped or strange bytes."""
    data = bytearray(content)
    for _ in range(chance.choice([1, 1, 2, 3, 8])):
        at = chance.randrange(len(data) + 1)
        end = min(len(data), at + chance.choice([1, 1, 2, 4, 8, 64, 512]))
        way = chance.randrange(7)
        if way == 0 and at < len(data):
            data[at] ^= 1 << chance.randrange(8)
        elif way == 1:
            data[at:end] = chance.randbytes(end - at)
        elif way == 2:
            del data[at:end]
        elif way == 3:
            data[at:at] = data[at:end] * chance.choice([1, 2, 50])
        elif way == 4:
            data[at:at] = chance.choice(_TEXTS)
        elif way == 5:
            del data[at:]
        else:
            value = chance.choice([0, 1, -1, 2**31 - 1, 2**32 - 1, 2**63 - 1])
            data[at : at + 8] = (value % 2**64).to_bytes(8, "little")
        if not data:
            break
    return bytes(data)
