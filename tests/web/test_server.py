"""The server as a process: started, stopped, killed and started again."""

from __future__ import annotations

import os
import signal
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from rarefind.core.errors import ParameterError
from rarefind.store.opening import open_store
from rarefind.web.server import DEFAULT_PORT, has_browser, is_loopback, listen, opened_by_file
from tests.store.example import create_schema
from tests.waiting import PATIENCE, wait_until
from tests.web.running import Running, Threaded, label, open_hunt, state, table


@pytest.mark.parametrize("engine", ["sqlite", "postgres"])
def test_kill_9_loses_nothing_and_the_hunt_goes_on_at_the_same_question(engine, request, tmp_path):
    store = None
    if engine == "postgres":
        store = create_schema(request.getfixturevalue("postgres"), f"web_{os.getpid()}")
    with Running(tmp_path, store=store) as server:
        browser = httpx.Client(base_url=server.address, timeout=PATIENCE)
        signed_in = browser.get(server.link)
        assert signed_in.status_code == 303
        hunt = open_hunt(server.api, table())
        kept, stop = [], threading.Event()

        def keep_telling():
            told = {"headers": server.headers, "timeout": PATIENCE}
            with httpx.Client(base_url=server.address, **told) as api:
                row = 100
                while not stop.is_set():
                    body = label(row, "ordinary", asked=False)
                    try:
                        answer = api.post(f"/api/hunts/{hunt}/labels", json=body)
                    except httpx.TransportError:
                        return
                    if answer.status_code == 200:
                        kept.append(body)
                    row += 1

        asked = server.api.post(f"/api/hunts/{hunt}/ask", json={}).json()["questions"][0]
        teller = threading.Thread(target=keep_telling)
        teller.start()
        wait_until(lambda: len(kept) >= 20)
        server.kill()
        stop.set()
        teller.join()
    with Running(tmp_path, port=server.port, store=store) as again:
        assert again.token == server.token
        # The browser that was signed in still is.
        assert browser.get("/api/me").status_code == 200
        browser.close()
        assert state(again.api, hunt) == "closed"
        assert again.api.post(f"/api/hunts/{hunt}/ask", json={}).status_code == 503
        repeated = again.api.post(f"/api/hunts/{hunt}/labels", json=kept[-1]).json()
        assert repeated["repeated"] is True
        assert again.api.post(f"/api/hunts/{hunt}/prepare", json={}).status_code == 202
        wait_until(lambda: state(again.api, hunt) == "ready")
        question = again.api.post(f"/api/hunts/{hunt}/ask", json={}).json()["questions"][0]
        assert question["row"] == asked["row"]
        assert question["lease"] == asked["lease"]
        history = again.api.get(f"/api/hunts/{hunt}/history?limit=1000").json()
        ids = [event["id"] for event in history]
        assert {body["id"] for body in kept} <= set(ids)
        assert len(ids) == len(set(ids))
        assert len(ids) <= len(kept) + 1, "at most the one that was under way"

        # Stopping is clean, also while somebody listens.
        with again.api.stream("GET", f"/api/hunts/{hunt}/events") as stream:
            lines = stream.iter_lines()
            assert next(lines) == "retry: 1000"
            again.process.terminate()
            assert [line for line in lines if line.startswith("data")] == []
        assert again.process.wait(PATIENCE) is not None
    assert "Traceback" not in "".join(again.said)
    assert "Traceback" not in "".join(server.said)


def test_a_server_stopped_in_a_burst_ends_and_has_all_it_acknowledged(tmp_path):
    rows, people = 3000, 20
    kept, gone = [], threading.Event()
    with Running(tmp_path) as server:
        hunt = open_hunt(server.api, table(rows))

        def hurry(person):
            with httpx.Client(
                base_url=server.address, headers=server.headers, timeout=PATIENCE
            ) as api:
                for row in range(person, rows, people):
                    # Every answer changes which class is told most often.
                    body = label(row, "abc"[row // people % 3], asked=True)
                    try:
                        answer = api.post(f"/api/hunts/{hunt}/labels", json=body)
                    except httpx.TransportError:
                        return
                    if gone.is_set() and answer.status_code != 200:
                        return
                    assert answer.status_code == 200, answer.text
                    kept.append(body["id"])

        with ThreadPoolExecutor(people) as crowd:
            told = [crowd.submit(hurry, person) for person in range(people)]
            wait_until(lambda: len(kept) >= 400)
            gone.set()
            assert server.stop() == 0
            for each in told:
                each.result()
    assert "Traceback" not in "".join(server.said)
    with open_store(str(tmp_path / "hunts.db")) as store:
        stored = [event.id for event in store.events(hunt)]
    assert set(kept) <= set(stored)
    assert len(stored) == len(set(stored)) <= len(kept) + people


@contextmanager
def heard(number):
    """Let programs hear a signal even if the tests run under nohup, whose silence they inherit."""
    before = signal.signal(number, signal.SIG_DFL)
    try:
        yield
    finally:
        signal.signal(number, before)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_server_asked_to_stop_leaves_a_closed_store_and_nothing_else(
    number, tmp_path, monkeypatch
):
    """As systemd and a closed terminal ask, too, not only by Ctrl-C."""
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    monkeypatch.setenv("TMPDIR", str(drafts))
    with heard(number), Running(tmp_path) as server:
        hunt = open_hunt(server.api, table())
        assert server.api.get(f"/api/hunts/{hunt}/export").status_code == 200
        assert server.stop(number) == 0
    assert "Stopped. Nothing is lost" in "".join(server.said)
    assert list(drafts.iterdir()) == []
    left = {path.name for path in tmp_path.iterdir()}
    assert left == {"drafts", "files", "hunts.db"}, "the log was written back"


def test_a_killed_server_leaves_no_folder_among_those_that_are_to_be_cleared(tmp_path, monkeypatch):
    drafts = tmp_path / "drafts"
    drafts.mkdir()
    monkeypatch.setenv("TMPDIR", str(drafts))
    with Running(tmp_path) as server:
        server.kill()
    assert list(drafts.iterdir()) == []


def test_a_taken_port_is_refused_if_it_was_named_and_passed_over_if_not():
    with listen("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(ParameterError, match=f"port {port}: .*--port"):
            listen("127.0.0.1", port)
    with listen("127.0.0.1", None) as usual:
        usual.listen()
        with listen("127.0.0.1", None) as other:
            assert other.getsockname()[1] != usual.getsockname()[1]
    with pytest.raises(ParameterError, match="Cannot listen on"):
        listen("192.0.2.1", 0)
    assert DEFAULT_PORT == 8737


def test_loopback_is_known_by_its_addresses():
    assert all(map(is_loopback, ["127.0.0.1", "127.3.2.1", "::1", "localhost"]))
    assert not any(map(is_loopback, ["0.0.0.0", "::", "192.168.0.1", "localhost.evil", "", "a"]))


def test_a_browser_needs_a_screen(monkeypatch):
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "SSH_CONNECTION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr("sys.platform", "linux")
    assert not has_browser()
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.get", lambda: object())
    assert has_browser()
    monkeypatch.setenv("SSH_CONNECTION", "1.2.3.4")
    assert not has_browser()


def test_the_link_is_never_on_a_command_line(monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open", opened.append)
    with opened_by_file() as open_link:
        open_link("http://127.0.0.1:1/?token=secret&go=/new")
        [address] = opened
        assert address.startswith("file://")
        assert "secret" not in address
        path = Path(address.removeprefix("file://"))
        assert "url=http://127.0.0.1:1/?token=secret" in path.read_text()
        assert path.stat().st_mode & 0o077 == 0
    assert not path.exists()


def test_uvloop_serves_where_it_is_installed(tmp_path):
    pytest.importorskip("uvloop")
    with Threaded(tmp_path) as server:
        assert server.server.config.loop == "uvloop"
        assert server.api.get("/api/me").status_code == 200
