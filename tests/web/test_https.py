"""The server speaks https with a certificate of yours, and says so in links and cookies."""

from __future__ import annotations

import ssl
from pathlib import Path

import httpx
import pytest

from rarefind.core.errors import ParameterError
from rarefind.web.server_settings import ServerSettings, check_certificate
from tests.waiting import PATIENCE
from tests.web.running import Threaded

KEPT = Path(__file__).parent / "for_tests_only"
CERTIFICATE, KEY = KEPT / "certificate.pem", KEPT / "key.pem"


def test_the_workbench_over_https(tmp_path):
    with Threaded(tmp_path, certificate=CERTIFICATE, key=KEY) as server:
        assert server.address == f"https://127.0.0.1:{server.port}"
        trusting = ssl.create_default_context(cafile=CERTIFICATE)
        client = httpx.Client(base_url=server.address, verify=trusting, timeout=PATIENCE)
        with client:
            assert client.get("/health").json()["status"] == "ok"
            link = client.get("/", params={"token": server.server.doorkeeper.launch()})
            assert link.status_code == 303
            assert "Secure" in link.headers["set-cookie"]
            for scheme, status in (("https", 200), ("http", 403)):
                origin = f"{scheme}://127.0.0.1:{server.port}"
                renamed = client.put(
                    "/api/me", json={"annotator": "ann"}, headers={"Origin": origin}
                )
                assert renamed.status_code == status, renamed.text
        with pytest.raises(httpx.TransportError):
            httpx.get(f"http://127.0.0.1:{server.port}/health", timeout=PATIENCE)


def test_files_that_are_no_certificate_are_refused(tmp_path):
    check_certificate(None, None)
    check_certificate(CERTIFICATE, KEY)
    with pytest.raises(ParameterError, match="belong together: name both"):
        check_certificate(CERTIFICATE, None)
    with pytest.raises(ParameterError, match="There is no file"):
        check_certificate(CERTIFICATE, tmp_path / "none.pem")
    with pytest.raises(ParameterError, match="no certificate and its key"):
        check_certificate(KEY, CERTIFICATE)


def test_origins_are_those_people_type():
    behind = ServerSettings("t" * 43, Path("home"), 8737, public_url="https://rare.example/")
    assert "https://rare.example" in behind.origins()
    assert "http://rare.example" not in behind.origins()
    assert "http://127.0.0.1:8737" in behind.origins()
    assert behind.secure
    assert not ServerSettings("t" * 43, Path("home"), 8737).secure
