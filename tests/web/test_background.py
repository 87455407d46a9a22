"""The server answers while a large data set is set up or ranked, and can be told to stop."""

from __future__ import annotations

import statistics
import time

import pytest

from rarefind_bench.measuring.busy import slowdown
from tests.web.running import Threaded, label, table, upload, wait_until

RECORDS = 30_000


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with Threaded(tmp_path_factory.mktemp("background")) as server:
        yield server


@pytest.fixture(scope="module")
def dataset(server):
    return upload(server.api, "large.csv", table(RECORDS, 9, 100))["id"]


def answering_while(api, busy) -> tuple[list[float], object]:
    """Measure how long small requests take until ``busy`` returns something."""
    taken, last = [], time.monotonic() + 60
    while not (found := busy()):
        began = time.perf_counter()
        assert api.get("/api/hunts").status_code == 200
        taken.append(time.perf_counter() - began)
        assert time.monotonic() < last
    return taken, found


def begin(api, dataset, name, **settings):
    answer = api.post("/api/hunts", json={"dataset": dataset, "name": name, **settings})
    assert answer.status_code == 201, answer.text
    return f"/api/hunts/{answer.json()['id']}"


def test_set_up_shows_how_far_it_is_and_stops_when_told(server, dataset):
    api = server.api
    hunt = begin(api, dataset, "slow", strategy="auto")
    steps = []

    def far_enough():
        view = api.get(hunt).json()
        assert view["state"] == "preparing", view
        if view["step"] and view["step"] not in steps:
            steps.append(view["step"])
        return len(steps) >= 3

    taken, _ = answering_while(api, far_enough)
    waiting = api.post(f"{hunt}/ask", json={})
    assert waiting.status_code == 503
    assert set(waiting.json()) == {"error", "state", "progress"}
    assert statistics.median(taken) <= 0.1 * slowdown()
    assert max(taken) <= 1.0 * slowdown()
    assert all({"task", "done", "total", "elapsed"} == set(step) for step in steps)
    assert api.post(f"{hunt}/cancel").status_code == 200
    wait_until(lambda: api.get(hunt).json()["state"] == "closed", 60)
    # Labels may be told all the same, and a later set-up hears them.
    hunt_id = hunt.rpartition("/")[2]
    assert api.post(f"/api/hunts/{hunt_id}/labels", json=label(5, "a")).status_code == 200


def test_a_comparison_shows_how_far_it_is_and_stops_when_told(server, dataset):
    api = server.api
    hunt = begin(api, dataset, "quick", strategy="random")
    wait_until(lambda: api.get(hunt).json()["state"] == "ready", 60)
    for row in range(200):
        answer = api.post(f"{hunt}/labels", json=label(row, "ab"[row % 2], asked=False))
        assert answer.status_code == 200
    body = {"target": "a", "models": ["forest", "boosting", "svm", "auto"], "folds": 5}
    job = f"{hunt}/jobs/" + api.post(f"{hunt}/comparisons", json=body).json()["job"]

    def under_way():
        view = api.get(job).json()
        assert view["state"] in ("waiting", "running"), view
        return view["step"] is not None and view["step"]["done"] > 0 and view

    taken, view = answering_while(api, under_way)
    assert view["step"]["task"].startswith("comparing models")
    assert max(taken) <= 1.0 * slowdown()
    assert api.post(f"{hunt}/ask", json={}).status_code == 200
    assert api.post(f"{job}/cancel").status_code == 200
    ended = wait_until(
        lambda: (view := api.get(job).json())["state"] not in ("waiting", "running") and view, 60
    )
    assert ended["state"] == "cancelled"
