"""Lists, maps and answers for many records, over HTTP."""

from __future__ import annotations

import uuid

import numpy as np
import pytest

from tests.waiting import wait_until
from tests.web.running import open_hunt, table


@pytest.fixture
def hunt(inside):
    return open_hunt(inside.api, table(60), strategy="random")


def numbers(answer, kind):
    assert answer.status_code == 200, answer.text
    return np.frombuffer(answer.content, dtype=kind)


def test_many_are_labelled_found_and_taken_back(inside, hunt):
    at, step = f"/api/hunts/{hunt}", str(uuid.uuid4())
    body = {"id": step, "rows": [4, 5, 6], "label": "odd"}
    first, again = (inside.api.post(f"{at}/labels/many", json=body).json() for _ in range(2))
    assert (first["events"], first["repeated"], again["repeated"]) == (3, 0, 3)
    found = inside.api.get(f"{at}/find", params={"query": "class = odd", "limit": 2}).json()
    assert (found["total"], [each["row"] for each in found["records"]]) == (3, [4, 5])
    rows = numbers(inside.api.get(f"{at}/find/rows", params={"query": "unlabelled"}), "<i4")
    assert len(rows) == 57
    told = inside.api.post(f"{at}/find/previews", json={"rows": [6, 0]}).json()
    assert [(each["row"], each["label"]) for each in told] == [(6, "odd"), (0, None)]
    folded = inside.api.get(f"{at}/history", params={"fold": True}).json()
    assert [(each["step"], each["together"]) for each in folded] == [(step, 3)]
    undo = {"id": str(uuid.uuid4()), "target": step}
    assert inside.api.post(f"{at}/undo", json=undo).status_code == 200
    assert inside.api.get(f"{at}/find", params={"query": "labelled"}).json()["total"] == 0
    many = {"id": str(uuid.uuid4()), "targets": [step]}
    assert inside.api.post(f"{at}/undo/many", json=many).status_code == 409


def test_a_wrong_query_is_refused_with_its_place(inside, hunt):
    answer = inside.api.get(f"/api/hunts/{hunt}/find", params={"query": "lamp and"})
    assert answer.status_code == 422
    assert "ends at character 9" in answer.json()["error"]


def test_a_parameter_that_is_none_is_refused(inside, hunt):
    for path, wrong in [("find", "q"), ("find/rows", "q"), ("history", "labels")]:
        answer = inside.api.get(f"/api/hunts/{hunt}/{path}", params={wrong: "class = odd"})
        assert answer.status_code == 422
        said = answer.json()["error"]
        assert f"There is no parameter of this address called '{wrong}'." in said
        assert "Available: " in said


def test_an_answer_without_an_id_is_told_to_make_one(inside, hunt):
    answer = inside.api.post(f"/api/hunts/{hunt}/rename", json={"old": "a", "new": "b"})
    assert answer.status_code == 422
    assert answer.json()["error"] == (
        "There is something wrong with 'id' in this request: it is missing; make a UUID, and send "
        "the same one again if no answer comes."
    )


def test_a_map_is_drawn_aside_and_coloured_by_a_column(inside, hunt):
    at = f"/api/hunts/{hunt}/map"
    job = inside.api.post(at, json={"method": "pca"}).json()["job"]
    state = f"/api/hunts/{hunt}/jobs/{job}"
    wait_until(lambda: inside.api.get(state).json()["state"] == "done")
    assert numbers(inside.api.get(at), "<f4").shape == (120,)
    names = [each["name"] for each in inside.api.get(f"{at}/columns").json()]
    wanted = {"column": names[0]}
    values = numbers(inside.api.get(f"{at}/column", params=wanted), "<f4")
    legend = inside.api.get(f"{at}/legend", params=wanted).json()
    assert legend["kind"] == "number"
    assert values.min() <= legend["low"] < legend["high"] <= values.max()
    refused = inside.api.get(f"{at}/legend", params={"column": "nothing"})
    assert (refused.status_code, "numbers, dates" in refused.json()["error"]) == (422, True)
