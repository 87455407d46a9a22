"""Secrets: the token that API clients show, links that work once, and signed cookies."""

from __future__ import annotations

import hashlib
import hmac
import os
import secrets
import threading
import time
from pathlib import Path

from rarefind.core.errors import ParameterError

SESSION_SECONDS = 30 * 24 * 3600
"""A month, a choice: people come back to a hunt, and a lost laptop is locked out at last."""

_TOKEN_BYTES = 32
"""256 bits cannot be guessed."""

_SHORTEST = 32  # characters of a token that people bring along


class Doorkeeper:
    """Tells who may come in.

    Whoever has the token is in, but never by an address: addresses are seen over shoulders, in
    histories and in logs. A launch token stands in one, and is worth nothing once it was used.
    Cookies are signed, not kept: they stay good when the server is started again with the same
    token.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()
        self._key = hmac.digest(self._token, b"rarefind cookie", "sha256")
        self._launches: set[bytes] = set()
        self._lock = threading.Lock()

    def launch(self) -> str:
        """Make a token that lets one browser in, once."""
        token = secrets.token_urlsafe(_TOKEN_BYTES)
        with self._lock:
            self._launches.add(_digest(token))
        return token

    def admits(self, token: str) -> bool:
        """Say whether this is a launch token that nobody has used; now it is used up."""
        with self._lock:
            digest = _digest(token)  # looked up by digest, so timing tells nothing of the token
            if digest in self._launches:
                self._launches.remove(digest)
                return True
        return False

    def is_token(self, token: str) -> bool:
        """Say whether this is the token itself."""
        return hmac.compare_digest(_digest(token), hashlib.sha256(self._token).digest())

    def cookie(self, seat: str | None = None) -> str:
        """Make the value of a cookie for a browser that was let in, on a person's seat if any."""
        body = f"{int(time.time()) + SESSION_SECONDS}.{secrets.token_hex(8)}"
        if seat is not None:
            body = f"{body}.{seat}"
        return f"{body}.{self._sign(body)}"

    def knows(self, cookie: str) -> bool:
        """Say whether a cookie was made with this token and has not expired."""
        body, _, signature = cookie.rpartition(".")
        if not hmac.compare_digest(signature.encode(), self._sign(body).encode()):
            return False
        return int(body.partition(".")[0]) > time.time()

    @staticmethod
    def seat(cookie: str) -> str | None:
        """Return the seat that a cookie we know was made for; None if it was the token's."""
        return cookie.split(".")[2] if cookie.count(".") == 3 else None

    def _sign(self, body: str) -> str:
        return hmac.new(self._key, body.encode(), "sha256").hexdigest()


def read_token(path: Path) -> str:
    """Read the token in a file that only its owner may read; make both if there is none."""
    try:
        handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        return _checked(path)
    except OSError as problem:
        raise ParameterError(
            f"The token file {path} cannot be made: {problem.strerror or problem}."
        ) from None
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    with os.fdopen(handle, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


def _checked(path: Path) -> str:
    try:
        mode = path.stat().st_mode
        token = path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        raise ParameterError(
            f"The token file {path} cannot be read as plain text. Remove it, and rarefind makes "
            "another."
        ) from None
    if os.name == "posix" and mode & 0o077:
        raise ParameterError(
            f"The token file {path} can be read by others. Make it yours alone: chmod 600 {path}"
        )
    if len(token) < _SHORTEST or not token.isprintable() or " " in token:
        raise ParameterError(
            f"The token in {path} must be one word of at least {_SHORTEST} characters. Remove the "
            "file, and rarefind makes a good one."
        )
    return token


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("utf-8", "surrogateescape")).digest()
