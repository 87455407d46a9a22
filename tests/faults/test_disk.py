from __future__ import annotations

import json

import pytest

from rarefind.store import open_store
from tests.store.example import with_hunt


def test_what_may_not_be_read_or_written_is_refused(zygote, tmp_path):
    out = tmp_path / "said"
    out.touch(mode=0o666)
    out.chmod(0o666)
    with open_store(tmp_path / "mine.db") as store:
        with_hunt(store)
    (tmp_path / "mine.db").chmod(0)
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    for folder in [tmp_path, tmp_path.parent, tmp_path.parent.parent]:
        folder.chmod(folder.stat().st_mode | 0o011)
    zygote.wait(zygote.start("say_why_refused", address=str(tmp_path / "mine.db"), out=str(out)))
    assert out.read_text().endswith("may not be read and written by you.")
    closed.chmod(0o555)
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
