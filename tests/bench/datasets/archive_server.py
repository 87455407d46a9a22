"""A real HTTP server with one file, which can break off and go on from any byte."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class OneFile:
    """Serves ``content``; ``stop_after`` bytes a download breaks off, if it is not None."""

    def __init__(self, content, *, ranges=True):
        self.content, self.ranges = content, ranges
        self.stop_after = None
        self.asked = []  # from which byte on each download was asked for
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}/pages.gtar.gz"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(served):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self):
                self.send_response(200)
                self.end_headers()

            def do_GET(self):
                wanted = self.headers.get("Range", "bytes=0-")
                start = int(wanted.removeprefix("bytes=").rstrip("-")) if served.ranges else 0
                served.asked.append(start)
                if start >= len(served.content):
                    self.send_response(416)
                    self.end_headers()
                    return
                rest = served.content[start:]
                self.send_response(206 if start else 200)
                self.send_header("Content-Length", str(len(rest)))
                self.end_headers()
                self.wfile.write(rest[: served.stop_after])
                self.close_connection = True

            def log_message(self, *_):
                pass

        return Handler
