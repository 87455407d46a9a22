"""A real server in a process of its own, and ways to talk to it."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys
import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np

import rarefind
from rarefind.service.facade import Service
from rarefind.store.opening import open_store
from rarefind.web.server import Server, listen
from rarefind.web.server_settings import ServerSettings
from tests.waiting import PATIENCE, wait_until

SOURCE = str(Path(rarefind.__file__).parents[1])
LINK = re.compile(r"http://\S+/\?token=\S+")


class Running:
    """``rarefind serve`` on a free port; ``api`` is a client that shows the token."""

    def __init__(
        self,
        folder: Path,
        *options: str,
        port: int = 0,
        store: str | None = None,
        packages: Path | None = None,  # a folder of packages that are found before all others
    ):
        self.folder = folder
        self.home = folder / "files"
        command = [sys.executable, "-m", "rarefind", "serve", "--no-browser", "--port", str(port)]
        command += ["--store", store or str(folder / "hunts.db"), "--home", str(self.home)]
        places = os.pathsep.join(str(each) for each in (packages, SOURCE) if each)
        self.process = subprocess.Popen(
            [*command, *options],
            cwd=folder,
            env={**os.environ, "OMP_NUM_THREADS": "1", "PYTHONPATH": places},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self.link = ""
        self._up = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._up.wait(PATIENCE) or not self.link:
            self.kill()
            raise AssertionError("The server did not start:\n" + "".join(self.said))
        self.address = self.link.partition("/?")[0]
        self.port = int(self.address.rpartition(":")[2])
        self.token = (self.home / "token").read_text().strip()
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self.api = httpx.Client(base_url=self.address, headers=self.headers, timeout=PATIENCE)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            found = LINK.search(line)
            if found:
                self.link = found[0]
                self._up.set()
        self._up.set()

    def stop(self, number: int = signal.SIGINT) -> int:
        """Ask the server to stop, by a signal, and return its exit code."""
        self.api.close()
        self.process.send_signal(number)
        try:
            code = self.process.wait(PATIENCE)
        finally:
            self.kill()
        return code

    def kill(self) -> None:
        """Kill it at once (-9)."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._reader.join(PATIENCE)
        if self.process.stdout is not None:
            self.process.stdout.close()

    def __enter__(self) -> Running:
        return self

    def __exit__(self, *_: object) -> None:
        self.api.close()
        self.kill()

    def usage(self) -> tuple[int, int, float]:
        """Count threads and open files, and measure the memory in megabytes."""
        here = Path(f"/proc/{self.process.pid}")
        status = (here / "status").read_text()
        threads = int(re.search(r"Threads:\s+(\d+)", status)[1])
        memory = int(re.search(r"VmRSS:\s+(\d+)", status)[1]) / 1024
        return threads, len(list((here / "fd").iterdir())), memory


class Threaded:
    """The same server in a thread of this process, with a store in memory."""

    def __init__(self, folder: Path, **changes: object):
        listening = listen("127.0.0.1", 0)
        self.port = listening.getsockname()[1]
        self.token = "t" * 43
        self.settings = ServerSettings(self.token, folder / "files", self.port, **changes)
        self.service = Service(open_store("memory:"))
        up = threading.Event()
        self.server = Server(self.service, self.settings, lambda link: up.set())
        run = {"sockets": [listening]}
        self._thread = threading.Thread(target=self.server.run, kwargs=run, daemon=True)
        self._thread.start()
        assert up.wait(PATIENCE)
        self.address = self.settings.address
        headers = {"Authorization": f"Bearer {self.token}"}
        self.api = httpx.Client(base_url=self.address, headers=headers, timeout=PATIENCE)

    def __enter__(self) -> Threaded:
        return self

    def __exit__(self, *_: object) -> None:
        self.api.close()
        self.server.should_exit = True
        self._thread.join(PATIENCE)
        assert not self._thread.is_alive()
        self.service.close()


def upload(api: httpx.Client, name: str, text: str | bytes) -> dict:
    answer = api.put(f"/api/datasets/{name}", content=text)
    assert answer.status_code == 201, answer.text
    return answer.json()


def table(rows: int = 300, columns: int = 3, rare: int = 6, seed: int = 0) -> str:
    """A CSV file with a few records far from the others."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(rows, columns))
    X[:rare] += 8
    X = X[rng.permutation(rows)]
    head = ",".join(f"x{place}" for place in range(columns))
    return "\n".join([head, *(",".join(f"{value:.5f}" for value in row) for row in X)]) + "\n"


def open_hunt(api: httpx.Client, text: str | bytes, name: str = "records.csv", **settings) -> str:
    """Upload a file, open a hunt on it and wait until it can be asked; returns its id."""
    dataset = upload(api, name, text)
    answer = api.post("/api/hunts", json={"dataset": dataset["id"], **settings})
    assert answer.status_code == 201, answer.text
    return made_ready(api, answer.json()["id"])


def made_ready(api: httpx.Client, hunt: str) -> str:
    """Have a hunt set up and wait until it can be asked; returns its id."""
    assert api.post(f"/api/hunts/{hunt}/prepare").status_code == 202
    wait_until(lambda: state(api, hunt) == "ready")
    return hunt


def state(api: httpx.Client, hunt: str) -> str:
    view = api.get(f"/api/hunts/{hunt}").json()
    assert view["state"] != "failed", view
    return view["state"]


def label(row: int, name: str, *, asked: bool = True) -> dict:
    return {"id": str(uuid.uuid4()), "row": row, "label": name, "asked": asked}


def finished(story):
    """Run a coroutine in a thread of its own: the browser's driver keeps a loop in this one."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, story).result()
