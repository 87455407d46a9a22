"""A name that was made to resolve to this machine does not open the workbench."""

from __future__ import annotations

import pytest

from rarefind.core.errors import ParameterError
from rarefind.web.server_settings import ServerSettings, check_public_url

FORGED = [
    "evil.example",
    "evil.example:8737",
    "127.0.0.1.evil.example",
    "127.0.0.1.evil.example:8737",
    "localhost.evil.example:8737",
    "evil.example#127.0.0.1:8737",
    "127.0.0.1@evil.example",
    "127.0.0.1:8737@evil.example",
    "127.0.0.1:80",
    "127.0.0.1:8738",
    "localhost:8736",
    "[::1]:1",
    "[::1",
    "::1",
    "::1:8737",
    "[::ffff:127.0.0.1]:8737",
    "127.1:8737",
    "2130706433:8737",
    "0x7f000001:8737",
    "0.0.0.0:8737",
    "127.0.0.1:08737",
    "127.0.0.1:8737 ",
    "127.0.0.1:8737, evil.example",
    "localhost.:8737",
    "",
]
RIGHT = ["127.0.0.1:8737", "localhost:8737", "[::1]:8737", "127.0.0.1", "localhost", "[::1]"]


@pytest.mark.parametrize("host", FORGED)
def test_a_forged_host_is_refused_even_with_the_token(inside, host):
    for path in ("/api/me", "/health", "/"):
        answer = inside.api.get(path, headers={"Host": host})
        assert answer.status_code == 403
        assert "error" in answer.json()


def test_there_are_twenty_forged_hosts_and_more():
    assert len(set(FORGED)) >= 20


@pytest.mark.parametrize("host", [*RIGHT, "LocalHost:8737"])
def test_the_six_legitimate_forms_are_accepted(inside, host):
    assert inside.api.get("/api/me", headers={"Host": host}).status_code == 200


def test_two_hosts_or_none_are_refused(inside):
    headers = [("Host", "127.0.0.1:8737"), ("Host", "evil.example")]
    assert inside.client().get("/health", headers=headers).status_code == 403


def test_a_proxy_is_let_in_under_its_public_name_alone(tmp_path):
    settings = ServerSettings("t", tmp_path, 8737, "0.0.0.0", "https://rarefind.example.org")
    hosts = settings.hosts()
    assert "rarefind.example.org" in hosts
    assert "0.0.0.0:8737" not in hosts
    assert settings.secure
    assert settings.address == "https://rarefind.example.org"
    plain = ServerSettings("t", tmp_path, 8737, "192.168.1.5")
    assert "192.168.1.5:8737" in plain.hosts()
    assert not plain.secure
    assert ServerSettings("t", tmp_path, 80, "::1").address == "http://[::1]:80"


@pytest.mark.parametrize(
    "url",
    ["rarefind.example.org", "ftp://x.org", "https://", "https://x.org/path", "https://u@x.org"],
)
def test_a_public_address_that_is_none_is_refused_in_a_sentence(url):
    with pytest.raises(ParameterError, match="--public-url must be an address"):
        check_public_url(url)
