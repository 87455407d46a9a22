"""Pictures opened: upright, on white, and never more of them than a machine can hold."""

from __future__ import annotations

import base64
import io
import resource
import struct
import subprocess
import sys
import zlib

import numpy as np
import pytest
from PIL import Image

from rarefind.core.errors import DataError
from rarefind.records import detect_kinds, prepare, read_table
from rarefind.records.pictures import opening
from rarefind.records.pictures.opening import MOST_BYTES, address_of, points_of
from tests.records.pictures.conftest import draw, encoded


def claiming(width, height, body=b""):
    """A PNG that says it is of some size."""

    def part(name, data):
        return (
            struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        )

    header = struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + part(b"IHDR", header) + part(b"IDAT", body) + part(b"IEND", b"")


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF"])
def test_every_kind_of_file_is_opened(kind):
    points = points_of(encoded(draw(False, 1).convert("P" if kind == "GIF" else "RGB"), kind), 512)
    original = np.asarray(draw(False, 1), dtype=float)
    assert points.shape == (36, 48, 3)
    assert np.abs(points - original).mean() < 20


def test_pictures_stand_upright_and_what_shows_through_is_white():
    held = io.BytesIO()
    picture = Image.new("RGB", (4, 2), "red")
    exif = picture.getexif()
    exif[0x0112] = 6  # taken with the camera turned
    picture.save(held, "PNG", exif=exif)
    assert points_of(held.getvalue(), 512).shape == (4, 2, 3)
    clear = Image.new("RGBA", (3, 3), (0, 0, 0, 0))
    assert (points_of(encoded(clear), 512) == 255).all()
    deep = Image.fromarray(np.arange(0, 60_000, 10_000, dtype=np.uint16).reshape(2, 3))
    assert points_of(encoded(deep), 512)[..., 0].tolist() == [[0, 51, 102], [153, 204, 255]]


def test_large_ones_become_smaller_and_keep_their_shape():
    data = encoded(Image.new("RGB", (900, 300)), "JPEG")
    assert points_of(data, 300).shape == (100, 300, 3)
    assert points_of(data, 16, square=True).shape == (16, 16, 3)
    address, shape = address_of(data, 300)
    assert shape == (100, 300)
    assert Image.open(io.BytesIO(base64.b64decode(address.partition(",")[2]))).size == (300, 100)


def test_nothing_else_of_a_file_gets_to_a_page():
    held = io.BytesIO()
    draw(False, 1).save(held, "PNG", pnginfo=_with_words("<script>"))
    assert b"<script>" in held.getvalue()
    address, _ = address_of(held.getvalue(), 640)
    assert b"<script>" not in base64.b64decode(address.partition(",")[2])


def _with_words(words):
    from PIL.PngImagePlugin import PngInfo

    info = PngInfo()
    info.add_text("comment", words)
    return info


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (claiming(12_000, 12_000), "has 12,000 x 12,000 points, and at most 100,000,000 are"),
        (claiming(60_000, 60_000), "cannot be opened .*exceeds limit"),
        (claiming(9_000, 9_000, zlib.compress(b"\0" * 10)), "cannot be opened"),
        (b"", "cannot be opened"),
        (b"\x89PNG and nothing else", "cannot be opened"),
        (encoded(draw(False, 1))[:200], "cannot be opened"),
        (b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n", "cannot be opened"),
        (b"GIF89a" + b"\0" * MOST_BYTES, "is a file of 134.2 MB, and at most 134.2 MB are opened"),
    ],
    ids=["huge", "beyond", "less", "empty", "begun", "cut", "program", "large"],
)
def test_what_is_damaged_or_huge_is_refused_in_a_sentence(data, sentence):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with pytest.raises(DataError, match=f"^The picture cat.png .*({sentence})"):
        points_of(data, 64, name="cat.png")
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < 500_000  # kilobytes


def test_a_picture_that_does_not_open_is_a_gap_among_others(tmp_path):
    for number in range(4):
        draw(False, number).save(tmp_path / f"{number}.png")
    (tmp_path / "2.png").write_bytes(b"\x89PNG")
    table = read_table(tmp_path)
    vectors = prepare(table, detect_kinds(table)).records
    assert np.isfinite(vectors).all()
    assert not vectors[2].any()
    for number in range(4):
        (tmp_path / f"{number}.png").write_bytes(b"\x89PNG")
    table = read_table(tmp_path)
    with pytest.raises(DataError, match=r"No record can be given to the model 'pixels'. The pict"):
        prepare(table, detect_kinds(table))


TURNED = Image.Exif()
TURNED[0x0112] = 6  # the camera was held on its side


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "LA", "L", "1", "P", "CMYK", "I;16", "F"])
@pytest.mark.parametrize("square", [False, True])
def test_a_very_large_picture_looks_the_same_band_by_band(monkeypatch, mode, square):
    smooth = np.add.outer(np.arange(300.0), np.arange(400.0)) / 700 * 255
    if mode == "I;16":
        picture = Image.fromarray((smooth * 200).astype(np.uint16))
    elif mode == "F":
        picture = Image.fromarray(smooth.astype(np.float32))
    else:
        picture = Image.fromarray(smooth.astype(np.uint8)).convert("RGB").convert(mode)
    held = io.BytesIO()
    kind = "TIFF" if mode in ("CMYK", "F") else "PNG"
    picture.save(held, kind, exif=TURNED)
    whole = points_of(held.getvalue(), 40, square=square)
    monkeypatch.setattr(opening, "BAND", 2000)
    bands = points_of(held.getvalue(), 40, square=square)
    assert bands.shape == whole.shape
    assert np.abs(bands.astype(float) - whole).max() <= (40 if mode == "1" else 3)


@pytest.mark.parametrize(("mode", "kind"), [("RGBA", "PNG"), ("I;16", "PNG"), ("CMYK", "JPEG")])
def test_the_largest_pictures_take_less_than_a_gigabyte(tmp_path, mode, kind):
    path = tmp_path / "large"
    Image.new(mode, (10_000, 10_000)).save(path, kind)
    script = (
        "from pathlib import Path\n"
        "from rarefind.records.pictures.opening import points_of\n"
        f"shape = points_of(Path({str(path)!r}), 1024).shape\n"
        "status = Path('/proc/self/status').read_text()\n"
        "print(*shape, status.split('VmHWM:')[1].split()[0])"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    *shape, taken = map(int, done.stdout.split())
    assert shape == [1024, 1024, 3]
    assert taken < 10**6  # kilobytes
