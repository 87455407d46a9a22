from __future__ import annotations

import pytest

from rarefind.core.errors import ParameterError
from rarefind.web.guard.tokens import Doorkeeper, read_token


def test_a_token_file_is_made_for_its_owner_alone_and_read_again(tmp_path):
    path = tmp_path / "token"
    token = read_token(path)
    assert len(token) >= 43  # 256 bits
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_token(path) == token
    assert read_token(tmp_path / "other") != token


def test_a_token_file_that_others_can_read_is_refused(tmp_path):
    path = tmp_path / "token"
    read_token(path)
    path.chmod(0o640)
    with pytest.raises(ParameterError, match=r"can be read by others.*chmod 600"):
        read_token(path)


@pytest.mark.parametrize("text", ["", "short", "two words " * 10, "é" * 50])
def test_a_token_that_can_be_guessed_is_refused(tmp_path, text):
    path = tmp_path / "token"
    path.touch(mode=0o600)
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ParameterError, match="Remove"):
        read_token(path)


def test_a_token_file_in_no_folder_is_refused(tmp_path):
    with pytest.raises(ParameterError, match="cannot be made"):
        read_token(tmp_path / "nowhere" / "token")


def test_a_launch_token_is_used_up_and_a_cookie_outlives_the_server():
    keys = Doorkeeper("a" * 43)
    launch = keys.launch()
    assert not keys.is_token(launch)
    assert keys.admits(launch)
    assert not keys.admits(launch)
    assert not keys.admits("")
    cookie = keys.cookie()
    assert cookie != keys.cookie()
    assert Doorkeeper("a" * 43).knows(cookie)
    assert not Doorkeeper("b" * 43).knows(cookie)


def test_launch_tokens_have_256_bits_and_never_repeat():
    keys = Doorkeeper("a" * 43)
    made = {keys.launch() for _ in range(100)}
    assert len(made) == 100
    assert min(map(len, made)) >= 43
