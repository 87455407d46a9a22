"""Every line of the table of sources leads somewhere."""

from __future__ import annotations

import importlib
import json
import runpy
import shlex
import subprocess
import sys
from itertools import pairwise
from pathlib import Path

import click
import pytest

from rarefind.cli.main import cli
from rarefind.detection import registry as models
from rarefind.detection.formula import parse_model, split_models
from rarefind.discovery import registry as strategies
from rarefind.kernels import parse_kernel
from rarefind.records.columns.named_kind import KINDS

ROOT = Path(__file__).parents[2]
ROWS = json.loads((ROOT / "docs" / "sources.json").read_text(encoding="utf-8"))
KEYS = ("source", "item", "python", "command", "page", "words", "test")


def command_of(words):
    """Find the command that these words call, and what is left of them."""
    found, words = cli, words[1:]
    while isinstance(found, click.Group):
        found = found.get_command(click.Context(found), words[0])
        assert found is not None, words[0]
        words = words[1:]
    return found, words


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["item"])
def test_every_item_has_its_name_command_page_and_words(row):
    assert all(row[key].strip() for key in KEYS)
    module, _, name = row["python"].rpartition(".")
    assert callable(getattr(importlib.import_module(module), name))
    words = shlex.split(row["command"])
    assert words[0] == "rarefind"
    command, rest = command_of(words)
    assert command.help
    known = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in rest if word.startswith("--")} <= known
    options = dict(pairwise(rest))
    for model in [options.get("--model", "auto"), *split_models(options.get("--models", ""))]:
        name, parameters = parse_model(model)
        assert models.get(name)(**parameters) is not None
    assert options.get("--strategy", "auto") in strategies.names()
    assert "--kernel" not in options or parse_kernel(options["--kernel"])
    assert options.get("--kind", "x=id").partition("=")[2] in KINDS
    page = (ROOT / "docs" / row["page"]).read_text(encoding="utf-8")
    assert row["words"].lower() in page.lower()


def test_every_test_is_collected():
    """Ask pytest itself, once for all the files that the lines name."""
    files = sorted({row["test"].partition("::")[0] for row in ROWS})
    asked = [sys.executable, "-m", "pytest", "--collect-only", "-q", "-p", "no:cacheprovider"]
    said = subprocess.run([*asked, *files], cwd=ROOT, capture_output=True, text=True, check=True)
    collected = {line.partition("[")[0] for line in said.stdout.splitlines()}
    assert sorted({row["test"] for row in ROWS} - collected) == []


def test_items_are_told_apart_and_every_source_is_there():
    items = [(row["source"], row["item"]) for row in ROWS]
    assert len(set(items)) == len(items) >= 170
    assert len({row["source"] for row in ROWS}) == 5


def test_the_page_is_made_from_the_file():
    made = runpy.run_path(str(ROOT / "docs" / "sources.py"))["page"]()
    assert (ROOT / "docs" / "sources.md").read_text(encoding="utf-8") == made
