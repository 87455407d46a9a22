"""Files made to exhaust a machine are refused, before the processor or 200 MB are used up."""

from __future__ import annotations

import gzip
import json
import os
import re
import shutil
import subprocess
import sys
import zlib

import pyarrow as pa
import pytest
from pyarrow import parquet

from tests.faults.bombs.arrow import ARROW_BOMBS, MB
from tests.faults.bombs.packed import PACKED_BOMBS
from tests.faults.bombs.text import TEXT_BOMBS
from tests.faults.test_mutated_files import read_all


def gzip_bomb(path):
    with gzip.open(path, "wb") as file:
        file.write(b"a,b\n")
        for _ in range(60):
            file.write(b"1,2\n" * (MB // 4))


def zstd_bomb(path):
    with pa.OSFile(str(path), "wb") as file, pa.CompressedOutputStream(file, "zstd") as out:
        for _ in range(60):
            out.write(b'{"a": 1}\n' * (MB // 9))


def gzip_within_gzip(path):
    # Many members, each a megabyte of zeros.
    member = gzip.compress(bytes(MB))
    path.write_bytes(gzip.compress(b"text\n") + member * 300)


def many_rows(path):
    # A billion rows of nothing take no room in Arrow's stream format.
    batch = pa.record_batch({"nothing": pa.nulls(1_000_000_000)})
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, batch.schema) as writer:
        writer.write_batch(batch)


def parquet_rows(path):
    # Rows of the same number take no room: 40 million of them in a few kilobytes.
    schema = pa.schema({"a": pa.int64()})
    same = pa.table({"a": pa.nulls(1_000_000, pa.int64())}, schema=schema)
    with parquet.ParquetWriter(path, schema) as writer:
        for _ in range(40):
            writer.write_table(same)


def parquet_claim(path):
    # The footer claims 10**9 rows; varints of the true count are replaced by it.
    parquet.write_table(pa.table({"a": list(range(1000))}), path, compression="none")
    data = path.read_bytes()
    zigzag = 2 * 10**9
    varint = b""
    while zigzag:
        varint += bytes([zigzag & 0x7F | (0x80 if zigzag > 0x7F else 0)])
        zigzag >>= 7
    true = bytes([2000 & 0x7F | 0x80, 2000 >> 7])
    size = int.from_bytes(data[-8:-4], "little")
    footer = data[-8 - size : -8].replace(true, varint)
    path.write_bytes(data[: -8 - size] + footer + len(footer).to_bytes(4, "little") + b"PAR1")


def many_columns(path):
    header = ",".join(f"c{i}" for i in range(1_000_000))
    path.write_text(f"{header}\n{'1,' * 999_999}1\n")


def many_json_columns(path):
    path.write_text(json.dumps({f"c{i}": i for i in range(1_000_000)}) + "\n")


def large_cell(path):
    path.write_bytes(b"a,b\n1," + b"x" * (100 * MB) + b"\n")


def large_quoted_cell(path):
    path.write_bytes(b'a,b\n1,"' + b"xxxxxxxxxx\n" * (10 * MB) + b'"\n')


def large_json_cell(path):
    path.write_bytes(b'{"a": "' + b"x" * (100 * MB) + b'"}\n')


def large_parquet_cell(path):
    parquet.write_table(pa.table({"a": ["x" * (100 * MB), "y"]}), path, compression="zstd")


def deep_json(path):
    path.write_text('{"a": ' + "[" * 100_000 + "]" * 100_000 + "}\n")


def deep_json_in_pieces(path):
    path.write_text('{"a": ' + '{"a": [' * 50_000 + "1" + "]}" * 50_000 + "}\n")


def long_line(path):
    # Of NUL characters, which take no room on the disk, ten times as long as a line may be.
    with path.open("wb") as file:
        file.truncate(200 * MB)


def long_text_line(path):
    with path.open("wb") as file:
        file.write(b">a,b\n1,2\n")
        for _ in range(20):
            file.write(b"1," * (MB // 2))


def long_number(path):
    path.write_text('{"a": ' + "9" * 1_000_000 + "}\n")


def many_entities(path):
    lines = ['<!ENTITY a0 "lol">'] + [
        f'<!ENTITY a{i} "{f"&a{i - 1};" * 10}">' for i in range(1, 10)
    ]
    text = f'<?xml version="1.0"?><!DOCTYPE x [{"".join(lines)}]><graphml>&a9;</graphml>'
    path.write_text(text)


def outside_entity(path):
    path.write_text(
        '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>'
        "<graphml><graph><node id='&e;'/></graph></graphml>"
    )


def deep_xml(path):
    path.write_text("<graphml>" * 100_000)


def many_nodes(path):
    path.write_text('{"nodes": 999999999999, "edges": []}\n')


BOMBS = [
    (gzip_bomb, "t.csv.gz", "grows to more than 100 times its size"),
    (zstd_bomb, "t.jsonl.zst", "grows to more than 100 times its size"),
    (gzip_within_gzip, "t.txt.gz", "full of NUL|grows to more than 100 times|line of more than"),
    (many_rows, "t.arrow", "more than 20,000,000 rows"),
    (parquet_rows, "t.parquet", "more than 20,000,000 rows"),
    (parquet_claim, "t.parquet", "more than 20,000,000 rows|not a readable"),
    (many_columns, "t.csv", "more than 12,000 columns"),
    (many_json_columns, "t.jsonl", "more than 12,000 columns|line of more than"),
    (large_cell, "t.csv", "line of more than"),
    (large_quoted_cell, "t.csv", "cell of more than"),
    (large_json_cell, "t.jsonl", "line of more than"),
    (large_parquet_cell, "t.parquet", "cell of more than"),
    (deep_json, "t.jsonl", "nested more than 64 levels"),
    (deep_json_in_pieces, "t.jsonl", "nested more than 64 levels"),
    (long_line, "t.csv", "line of more than"),
    (long_line, "t.txt", "full of NUL"),
    (long_line, "t.fasta", "full of NUL"),
    (long_line, "t.smi", "full of NUL"),
    (long_line, "t.jsonl", "full of NUL"),
    (long_text_line, "t.csv", "line of more than"),
    (long_text_line, "t.txt", "line of more than"),
    (long_text_line, "t.fasta", "line of more than"),
    (long_text_line, "t.smi", "line of more than"),
    (long_number, "t.jsonl", "line 1 cannot be read"),
    (many_entities, "t.graphml", "declares a document type"),
    (outside_entity, "t.graphml", "declares a document type"),
    (deep_xml, "t.graphml", "nested more than 64 levels"),
    (many_nodes, "t.jsonl", "claims 999999999999 nodes"),
]


GROWING = [*ARROW_BOMBS, *TEXT_BOMBS, *PACKED_BOMBS]
"""Files that may be read or refused, as long as neither costs much."""


def pipe(path):
    os.mkfifo(path)


def device(path):
    path.symlink_to("/dev/zero")


def folder_of_pipes(path):
    path.mkdir()
    os.mkfifo(path / "a.txt")
    (path / "b.txt").symlink_to("/dev/zero")


ENDLESS = [(pipe, "t.csv"), (pipe, "t.parquet"), (device, "t.jsonl"), (device, "t.arrow")]
"""Files that would never end."""


@pytest.fixture(scope="module")
def answers(tmp_path_factory):
    home = tmp_path_factory.mktemp("bombs")
    paths = []
    makers = [bomb[:2] for bomb in BOMBS] + GROWING + ENDLESS + [(folder_of_pipes, "t")]
    for number, (make, name) in enumerate(makers):
        folder = home / str(number)
        folder.mkdir()
        make(folder / name)
        paths.append(folder / name)
    found = read_all(paths)
    shutil.rmtree(home)
    return found


@pytest.mark.parametrize(
    "number", range(len(BOMBS)), ids=[f"{b[0].__name__}-{b[1]}" for b in BOMBS]
)
def test_a_bomb_is_refused_in_little_memory(answers, number):
    answer = answers[number]
    assert answer["outcome"] == "", answer
    assert re.search(BOMBS[number][2], answer["said"]), answer["said"]
    assert answer["memory"] <= 200 * MB, answer


def test_small_files_cost_little_whatever_is_folded_into_them(answers):
    """The reader itself ends a file that takes twenty seconds of the processor."""
    told = answers[len(BOMBS) : len(BOMBS) + len(GROWING)]
    assert len(told) >= 80
    assert [answer for answer in told if answer["memory"] > 1000 * MB] == []
    assert [answer for answer in told if answer["outcome"] == "crashed"] == []
    refused = [answer for answer in told if answer["outcome"] != "prepared"]
    assert [answer for answer in refused if not answer["said"].startswith(answer["file"])] == []
    assert [answer for answer in refused if "\n" in answer["said"]] == []


def test_a_pipe_or_a_device_is_refused_at_once(answers):
    told = answers[-len(ENDLESS) - 1 :]
    assert all("is neither a file nor a folder" in answer["said"] for answer in told[:-1]), told
    assert "0 .txt and 0 .graphml" in told[-1]["said"]


def test_what_a_file_needed_goes_back_to_the_system(tmp_path):
    path = tmp_path / "t.parquet"
    words = pa.array([f"{number}{'x' * 200_000}" for number in range(500)])
    parquet.write_table(pa.table({"a": words}), path)
    del words
    script = (
        "from rarefind.web.live.freed_memory import give_memory_back\n"
        "give_memory_back()\n"
        "from rarefind.records.formats.by_ending import read_table\n"
        "import pyarrow.parquet\n"
        "def held():\n"
        "    return int(open('/proc/self/statm').read().split()[1]) * 4096\n"
        "before = held()\n"
        f"print(len(read_table({str(path)!r}).columns), held() - before)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    columns, grown = map(int, done.stdout.split())
    assert columns == 1
    assert grown < 60 * MB  # while it was there it took more than 300


def test_a_damaged_gzip_checksum_is_told(tmp_path):
    path = tmp_path / "t.csv.gz"
    data = bytearray(gzip.compress(b"a,b\n1,2\n"))
    data[-8:-4] = zlib.crc32(b"other").to_bytes(4, "little")
    path.write_bytes(data)
    assert "gzip file is damaged" in read_all([path])[0]["said"]
