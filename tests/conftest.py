from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.waiting import PATIENCE, PATIENCE_MS

# Machines differ in speed: no deadline for single examples, and the same examples every time.
settings.register_profile("house", deadline=None, derandomize=True, max_examples=50)
settings.load_profile("house")

# Tests run side by side, so none needs threads within numpy: on processors that are all busy these
# wait for each other in loops, and some tests took ten times as long. Set before numpy is loaded.
assert "numpy" not in sys.modules
for name in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(name, "1")

# Data sets are looked for in the folder only: no test fetches anything from the network.
os.environ["RAREFIND_CACHE"] = ""


@pytest.fixture(scope="session")
def chromium() -> Iterator[object]:
    """A real headless browser."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"),
            timeout=PATIENCE_MS,
            args=["--no-sandbox", "--disable-background-networking", "--disable-component-update"],
        )
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The address of a real PostgreSQL server, started for this run on a socket of its own."""
    # Not in pytest's own folder: other runs close that to everybody else, the server's user too.
    home = Path(tempfile.mkdtemp(prefix="rarefind-postgres-"))
    tools = _postgres_tools()
    # The server refuses to run as root.
    user = "postgres" if os.geteuid() == 0 else pwd.getpwuid(os.geteuid()).pw_name
    prefix = _as_user(user)
    if prefix:
        shutil.chown(home, user)
    data = home / "data"

    def run(*command: str) -> None:
        subprocess.run([*prefix, *command], check=True, cwd=home, capture_output=True)

    run(str(tools / "initdb"), "-D", str(data), "-U", "rarefind", "--auth=trust", "-N")
    # Killed processes lose nothing the system has taken; only a power cut needs the disk itself.
    options = f"-c listen_addresses= -c unix_socket_directories={home} -c fsync=off"
    server = str(tools / "pg_ctl")
    patience = ["-w", "-t", f"{PATIENCE:.0f}"]
    run(server, "-D", str(data), "-o", options, "-l", str(home / "log"), *patience, "start")
    yield f"postgresql://rarefind@/postgres?host={home}"
    run(server, "-D", str(data), "-m", "immediate", *patience, "stop")
    shutil.rmtree(home, ignore_errors=True)


@pytest.fixture
def restart_postgres(postgres: str) -> Callable[[str], None]:
    """A function that stops the server in a given way (fast, immediate) and starts it again."""
    home = Path(postgres.partition("host=")[2])
    prefix = _as_user(home.owner())

    def restart(mode: str) -> None:
        command = [str(_postgres_tools() / "pg_ctl"), "-D", str(home / "data"), "-m", mode]
        log = ["-l", str(home / "log"), "-w", "-t", f"{PATIENCE:.0f}", "restart"]
        subprocess.run([*prefix, *command, *log], check=True, cwd=home, capture_output=True)

    return restart


def _as_user(user: str) -> list[str]:
    """What to write before a command so that it runs as that user."""
    as_user = ["setpriv", f"--reuid={user}", f"--regid={user}", "--clear-groups"]
    return as_user if os.geteuid() == 0 else []


def _postgres_tools() -> Path:
    installed = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
    found = installed[-1] if installed else Path(str(shutil.which("postgres"))).resolve()
    return found.parent
