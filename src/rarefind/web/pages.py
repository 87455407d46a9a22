"""The page and its modules, read once and served from memory: no path is ever made of a request."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

from starlette.requests import Request
from starlette.responses import Response

from rarefind.core.errors import UnknownNameError

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".json": "application/json",
    ".woff2": "font/woff2",
    ".txt": "text/plain; charset=utf-8",
}
"""Told by the ending, never by the system's table, which differs."""


@dataclass(frozen=True)
class File:
    """A file of the page."""

    body: bytes
    kind: str
    tag: str


class Pages:
    """All files of the page by name."""

    def __init__(self) -> None:
        self._files: dict[str, File] = {}
        folder = files("rarefind.web") / "static"
        if folder.is_dir():
            self._read(folder, "")

    def answer(self, name: str, request: Request) -> Response:
        """Return a file; a browser that has it is told so."""
        file = self._files.get(name)
        if file is None:
            raise UnknownNameError("There is no such page.")
        headers = {"ETag": file.tag, "Cache-Control": "no-cache"}
        seen = request.headers.get("if-none-match", "")
        if file.tag in (tag.strip().removeprefix("W/") for tag in seen.split(",")):
            return Response(status_code=304, headers=headers)
        return Response(file.body, media_type=None, headers={**headers, "Content-Type": file.kind})

    def _read(self, folder: Traversable, prefix: str) -> None:
        for item in folder.iterdir():
            name = f"{prefix}{item.name}"
            if item.is_dir():
                self._read(item, f"{name}/")
                continue
            kind = _TYPES.get(f".{item.name.rpartition('.')[2]}")
            if kind is not None:
                body = item.read_bytes()
                tag = f'"{hashlib.sha256(body).hexdigest()[:32]}"'
                self._files[name] = File(body, kind, tag)
