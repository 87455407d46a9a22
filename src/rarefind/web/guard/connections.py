"""Connections that do not wait for ever: strangers, slow headers, bodies nobody reads any more."""

from __future__ import annotations

import asyncio
import json
from contextlib import suppress
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from rarefind.web.guard.headers import HEADERS
from rarefind.web.guard.strangers import strangers_at

HEADER_SECONDS = 10.0
"""Headers come in one packet; ten seconds are for the slowest line, and end a slow attack."""

STRANGER_SECONDS = 5
"""How long a connection on which nobody has signed in is kept for a further request."""

DRAINED_BYTES = 64 << 20
"""Read and thrown away: browsers show a refusal only when they may finish sending."""


class GuardedConnection(H11Protocol):
    """An HTTP connection whose headers must arrive within ten seconds.

    A body that is still coming after it was refused is read and thrown away for a while, so that
    the sender gets to see the refusal; then the connection is closed. Connections on which nobody
    has signed in are few, short, and the first to go.
    """

    header_seconds = HEADER_SECONDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._too_late: asyncio.TimerHandle | None = None
        self._drained = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._wait()
        strangers_at(self.server_state).add(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop waiting."""
        self._stop_waiting()
        strangers_at(self.server_state).forget(self)
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Take more of a request."""
        super().data_received(data)
        if self.transport.is_closing():
            return
        if self.conn.their_state is h11.IDLE:
            if self._too_late is None:
                self._wait()  # a request has begun and its headers are not whole
            return
        self._stop_waiting()
        if self.cycle is not None and self.cycle.response_complete and self.cycle.more_body:
            self._drained += len(data)
            if self._drained > DRAINED_BYTES:
                self.transport.close()
        else:
            self._drained = 0

    def on_response_complete(self) -> None:
        """Wait for the next request; what was refused halfway is not waited for long."""
        signed_in = self.scope is not None and "signed_in" in self.scope
        if signed_in:
            strangers_at(self.server_state).forget(self)
        else:
            self.timeout_keep_alive = min(self.timeout_keep_alive, STRANGER_SECONDS)
        super().on_response_complete()
        if not self.transport.is_closing() and self.cycle.more_body:
            self._stop_waiting()
            self._wait()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is not HTTP."""
        self._refuse(400, "This is not a request that the server understands.")

    def turn_away(self) -> None:
        """Close this connection, saying why if that can still be said."""
        self._stop_waiting()
        if self.cycle is not None:
            self.cycle.disconnected = True  # whoever works on an answer need not send it
        self._refuse(503, "There are too many connections to this server. Try again in a moment.")
        if self.transport.get_write_buffer_size():
            self.transport.abort()  # closing waits for somebody to read what is left

    def _wait(self) -> None:
        self._too_late = self.loop.call_later(self.header_seconds, self._give_up)

    def _stop_waiting(self) -> None:
        if self._too_late is not None:
            self._too_late.cancel()
            self._too_late = None

    def _give_up(self) -> None:
        self._too_late = None
        if self.transport.is_closing():
            return
        if self.conn.our_state is h11.IDLE:
            self._refuse(408, "The request came too slowly.")
        else:
            self.transport.close()

    def _refuse(self, status: int, sentence: str) -> None:
        body = json.dumps({"error": sentence}).encode()
        headers = [
            (b"content-type", b"application/json"),
            (b"content-length", str(len(body)).encode()),
            (b"connection", b"close"),
            *HEADERS,
        ]
        answer = h11.Response(status_code=status, headers=headers)
        with suppress(h11.LocalProtocolError):  # an answer was already under way
            parts = [self.conn.send(e) for e in (answer, h11.Data(data=body), h11.EndOfMessage())]
            self.transport.write(b"".join(part or b"" for part in parts))
        self.transport.close()
