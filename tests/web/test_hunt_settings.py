"""What the page of a hunt itself does: settings, labels brought along, deletion; and spares."""

from __future__ import annotations

from tests.web.running import label, open_hunt, table


def test_settings_labels_brought_along_and_deletion(api):
    hunt = open_hunt(api, table(), background=["ordinary"])
    address = f"/api/hunts/{hunt}"
    changes = {"title": "a try", "overlap": 2, "lease_seconds": 60, "background": ["o"]}
    view = api.post(f"{address}/settings", json=changes).json()
    assert view["title"] == "a try"
    assert {name: view["settings"][name] for name in changes} == changes

    labels = "row,label\n0,odd\n3,o\n"
    sets = api.get("/api/datasets").json()
    brought = api.put(f"{address}/import/labels.csv", content=labels)
    assert brought.json() == {"new": 2, "changed": 0}
    assert api.put(f"{address}/import/labels.csv", content=labels).json()["new"] == 0
    other = api.put(f"{address}/import/labels.csv", content="row,kind\n0,even\n")
    assert other.status_code in (404, 422)
    assert "label" in other.json()["error"]
    more = {"column": "kind"}
    other = api.put(f"{address}/import/labels.csv", content="row,kind\n0,even\n", params=more)
    assert other.status_code == 409
    assert "'replace'" in other.json()["error"]
    more["replace"] = "true"
    other = api.put(f"{address}/import/labels.csv", content="row,kind\n0,even\n", params=more)
    assert other.json() == {"new": 0, "changed": 1}
    assert api.get("/api/datasets").json() == sets  # the file itself is not kept

    gone = api.delete(address).json()
    assert gone["deleted"] is True
    assert hunt not in [each["id"] for each in api.get("/api/hunts").json()]
    assert api.get(address).status_code in (404, 409)
    assert api.post(f"{address}/restore").json()["deleted"] is False
    assert api.get(address).json()["labels"] == 2


def test_spare_questions_are_held_by_nobody_and_differ_between_people(api):
    hunt = open_hunt(api, table(), background=["ordinary"])
    address = f"/api/hunts/{hunt}"
    ann, ben = ({"X-Annotator": name} for name in ("ann", "ben"))
    first = api.post(f"{address}/ask", json={"count": 2}, headers=ann).json()["questions"]
    spares = {}
    for name, headers in (("ann", ann), ("ben", ben)):
        answer = api.post(f"{address}/spares", json={"count": 22}, headers=headers).json()
        spares[name] = [each["row"] for each in answer["questions"]]
        assert all(each["record"]["fields"] for each in answer["questions"])
        assert len(set(spares[name])) == 22
        assert not {each["row"] for each in first} & set(spares[name])
    assert not set(spares["ann"]) & set(spares["ben"])
    held = api.get(f"{address}/progress").json()["leases"]
    assert len(held) == 2
    asked = api.post(f"{address}/ask", json={"count": 1}, headers=ben).json()["questions"]
    assert asked[0]["row"] in {*spares["ann"], *spares["ben"]}  # nobody has to wait for it

    row = next(row for row in spares["ann"] if row != asked[0]["row"])
    assert api.post(f"{address}/labels", json=label(row, "o"), headers=ann).status_code == 200
    said = api.get(f"{address}/history").json()[0]
    assert (said["row"], said["asked"], said["annotator"]) == (row, True, "ann")
