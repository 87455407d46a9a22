"""Clients that hold connections open do not keep the others waiting."""

from __future__ import annotations

import socket
import statistics
import time

import pytest

from tests.web.running import Running


def seconds(server: Running, times: int = 60) -> float:
    """The 95th percentile of how long a small request takes."""
    taken = []
    for _ in range(times):
        began = time.perf_counter()
        assert server.api.get("/api/me").status_code == 200
        taken.append(time.perf_counter() - began)
    return statistics.quantiles(taken, n=20)[-1]


@pytest.fixture
def hurried(tmp_path, monkeypatch):
    """A server that waits one second for headers instead of ten."""
    monkeypatch.setenv("RAREFIND_HEADER_SECONDS", "1")
    with Running(tmp_path) as server:
        yield server


def test_slow_loris_is_cut_off_and_nobody_else_notices(hurried):
    before = max(seconds(hurried), 0.01)
    open_files = hurried.usage()[1]
    slow = [socket.create_connection(("127.0.0.1", hurried.port), 10) for _ in range(200)]
    try:
        for connection in slow:
            connection.sendall(b"GET /api/me HTTP/1.1\r\nHost: ")
        assert seconds(hurried) <= max(2 * before, 0.05)
        last = time.monotonic() + 10
        answers = []
        for number, connection in enumerate(slow):
            if number % 4 == 0 and time.monotonic() < last - 8.8:
                connection.sendall(b"1")  # a letter now and then does not buy more time
            connection.settimeout(max(0.1, last - time.monotonic()))
            answers.append(connection.recv(2000))
        assert all(b" 408 " in answer for answer in answers)
        assert all(b"too slowly" in answer for answer in answers)
    finally:
        for connection in slow:
            connection.close()
    time.sleep(0.3)
    assert hurried.usage()[1] <= open_files + 2


def test_headers_without_end_are_refused(server):
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
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
def test_what_is_not_a_request_for_us_is_refused(server, nonsense):
    with socket.create_connection(("127.0.0.1", server.port), 10) as connection:
        connection.sendall(nonsense)
        answer = connection.recv(4096)
    assert answer.split(b" ")[1][:1] == b"4", answer
    assert b"x-content-type-options: nosniff" in answer.lower()


def test_an_upgrade_to_a_websocket_gets_nowhere(server):
    headers = {"Connection": "Upgrade", "Upgrade": "websocket", "Sec-WebSocket-Key": "x" * 16}
    assert server.api.get("/api/me", headers=headers).status_code == 200
    assert server.api.get("/ws", headers=headers).status_code == 404
