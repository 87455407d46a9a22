"""Small spreadsheets, arrays of numpy, JSON and archives that grow without bound when opened."""

from __future__ import annotations

import gzip
import io
import json
import os
import struct
import zipfile
import zlib

import numpy as np

from tests.faults.bombs.arrow import MB

_SHEET = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_LINKS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKED_LINKS = "http://schemas.openxmlformats.org/package/2006/relationships"
_OPEN = "urn:oasis:names:tc:opendocument:xmlns"


def _links(**targets):
    each = "".join(
        f'<Relationship Id="{kind}" Type="{_LINKS}/{kind}" Target="{target}"/>'
        for kind, target in targets.items()
    )
    return f'<Relationships xmlns="{_PACKED_LINKS}">{each}</Relationships>'


def _xlsx(path, rows, words="", after=""):
    """Write a workbook of one sheet; random bytes keep the ratio below what is refused."""
    book = (
        f'<workbook xmlns="{_SHEET}" xmlns:r="{_LINKS}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="worksheet"/></sheets></workbook>'
    )
    sheet = f'<worksheet xmlns="{_SHEET}"><sheetData>{rows}</sheetData>{after}</worksheet>'
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("_rels/.rels", _links(officeDocument="xl/workbook.xml"))
        archive.writestr("xl/workbook.xml", book)
        archive.writestr(
            "xl/_rels/workbook.xml.rels",
            _links(worksheet="worksheets/sheet1.xml", sharedStrings="sharedStrings.xml"),
        )
        archive.writestr("xl/worksheets/sheet1.xml", sheet)
        archive.writestr("xl/sharedStrings.xml", f'<sst xmlns="{_SHEET}">{words}</sst>')
        archive.writestr("noise.bin", os.urandom(MB // 8))


def _corners(row, column):
    first = '<row r="1"><c r="A1"><v>1</v></c></row>'
    return f'{first}<row r="{row}"><c r="{column}{row}"><v>2</v></c></row>'


def last_cell_of_a_sheet(path):
    _xlsx(path, _corners(1_048_576, "XFD"))


def far_column(path):
    _xlsx(path, _corners(200_000, "ALL"))


def row_beyond_any_sheet(path):
    _xlsx(path, _corners(4_294_967_295, "A"))


def one_text_in_every_cell(path):
    rows = "".join(
        f'<row r="{row}"><c r="A{row}" t="s"><v>0</v></c></row>' for row in range(1, 3001)
    )
    _xlsx(path, rows, f"<si><t>{'x' * MB}</t></si>")


def cells_merged_many_times(path):
    rows = "".join(f'<row r="{row}"><c r="B{row}"><v>1</v></c></row>' for row in range(1, 20_001))
    merged = '<mergeCell ref="A1:A20000"/>' * 20_000
    _xlsx(path, rows, after=f"<mergeCells>{merged}</mergeCells>")


def one_text_merged_over_all(path):
    first = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row>'
    rows = "".join(f'<row r="{row}"><c r="B{row}"><v>1</v></c></row>' for row in range(2, 5001))
    merged = '<mergeCells><mergeCell ref="A1:A5000"/></mergeCells>'
    _xlsx(path, first + rows, f"<si><t>{'x' * MB}</t></si>", merged)


def _ods(path, rows):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet")
        archive.writestr("META-INF/manifest.xml", f'<m:manifest xmlns:m="{_OPEN}:manifest:1.0"/>')
        archive.writestr(
            "content.xml",
            f'<office:document-content xmlns:office="{_OPEN}:office:1.0" '
            f'xmlns:table="{_OPEN}:table:1.0" xmlns:text="{_OPEN}:text:1.0"><office:body>'
            f'<office:spreadsheet><table:table table:name="S">{rows}</table:table>'
            "</office:spreadsheet></office:body></office:document-content>",
        )
        archive.writestr("noise.bin", os.urandom(MB // 8))


def cells_repeated(path):
    kind = 'office:value-type="float" office:value="1" table:number-columns-repeated="16000"'
    row = f"<table:table-cell {kind}/>"
    _ods(path, f'<table:table-row table:number-rows-repeated="1000000">{row}</table:table-row>')


def texts_repeated(path):
    text = f"<text:p>{'x' * MB}</text:p>"
    kind = 'office:value-type="string" table:number-columns-repeated="3000"'
    row = f"<table:table-cell {kind}>{text}</table:table-cell>"
    _ods(path, f"<table:table-row>{row}</table:table-row>")


def _array(array):
    held = io.BytesIO()
    np.save(held, array)
    return held.getvalue()


def _claimed(kind, shape, data=b""):
    """Write an array as numpy does, of any kind and shape."""
    head = repr({"descr": kind, "fortran_order": False, "shape": shape}).encode()
    head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head + data


def array_of_many_claimed(path):
    path.write_bytes(_claimed("<f8", (10**12,)))


def empty_words(path):
    path.write_bytes(_claimed("<U0", (16_000_000,)))


def rows_of_nothing(path):
    path.write_bytes(_claimed("<f8", (10**18, 0)))


def fields_of_several(path):
    path.write_bytes(_claimed([("a", "<f8", (1000,)), ("b", "<f8")], (10,), bytes(80_080)))


def _npz(path, **arrays):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        # So little is gained by packing this that the ratio says nothing of the rest.
        archive.writestr("noise.npy", _array(np.frombuffer(os.urandom(MB // 2), np.uint8)))
        for name, content in arrays.items():
            archive.writestr(f"{name}.npy", content)


def dates_of_an_array(path):
    _npz(path, a=_claimed("<M8[s]", (5_000_000,), bytes(40_000_000)))


def words_of_an_array(path):
    _npz(path, a=_array(np.full(5_000_000, "ab")))


def very_many_arrays(path):
    one = _array(np.zeros(2))
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(25_000):
            archive.writestr(f"{number}.npy", one)


def _on_top_of_each_other(path, name, content):
    """Write an archive in which five hundred entries are one and the same part."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = packer.compress(content) + packer.flush()
    about = (8, 0, 33, zlib.crc32(content), len(packed), len(content), len(name), 0)
    local = struct.pack("<4s2H3H3L2H", b"PK\3\4", 20, 0, *about) + name
    entry = struct.pack("<4s3H3H3L5H2L", b"PK\1\2", 20, 20, 0, *about, 0, 0, 0, 0, 0) + name
    listed = entry * 500
    end = struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 500, 500, len(listed), len(local + packed), 0)
    path.write_bytes(local + packed + listed + end)


def arrays_on_top_of_each_other(path):
    noise = np.frombuffer(os.urandom(80_000), np.uint8)
    array = _array(np.concatenate([noise, np.zeros(7_000_000, np.uint8)]))
    _on_top_of_each_other(path, b"a.npy", array)


def pictures_on_top_of_each_other(path):
    _on_top_of_each_other(path, b"a.png", os.urandom(80_000) + bytes(7_000_000))


def _packed(path, text):
    """Pack a text; random bytes keep the ratio below what is refused."""
    noise = json.dumps({"noise": os.urandom(MB // 2).hex()})
    path.write_bytes(gzip.compress(text.replace("NOISE", noise).encode()))


def column_of_json(path):
    _packed(path, '{"a": [NOISE' + ",1.5" * 7_500_000 + "]}")


def lists_of_json(path):
    _packed(path, "[NOISE" + ",[1]" * 7_500_000 + "]")


def empty_objects_of_json(path):
    _packed(path, "[NOISE" + ",{}" * 7_500_000 + "]")


PACKED_BOMBS = [
    *((make, "t.xlsx") for make in (
        last_cell_of_a_sheet, far_column, row_beyond_any_sheet, one_text_in_every_cell,
        cells_merged_many_times, one_text_merged_over_all,
    )),
    *((make, "t.ods") for make in (cells_repeated, texts_repeated)),
    *((make, "t.npy") for make in (
        array_of_many_claimed, empty_words, rows_of_nothing, fields_of_several,
    )),
    *((make, "t.npz") for make in (
        dates_of_an_array, words_of_an_array, very_many_arrays, arrays_on_top_of_each_other,
    )),
    (pictures_on_top_of_each_other, "t.zip"),
    *((make, "t.json.gz") for make in (column_of_json, lists_of_json, empty_objects_of_json)),
]  # fmt: skip
"""Makers of a file, and the name it has to have."""
