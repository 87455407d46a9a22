"""A large file fetched in pieces: what has come is kept, and the next call goes on from there."""

from __future__ import annotations

import hashlib
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from rarefind.core.progress import announce

PIECE = 2**18
"""Bytes read at a time."""

_WHOLE, _PART = 200, 206
"""A server's answer: the whole file, or what was asked for of it."""


class BrokenOffError(OSError):
    """The server stopped before the file was whole; what came is kept."""


def fetch_resumed(address: str, path: Path, *, largest: int, patience: float = 30.0) -> Path:
    """Fetch a file, going on from what an earlier call has fetched of it.

    The pieces are kept beside ``path`` under another name until the file is as long as the server
    says; a digest is then written beside it, and a file that agrees with its digest is not fetched
    again. ``largest`` is the most bytes that are taken.
    """
    if whole(path):
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f"{path.name}.part")
    have = draft.stat().st_size if draft.exists() else 0
    headers = {"Range": f"bytes={have}-"} if have else {}
    try:
        asked = Request(address, headers=headers)  # noqa: S310 - addresses of ours, all of them http
        answer = urlopen(asked, timeout=patience)  # noqa: S310
    except HTTPError as problem:
        if have and problem.code == 416:  # nothing is left to send: begin anew
            draft.unlink()
            return fetch_resumed(address, path, largest=largest, patience=patience)
        raise
    with answer, draft.open("ab" if answer.status == _PART else "wb") as file:
        have = have if answer.status == _PART else 0
        length = answer.headers.get("Content-Length")
        total = have + int(length) if length is not None else None
        while piece := answer.read(PIECE):
            have += len(piece)
            if have > largest:
                raise OSError(f"the file is larger than {largest:,} bytes")
            file.write(piece)
            announce(f"fetching {path.name}", have, total or have)
    if total is not None and have < total:
        raise BrokenOffError(f"{have:,} of {total:,} bytes came; the rest is fetched next time")
    _digest_path(draft).write_text(_digest(draft), encoding="ascii")
    _digest_path(draft).replace(_digest_path(path))
    draft.replace(path)
    return path


def whole(path: Path) -> bool:
    """Tell whether a file is there and agrees with the digest beside it."""
    try:
        return _digest_path(path).read_text(encoding="ascii").strip() == _digest(path)
    except (OSError, UnicodeDecodeError):
        return False


def _digest_path(path: Path) -> Path:
    return path.with_name(f"{path.name}.sha256")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
