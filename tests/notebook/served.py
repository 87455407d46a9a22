"""Notebooks of other makers, served for a browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import httpx

from tests.waiting import wait_until


def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return free.getsockname()[1]


@contextmanager
def served(module: str, *options: str, folder: Path, health: str, **env: str) -> Iterator[None]:
    """Run ``python -m module`` until it answers at ``health``, and end it afterwards."""
    environment: Mapping[str, str] = {**os.environ, "HOME": str(folder / "home"), **env}
    with (
        (folder / "server.log").open("w") as log,
        subprocess.Popen([sys.executable, "-m", module, *options], env=environment, cwd=folder,
                         stdout=log, stderr=subprocess.STDOUT) as server,
    ):  # fmt: skip

        def answers() -> bool:
            assert server.poll() is None, f"{module} ended: {(folder / 'server.log').read_text()}"
            try:
                return httpx.get(health).status_code == 200
            except httpx.TransportError:
                return False

        try:
            wait_until(answers)
            yield
        finally:
            server.terminate()
