"""The application itself, with a store in memory, called without a network."""

from __future__ import annotations

import asyncio
import re
import threading
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote

import httpx

from rarefind.service.facade import Service
from rarefind.store.contract import Store
from rarefind.store.opening import open_store
from rarefind.web.app import create_app
from rarefind.web.guard.tokens import Doorkeeper
from rarefind.web.server_settings import ServerSettings
from tests.waiting import PATIENCE
from tests.web.described import Described

TOKEN = "T0ken-" + "x" * 40
PORT = 8737
ADDRESS = f"http://127.0.0.1:{PORT}"


class Clock(asyncio.SelectorEventLoop):
    """A loop whose clock is put forward by hand: no test waits for clients that are slow."""

    ahead = 0.0

    def time(self) -> float:
        return super().time() + self.ahead


class Direct(httpx.BaseTransport):
    """Calls the application on a loop of its own, with exactly the path that is given."""

    def __init__(self, app):
        self.app = app
        self.loop = Clock()
        self.thread = threading.Thread(target=self.loop.run_forever, daemon=True)
        self.thread.start()

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        path, _, query = request.url.raw_path.partition(b"?")
        headers = [(name.lower(), value) for name, value in request.headers.raw]
        body = request.read()
        parts = [body[start : start + 1000] for start in range(0, len(body), 1000)] or [b""]
        return self.call(request.method, path, query, headers, parts)

    def call(self, method, path, query, headers, parts) -> httpx.Response:
        scope = scope_of(method, path, query, headers)
        return self.run(_call(self.app, scope, parts))

    def run(self, coroutine):
        return asyncio.run_coroutine_threadsafe(coroutine, self.loop).result(PATIENCE)

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self.loop.stop)
        self.thread.join()
        self.loop.close()


class Inside:
    """An application, its service, and clients for it."""

    def __init__(self, folder: Path, store: Store | None = None, **changes: object):
        self.settings = ServerSettings(token=TOKEN, home=folder / "files", port=PORT, **changes)
        self.store = store or open_store("memory:")
        self.keys = Doorkeeper(TOKEN)

    def __enter__(self) -> Inside:
        self._stack = ExitStack()
        self.service = self._stack.enter_context(Service(self.store))
        self.app = create_app(self.service, self.settings, self.keys)
        self.direct = Direct(self.app)
        self._described = Described(self.app.openapi())
        self._stack.callback(self.direct.stop)
        self._stack.callback(self.app.state.workbench.close)
        self.api = self.client(Authorization=f"Bearer {TOKEN}")
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def client(self, **headers: str) -> httpx.Client:
        """A client whose every answer must be as the OpenAPI document describes it."""
        hooks = {"response": [self._described.check]}
        return httpx.Client(
            transport=self.direct, base_url=ADDRESS, headers=headers, event_hooks=hooks
        )

    @property
    def loop_thread(self) -> threading.Thread:
        """The thread of the event loop."""
        return self.direct.thread

    def browser(self) -> httpx.Client:
        """A client that followed a launch link and sends what a browser sends."""
        client = self.client(**{"Sec-Fetch-Site": "same-origin", "Origin": ADDRESS})
        answer = client.get("/", params={"token": self.keys.launch()})
        assert answer.status_code == 303
        return client

    def raw(
        self, method: str, address: str, body: bytes | list[bytes | float] = b"{}"
    ) -> httpx.Response:
        """Send an address exactly as it is, which no client would, as an attacker does.

        A body may be a list of parts, with seconds that pass between them.
        """
        parts = [body] if isinstance(body, bytes) else body
        return self.direct.run(_call(self.app, raw_scope(method, address), parts))

    def raw_many(self, requests: list[tuple[str, str]]) -> list[httpx.Response]:
        """Send many, one after another."""

        async def all_of_them():
            return [await _call(self.app, raw_scope(*each), [b"{}"]) for each in requests]

        return self.direct.run(all_of_them())

    def routes(self) -> list[tuple[str, str]]:
        """Every method and path of the OpenAPI document."""
        document = self.app.openapi()
        return [
            (method.upper(), path)
            for path, methods in document["paths"].items()
            for method in methods
        ]


def scope_of(method: str, path: bytes, query: bytes, headers: list) -> dict:
    return {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "path": unquote(path.decode("latin-1")),
        "raw_path": path,
        "query_string": query,
        "root_path": "",
        "scheme": "http",
        "headers": headers,
    }


def raw_scope(method: str, address: str) -> dict:
    path, _, query = address.partition("?")
    headers = [
        (b"host", f"127.0.0.1:{PORT}".encode()),
        (b"authorization", f"Bearer {TOKEN}".encode()),
        (b"content-type", b"application/json"),
        (b"content-length", b"2"),
    ]
    return scope_of(method, path.encode("utf-8"), query.encode("utf-8"), headers)


async def _call(app, scope: dict, parts: list[bytes | float]) -> httpx.Response:
    status, headers, body, left = 0, [], b"", list(parts)

    async def receive() -> dict:
        if not left:
            await asyncio.Event().wait()  # nobody hangs up
        if isinstance(left[0], float):
            asyncio.get_running_loop().ahead += left.pop(0)
            await asyncio.sleep(0.01)  # who waited too long by that clock gives up
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: dict) -> None:
        nonlocal status, headers, body
        status = message.get("status", status)
        headers = message.get("headers", headers)
        body += message.get("body", b"")

    await app(scope, receive, send)
    return httpx.Response(status, headers=headers, content=body)


def filled(path: str, value: str = "1") -> str:
    """Put something into the places of a path."""
    return re.sub(r"\{[^}]*\}", value, path)
