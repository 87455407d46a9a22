from __future__ import annotations

from pathlib import Path

import click
import pytest

from rarefind.cli.main import COMMANDS, cli

PAGE = Path(__file__).parents[2] / "docs" / "command-line.md"


def command_of(name):
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    return command


@pytest.mark.parametrize("name", [name for name in (*COMMANDS, "bench") if name != "serve"])
def test_every_command_and_option_is_told_in_the_docs(name):
    text = PAGE.read_text(encoding="utf-8")
    command = command_of(name)
    parts = command.commands.values() if isinstance(command, click.Group) else [command]
    assert f"rarefind {name}" in text or f"`{name} " in text
    for part in parts:
        for parameter in part.params:
            for option in parameter.opts:
                assert option in text or not option.startswith("--"), f"{name} {option}"


def test_every_command_takes_json():
    for name in (*COMMANDS, "bench"):
        command = command_of(name)
        parts = command.commands.values() if isinstance(command, click.Group) else [command]
        for part in parts:
            assert any("--json" in parameter.opts for parameter in part.params), name
