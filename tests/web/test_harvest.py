"""The harvest over HTTP: the next records, answers kept once, and what is refused."""

from __future__ import annotations

import uuid

from tests.waiting import wait_until
from tests.web.running import label, open_hunt, table


def looks(api, hunt, **body):
    answer = api.post(f"/api/hunts/{hunt}/harvest", json={"model": "lago", **body})
    assert answer.status_code == 202, answer.text
    address = f"/api/hunts/{hunt}/jobs/{answer.json()['job']}"
    return wait_until(
        lambda: (view := api.get(address).json())["state"] not in ("waiting", "running") and view
    )


def test_a_round_is_a_job_and_its_answers_are_labels(inside):
    api = inside.api
    hunt = open_hunt(api, table(), background=["ordinary"])
    for row in range(5):
        api.post(f"/api/hunts/{hunt}/labels", json=label(row, "ordinary", asked=False))
    api.post(f"/api/hunts/{hunt}/labels", json=label(299, "fraud", asked=False))
    found = looks(api, hunt, target="fraud", looks=3)
    assert found["state"] == "done", found["error"]
    view = found["result"]
    assert [view["found"], view["looked"], view["ended"]] == [1, 0, None]
    assert len(view["looks"]) == 3
    assert set(view["looks"][0]) == {"row", "score", "chance", "summary"}
    body = {"id": str(uuid.uuid4()), "target": "fraud", "row": view["looks"][0]["row"]}
    for repeated in (False, True):
        told = api.post(f"/api/hunts/{hunt}/harvest/answers", json={**body, "answer": True})
        assert told.json()["repeated"] is repeated
    other = {"id": str(uuid.uuid4()), "target": "fraud", "row": view["looks"][1]["row"]}
    api.post(f"/api/hunts/{hunt}/harvest/answers", json={**other, "answer": "something else"})
    view = looks(api, hunt, target="fraud", looks=3)["result"]
    assert [view["found"], view["looked"]] == [2, 2]
    assert "a class that nobody knew: something else" in view["ended"]


def test_what_cannot_be_is_refused_in_a_sentence(inside):
    api = inside.api
    hunt = open_hunt(api, table(), background=["ordinary"])
    failed = looks(api, hunt, target="fraud")
    assert failed["state"] == "failed"
    assert "There is no class 'fraud'" in failed["error"]
    answer = api.post(f"/api/hunts/{hunt}/harvest", json={"target": "fraud", "looks": 0})
    assert answer.status_code == 422
    body = {"id": str(uuid.uuid4()), "target": "fraud", "row": 10**6, "answer": False}
    assert api.post(f"/api/hunts/{hunt}/harvest/answers", json=body).status_code in (404, 422)
