"""Bodies that are too large, lie about their length, come too slowly or make no sense."""

from __future__ import annotations

import json
import socket

import pytest

from tests.waiting import PATIENCE
from tests.web.inside import Inside, filled

SENT_BY_HAND = (
    b"PUT /api/datasets/a.csv HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
)


@pytest.fixture(scope="module")
def small(tmp_path_factory):
    with Inside(tmp_path_factory.mktemp("small"), upload_bytes=5000, body_bytes=2000) as inside:
        yield inside


def test_an_upload_over_the_cap_is_refused_and_leaves_nothing(small):
    answer = small.api.put("/api/datasets/a.csv", content=b"x" * 5001)
    assert answer.status_code == 413
    assert "larger than" in answer.json()["error"]
    assert list(small.settings.home.iterdir()) == []


def test_a_chunked_upload_over_the_cap_is_refused_and_leaves_nothing(small):
    answer = small.api.put("/api/datasets/a.csv", content=(b"y" * 1000 for _ in range(6)))
    assert answer.status_code == 413
    assert list(small.settings.home.iterdir()) == []


def test_a_length_that_is_too_small_does_not_help(small):
    answer = small.raw("PUT", "/api/datasets/a.csv", b"x,y\n" * 2000)
    assert answer.status_code == 413
    lying = small.api.put(
        "/api/datasets/a.csv", content=b"x" * 6000, headers={"Content-Length": "10"}
    )
    assert lying.status_code == 413
    assert list(small.settings.home.iterdir()) == []


@pytest.mark.parametrize("length", ["1e3", "-1", "9" * 40, "0x10", "", "²"])
def test_a_length_that_is_no_number_is_refused(small, length):
    headers = {"Content-Length": length.encode()}
    assert small.api.put("/api/me", content=b"{}", headers=headers).status_code in (400, 413)


def test_every_other_route_has_the_smaller_cap(small):
    for method, path in small.routes():
        # Files are brought by these: data sets, and labels of a hunt.
        if method == "GET" or path.startswith("/api/datasets/") or "/import/" in path:
            continue
        body = json.dumps({"x": "y" * 3000})
        headers = {"Content-Type": "application/json"}
        answer = small.api.request(method, filled(path), content=body, headers=headers)
        assert answer.status_code == 413, (method, path)


def test_uploads_stop_when_the_home_is_full(tmp_path):
    with Inside(tmp_path, upload_bytes=5000, home_bytes=100) as inside:
        answer = inside.api.put("/api/datasets/a.csv", content=b"x\n" * 100)
        assert answer.status_code == 507
        assert "no room" in answer.json()["error"]
        assert list(inside.settings.home.iterdir()) == []


NONSENSE = [
    b"",
    b"{",
    b"null",
    b"[]",
    b'"text"',
    b"1",
    b"NaN",
    b"\xff\xfe\x00",
    b"[" * 1900,
    b'{"a":' * 300,
    b'{"id": 1, "row": "x", "label": []}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": -1, "label": "a"}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": 1e400, "label": "a"}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": 9999999999999999999999, "label": "a"}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": true, "label": "a"}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": 1, "label": "\\ud800"}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": 1, "label": "\\u0000"}',
    b'{"id": "00000000-0000-4000-8000-000000000000", "row": 1, "label": "   "}',
    b'{"id": "00000000-0000-4000-8000-000000000000\\n", "row": 1, "label": "a"}',
    b'{"count": 0}',
    b'{"count": 100000}',
    b'{"count": 1.5}',
    b'{"annotator": "%s"}' % (b"x" * 500),
    b'{"dataset": "../../etc", "name": "x"}',
    b'{"dataset": "x", "kinds": [1]}',
    b'{"overlap": 0}',
    b'{"target": {}, "models": "auto"}',
    b'{"unknown": 1}',
    b"9" * 1900,
]


@pytest.mark.parametrize("body", NONSENSE, ids=range(len(NONSENSE)))
def test_nonsense_is_answered_with_a_sentence_and_never_a_500(small, body):
    for method, path in small.routes():
        if method == "GET":
            continue
        answer = small.api.request(
            method, filled(path), content=body, headers={"Content-Type": "application/json"}
        )
        assert 400 <= answer.status_code < 500 or answer.status_code in (200, 201), answer.text
        if answer.status_code >= 400:
            assert isinstance(answer.json()["error"], str)


QUERIES = ["limit=0", "limit=-1", "limit=99999999", "before=x", "offset=-1", "method=eval",
           "what=/etc/passwd", "format=exe", "ranking=../x", "limit=1&limit=2", "%ff",
           "limit=1e9"]  # fmt: skip


@pytest.mark.parametrize("query", QUERIES)
def test_nonsense_in_a_query_is_never_a_500(small, query):
    for method, path in small.routes():
        if method != "GET" or path.endswith("/events"):
            continue
        answer = small.raw(method, f"{filled(path)}?{query}")
        assert answer.status_code < 500, (path, answer.text)


def test_a_body_that_stands_still_is_given_up(tmp_path):
    with Inside(tmp_path, body_seconds=PATIENCE) as inside:
        answer = inside.raw("PUT", "/api/me", [b'{"annotator":', 1.5 * PATIENCE, b'"anna"}'])
        assert answer.status_code == 408
        assert "too slowly" in answer.text
        fine = inside.raw("PUT", "/api/me", [b'{"annotator":', 0.5 * PATIENCE, b'"anna"}'])
        assert fine.status_code == 200


def test_an_upload_may_take_its_time_while_it_moves(tmp_path):
    with Inside(tmp_path, body_seconds=PATIENCE) as inside:
        pause = 0.5 * PATIENCE
        parts = [b"x,y\n", pause, b"1,2\n", pause, b"3,4\n", pause, b"5,6\n"]
        assert inside.raw("PUT", "/api/datasets/a.csv", parts).status_code == 201
        parts = [b"x,y\n", 1.5 * PATIENCE, b"1,2\n"]
        assert inside.raw("PUT", "/api/datasets/b.csv", parts).status_code == 408
        assert len(inside.api.get("/api/datasets").json()) == 1


def test_more_headers_than_anybody_needs_are_refused(inside):
    headers = {f"x-{number}": "1" for number in range(200)}
    assert inside.api.get("/api/me", headers=headers).status_code == 400


def test_a_lying_length_over_a_real_connection(server):
    start = SENT_BY_HAND % (server.port, server.token.encode())
    for rest, wanted in [
        (b"Content-Length: 99999999999999\r\n\r\n", b" 413 "),
        (b"Content-Length: 10\r\nContent-Length: 20\r\n\r\n0123456789", b" 400 "),
        (b"Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /", b" 4"),
        (b"Transfer-Encoding: chunked\r\n\r\nZZ\r\n", b" 4"),
        (b"Transfer-Encoding: gzip\r\n\r\n", b" "),
    ]:
        with socket.create_connection(("127.0.0.1", server.port), PATIENCE) as connection:
            connection.sendall(start + rest)
            assert wanted in connection.recv(4096).split(b"\r\n")[0], rest
