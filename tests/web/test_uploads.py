from __future__ import annotations

import os
import time

import pytest

from rarefind.core.errors import DataError, UnknownNameError
from rarefind.web.server_settings import ServerSettings
from rarefind.web.uploads import Shelf, safe_name, shown_name
from tests.web.running import finished


@pytest.fixture
def shelf(tmp_path):
    return Shelf(ServerSettings("t", tmp_path / "home", 1))


def receive(shelf, name, *parts):
    async def chunks():
        for part in parts:
            if isinstance(part, Exception):
                raise part
            yield part

    return finished(shelf.receive(name, chunks()))


def test_a_file_is_kept_whole_in_a_folder_of_its_own(shelf, tmp_path):
    entry = receive(shelf, "Zähler 1.csv", b"a,b\n", b"1,2\n" * 400_000)
    assert entry.name == "Zähler 1.csv"
    assert entry.bytes == 4 + 4 * 400_000
    [folder] = (tmp_path / "home").iterdir()
    assert folder.name == entry.id
    assert (folder / "Z_hler_1.csv").stat().st_size == entry.bytes
    assert shelf.get(entry.id) == entry
    assert shelf.entries() == [entry]
    assert folder.stat().st_mode & 0o077 == 0


def test_a_file_that_breaks_off_leaves_nothing(shelf, tmp_path):
    with pytest.raises(ConnectionError):
        receive(shelf, "a.csv", b"x" * (2 << 20), ConnectionError())
    assert list((tmp_path / "home").iterdir()) == []


def test_an_empty_file_is_refused(shelf, tmp_path):
    with pytest.raises(DataError, match="is empty"):
        receive(shelf, "a.csv")
    assert list((tmp_path / "home").iterdir()) == []


def test_a_file_named_on_the_command_line_is_listed_where_it_lies(shelf, tmp_path):
    path = tmp_path / "mine.csv"
    path.write_text("a\n1\n")
    entry = shelf.put(path, path.name)
    assert not entry.uploaded
    assert shelf.put(path, path.name) == entry
    shelf.remove(entry.id)
    assert path.exists()
    assert shelf.entries() == []


def test_a_file_of_ours_is_listed_in_its_place(shelf):
    path = shelf.place("digits.csv")
    path.write_text("a\n1\n")
    entry = shelf.put(path, "digits.csv")
    assert entry.uploaded
    assert shelf.get(entry.id).path == str(path.resolve())
    shelf.remove(entry.id)
    assert not path.exists()


@pytest.mark.parametrize("id", ["", "..", "../x", "x" * 28, "0" * 27, "0" * 28, "0" * 28 + "\n"])
def test_an_id_that_is_none_is_unknown(shelf, id):
    with pytest.raises(UnknownNameError, match="no data set of that id"):
        shelf.get(id)


def test_what_a_crash_left_is_swept_away_after_a_day(shelf, tmp_path):
    old, new = shelf.place("old.csv"), shelf.place("new.csv")
    for path in (old, new):
        path.write_text("half")
    yesterday = time.time() - 25 * 3600
    os.utime(old.parent, (yesterday, yesterday))
    Shelf(ServerSettings("t", tmp_path / "home", 1))
    assert not old.exists()
    assert new.exists()


@pytest.mark.parametrize("name", ["a.exe", "csv", "a", "", "a.csv.exe", "a.gz", "a.py"])
def test_a_name_with_an_unknown_ending_is_refused(name):
    with pytest.raises(DataError, match="Expected a name ending in"):
        safe_name(name)


def test_a_name_is_shown_without_what_cannot_be_seen():
    assert shown_name("C:\\x\\a\u202e\x00.csv") == "a��.csv"
    assert len(shown_name("x" * 1000 + ".csv")) == 200
