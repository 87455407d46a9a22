"""Connections over TLS until both sides have agreed: strangers like any other, from the first byte.

asyncio's own server counts a connection once its handshake is done, and waits a minute for that.
"""

from __future__ import annotations

import asyncio
import ssl
from functools import partial
from typing import Any, cast

from rarefind.web.guard.connections import GuardedConnection
from rarefind.web.guard.strangers import strangers_at


class Handshake(asyncio.Protocol):
    """A new connection that agrees on a key, and is then handed over to ``GuardedConnection``."""

    scope = None

    def __init__(self, certificate: ssl.SSLContext, **about: Any) -> None:
        self._certificate, self._about = certificate, about
        self._strangers = strangers_at(about["server_state"])
        self._early = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the handshake; what comes is left in the line until it is read by that."""
        self.transport = cast(asyncio.Transport, transport)
        self.transport.pause_reading()
        self._strangers.add(self)
        self._agreeing = asyncio.get_running_loop().create_task(self._agree())

    def data_received(self, data: bytes) -> None:
        """Keep what comes together with the end of the handshake."""
        self._early += data

    def connection_lost(self, exc: Exception | None) -> None:
        """Give up the place."""
        self._strangers.forget(self)
        self._agreeing.cancel()

    def turn_away(self) -> None:
        """Hang up: nothing can be said before a key is agreed on."""
        self._agreeing.cancel()
        self.transport.abort()

    async def _agree(self) -> None:
        try:
            agreed = await asyncio.get_running_loop().start_tls(
                self.transport,
                self,
                self._certificate,
                server_side=True,
                ssl_handshake_timeout=GuardedConnection.header_seconds,
            )
        except OSError:  # also of TLS, and of time: the line is closed, and nobody is there to hear
            agreed = None
        self._strangers.forget(self)
        if agreed is None or agreed.is_closing():
            self.transport.abort()
            return
        connection = GuardedConnection(**self._about)
        agreed.set_protocol(connection)
        connection.connection_made(agreed)
        if self._early:
            connection.data_received(self._early)


def handshakes_with(certificate: ssl.SSLContext) -> type[asyncio.Protocol]:
    """Return what makes the protocol of every new connection, as the server wants it."""
    return cast(type[asyncio.Protocol], partial(Handshake, certificate))
