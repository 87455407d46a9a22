"""A real workbench in a process of its own, to be measured from outside."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import numpy as np

from rarefind.core.errors import StateError

_LINK = re.compile(r"http://127\.0\.0\.1:(\d+)/\?token=\S+")
"""The link that ``rarefind serve`` prints."""

_NEW = re.compile(r"&go=/new/(\w+)")
"""The data set that the link leads to."""

_PATIENCE = 1800.0
"""Seconds that a hunt may take to be ready, or an answer to come."""


class Served:
    """``rarefind serve`` on a free port, and ways to talk to it.

    Attributes
    ----------
    said
        What the process printed, line by line.
    looks
        Seconds until it said how far the set-up of a hunt was, each time it was asked.
    port, token
        Where it listens, and what it wants to be shown.
    dataset
        The id of the file it was started with, if any.
    """

    def __init__(self, folder: Path, file: Path | None = None, module: str = "rarefind") -> None:
        command = [sys.executable, "-m", module, "serve", *([str(file)] if file else [])]
        command += ["--no-browser", "--port", "0"]
        command += ["--store", str(folder / "hunts.db"), "--home", str(folder / "files")]
        self.process = subprocess.Popen(  # noqa: S603  (of words made here)
            command,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            cwd=folder,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        self.said: list[str] = []
        self.looks: list[float] = []
        self.port, self.dataset = self._started()
        threading.Thread(target=self._listen, daemon=True).start()
        self.token = (folder / "files" / "token").read_text(encoding="ascii").strip()

    def _started(self) -> tuple[int, str]:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            if link := _LINK.search(line):
                new = _NEW.search(line)
                return int(link[1]), new[1] if new else ""
        self.close()
        words = " ".join("".join(self.said).split())[-300:]
        raise StateError(f"The workbench that is to be measured did not start: {words}")

    def _listen(self) -> None:
        assert self.process.stdout is not None
        with suppress(ValueError):  # closed in the middle of reading
            self.said.extend(self.process.stdout)

    @property
    def address(self) -> str:
        """Where the page is."""
        return f"http://127.0.0.1:{self.port}"

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Send a request (JSON, or bytes as they are) and return the JSON that is answered."""
        return json.loads(self.fetch(method, path, body))

    def fetch(self, method: str, path: str, body: object = None) -> bytes:
        """Send a request and return the answer as it is."""
        headers = {"Authorization": f"Bearer {self.token}", "X-Annotator": "machine"}
        sent = body if isinstance(body, bytes) or body is None else json.dumps(body).encode()
        if sent is not body:
            headers["Content-Type"] = "application/json"
        line = HTTPConnection("127.0.0.1", self.port, timeout=_PATIENCE)
        try:
            line.request(method, path, sent, headers)
            answer = line.getresponse()
            content = answer.read()
        finally:
            line.close()
        if answer.status >= 400:
            words = content.decode("utf-8", "replace")[:300]
            raise StateError(f"The workbench answered {method} {path} with {answer.status} {words}")
        return content

    def open_hunt(self, **settings: object) -> str:
        """Begin a hunt; return its id once it can be asked."""
        view = self.call("POST", "/api/hunts", {"dataset": self.dataset, **settings})
        id = str(view["id"])
        self.call("POST", f"/api/hunts/{id}/prepare")
        wait_for(lambda: self._state(id) == "ready", f"the hunt {id}")
        return id

    def _state(self, hunt: str) -> str:
        began = time.perf_counter()
        view = self.call("GET", f"/api/hunts/{hunt}")
        self.looks.append(time.perf_counter() - began)
        if view["state"] == "failed":
            raise StateError(f"The hunt that is to be measured failed: {view['problem']}")
        return str(view["state"])

    def events(self, hunt: str) -> list[dict[str, Any]]:
        """Return everything that the server says was told."""
        events: list[dict[str, Any]] = []
        before = ""
        while page := self.call("GET", f"/api/hunts/{hunt}/history?limit=1000{before}"):
            events += page
            before = f"&before={page[-1]['seq']}"
        return events

    def usage(self) -> tuple[int, int, float]:
        """Count threads and open files, and measure the memory in megabytes (Linux only)."""
        here = Path(f"/proc/{self.process.pid}")
        status = dict(
            line.split(":", 1)
            for line in (here / "status").read_text(encoding="ascii").splitlines()
        )
        memory = int(status["VmRSS"].split()[0]) / 1024
        return int(status["Threads"]), len(list((here / "fd").iterdir())), memory

    def cpu_seconds(self) -> float:
        """Return the seconds of processors the server has used (Linux only)."""
        line = Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii")
        parts = line.rpartition(")")[2].split()
        return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")

    def turns(self) -> tuple[float, float]:
        """Return the seconds its first thread ran, and waited for a processor (Linux only)."""
        line = Path(f"/proc/{self.process.pid}/schedstat").read_text(encoding="ascii")
        ran, waited, _ = line.split()
        return int(ran) / 1e9, int(waited) / 1e9

    def close(self) -> int:
        """Ask the server to stop; return its exit code."""
        assert self.process.stdout is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        try:
            return self.process.wait(60)
        finally:
            self.process.kill()
            self.process.wait()
            self.process.stdout.close()


def write_records(path: Path, rows: int) -> Path:
    """Write a table of nine columns of numbers, and return where."""
    X = np.random.default_rng(0).normal(size=(rows, 9))
    np.savetxt(path, X, "%.4f", ",", header=",".join(f"x{n}" for n in range(9)), comments="")
    return path


def wait_for(holds: Callable[[], bool], what: str) -> None:
    """Wait until something holds."""
    last = time.monotonic() + _PATIENCE
    while not holds():
        if time.monotonic() > last:
            raise StateError(f"Nothing was measured: {what} was not ready in {_PATIENCE:g} s.")
        time.sleep(0.05)
