"""Invitations work once, people act under their own name, and only who leads may do all."""

from __future__ import annotations

import uuid

import pytest

from rarefind.web.guard import seats
from tests.web.inside import ADDRESS, TOKEN, Inside


@pytest.fixture(autouse=True)
def looked_up_each_time(monkeypatch):
    """The list is read for each request: who is shut out need not be waited for."""
    monkeypatch.setattr(seats, "FRESH_SECONDS", 0.0)


def invited(inside: Inside, name: str, role: str = "labels"):
    """Invite somebody; return who it is and what stands behind the '#'."""
    answer = inside.api.post("/api/people", json={"name": name, "role": role})
    assert answer.status_code == 200, answer.text
    link = answer.json()["link"]
    assert link.startswith(f"{ADDRESS}/join#")
    return answer.json()["person"], link.partition("#")[2]


def joined(inside: Inside, name: str, role: str = "labels"):
    """A browser in which somebody came in with an invitation, and their id."""
    person, secret = invited(inside, name, role)
    client = inside.client(**{"Sec-Fetch-Site": "same-origin", "Origin": ADDRESS})
    answer = client.post("/api/join", json={"secret": secret})
    assert answer.status_code == 200, answer.text
    assert "HttpOnly" in answer.headers["set-cookie"]
    assert secret not in str(answer.headers)
    return client, person["id"]


def test_an_invitation_works_once_and_its_secret_is_kept_nowhere(inside):
    person, secret = invited(inside, "Anna")
    assert (person["state"], person["role"]) == ("invited", "labels")
    assert secret not in repr(inside.store.people())
    assert secret not in inside.api.get("/api/people").text
    anna = inside.client(**{"Sec-Fetch-Site": "same-origin", "Origin": ADDRESS})
    assert anna.post("/api/join", json={"secret": secret}).status_code == 200
    me = anna.get("/api/me").json()
    assert me == {"annotator": "Anna", "chosen": True, "role": "labels", "invited": True}
    again = inside.client().post("/api/join", json={"secret": secret})
    assert again.status_code == 401
    assert "has been used" in again.json()["error"]
    for wrong in ("", TOKEN[:-1], "x" * 43):
        assert inside.client().post("/api/join", json={"secret": wrong}).status_code == 401
    foreign = {"Sec-Fetch-Site": "cross-site", "Origin": "https://evil.example"}
    assert inside.client(**foreign).post("/api/join", json={"secret": "x"}).status_code == 403


def test_the_page_of_an_invitation_is_open_and_reads_nothing_else(inside):
    mail = inside.client(**{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
    assert mail.get("/join").status_code == 200
    stranger = inside.client()
    assert stranger.get("/static/join/page.js").status_code == 200
    for closed in ("/static/app.js", "/static/people/page.js", "/static/lib/api.js", "/api/people"):
        assert stranger.get(closed).status_code == 401


def test_nobody_can_speak_under_another_name(inside):
    bea, _ = joined(inside, "Bea")
    told = bea.get("/api/me", headers={"X-Annotator": "Carl"}).json()
    assert told["annotator"] == "Bea"
    assert bea.put("/api/me", json={"annotator": "Carl"}).status_code == 409
    owner = inside.browser()
    taken = owner.put("/api/me", json={"annotator": "bea"})
    assert taken.status_code == 409
    assert "choose another" in taken.json()["error"]


def test_who_is_shut_out_is_out_at_once_and_an_old_cookie_never_works_again(inside):
    dan, id = joined(inside, "Dan")
    assert dan.get("/api/hunts").status_code == 200
    assert inside.api.post(f"/api/people/{id}/revoke").json()["state"] == "revoked"
    assert dan.get("/api/hunts").status_code == 401
    assert dan.post("/api/hunts/1/labels", json={}).status_code == 401
    again, _ = joined(inside, "Dan")
    assert again.get("/api/hunts").status_code == 200
    assert dan.get("/api/hunts").status_code == 401


def test_a_seat_in_a_cookie_cannot_be_changed(inside):
    eve, _ = joined(inside, "Eve")
    _, boss = joined(inside, "Boss", "leads")
    expires, nonce, _, signature = eve.cookies["rarefind-8737"].split(".")
    for seat in (f"{boss}-0", "", "x"):
        for forged in (f"{expires}.{nonce}.{seat}.{signature}", f"{expires}.{nonce}.{signature}"):
            answer = inside.client(Cookie=f"rarefind-8737={forged}").get("/api/me")
            assert answer.status_code == 401


def test_who_labels_takes_back_their_own_words_and_who_leads_anybodys(inside, tmp_path):
    path = tmp_path / "sizes.csv"
    path.write_text("size\n" + "\n".join(map(str, range(30))))
    hunt = inside.service.open_hunt(path).id
    anna, _ = joined(inside, "Anna 2")
    bob, _ = joined(inside, "Bob 2")
    lead, _ = joined(inside, "Lead 2", "leads")

    def told(client, row):
        id = str(uuid.uuid4())
        body = {"id": id, "row": row, "label": "odd", "asked": False}
        assert client.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
        return id

    def undone(client, target=None):
        body = {"id": str(uuid.uuid4()), "target": target}
        return client.post(f"/api/hunts/{hunt}/undo", json=body)

    first, second, third = told(anna, 1), told(anna, 2), told(anna, 3)
    refused = undone(bob, first)
    assert refused.status_code == 409
    assert "Anna 2 said this" in refused.json()["error"]
    many = {"id": str(uuid.uuid4()), "targets": [first, second]}
    assert bob.post(f"/api/hunts/{hunt}/undo/many", json=many).status_code == 409
    assert undone(anna, first).status_code == 200
    assert undone(lead, second).status_code == 200
    assert undone(inside.api, third).status_code == 200
    told(bob, 4)
    assert undone(bob).status_code == 200
    says = [each["annotator"] for each in anna.get(f"/api/hunts/{hunt}/history").json()]
    assert set(says) == {"Anna 2", "Bob 2", "Lead 2", "me"}


def test_only_who_leads_may_invite_and_change_what_others_see(inside):
    finn, id = joined(inside, "Finn")
    name = {"id": str(uuid.uuid4()), "old": "a", "new": "b"}
    for method, path, body in (
        ("GET", "/api/people", None),
        ("POST", "/api/people", {"name": "Gus"}),
        ("POST", f"/api/people/{id}/role", {"role": "leads"}),
        ("POST", f"/api/people/{id}/revoke", {}),
        ("POST", "/api/hunts/1/settings", {"overlap": 2}),
        ("POST", "/api/hunts/1/rename", name),
        ("POST", "/api/hunts/1/merge", name),
    ):
        answer = finn.request(method, path, json=body)
        assert answer.status_code == 409, (path, answer.text)
        assert "who leads" in answer.json()["error"]
    assert inside.api.post(f"/api/people/{id}/role", json={"role": "leads"}).status_code == 200
    assert finn.get("/api/people").status_code == 200
