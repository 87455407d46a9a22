"""A real HTTP server that speaks as much of OpenML's interface as scikit-learn's loader asks."""

from __future__ import annotations

import gzip
import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from tests.waiting import PATIENCE


def arff(columns):
    """Columns by name, numbers or words, as text in OpenML's format; the last is the class."""
    lines = ["@RELATION made-up"]
    for name, cells in columns.items():
        if cells.dtype.kind == "O":
            kinds = ",".join(f"'{word}'" for word in sorted(set(cells)))
            lines.append(f"@ATTRIBUTE {name} {{{kinds}}}")
        else:
            lines.append(f"@ATTRIBUTE {name} NUMERIC")
    lines.append("@DATA")
    written = [
        [f"'{cell}'" if isinstance(cell, str) else repr(float(cell)) for cell in cells]
        for cells in columns.values()
    ]
    lines += [",".join(row) for row in zip(*written, strict=True)]
    return "\n".join(lines) + "\n"


def number_in(path):
    """Find the number of a data set, wherever it stands in a path."""
    return next(int(part) for part in path.split("/") if part.isdigit())


class OpenML:
    """Data sets by number; ``cut`` breaks downloads off, ``stall`` lets them stop half way."""

    def __init__(self):
        self.sets = {}
        self.files = {}
        self.cut = self.stall = False
        self.wrong_digest = False
        self.downloads = 0
        self.together = None  # a barrier at which downloads wait for each other
        self.stalling, self.closing = threading.Event(), threading.Event()
        self.broke_off = False  # whether a download that stopped was ended by this server
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def offer(self, number, columns):
        self.sets[number] = columns, gzip.compress(arff(columns).encode(), 1)

    def constants(self, loader):
        """What scikit-learn's loader must be told to come here, one way or the other."""
        if hasattr(loader, "_OPENML_PREFIX"):  # before 1.7 its other addresses begin behind this
            return {"_OPENML_PREFIX": f"{self.address}/"}
        api = f"{self.address}/api/v1/json/data"
        return {
            "_DATA_INFO": f"{api}/{{}}",
            "_DATA_FEATURES": f"{api}/features/{{}}",
            "_DATA_QUALITIES": f"{api}/qualities/{{}}",
        }

    def answer(self, path):
        number = number_in(path)
        columns, packed = self.sets[number]
        names = list(columns)
        if "features" in path:
            told = [
                {
                    "index": str(place),
                    "name": name,
                    "data_type": "nominal" if columns[name].dtype.kind == "O" else "numeric",
                    "is_target": str(name == names[-1]).lower(),
                    "is_ignore": "false",
                    "is_row_identifier": "false",
                    "number_of_missing_values": "0",
                }
                for place, name in enumerate(names)
            ]
            return json.dumps({"data_features": {"feature": told}}).encode()
        if "qualities" in path:
            rows = str(len(columns[names[-1]]))
            told = [{"name": "NumberOfInstances", "value": rows}]
            return json.dumps({"data_qualities": {"quality": told}}).encode()
        digest = hashlib.md5(gzip.decompress(packed)).hexdigest()
        description = {
            "id": str(number),
            "file_id": str(number),
            "name": "made-up",
            "version": "1",
            "format": "ARFF",
            "status": "active",
            "description": "made up",
            "url": f"{self.address}/data/v1/download/{number}/made-up.arff",
            "md5_checksum": "0" * 32 if self.wrong_digest else digest,
        }
        return json.dumps({"data_set_description": description}).encode()

    def _handler(openml):  # noqa: N805
        class Handler(BaseHTTPRequestHandler):
            def do_HEAD(self):
                self.send_response(200)
                self.end_headers()

            def do_GET(self):
                if self.path in openml.files:
                    return self._send(openml.files[self.path])
                if "download" not in self.path:
                    return self._send(openml.answer(self.path))
                openml.downloads += 1
                if openml.together:
                    openml.together.wait(PATIENCE)
                packed = openml.sets[number_in(self.path)][1]
                headers = {"Content-Encoding": "gzip", "Content-Length": str(len(packed))}
                if openml.cut or openml.stall:
                    self._send(packed[: len(packed) // 2], headers)
                    self.wfile.flush()
                    openml.stalling.set()
                    if openml.stall:
                        openml.broke_off = not openml.closing.wait(PATIENCE)
                    self.close_connection = True
                    return None
                return self._send(packed, headers)

            def _send(self, content, headers=None):
                self.send_response(200)
                for name, value in (headers or {"Content-Length": str(len(content))}).items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(content)

            def log_message(self, *_):
                pass

        return Handler
