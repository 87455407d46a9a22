"""The application itself, with a store in memory, called without a network."""

from __future__ import annotations

import asyncio
import re
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from starlette.testclient import TestClient

from rarefind.service import Service
from rarefind.store.opening import open_store
from rarefind.web.app import create_app
from rarefind.web.keys import Keys
from rarefind.web.settings import Settings

TOKEN = "T0ken-" + "x" * 40
PORT = 8737
ADDRESS = f"http://127.0.0.1:{PORT}"


class Inside:
    """An application, its service, and clients for it."""

    def __init__(self, folder: Path, **changes: object):
        self.settings = Settings(token=TOKEN, home=folder / "files", port=PORT, **changes)
        self.keys = Keys(TOKEN)

    def __enter__(self) -> Inside:
        self._stack = ExitStack()
        store = open_store("memory:")
        self._stack.callback(store.close)
        self.service = Service(store, home=self.settings.home)
        self._stack.callback(self.service.close)
        self.app = create_app(self.service, self.settings, self.keys)
        self.api = self._stack.enter_context(self.client(Authorization=f"Bearer {TOKEN}"))
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def client(self, **headers: str) -> TestClient:
        return TestClient(
            self.app, base_url=ADDRESS, headers=headers, raise_server_exceptions=False
        )

    def browser(self) -> TestClient:
        """A client that followed a launch link and sends what a browser sends."""
        client = self.client(**{"Sec-Fetch-Site": "same-origin", "Origin": ADDRESS})
        answer = client.get("/", params={"token": self.keys.launch()}, follow_redirects=False)
        assert answer.status_code == 303
        return client

    def slow(self, method: str, path: str, parts: list[bytes | float]) -> Raw:
        """Send a body in parts, with pauses between them."""
        return self.raw(method, path, parts)

    def raw(self, method: str, address: str, body: bytes | list[bytes | float] = b"{}") -> Raw:
        """Send an address exactly as it is, which no client would, as an attacker does."""
        parts = [body] if isinstance(body, bytes) else body
        path, _, query = address.partition("?")
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": method,
            "path": unquote(path),
            "raw_path": path.encode("utf-8", "surrogatepass"),
            "query_string": query.encode("utf-8", "surrogatepass"),
            "root_path": "",
            "scheme": "http",
            "headers": [
                (b"host", f"127.0.0.1:{PORT}".encode()),
                (b"authorization", f"Bearer {TOKEN}".encode()),
                (b"content-type", b"application/json"),
                (b"content-length", b"2"),
            ],
        }
        return self.api.portal.call(_call, self.app, scope, parts)

    def routes(self) -> list[tuple[str, str]]:
        """Every method and path of the OpenAPI document."""
        document = self.app.openapi()
        return [
            (method.upper(), path)
            for path, methods in document["paths"].items()
            for method in methods
        ]


@dataclass
class Raw:
    """What came back."""

    status_code: int = 0
    content: bytes = b""

    @property
    def text(self) -> str:
        return self.content.decode("utf-8", "replace")


async def _call(app, scope: dict, parts: list[bytes | float]) -> Raw:
    answer = Raw()
    left = list(parts)

    async def receive() -> dict:
        if not left:
            return {"type": "http.disconnect"}
        if isinstance(left[0], float):
            await asyncio.sleep(left.pop(0))
        return {"type": "http.request", "body": left.pop(0), "more_body": bool(left)}

    async def send(message: dict) -> None:
        answer.status_code = message.get("status", answer.status_code)
        answer.content += message.get("body", b"")

    await app(scope, receive, send)
    return answer


def filled(path: str, value: str = "1") -> str:
    """Put something into the places of a path."""
    return re.sub(r"\{[^}]*\}", value, path)
