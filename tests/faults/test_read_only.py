"""Where nothing can be written, everything can still be read, and that is said."""

from __future__ import annotations

import json
import shutil
import tempfile
from pathlib import Path

import pytest

from rarefind.store import open_store
from rarefind.testing.stores.examples import with_hunt
from tests.faults.workers import client_event


@pytest.fixture
def open_folder():
    """A folder that anybody may read and nobody else write; ``said`` in it is for answers."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "said").mkdir()
        (folder / "store").mkdir()
        yield folder


def filled(path, *, with_log):
    """Make a store with events, some of them only in the write-ahead log if there is one."""
    store = open_store(path.with_name("made.db"))
    with_hunt(store)
    events = [store.keep(client_event(1, number)).event.id for number in range(8)]
    if not with_log:
        store.close()
    for ending in ("", "-wal") if with_log else ("",):
        shutil.copyfile(f"{store.path}{ending}", f"{path}{ending}")
    store.close()
    return events


@pytest.mark.parametrize(
    ("how", "with_log"), [("full", False), ("not ours", False), ("not ours", True)]
)
def test_a_store_is_read_where_nothing_can_be_written(zygote, open_folder, how, with_log):
    path, out = open_folder / "store" / "hunts.db", open_folder / "said" / "out"
    events = filled(path, with_log=with_log)
    for each in (open_folder, path.parent, *path.parent.iterdir()):
        each.chmod(0o755 if each.is_dir() else 0o644)
    out.parent.chmod(0o777)
    before = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    zygote.wait(zygote.start("read_without_writing", address=str(path), out=str(out), how=how))
    report = json.loads(out.read_text())
    assert report["why"] is not None
    assert report["hunts"] == ["the hunt"]
    assert report["events"] == events
    assert report["copied"] == events
    assert report["ok"]
    assert "Nothing can be added or changed here" in report["refused"]
    after = {each.name: each.read_bytes() for each in path.parent.iterdir()}
    assert {name: data for name, data in after.items() if data} == before  # at most empty files


def test_what_can_be_written_is_opened_as_ever(tmp_path):
    filled(tmp_path / "hunts.db", with_log=False)
    with open_store(tmp_path / "hunts.db", to_read=True) as store:
        assert store.read_only is None
        assert store.keep(client_event(3, 0)).event.seq == 9
