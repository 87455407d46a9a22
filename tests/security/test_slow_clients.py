"""Clients that hold connections open do not keep the others waiting."""

from __future__ import annotations

import json
import resource
import select
import socket
from contextlib import ExitStack, contextmanager, suppress

import httpx
import pytest

from rarefind.web.guard.connections import GuardedConnection
from rarefind.web.guard.strangers import MOST_STRANGERS
from tests.waiting import PATIENCE, wait_until
from tests.web.running import Threaded


@contextmanager
def slow_clients(server: Threaded):
    """Two hundred connections on which a request has begun and does not go on."""
    with ExitStack() as opened:
        slow = [opened.enter_context(connected(server)) for _ in range(200)]
        for connection in slow:
            connection.sendall(b"GET /api/me HTTP/1.1\r\nHost: ")
        yield slow


def connected(server: Threaded) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


@pytest.fixture
def hurried(tmp_path, monkeypatch):
    """A server that waits one second for headers instead of ten."""
    monkeypatch.setattr(GuardedConnection, "header_seconds", 1.0)
    with Threaded(tmp_path) as server:
        yield server


def test_who_dawdles_keeps_nobody_else_from_an_answer(server, monkeypatch):
    monkeypatch.setattr(GuardedConnection, "header_seconds", PATIENCE)
    with slow_clients(server) as slow:
        for _ in range(60):
            assert server.api.get("/api/me").status_code == 200
        assert select.select(slow, [], [], 0)[0] == []  # all of them hold on meanwhile


def test_two_thousand_idle_strangers_lock_nobody_out(server):
    """The oldest of them make room, and are told so in the words of every refusal."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 6000), hard))
    assert server.api.get("/api/me").status_code == 200  # a connection that is known
    try:
        with ExitStack() as opened:
            idle = [opened.enter_context(connected(server)) for _ in range(2000)]
            assert server.api.get("/api/me").status_code == 200
            newcomer = httpx.Client(
                base_url=server.address, headers=server.api.headers, timeout=PATIENCE
            )
            assert opened.enter_context(newcomer).get("/api/me").status_code == 200
            wait_until(lambda: len(server.server.server_state.connections) <= MOST_STRANGERS + 2)
            head, _, body = idle[0].recv(4000).partition(b"\r\n\r\n")
            assert b" 503 " in head
            assert b"application/json" in head
            assert "too many connections" in json.loads(body)["error"]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


HALF = b"POST /api/join HTTP/1.1\r\nHost: %b\r\nContent-Type: application/json\r\n" + (
    b"Content-Length: 50\r\n\r\n"
)
MANY = b"GET /static/frame/ground.css HTTP/1.1\r\nHost: %b\r\n\r\n" * 2000


@pytest.mark.parametrize("sent", [HALF, MANY], ids=["half a body", "no reading"])
def test_strangers_who_keep_an_answer_waiting_lock_nobody_out(server, monkeypatch, sent):
    """They hold on until they are let go: half a body for 20 seconds, an answer nobody reads
    for ever."""
    monkeypatch.setattr("rarefind.web.guard.strangers.MOST_STRANGERS", 20)
    sent = sent.replace(b"%b", f"127.0.0.1:{server.port}".encode())
    with ExitStack() as opened:
        for _ in range(60):
            stubborn = opened.enter_context(socket.socket())
            stubborn.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            stubborn.connect(("127.0.0.1", server.port))
            stubborn.setblocking(False)
            with suppress(BlockingIOError):
                stubborn.send(sent)
        for _ in range(5):
            newcomer = httpx.get(
                f"{server.address}/api/me", headers=server.api.headers, timeout=PATIENCE
            )
            assert newcomer.status_code == 200
        wait_until(lambda: len(server.server.server_state.connections) <= 22)


def test_who_is_signed_in_is_not_taken_for_a_stranger(server, monkeypatch):
    monkeypatch.setattr("rarefind.web.guard.strangers.MOST_STRANGERS", 5)
    with ExitStack() as opened:
        assert server.api.get("/api/me").status_code == 200
        [known] = [
            each
            for each in server.server.server_state.connections
            if each not in server.server.server_state.strangers
        ]
        for _ in range(50):
            opened.enter_context(connected(server))
        assert server.api.get("/api/me").status_code == 200
        assert known in server.server.server_state.connections


def test_a_link_with_very_many_fields_is_refused_like_any_other(server):
    fields = "&".join(f"a{number}=1" for number in range(500))
    answer = httpx.get(f"{server.address}/?token=x&{fields}", timeout=PATIENCE)
    assert answer.status_code == 401


def test_slow_loris_is_cut_off(hurried):
    with slow_clients(hurried) as slow:
        for connection in slow[::4]:
            with suppress(OSError):
                connection.sendall(b"1")  # a letter now and then does not buy more time
        answers = [connection.recv(2000) for connection in slow]
        assert all(b" 408 " in answer for answer in answers)
        assert all(b"too slowly" in answer for answer in answers)
    wait_until(lambda: len(hurried.server.server_state.connections) <= 1)


def test_a_second_request_may_not_dawdle_either(hurried):
    with connected(hurried) as connection:
        host = f"Host: 127.0.0.1:{hurried.port}\r\n\r\n".encode()
        connection.sendall(b"GET /health HTTP/1.1\r\n" + host)
        answer = b""
        while not answer.endswith(b"}"):
            answer += connection.recv(2000)
        connection.sendall(b"GET /hea")
        assert b" 408 " in connection.recv(2000)


def test_a_refused_body_is_not_swallowed_for_ever(server, monkeypatch):
    monkeypatch.setattr("rarefind.web.guard.connections.DRAINED_BYTES", 1 << 20)
    with connected(server) as connection:
        head = f"PUT /api/me HTTP/1.1\r\nHost: 127.0.0.1:{server.port}\r\n".encode()
        connection.sendall(head + b"Content-Length: 999999999\r\n\r\n")
        assert b" 413 " in connection.recv(2000)
        sent = 0
        with suppress(OSError):  # reset, or a broken pipe
            while sent < 1 << 28:
                sent += connection.send(b"x" * 65536)
        assert sent < 1 << 27


def test_headers_without_end_are_refused(server):
    with connected(server) as connection:
        connection.sendall(b"GET /health HTTP/1.1\r\n")
        line = b"".join(b"x-%d: 1\r\n" % number for number in range(10_000))
        try:
            connection.sendall(line + b"\r\n")
            answer = connection.recv(4096)
        except (ConnectionResetError, BrokenPipeError):
            answer = b"closed"
    assert answer == b"closed" or b" 400 " in answer.split(b"\r\n")[0]
    assert server.api.get("/health").status_code == 200


@pytest.mark.parametrize(
    "nonsense",
    [b"\x16\x03\x01\x02\x00", b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
     b"\r\n" * 100 + b"X Y Z\r\n\r\n",
     b"GET http://evil.example/ HTTP/1.1\r\nHost: evil.example\r\n\r\n",
     b"CONNECT evil.example:80 HTTP/1.1\r\nHost: evil.example\r\n\r\n",
     b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"GET / HTTP/1.1\r\n\r\n"],
)  # fmt: skip
def test_what_is_not_a_request_for_us_is_refused(server, nonsense, caplog):
    with connected(server) as connection:
        connection.sendall(nonsense)
        answer = connection.recv(4096)
    assert answer.split(b" ")[1][:1] == b"4", answer
    assert b"x-content-type-options: nosniff" in answer.lower()
    said = [record for record in caplog.records if record.name.startswith("uvicorn")]
    assert said == []  # strangers do not write our log


def test_an_upgrade_to_a_websocket_gets_nowhere(server, caplog):
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "x" * 16}
    assert server.api.get("/api/me", headers=headers).status_code == 200
    assert server.api.get("/ws", headers=headers).status_code == 404
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []
