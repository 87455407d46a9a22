from __future__ import annotations

import os
import time

import pytest

from rarefind.core.errors import DataError
from rarefind.web.server_settings import ServerSettings
from rarefind.web.uploads import Uploads, safe_name, shown_name
from tests.web.running import finished


@pytest.fixture
def uploads(tmp_path):
    return Uploads(ServerSettings("t", tmp_path / "home", 1))


def receive(uploads, name, *parts):
    async def chunks():
        for part in parts:
            if isinstance(part, Exception):
                raise part
            yield part

    return finished(uploads.receive(name, chunks()))


def test_a_file_is_kept_whole_in_a_folder_of_its_own(uploads, tmp_path):
    path = receive(uploads, "Zähler 1.csv", b"a,b\n", b"1,2\n" * 400_000)
    [folder] = (tmp_path / "home").iterdir()
    assert path == folder / "Z_hler_1.csv"
    assert path.stat().st_size == 4 + 4 * 400_000
    assert list(folder.iterdir()) == [path]
    assert uploads.holds(path)
    assert folder.stat().st_mode & 0o077 == 0


def test_a_file_that_breaks_off_leaves_nothing(uploads, tmp_path):
    with pytest.raises(ConnectionError):
        receive(uploads, "a.csv", b"x" * (2 << 20), ConnectionError())
    assert list((tmp_path / "home").iterdir()) == []


def test_an_empty_file_is_refused(uploads, tmp_path):
    with pytest.raises(DataError, match="is empty"):
        receive(uploads, "a.csv")
    assert list((tmp_path / "home").iterdir()) == []


def test_only_files_handed_over_are_removed(uploads, tmp_path):
    mine = tmp_path / "mine.csv"
    mine.write_text("a\n1\n")
    theirs = receive(uploads, "theirs.csv", b"a\n1\n")
    for path in (mine, theirs):
        uploads.remove(path)
    assert mine.exists()
    assert not uploads.holds(mine)
    assert list((tmp_path / "home").iterdir()) == []


def test_what_a_crash_left_is_swept_away_after_a_day(uploads, tmp_path):
    whole = [receive(uploads, f"{name}.csv", b"a\n1\n") for name in ("old", "new", "kept")]
    for path in whole[:2]:
        path.rename(path.with_name(f"{path.name}.part"))
    yesterday = time.time() - 25 * 3600
    for path in (whole[0], whole[2]):
        os.utime(path.parent, (yesterday, yesterday))
    Uploads(ServerSettings("t", tmp_path / "home", 1))
    assert [path.parent.exists() for path in whole] == [False, True, True]


@pytest.mark.parametrize("name", ["a.exe", "csv", "a", "", "a.csv.exe", "a.gz", "a.py"])
def test_a_name_with_an_unknown_ending_is_refused(name):
    with pytest.raises(DataError, match="Expected a name ending in"):
        safe_name(name)


def test_a_name_is_shown_without_what_cannot_be_seen():
    assert shown_name("C:\\x\\a\u202e\x00.csv") == "a��.csv"
    assert len(shown_name("x" * 1000 + ".csv")) == 200
