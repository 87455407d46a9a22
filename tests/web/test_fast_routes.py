"""By the short way questions and answers get what they get through the framework."""

from __future__ import annotations

import uuid

import pytest

from rarefind.web.app import create_app
from tests.web.inside import Direct, Inside, raw_scope


@pytest.fixture(scope="module")
def both(tmp_path_factory):
    """The application, the same without the short way, and a hunt."""
    folder = tmp_path_factory.mktemp("ways")
    path = folder / "sizes.csv"
    path.write_text("size,width\n" + "\n".join(f"{n % 17}.5,{n % 7}" for n in range(60)))
    with Inside(folder) as inside:
        hunt = inside.service.open_hunt(path).id
        inside.service.prepare(hunt)
        whole = create_app(inside.service, inside.settings, inside.keys, short_way=False)
        ways = [Direct(inside.app), Direct(whole)]
        yield ways, hunt
        for way in ways:
            way.stop()
        whole.state.workbench.close()


def sent(ways, address, body, kind=b"application/json"):
    """Send the same to both; return what each answered."""
    scope = raw_scope("POST", address)
    headers = [pair for pair in scope["headers"] if not pair[0].startswith(b"content-")]
    headers += [(b"content-type", kind), (b"content-length", str(len(body)).encode())]
    path = address.encode()
    return [way.call("POST", path, b"", headers, [body[:5], body[5:]]) for way in ways]


def test_an_answer_is_kept_and_told_alike(both):
    ways, hunt = both
    id = str(uuid.uuid4())
    body = f'{{"id": "{id}", "row": 3, "label": "odd", "asked": false}}'.encode()
    short, whole = sent(ways, f"/api/hunts/{hunt}/labels", body)
    assert (short.status_code, whole.status_code) == (200, 200)
    assert short.json() == {**whole.json(), "repeated": False}
    assert whole.json()["repeated"] is True  # the same id counts once, whichever way it came
    assert set(short.headers) == set(whole.headers)
    short, whole = sent(ways, f"/api/hunts/{hunt}/ask", b'{"count": 2}')
    first, again = short.json()["questions"], whole.json()["questions"]
    assert len(first) == 2
    for question in (*first, *again):
        del question["expires_at"]  # renewed
    assert first == again  # questions that are held are given again


@pytest.mark.parametrize(
    "body",
    [
        b"", b"{", b"[]", b"null", b'"x"', b"{}", b'{"id": 1}', b"\xff\xfe", b'{"count": 1.0}',
        b'{"count": 0}', b'{"count": "1"}', b'{"count": 1, "more": 2}', b'{"count": NaN}',
        b'{"id": "00000000-0000-4000-8000-000000000001", "row": 99999, "label": "x"}',
        b'{"id": "00000000-0000-4000-8000-000000000001", "row": 1, "label": " "}',
        b'{"id": "00000000-0000-4000-8000-000000000001", "row": true, "label": "x"}',
        b'{"id": "00000000-0000-4000-8000-000000000001", "row": 1, "label": "\\ud800"}',
    ],
)  # fmt: skip
@pytest.mark.parametrize("route", ["ask", "labels"])
def test_what_is_refused_is_refused_in_the_same_words(both, route, body):
    ways, hunt = both
    for id in (hunt, "nothing"):
        short, whole = sent(ways, f"/api/hunts/{id}/{route}", body)
        assert short.status_code == whole.status_code
        assert short.status_code < 500
        if short.status_code != 200:
            assert short.json() == whole.json()
    short, whole = sent(ways, f"/api/hunts/{hunt}/{route}", body, b"text/plain")
    assert (short.status_code, short.json()) == (403, whole.json())
