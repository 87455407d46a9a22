"""Pictures read from folders, archives and tables."""

from __future__ import annotations

import copy
import pickle
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rarefind.core.errors import DataError
from rarefind.records import detect_kinds, file_digest, prepare, read_table, write_table
from rarefind.records.pictures.cell import Picture
from rarefind.records.read_as import ReadAs
from tests.records.pictures.conftest import draw, encoded


def kinds_of(table):
    return {kind.name: kind.kind for kind in detect_kinds(table)}


def test_a_folder_of_pictures_is_a_table_of_them(album):
    table = read_table(album)
    assert table.n_rows == 40
    assert table.words("file")[:3] == ["p00.png", "p01.jpg", "p02.gif"]
    assert kinds_of(table) == {"file": "picture"}
    prepared = prepare(table, detect_kinds(table))
    assert prepared.records.shape == (40, 16 * 16 * 3)
    assert prepared.description == "compared by 1 picture"


def test_folders_within_are_a_column_that_nobody_compares_by(tmp_path):
    for place in ("cats/1.png", "dogs/1.png", "dogs/2.png"):
        (tmp_path / place).parent.mkdir(exist_ok=True)
        draw(False, len(place)).save(tmp_path / place)
    before = file_digest(tmp_path)
    table = read_table(tmp_path)
    assert table.words("file") == ["cats/1.png", "dogs/1.png", "dogs/2.png"]
    assert table.words("folder") == ["cats", "dogs", "dogs"]
    assert kinds_of(table) == {"file": "picture", "folder": "id"}
    draw(True, 7).save(tmp_path / "dogs/2.png")
    assert file_digest(tmp_path) != before


@pytest.fixture
def listed(tmp_path):
    """A table beside a folder of pictures, and one picture that is not in it."""
    (tmp_path / "desk" / "shots").mkdir(parents=True)
    for number in range(3):
        draw(number == 2, number).save(tmp_path / "desk" / "shots" / f"{number}.png")
    draw(True, 9).save(tmp_path / "secret.png")

    def write(*names):
        path = tmp_path / "desk" / "list.csv"
        pd.DataFrame({"shot": names, "size": np.arange(len(names)) + 0.5}).to_csv(path, index=False)
        return path

    return write


def test_a_table_that_names_pictures_beside_it_holds_them(listed, tmp_path):
    table = read_table(listed("shots/0.png", "shots/1.png", None, "shots/2.png"))
    assert kinds_of(table) == {"shot": "picture", "size": "number"}
    first = table.columns["shot"][0]
    assert isinstance(first, Picture)
    assert first.source == (tmp_path / "desk/shots/0.png").resolve()
    vectors = prepare(table, detect_kinds(table)).records
    assert vectors.shape == (4, 16 * 16 * 3 + 1)
    assert not vectors[2, :-1].any()  # none: in the middle of all
    write_table(table, tmp_path / "again.csv")
    assert pd.read_csv(tmp_path / "again.csv")["shot"].tolist()[0] == "shots/0.png"


@pytest.mark.parametrize("name", ["../secret.png", "{}/secret.png", "shots/../../secret.png"])
def test_names_lead_nowhere_but_into_the_folder_of_the_table(name, listed, tmp_path):
    path = listed(name.format(tmp_path), "shots/1.png")
    assert "picture" not in kinds_of(read_table(path)).values()
    [found] = [kind for kind in detect_kinds(read_table(path)) if kind.name == "shot"]
    assert "names of pictures that are not found beside the file" in found.why


def test_a_link_out_of_the_folder_is_not_followed(listed, tmp_path):
    (tmp_path / "desk" / "shots" / "3.png").symlink_to(tmp_path / "secret.png")
    assert "picture" not in kinds_of(read_table(listed("shots/3.png"))).values()


def test_where_the_pictures_lie_can_be_said(listed, tmp_path):
    path = listed("desk/shots/0.png", "secret.png")
    table = read_table(path, how=ReadAs(pictures=str(tmp_path)))
    assert kinds_of(table)["shot"] == "picture"
    with pytest.raises(DataError, match=r"there is no picture 'desk/shots/0.png' of column 'shot'"):
        read_table(path, how=ReadAs(pictures=str(tmp_path / "desk")))


def test_pictures_held_in_parquet_are_pictures(tmp_path):
    data = [encoded(draw(False, seed)) for seed in range(3)]
    struct = pa.array([{"bytes": each, "path": f"{n}.png"} for n, each in enumerate(data)])
    pq.write_table(pa.table({"raw": data, "image": struct}), tmp_path / "t.parquet")
    table = read_table(tmp_path / "t.parquet")
    assert kinds_of(table) == {"raw": "picture", "image": "picture"}
    assert table.columns["raw"][1].source == data[1]
    assert table.words("image") == ["0.png", "1.png", "2.png"]
    write_table(table, tmp_path / "again.parquet")
    assert pq.read_table(tmp_path / "again.parquet")["raw"].to_pylist() == data


def test_a_zip_of_pictures_is_read_without_being_unpacked(album, tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.write(album / "p00.png", "in/p00.png")
        archive.write(album / "p01.jpg", "in/p01.jpg")
        archive.write(album / "notes.txt", "notes.txt")
        archive.writestr("__MACOSX/in/._p00.png", b"")
    table = read_table(tmp_path / "a.zip")
    assert table.words("file") == ["in/p00.png", "in/p01.jpg"]
    assert table.columns["file"][0].source == (album / "p00.png").read_bytes()
    with zipfile.ZipFile(tmp_path / "b.zip", "w") as archive:
        archive.writestr("table.csv", "a,b")
    with pytest.raises(DataError, match=r"b.zip holds no pictures. Expected files ending in .png"):
        read_table(tmp_path / "b.zip")


def test_a_cell_of_a_picture_is_its_name_wherever_it_goes(tmp_path):
    cell = Picture("a.png", tmp_path / "a.png")
    for again in (pickle.loads(pickle.dumps(cell)), copy.deepcopy(cell)):
        assert (again, again.source) == ("a.png", tmp_path / "a.png")
