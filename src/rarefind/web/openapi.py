"""Write the OpenAPI document: ``python -m rarefind.web.openapi docs/openapi.json``."""

from __future__ import annotations

import json
import sys
import tempfile
from pathlib import Path

from rarefind.service.facade import Service
from rarefind.store.opening import open_store
from rarefind.web.app import create_app
from rarefind.web.server_settings import ServerSettings


def document() -> str:
    """Return the document as text."""
    with tempfile.TemporaryDirectory() as folder, Service(open_store("memory:")) as service:
        app = create_app(service, ServerSettings(token="", home=Path(folder), port=0))
        return json.dumps(app.openapi(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(document(), encoding="utf-8")
