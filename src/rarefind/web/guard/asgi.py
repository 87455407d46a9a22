"""What the middlewares share: reading headers and answering by themselves."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
"""Those that change nothing, so that a foreign page may send them."""


def header(scope: Scope, name: bytes) -> str | None:
    """Return a header's value, or None; of several, the first."""
    for key, value in scope["headers"]:
        if key == name:
            return str(value, "latin-1")
    return None


def cookie(scope: Scope, name: str) -> str | None:
    """Return a cookie's value, or None."""
    for key, value in scope["headers"]:
        if key == b"cookie":
            for part in str(value, "latin-1").split(";"):
                found, _, content = part.strip().partition("=")
                if found == name:
                    return content
    return None


async def refuse(send: Send, status: int, sentence: str) -> None:
    """Answer with an error in one sentence."""
    body = json.dumps({"error": sentence}).encode()
    await answer(send, status, body, b"application/json")


async def answer(
    send: Send,
    status: int,
    body: bytes,
    kind: bytes,
    headers: Iterable[tuple[bytes, bytes]] = (),
) -> None:
    """Answer with a whole body."""
    length = str(len(body)).encode()
    first = [(b"content-type", kind), (b"content-length", length), *headers]
    await send({"type": "http.response.start", "status": status, "headers": first})
    await send({"type": "http.response.body", "body": body})
