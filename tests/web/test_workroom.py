"""Rankings of a real server are computed in a process that never outlives it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.waiting import wait_until
from tests.web.running import Running, label, open_hunt, table


@pytest.mark.parametrize("killed", [False, True])
def test_the_process_that_ranks_ends_with_the_server(tmp_path, killed):
    with Running(tmp_path) as server:
        hunt = open_hunt(server.api, table(), strategy="random")
        for row in range(20):
            body = label(row, "odd" if row % 4 == 0 else "usual", asked=False)
            assert server.api.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
        assert _workers(server.process.pid) == []
        done = _ranked(server, hunt)
        assert done["state"] == "done", done
        (worker,) = _workers(server.process.pid)
        assert _ranked(server, hunt)["state"] == "done"
        assert _workers(server.process.pid) == [worker]
        votes = f"/api/hunts/{hunt}/rankings/{done['result']['id']}/votes/50"
        assert server.api.get(votes).json()["kind"] == "votes"
        if killed:
            server.kill()
        else:
            assert server.stop() == 0
        wait_until(lambda: not _runs(worker))
    assert "Traceback" not in "".join(server.said)


def _ranked(server: Running, hunt: str) -> dict:
    body = {"target": "odd", "model": "lago"}
    job = server.api.post(f"/api/hunts/{hunt}/rankings", json=body).json()["job"]
    address = f"/api/hunts/{hunt}/jobs/{job}"
    wait_until(lambda: server.api.get(address).json()["state"] in ("done", "failed"))
    return server.api.get(address).json()


def _workers(server: int) -> list[int]:
    """List the processes begun by a server, but for the helper with which Python begins them."""
    found = []
    for children in Path(f"/proc/{server}/task").glob("*/children"):
        for child in children.read_text().split():
            command = Path(f"/proc/{child}/cmdline").read_bytes()
            if b"resource_tracker" not in command:
                found.append(int(child))
    return found


def _runs(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False
