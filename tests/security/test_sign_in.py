"""Nobody comes in without the token, a link that works once, or a cookie made from one of them."""

from __future__ import annotations

import pytest

from tests.web.inside import ADDRESS, TOKEN, filled


def test_every_route_refuses_whoever_is_not_signed_in_except_health(inside):
    routes = inside.routes()
    assert len(routes) >= 30
    wrong = [
        {},
        {"Authorization": "Bearer " + TOKEN[:-1] + "y"},
        {"Authorization": "Bearer "},
        {"Authorization": f"Basic {TOKEN}"},
        {"Authorization": f"Bearer {TOKEN} {TOKEN}"},
        {"Cookie": f"rarefind-8737={TOKEN}"},
        {"Cookie": "rarefind-8737=9999999999.00.00"},
    ]
    for method, path in routes:
        for headers in wrong:
            answer = inside.client(**headers).request(method, filled(path), json={})
            if path == "/health":
                assert answer.status_code == 200
                continue
            assert answer.status_code in (401, 403), (method, path, headers, answer.text)
            assert list(answer.json()) == ["error"]


@pytest.mark.parametrize("path", ["/", "/static/app.js", "/anything", "/api", "/api/openapi.json"])
def test_pages_and_unknown_addresses_refuse_too(inside, path):
    answer = inside.client().get(path)
    assert answer.status_code == 401
    assert TOKEN not in answer.text


def test_the_token_in_the_address_is_only_taken_at_the_front_door(inside):
    for path in ("/api/me", "/api/hunts", "/static/app.js", "/index.html"):
        assert inside.client().get(path, params={"token": TOKEN}).status_code == 401


def test_a_launch_link_works_once_and_becomes_a_strict_cookie(inside):
    launch = inside.keys.launch()
    client = inside.client()
    first = client.get("/", params={"token": launch})
    assert first.status_code == 303
    assert first.headers["location"] == "/"
    cookie = first.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert launch not in cookie
    assert TOKEN not in cookie
    assert client.get("/api/me").status_code == 200
    stranger = inside.client()
    assert stranger.get("/", params={"token": launch}).status_code == 401
    assert stranger.get("/api/me").status_code == 401


def test_whoever_is_in_may_open_the_used_link_again(inside):
    launch = inside.keys.launch()
    client = inside.client()
    client.get("/", params={"token": launch})
    again = client.get("/", params={"token": launch})
    assert again.status_code == 303


def test_the_token_of_the_file_signs_in_as_often_as_wanted_but_never_in_an_address(inside):
    for _ in range(2):
        client = inside.client()
        assert client.get("/", params={"token": TOKEN}).status_code == 401
        assert client.get("/api/me").status_code == 401
        assert client.post("/api/join", json={"secret": TOKEN}).status_code == 200
        assert client.get("/api/me").json()["role"] == "leads"


@pytest.mark.parametrize(
    ("go", "location"),
    [
        ("/hunt/abc/label", "/#/hunt/abc/label"),
        ("//evil.example", "/"),
        ("//evil", "/#//evil"),  # behind the '#' nothing leaves this server
        ("https://evil.example", "/"),
        ('/"><script>', "/"),
        ("/a\r\nSet-Cookie: x=y", "/"),
        ("/\\evil", "/"),
    ],
)
def test_a_launch_link_goes_nowhere_but_to_the_page(inside, go, location):
    query = {"token": inside.keys.launch(), "go": go}
    answer = inside.client().get("/", params=query)
    assert answer.headers["location"] == location


def test_a_link_followed_from_another_site_still_arrives_with_the_cookie(inside):
    client = inside.client(**{"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"})
    answer = client.get("/", params={"token": inside.keys.launch(), "go": "/new"})
    # A redirect would lose the strict cookie, a step taken by our own page does not.
    assert answer.status_code == 200
    assert 'content="0;url=/#/new"' in answer.text
    assert "SameSite=Strict" in answer.headers["set-cookie"]


def test_a_cookie_that_was_changed_or_has_expired_is_worth_nothing(inside, monkeypatch):
    browser = inside.browser()
    name = "rarefind-8737"
    value = browser.cookies[name]
    expires, nonce, signature = value.split(".")
    for forged in [
        f"{int(expires) + 1}.{nonce}.{signature}",
        f"{expires}.{nonce[:-1]}0.{signature}x",
        f"{expires}.{nonce}.",
        ".",
        "",
        "ü",
        value.upper(),
    ]:
        sent = {"Cookie": f"{name}={forged}".encode("latin-1")}
        answer = inside.client().get("/api/me", headers=sent)
        assert answer.status_code == 401, forged
    monkeypatch.setattr("rarefind.web.guard.tokens.time.time", lambda: int(expires) + 1)
    assert browser.get("/api/me").status_code == 401


def test_every_answer_has_the_security_headers(inside):
    answers = [
        inside.client().get("/health"),
        inside.client().get("/"),
        inside.client().get("/api/me"),
        inside.client().get("/health", headers={"Host": "evil.example"}),
        inside.api.get("/api/me"),
        inside.api.get("/api/nothing"),
        inside.api.put("/api/me", json={"annotator": 1}),
        inside.api.put("/api/me", content=b"x" * (1 << 21)),
        inside.browser().get("/"),
    ]
    for answer in answers:
        policy = answer.headers["content-security-policy"]
        for part in ("default-src 'self'", "script-src 'self'", "object-src 'none'",
                     "base-uri 'none'", "frame-ancestors 'none'"):  # fmt: skip
            assert part in policy
        assert "unsafe" not in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cache-control"] in ("no-store", "no-cache")
        assert "access-control-allow-origin" not in answer.headers
        assert "server" not in answer.headers
    assert ADDRESS.startswith("http://127.0.0.1")


def test_neither_token_nor_cookie_nor_paths_are_ever_told(inside):
    browser = inside.browser()
    for method, path in inside.routes():
        for client in (inside.api, browser):
            if path.endswith("/events"):
                continue
            answer = client.request(method, filled(path), json={})
            said = answer.text + str(answer.headers)
            assert TOKEN not in said
            assert str(inside.settings.home) not in said, (method, path)
