"""Running the workbench: one process, one port, one link to open."""

from __future__ import annotations

import contextlib
import errno
import ipaddress
import os
import signal
import socket
import sys
import tempfile
import threading
import webbrowser
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlencode

import uvicorn

from rarefind.core.errors import ParameterError
from rarefind.web.app import create_app
from rarefind.web.guard.connections import GuardedConnection
from rarefind.web.guard.handshakes import Handshake, handshakes_with
from rarefind.web.guard.strangers import MOST_CONNECTIONS, strangers_at
from rarefind.web.guard.tokens import Doorkeeper
from rarefind.web.live.freed_memory import give_memory_back
from rarefind.web.server_settings import ServerSettings

if TYPE_CHECKING:
    from rarefind.service.facade import Service

DEFAULT_PORT = 8737
"""A choice: no widely known service has it."""

_SWITCH_SECONDS = 0.0005
"""A tenth of the usual interval (see ``serve``)."""


class Server(uvicorn.Server):
    """The workbench on a port; ``ready`` is called with a link that works once.

    A place in the page may be added to the link, as ``&go=/hunt/…``.
    """

    def __init__(
        self, service: Service, settings: ServerSettings, ready: Callable[[str], None]
    ) -> None:
        self.doorkeeper = Doorkeeper(settings.token)
        self.app = create_app(service, settings, self.doorkeeper)
        self._settings, self._ready = settings, ready
        secrets = settings.certified()
        config = uvicorn.Config(
            self.app,
            http=GuardedConnection if secrets is None else handshakes_with(secrets),
            ws="none",
            loop=_loop(secured=secrets is not None),
            log_config=None,
            log_level="error",  # warnings tell what strangers sent: theirs to fill
            access_log=False,  # addresses may hold a token
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=30,
            timeout_graceful_shutdown=5,
            h11_max_incomplete_event_size=32 * 1024,
        )
        super().__init__(config)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to listen, then say so."""
        await super().startup(sockets)
        if self.started:
            launch = urlencode({"token": self.doorkeeper.launch()})
            self._ready(f"{self._settings.address}/?{launch}")

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Let go of the browsers that listen, then of everybody else."""
        self.app.state.workbench.hub.close()
        for stranger in strangers_at(self.server_state):
            if isinstance(stranger, Handshake):  # a connection the server itself knows nothing of
                stranger.turn_away()
        await super().shutdown(sockets)


def serve(
    service: Service,
    settings: ServerSettings,
    listening: socket.socket,
    ready: Callable[[str], None],
) -> None:
    """Serve until the process is asked to stop."""
    # Strategies think in threads of this process: whoever waits for the lock gets it ten times
    # sooner.
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_SECONDS)
    _allow_many_connections()
    give_memory_back()
    try:
        Server(service, settings, ready).run(sockets=[listening])
    finally:
        sys.setswitchinterval(before)


@contextlib.contextmanager
def asked_to_stop() -> Iterator[None]:
    """End what is inside in good order when the machine, or a closed terminal, asks for it.

    The system's way to end a process would leave the store and its helpers as they are.
    """
    if threading.current_thread() is not threading.main_thread():
        yield  # signals are not ours
        return

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def hang_up(number: int, frame: object) -> None:
        signal.raise_signal(signal.SIGTERM)  # which the server hears while it runs

    answers: dict[int, Callable[[int, object], None]] = {signal.SIGTERM: stop}
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) == signal.SIG_DFL:
        answers[signal.SIGHUP] = hang_up  # but not under nohup
    before = {number: signal.signal(number, answer) for number, answer in answers.items()}
    try:
        with contextlib.suppress(KeyboardInterrupt):  # Ctrl-C, the usual way to end
            yield
    finally:
        for number, answer in before.items():
            signal.signal(number, answer)


def listen(host: str, port: int | None) -> socket.socket:
    """Open the port before anything else is done; by default the usual one, or one that is free."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for wanted in (DEFAULT_PORT, 0) if port is None else (port,):
        # Named TCP, or asyncio leaves Nagle's algorithm on, which costs every answer 40 ms.
        listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((host, wanted))
        except OSError as problem:
            listening.close()
            if problem.errno == errno.EADDRINUSE and port is None and wanted:
                continue
            raise ParameterError(
                f"Cannot listen on {host} port {wanted}: {problem.strerror or problem}. Choose "
                "another with --host and --port."
            ) from None
        listening.set_inheritable(False)
        return listening
    raise ParameterError(f"There is no free port on {host}.")


def is_loopback(host: str) -> bool:
    """Say whether only this machine can reach the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def has_browser() -> bool:
    """Say whether there is a screen with a browser (one inside the terminal does not count)."""
    if os.environ.get("SSH_CONNECTION"):
        return False
    if os.name == "nt" or sys.platform == "darwin":
        return True
    if not (os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        return False
    try:
        webbrowser.get()
    except webbrowser.Error:
        return False
    return True


@contextlib.contextmanager
def opened_by_file() -> Iterator[Callable[[str], None]]:
    """Yield a function that opens a link in the browser without naming it on a command line.

    Everybody on a machine can read command lines, so the browser is sent to a file that only we
    can read, and the file sends it to the link.
    """
    # The folder is made when it is needed: a server that is killed leaves none behind.
    with contextlib.ExitStack() as made:

        def open_link(link: str) -> None:
            folder = made.enter_context(tempfile.TemporaryDirectory(prefix="rarefind-"))
            page = Path(folder) / "open.html"
            page.touch(mode=0o600)
            page.write_text(
                f'<!doctype html><meta charset="utf-8"><title>rarefind</title>'
                f'<meta http-equiv="refresh" content="0;url={link}">',
                encoding="utf-8",
            )
            webbrowser.open(page.as_uri())

        yield open_link


def _loop(*, secured: bool) -> Literal["uvloop", "asyncio"]:
    """Name uvloop where it is installed: an answer takes about a tenth less of a processor.

    Over TLS it closes connections that wait for their handshake, as ours do.
    """
    return "asyncio" if secured or not find_spec("uvloop") else "uvloop"


def _allow_many_connections() -> None:
    try:
        import resource
    except ImportError:
        return  # not a Unix
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 4 * MOST_CONNECTIONS
    if soft < wanted:
        with contextlib.suppress(ValueError, OSError):
            most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
