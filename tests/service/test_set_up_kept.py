"""Opening a hunt again does not repeat its set-up."""

from __future__ import annotations

import numpy as np
import pytest

from rarefind.geometry import kept_answers, thresholds
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store


@pytest.fixture(autouse=True)
def everything_is_worth_keeping(monkeypatch):
    monkeypatch.setattr(thresholds, "KEPT_SECONDS", 0.0)


def write_numbers(path, seed=0):
    rows = np.random.default_rng(seed).normal(size=(150, 3)).round(4)
    path.write_text("\n".join(["a,b,c", *(",".join(map(str, row)) for row in rows)]) + "\n")


def asked(store, path, count):
    """Open the hunt in a service of its own, answer so many questions, and return their rows."""
    with Service(open_store(store)) as service:
        hunt = service.open_hunt(path, settings=HuntSettings(background=("0",))).id
        service.prepare(hunt)
        rows = []
        for _ in range(count):
            (lease,) = service.ask(hunt, "ada", 1)
            rows.append(lease.row)
            service.tell(hunt, lease.row, "0", "ada")
    return rows


def test_a_hunt_opened_again_computes_nothing_and_asks_what_it_would_have_asked(
    tmp_path, monkeypatch
):
    path = tmp_path / "numbers.csv"
    write_numbers(path)
    straight = asked("memory:", path, 6)
    store = tmp_path / "s.db"
    first = asked(store, path, 3)
    assert list((tmp_path / "s.db.kept").glob("*/*.npz"))
    monkeypatch.setattr(kept_answers, "write_answer", lambda *_: pytest.fail("computed again"))
    assert first + asked(store, path, 3) == straight


def test_the_files_of_a_hunt_that_is_deleted_go_and_those_of_others_stay(tmp_path):
    path = tmp_path / "numbers.csv"
    write_numbers(path)
    with Service(open_store(tmp_path / "s.db")) as service:
        kept = {}
        for name in ("one", "other"):
            hunt = service.open_hunt(path, name=name, settings=HuntSettings()).id
            service.prepare(hunt)
            service.ask(hunt, "ada", 1)
            kept[name] = tmp_path / "s.db.kept" / hunt
        service.delete(kept["one"].name)
    assert not kept["one"].exists()
    assert list(kept["other"].glob("*.npz"))
