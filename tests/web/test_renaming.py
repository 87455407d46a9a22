from __future__ import annotations

import uuid

from tests.web.running import made_ready


def begin(api):
    data = api.post("/api/examples/digits").json()
    hunt = api.post("/api/hunts", json={"dataset": data["id"], "name": "names"}).json()["id"]
    made_ready(api, hunt)
    for row, label in enumerate(["0", "frued", "frued", "fraud"]):
        body = {"id": str(uuid.uuid4()), "row": row, "label": label}
        assert api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    return hunt


def answers(api, hunt):
    found = api.get(f"/api/hunts/{hunt}/progress").json()
    return [(each["name"], each["key"], each["colour"]) for each in found["answers"]]


def test_names_keys_and_colours_over_http(api):
    hunt = begin(api)
    assert answers(api, hunt) == [("frued", "1", 2), ("fraud", "2", 3), ("0", "0", 1)]
    merge = {"id": str(uuid.uuid4()), "old": "frued", "new": "fraud"}
    refused = api.post(f"/api/hunts/{hunt}/rename", json=merge)
    assert (refused.status_code, "merge" in refused.json()["error"]) == (409, True)
    assert api.post(f"/api/hunts/{hunt}/merge", json=merge).json()["repeated"] is False
    assert api.post(f"/api/hunts/{hunt}/merge", json=merge).json()["repeated"] is True
    assert answers(api, hunt) == [("fraud", "2", 3), ("0", "0", 1)]
    rename = {"id": str(uuid.uuid4()), "old": "fraud", "new": "theft"}
    assert api.post(f"/api/hunts/{hunt}/rename", json=rename).status_code == 200
    chosen = api.post(f"/api/hunts/{hunt}/keys", json={"name": "theft", "key": "t"}).json()
    assert [each["key"] for each in chosen["answers"]] == ["0", "t"]
    chosen = api.post(f"/api/hunts/{hunt}/keys", json={"name": "theft", "colour": 1}).json()
    assert [(each["name"], each["colour"]) for each in chosen["answers"]] == [
        ("0", 3),
        ("theft", 1),
    ]
    for target in (rename["id"], merge["id"]):
        body = {"id": str(uuid.uuid4()), "target": target}
        assert api.post(f"/api/hunts/{hunt}/undo", json=body).status_code == 200
    names = [name for name, _, _ in answers(api, hunt)]
    assert sorted(names) == ["0", "fraud", "frued"]
    wrong = api.post(f"/api/hunts/{hunt}/keys", json={"name": "fraud", "key": "n"})
    assert wrong.status_code == 422
    wrong = api.post(f"/api/hunts/{hunt}/keys", json={"name": "fraud", "colour": 49})
    assert (wrong.status_code, "1 to 48" in wrong.json()["error"]) == (422, True)
