"""What the server is told before it starts."""

from __future__ import annotations

import ssl
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

from rarefind.core.errors import ParameterError

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")
"""Names of this machine that a browser may send as host."""

_MEGABYTE = 1 << 20
"""Bytes."""


@dataclass(frozen=True)
class ServerSettings:
    """Where the workbench listens, who may call it and how much it takes.

    Attributes
    ----------
    token
        The secret of this workbench, at least 256 bits in text: API clients show it, cookies are
        signed with it.
    home
        Folder for uploaded files, one folder each.
    port, host
        Where the server listens.
    public_url
        The address people type when a reverse proxy stands before the server.
    certificate, key
        Files with which the server speaks https itself; without them it speaks http.
    annotator
        The name of whoever has not given one.
    upload_bytes, body_bytes, home_bytes
        The largest upload, the largest other body, and how much all uploads may take together.
    body_seconds
        How long a request may keep the server waiting for more of its body.
    """

    token: str = field(repr=False)
    home: Path
    port: int
    host: str = "127.0.0.1"
    public_url: str | None = None
    certificate: Path | None = None
    key: Path | None = None
    annotator: str = "me"
    upload_bytes: int = 2048 * _MEGABYTE
    home_bytes: int = 20 * 1024 * _MEGABYTE
    body_bytes: int = _MEGABYTE
    body_seconds: float = 20.0

    @property
    def secure(self) -> bool:
        """Whether browsers reach the server by https alone."""
        return self.address.startswith("https://")

    @property
    def scheme(self) -> str:
        """What the server itself speaks."""
        return "http" if self.certificate is None else "https"

    @property
    def address(self) -> str:
        """The address to open in a browser, without a slash at the end."""
        if self.public_url is not None:
            return self.public_url.rstrip("/")
        host = "127.0.0.1" if self.host in ("0.0.0.0", "::", "localhost") else self.host  # noqa: S104
        return f"{self.scheme}://{_bracketed(host)}:{self.port}"

    def certified(self) -> ssl.SSLContext | None:
        """Return what https is spoken with, or None."""
        return None if self.certificate is None else _certified(self.certificate, self.key)

    def hosts(self) -> frozenset[str]:
        """Return every Host header that means this server, in small letters.

        A name of the loopback is right with our port or without any; another port is another
        server, and another name is a page that was made to resolve to this machine.
        """
        return frozenset(urlsplit(origin).netloc for origin in self.origins())

    def origins(self) -> frozenset[str]:
        """Return every Origin header that means this server: how it is reached, and its host."""
        names = [*LOOPBACK]
        if self.host not in ("0.0.0.0", "::"):  # noqa: S104
            names.append(_bracketed(self.host).lower())
        forms = {form for name in names for form in (name, f"{name}:{self.port}")}
        found = {f"{self.scheme}://{form}" for form in forms}
        if self.public_url is not None:
            found.add(self.address.lower())
        return frozenset(found)


def check_certificate(certificate: Path | None, key: Path | None) -> None:
    """Refuse files with which no https can be spoken, before anything begins."""
    if certificate is None and key is None:
        return
    if certificate is None or key is None:
        raise ParameterError("--certificate and --key belong together: name both files.")
    for file in (certificate, key):
        if not file.is_file():
            raise ParameterError(f"There is no file {file}. Check the name and the folder.")
    try:
        _certified(certificate, key)
    except (ssl.SSLError, OSError) as problem:
        raise ParameterError(
            f"{certificate} and {key} are no certificate and its key in PEM format, or do not "
            f"belong together ({problem})."
        ) from None


def check_public_url(url: str | None) -> str | None:
    """Return the address if it is one: http or https, a host, nothing behind it."""
    if url is None:
        return None
    parts = urlsplit(url)
    plain = parts.path in ("", "/") and not parts.query and not parts.fragment
    if parts.scheme not in ("http", "https") or not parts.hostname or not plain or "@" in url:
        raise ParameterError(
            f"--public-url must be an address such as https://rarefind.example.org. Got {url!r}."
        )
    return url


def _certified(certificate: Path, key: Path | None) -> ssl.SSLContext:
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return context


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
