"""Nothing that can wait runs on the event loop: no file is touched there, and no store is asked."""

from __future__ import annotations

import sys
import threading

import pytest

from rarefind.store.contract import Store
from rarefind.store.in_memory import MemoryStore
from tests.waiting import wait_until
from tests.web.inside import Inside
from tests.web.running import label, made_ready, table, upload

WAITING = ("open", "os.", "shutil.", "tempfile.", "sqlite3.", "subprocess.", "time.sleep")
"""How the interpreter calls what may wait for a disk or a clock."""


class Watch:
    """Notes what a thread does that may wait."""

    def __init__(self):
        self.thread, self.seen = None, []
        sys.addaudithook(self.hear)

    def hear(self, event, arguments):
        what = str(arguments[:1]).rstrip("',)")
        code = what.endswith((".py", ".pyc", "__pycache__")) or "site-packages" in what
        if event.startswith(WAITING) and not code:  # code is read once, by imports
            self.note(f"{event} {arguments[:1]}")

    def note(self, what):
        if self.thread is threading.current_thread():
            self.seen.append(what)


WATCH = Watch()  # a hook cannot be taken back, so there is one


class WatchedStore(MemoryStore):
    """A store in memory that notes who asks it; one on a disk or elsewhere would have to wait."""

    def __getattribute__(self, name):
        # Whoever hands an event over waits for nothing.
        if hasattr(Store, name) and not name.startswith("_") and name != "submit":
            WATCH.note(f"store.{name}")
        return super().__getattribute__(name)


@pytest.fixture
def watched(tmp_path):
    with Inside(tmp_path, WatchedStore()) as inside:
        inside.api.get("/api/openapi.json")  # made once
        WATCH.thread = inside.loop_thread
        yield inside
        WATCH.thread = None


def test_the_watch_sees_what_it_should(watched, tmp_path):
    async def waits():
        (tmp_path / "x").write_text("x")
        watched.store.hunts()

    WATCH.seen.clear()
    watched.direct.run(waits())
    assert any(each.startswith("open") for each in WATCH.seen)
    assert "store.hunts" in WATCH.seen


def test_a_whole_story_touches_no_file_and_no_store_on_the_loop(watched):
    api = watched.api
    WATCH.seen.clear()
    dataset = upload(api, "records.csv", table())["id"]
    hunt = api.post("/api/hunts", json={"dataset": dataset, "strategy": "random"}).json()["id"]
    address = f"/api/hunts/{hunt}"
    assert api.post(f"{address}/ask", json={}).status_code == 503
    made_ready(api, hunt)
    assert api.post(f"{address}/ask", json={"count": 2}).status_code == 200
    for row in range(12):
        assert api.post(f"{address}/labels", json=label(row, "ab"[row % 2])).status_code == 200
    said = {"id": "0" * 8 + "-0000" * 3 + "-" + "0" * 12}
    assert api.post(f"{address}/skip", json={**said, "row": 20}).status_code == 200
    assert api.post(f"{address}/undo", json={"id": said["id"][:-1] + "1"}).status_code == 200
    body = {"target": "a", "model": "lago"}
    job = f"{address}/jobs/" + api.post(f"{address}/rankings", json=body).json()["job"]
    ranking = wait_until(lambda: (view := api.get(job).json())["state"] == "done" and view)
    place = f"{address}/rankings/{ranking['result']['id']}"
    wrong = {"target": "nothing"}
    failing = f"{address}/jobs/" + api.post(f"{address}/rankings", json=wrong).json()["job"]
    wait_until(lambda: api.get(failing).json()["state"] == "failed")
    looks = f"{address}/jobs/" + api.post(f"{address}/harvest", json={"target": "a"}).json()["job"]
    found = wait_until(lambda: (view := api.get(looks).json())["state"] == "done" and view)
    row = found["result"]["looks"][0]["row"]
    look = {"id": said["id"][:-1] + "2", "row": row, "answer": True, "target": "a"}
    assert api.post(f"{address}/harvest/answers", json=look).status_code == 200
    for path in (
        "/api/datasets", f"/api/datasets/{dataset}", "/api/hunts", address, "/api/models",
        "/api/strategies", "/api/kernels", "/api/embedders", "/api/me", "/", "/static/app.js",
        *(f"{address}/{rest}" for rest in (
            "progress", "history", "records/5", "map", "map/labels", "report", "rankings",
            "export", "export?what=labels&format=jsonl",
        )),
        place, f"{place}/summary", f"{place}/votes/30",
        f"{address}/map/scores?ranking={ranking['result']['id']}",
    ):  # fmt: skip
        assert api.get(path).status_code == 200, path
    settings = api.post(f"{address}/settings", json={"background": ["a"]})
    assert settings.status_code == 200
    assert api.post("/api/examples/buried-disc").status_code == 201
    for path in ("records/300", "rankings/nothing", "jobs/abc", "records/5?x"):
        assert api.get(f"{address}/{path}").status_code in (200, 404)
    assert api.get("/api/hunts/nothing").status_code == 404
    assert api.post(f"{address}/labels", json=label(300, "a")).status_code == 404
    assert api.put("/api/datasets/bad.csv", content="").status_code == 422
    assert WATCH.seen == []
