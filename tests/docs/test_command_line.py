from __future__ import annotations

from importlib import import_module
from pathlib import Path

import click
import pytest

from rarefind.cli.main import COMMANDS

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_every_command_and_option_is_told_in_the_docs(name):
    text = PAGE.read_text(encoding="utf-8")
    module, _, attribute = COMMANDS[name][0].partition(":")
    command = getattr(import_module(module), attribute)
    parts = command.commands.values() if isinstance(command, click.Group) else [command]
    assert f"rarefind {name}" in text or f"`{name} " in text
    for part in parts:
        for parameter in part.params:
            for option in parameter.opts:
                assert option in text or not option.startswith("--"), f"{name} {option}"


def test_every_command_takes_json():
    for where, _ in COMMANDS.values():
        module, _, attribute = where.partition(":")
        command = getattr(import_module(module), attribute)
        parts = command.commands.values() if isinstance(command, click.Group) else [command]
        for part in parts:
            assert any("--json" in parameter.opts for parameter in part.params), where
