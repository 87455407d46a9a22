from __future__ import annotations

import subprocess
import sys

import pytest
from click.testing import CliRunner

from rarefind.cli.main import COMMANDS, cli
from rarefind.core.errors import RarefindError


def refusal(*arguments):
    result = CliRunner().invoke(cli, ["serve", "--no-browser", "--port", "0", *arguments])
    assert isinstance(result.exception, RarefindError), result.output
    return str(result.exception)


def test_another_host_needs_a_token_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert "--token-file" in refusal("--host", "0.0.0.0")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--public-url", "example"], "--public-url must be an address"),
        (["missing.csv"], "missing.csv"),
        (["--token-file", "open"], "chmod 600"),
        (["--store", "mysql://x/y"], "postgresql://"),
    ],
)
def test_wrong_use_is_told_in_a_sentence(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "open").write_text("x" * 50)
    (tmp_path / "open").chmod(0o644)
    assert words in refusal(*arguments)


def test_serve_is_among_the_commands_and_its_options_are_explained():
    assert "serve" in COMMANDS
    text = CliRunner().invoke(cli, ["serve", "--help"]).output
    for option in ("--store", "--host", "--port", "--token-file", "--no-browser", "--public-url"):
        assert option in text


def test_without_fastapi_the_extra_is_named(tmp_path):
    code = (
        "import sys; sys.modules['fastapi'] = None\n"
        "from rarefind.cli.main import main\n"
        "sys.argv = ['rarefind', 'serve']\nmain()"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False
    )
    assert done.returncode == 2
    assert "pip install 'rarefind[workbench]'" in done.stderr
