from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from rarefind.core.errors import StorageError
from rarefind.store import open_store
from rarefind.testing.stores.examples import label, with_hunt


@pytest.fixture
def open_folder():
    """A folder that others may look into, unlike pytest's."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


def test_what_may_not_be_read_or_written_is_refused(zygote, open_folder):
    out = open_folder / "said"
    out.touch()
    out.chmod(0o666)
    with open_store(open_folder / "mine.db") as store:
        with_hunt(store)
    (open_folder / "mine.db").chmod(0)
    closed = open_folder / "closed"
    closed.mkdir()
    closed.chmod(0o555)
    zygote.wait(zygote.start("say_why_refused", address=str(open_folder / "mine.db"), out=str(out)))
    assert out.read_text().endswith("may not be read and written by you.")
    zygote.wait(zygote.start("say_why_refused", address=str(closed / "new.db"), out=str(out)))
    assert "cannot be made: Permission denied" in out.read_text()


@pytest.mark.parametrize("limit", [150_000, 400_000])
def test_a_full_disk_acknowledges_nothing_and_goes_on_when_there_is_room(zygote, tmp_path, limit):
    address, out = str(tmp_path / "rarefind.db"), tmp_path / "report"
    with open_store(address) as store:
        with_hunt(store)
    zygote.wait(zygote.start("fill_the_disk", address=address, out=str(out), limit=limit))
    report = json.loads(out.read_text())
    assert len(report["kept"]) > 10
    assert report["events"] == report["kept"] + report["resumed"]
    for sentence in report["errors"]:
        assert "The disk that holds the store" in sentence
        assert "make room" in sentence
        assert "\n" not in sentence
    assert report["ok"]


def test_a_file_that_is_taken_away_acknowledges_nothing_more(tmp_path):
    path, aside = tmp_path / "rarefind.db", tmp_path / "aside.db"
    with open_store(path) as store:
        with_hunt(store).keep(label(1))
        path.rename(aside)
        with pytest.raises(StorageError, match="was moved, removed or replaced"):
            store.keep(label(2))
        path.write_bytes(b"another file")
        with pytest.raises(StorageError, match="was moved, removed or replaced"):
            store.keep(label(2))
        path.unlink()
        aside.rename(path)
        assert store.keep(label(2)).event.seq == 2
