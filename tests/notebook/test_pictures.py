"""Pictures as addresses: what is drawn is what was given."""

from __future__ import annotations

import base64
import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from matplotlib import image

from rarefind.core.errors import DataError
from rarefind.notebook.pictures import picture_uri


def decoded(address):
    kind, _, body = address.partition(";base64,")
    return kind, base64.b64decode(body)


SHAPES = st.tuples(st.integers(1, 9), st.integers(1, 9), st.sampled_from([3, 4]))


@given(arrays.arrays(np.uint8, SHAPES))
def test_coloured_points_are_those_another_reader_finds(points):
    kind, body = decoded(picture_uri(points))
    assert kind == "data:image/png"
    read = image.imread(io.BytesIO(body), format="png")
    np.testing.assert_array_equal(np.rint(read * 255), points)


def test_other_numbers_go_from_black_to_white():
    kind, body = decoded(picture_uri([[-1.0, 1.0], [0.0, np.nan]]))
    read = np.rint(image.imread(io.BytesIO(body), format="png") * 255)
    assert kind == "data:image/png"
    assert read.tolist() == [[0, 255], [127, 127]]
    flat = image.imread(io.BytesIO(decoded(picture_uri(np.ones((2, 3))))[1]), format="png")
    assert flat.shape == (2, 3)


def test_files_and_bytes_are_taken_as_they_are(tmp_path):
    _, body = decoded(picture_uri(np.zeros((2, 2), dtype=np.uint8)))
    path = tmp_path / "a.png"
    path.write_bytes(body)
    assert decoded(picture_uri(path)) == decoded(picture_uri(str(path))) == ("data:image/png", body)
    assert decoded(picture_uri(b"\xff\xd8\xff..."))[0] == "data:image/jpeg"


@pytest.mark.parametrize(
    ("picture", "words"),
    [
        ("nowhere.png", "nowhere.png cannot be read: No such file"),
        (b"<svg>", "must be PNG, JPEG, GIF or WebP"),
        (np.zeros((2, 2, 2)), r"shape \(2, 2, 2\) and the type float64"),
        (np.zeros(4), r"shape \(4,\)"),
        ([["a"]], "the type <U1"),
    ],
)
def test_what_is_no_picture_is_refused_in_a_sentence(picture, words):
    with pytest.raises(DataError, match=words):
        picture_uri(picture)
