"""Thousands of records labelled at once and taken back: one transaction, heard once."""

from __future__ import annotations

import uuid

import numpy as np
import pytest

from rarefind.core.progress import also
from rarefind.service.asking.hearing import HearingHunt
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from tests.waiting import wait_until

MANY = 1200
"""More than the store's writer takes of single answers into one transaction."""


@pytest.fixture
def begun(tmp_path):
    path = tmp_path / "points.csv"
    points = np.random.default_rng(0).normal(size=(MANY + 300, 2))
    np.savetxt(path, points, delimiter=",", header="x,y", comments="")
    with Service(open_store(tmp_path / "hunts.db")) as service:
        settings = HuntSettings(strategy="farthest-first", background=("ordinary",))
        id = service.open_hunt(path, settings=settings).id
        service.prepare(id)
        yield service, id


def test_a_large_step_is_taken_back_in_one_go_and_heard_once(begun):
    service, id = begun
    for _ in range(3):
        service.tell(id, service.ask(id, "anna")[0].row, "ordinary", "anna")
    assert service.ask(id, "anna")  # so all of them are heard
    hunt = service.opened(id)
    taken = [row for row in range(MANY + 200) if hunt.log.label_of(row) is None][:MANY]
    heard = []
    whole, restore = hunt.live.hunt.replay, hunt.live.hunt.restore
    hunt.live.hunt.replay = lambda events: heard.append("replay") or whole(events)
    hunt.live.hunt.restore = lambda events: heard.append("restore") or restore(events)
    step = str(uuid.uuid4())
    service.tell_many(id, taken, "odd", "anna", step)
    assert service.ask(id, "anna")
    assert heard == ["replay"]
    kept = service.take_back(id, "anna", target=step)
    assert [each.event.seq for each in kept] == list(range(MANY + 4, 2 * MANY + 4))
    assert service.ask(id, "anna")
    assert heard == ["replay", "restore"]
    assert len(hunt.live.hunt.labels) == 3
    assert len(service.labels(id)) == 3


def test_what_is_taken_back_while_it_is_heard_is_not_heard_to_the_end(begun):
    service, id = begun
    hunt = service.opened(id)
    step = str(uuid.uuid4())
    service.tell(id, MANY + 250, "ordinary", "anna")
    wait_until(lambda: hunt.live.hunt.labels)
    hearing = HearingHunt(hunt.data.hunt(hunt.settings, None), lambda: hunt.data)
    assert hearing.hear(hunt.log)
    service.tell_many(id, range(MANY), "odd", "anna", step)
    hunt.log.catch_up(force=True)
    far = []

    def take_back(report):
        if not far:
            service.take_back(id, "anna", target=step)
        far.append(report.done)

    with also(take_back):
        assert hearing.hear(hunt.log)
    assert max(far) < MANY // 2
    assert hearing.hunt.labels == {MANY + 250: "ordinary"}
    assert hearing.heard == hunt.log.length == 2 * MANY + 1
    assert hearing.rows == {MANY + 250}
    assert not hearing.hear(hunt.log)
