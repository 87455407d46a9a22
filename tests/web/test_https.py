"""The server speaks https with a certificate of yours, and says so in links and cookies."""

from __future__ import annotations

import socket
import ssl
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from rarefind.core.errors import ParameterError
from rarefind.web.guard import strangers
from rarefind.web.guard.connections import GuardedConnection
from rarefind.web.server_settings import ServerSettings, check_certificate
from tests.waiting import PATIENCE, wait_until
from tests.web.running import Threaded

KEPT = Path(__file__).parent / "for_tests_only"
CERTIFICATE, KEY = KEPT / "certificate.pem", KEPT / "key.pem"


def test_the_workbench_over_https(tmp_path):
    with Threaded(tmp_path, certificate=CERTIFICATE, key=KEY) as server:
        assert server.address == f"https://127.0.0.1:{server.port}"
        assert server.server.config.loop == "asyncio"  # uvloop would close waiting handshakes
        trusting = ssl.create_default_context(cafile=CERTIFICATE)
        client = httpx.Client(base_url=server.address, verify=trusting, timeout=PATIENCE)
        with client:
            assert client.get("/health").json()["status"] == "ok"
            link = client.get("/", params={"token": server.server.doorkeeper.launch()})
            assert link.status_code == 303
            assert "Secure" in link.headers["set-cookie"]
            for scheme, status in (("https", 200), ("http", 403)):
                origin = f"{scheme}://127.0.0.1:{server.port}"
                renamed = client.put(
                    "/api/me", json={"annotator": "ann"}, headers={"Origin": origin}
                )
                assert renamed.status_code == status, renamed.text
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{server.port}/health", timeout=PATIENCE)


def test_who_never_agrees_on_a_key_is_a_stranger_like_any_other(tmp_path, monkeypatch):
    """Few may wait, the oldest go first, and nobody who belongs here is kept out."""
    monkeypatch.setattr(strangers, "MOST_STRANGERS", 20)
    trusting = ssl.create_default_context(cafile=CERTIFICATE)
    with Threaded(tmp_path, certificate=CERTIFICATE, key=KEY) as server, ExitStack() as opened:
        mute = [opened.enter_context(connected(server)) for _ in range(60)]
        for _ in range(5):
            ours = httpx.get(f"{server.address}/health", verify=trusting, timeout=PATIENCE)
            assert ours.status_code == 200
        assert all(hung_up(each) for each in mute[:39])
        waiting = strangers.strangers_at(server.server.server_state)
        wait_until(lambda: len(list(waiting)) <= 20)


def test_who_dawdles_over_a_key_is_cut_off(tmp_path, monkeypatch):
    monkeypatch.setattr(GuardedConnection, "header_seconds", 1.0)
    with Threaded(tmp_path, certificate=CERTIFICATE, key=KEY) as server, ExitStack() as opened:
        for said in (b"", b"\x16\x03\x01", b"GET /health HTTP/1.1\r\n\r\n"):
            slow = opened.enter_context(connected(server))
            slow.sendall(said)
            assert hung_up(slow)
        waiting = strangers.strangers_at(server.server.server_state)
        wait_until(lambda: not list(waiting))


def test_the_server_stops_while_somebody_has_not_agreed(tmp_path):
    with Threaded(tmp_path, certificate=CERTIFICATE, key=KEY) as server:
        mute = connected(server)
        waiting = strangers.strangers_at(server.server.server_state)
        wait_until(lambda: len(list(waiting)) == 1)
    with mute:
        assert hung_up(mute)


def connected(server: Threaded) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), PATIENCE)


def hung_up(connection: socket.socket) -> bool:
    """Wait until the other side closes the connection."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    return True


def test_files_that_are_no_certificate_are_refused(tmp_path):
    check_certificate(None, None)
    check_certificate(CERTIFICATE, KEY)
    with pytest.raises(ParameterError, match="belong together: name both"):
        check_certificate(CERTIFICATE, None)
    with pytest.raises(ParameterError, match="There is no file"):
        check_certificate(CERTIFICATE, tmp_path / "none.pem")
    with pytest.raises(ParameterError, match="no certificate and its key"):
        check_certificate(KEY, CERTIFICATE)


def test_origins_are_those_people_type():
    behind = ServerSettings("t" * 43, Path("home"), 8737, public_url="https://rare.example/")
    assert "https://rare.example" in behind.origins()
    assert "http://rare.example" not in behind.origins()
    assert "http://127.0.0.1:8737" in behind.origins()
    assert behind.secure
    assert not ServerSettings("t" * 43, Path("home"), 8737).secure
