"""The server answers while a large data set is set up or ranked, and can be told to stop."""

from __future__ import annotations

import pytest

from tests.waiting import wait_until
from tests.web.running import Threaded, label, made_ready, table, upload

RECORDS = 30_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Threaded(tmp_path_factory.mktemp("background")) as server:
        yield server


@pytest.fixture(scope="module")
def dataset(server):
    return upload(server.api, "large.csv", table(RECORDS, 9, 100))["id"]


def begin(api, dataset, name, **settings):
    answer = api.post("/api/hunts", json={"dataset": dataset, "name": name, **settings})
    assert answer.status_code == 201, answer.text
    return f"/api/hunts/{answer.json()['id']}"


def test_set_up_shows_how_far_it_is_and_stops_when_told(server, dataset):
    api = server.api
    hunt = begin(api, dataset, "slow", strategy="auto")
    assert api.get(hunt).json()["state"] == "closed"
    first = api.post(f"{hunt}/ask", json={})  # whoever asks first has the strategy set up
    assert (first.status_code, first.json()["state"]) == (503, "preparing")
    steps = []

    def far_enough():
        view = api.get(hunt).json()
        assert view["state"] == "preparing", view
        if view["step"] and view["step"] not in steps:
            steps.append(view["step"])
        return len(steps) >= 3

    wait_until(far_enough)
    assert api.get("/api/hunts").status_code == 200
    waiting = api.post(f"{hunt}/ask", json={})
    assert waiting.status_code == 503
    assert set(waiting.json()) == {"error", "state", "progress"}
    assert api.get(hunt).json()["state"] == "preparing"  # all this was answered meanwhile
    told = {"task", "done", "total", "elapsed", "whole", "left"}
    assert all(set(step) == told and step["whole"] for step in steps)
    assert api.post(f"{hunt}/cancel").status_code == 200
    wait_until(lambda: api.get(hunt).json()["state"] == "closed")
    # Labels may be told all the same, and a later set-up hears them.
    hunt_id = hunt.rpartition("/")[2]
    assert api.post(f"/api/hunts/{hunt_id}/labels", json=label(5, "a")).status_code == 200


def test_a_comparison_shows_how_far_it_is_and_stops_when_told(server, dataset):
    api = server.api
    hunt = begin(api, dataset, "quick", strategy="random")
    made_ready(api, hunt.rpartition("/")[2])
    for row in range(200):
        answer = api.post(f"{hunt}/labels", json=label(row, "ab"[row % 2], asked=False))
        assert answer.status_code == 200
    body = {"target": "a", "models": ["forest", "boosting", "svm", "auto"], "folds": 5}
    job = f"{hunt}/jobs/" + api.post(f"{hunt}/comparisons", json=body).json()["job"]

    def under_way():
        view = api.get(job).json()
        assert view["state"] in ("waiting", "running"), view
        return view["step"] is not None and view["step"]["done"] > 0 and view

    view = wait_until(under_way)
    assert view["step"]["task"].startswith("comparing models")
    assert api.get("/api/hunts").status_code == 200
    assert api.post(f"{hunt}/ask", json={}).status_code == 200
    assert api.get(job).json()["state"] == "running"  # all this was answered meanwhile
    assert api.post(f"{job}/cancel").status_code == 200
    ended = wait_until(
        lambda: (view := api.get(job).json())["state"] not in ("waiting", "running") and view
    )
    assert ended["state"] == "cancelled"


def test_rank_map_and_records_do_not_wait_for_a_strategy(server, dataset):
    api = server.api
    hunt = begin(api, dataset, "seen only", strategy="auto")
    for row in range(12):
        assert api.post(f"{hunt}/labels", json=label(row, "ab"[row % 2])).status_code == 200
    body = {"target": "a", "model": "lago"}
    job = f"{hunt}/jobs/" + api.post(f"{hunt}/rankings", json=body).json()["job"]
    result = wait_until(lambda: (view := api.get(job).json())["state"] == "done" and view["result"])
    assert len(api.get(f"{hunt}/rankings/{result['id']}?limit=7").json()) == 7
    assert len(api.get(f"{hunt}/map").content) == 8 * RECORDS
    assert len(api.get(f"{hunt}/records/5").json()["neighbours"]) == 5
    assert api.get(hunt).json()["state"] == "closed"
