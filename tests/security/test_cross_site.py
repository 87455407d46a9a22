"""What another site makes a browser send is refused, whatever cookie goes with it."""

from __future__ import annotations

import pytest

from tests.web.inside import ADDRESS, TOKEN, filled

SAFE = ("GET", "HEAD")
JOIN = "/api/join"
FOREIGN = {
    "cross-site": {"Sec-Fetch-Site": "cross-site"},
    "same-site": {"Sec-Fetch-Site": "same-site", "Origin": "http://127.0.0.1:9999"},
    "foreign origin": {"Origin": "https://evil.example"},
    "other port": {"Origin": "http://127.0.0.1:9999"},
    "other scheme": {"Origin": ADDRESS.replace("http://", "https://")},
    "null origin": {"Origin": "null"},
    "malformed origin": {"Origin": "http://["},
    "origin against its site": {"Sec-Fetch-Site": "same-origin", "Origin": "https://evil.example"},
    "nothing said": {},
}
FORMS = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"]


def unsafe(inside):
    routes = [(method, path) for method, path in inside.routes() if method not in SAFE]
    assert len(routes) >= 12
    return routes


@pytest.mark.parametrize("headers", FOREIGN.values(), ids=FOREIGN)
def test_every_unsafe_route_refuses_foreign_requests_with_a_cookie(inside, headers):
    browser = inside.browser()
    for name in ("Origin", "Sec-Fetch-Site"):
        del browser.headers[name]
    for method, path in unsafe(inside):
        if path == JOIN and not headers:
            continue  # no browser says nothing; and no cookie counts there, only the invitation
        answer = browser.request(method, filled(path), json={}, headers=headers)
        assert answer.status_code == 403, (method, path, answer.text)


@pytest.mark.parametrize("headers", list(FOREIGN.values())[:-1], ids=list(FOREIGN)[:-1])
def test_every_unsafe_route_refuses_foreign_requests_with_the_token(inside, headers):
    for method, path in unsafe(inside):
        answer = inside.api.request(method, filled(path), json={}, headers=headers)
        assert answer.status_code == 403, (method, path, answer.text)


@pytest.mark.parametrize("kind", FORMS)
def test_every_unsafe_route_refuses_what_a_form_can_send(inside, kind):
    browser = inside.browser()
    for method, path in unsafe(inside):
        for client in (browser, inside.api):
            answer = client.request(
                method, filled(path), content=b'{"count":1}', headers={"Content-Type": kind}
            )
            assert answer.status_code == 403, (method, path, answer.text)


def test_our_own_page_is_not_refused(inside):
    browser = inside.browser()
    for method, path in unsafe(inside):
        answer = browser.request(method, filled(path), json={})
        # Who joins is not signed in yet: what is refused there is an invitation nobody wrote.
        refused = (403,) if path == JOIN else (401, 403)
        assert answer.status_code not in refused, (method, path, answer.text)


def test_data_cannot_be_read_for_another_page(inside):
    browser = inside.browser()
    del browser.headers["Origin"]
    for site in ("cross-site", "same-site"):
        for path in ("/api/me", "/api/hunts", "/static/app.js", "/api/openapi.json"):
            headers = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "no-cors"}
            assert browser.get(path, headers=headers).status_code == 403
    link = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}
    assert browser.get("/", headers=link).status_code != 403
    frame = {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"}
    assert browser.get("/", headers=frame).status_code == 403


def test_nobody_is_told_that_other_origins_may_read(inside):
    headers = {
        "Origin": "https://evil.example",
        "Access-Control-Request-Method": "POST",
        "Authorization": f"Bearer {TOKEN}",
    }
    answer = inside.client().options("/api/hunts", headers=headers)
    assert answer.status_code == 405
    assert not [name for name in answer.headers if name.startswith("access-control")]
    assert ADDRESS not in answer.text
