"""Every line of the table of sources leads somewhere."""

from __future__ import annotations

import importlib
import json
import runpy
import shlex
from itertools import pairwise
from pathlib import Path

import pytest

from rarefind.detection import registry as models
from rarefind.discovery import registry as strategies
from rarefind.kernels import parse_kernel

ROOT = Path(__file__).parents[2]
ROWS = json.loads((ROOT / "docs" / "sources.json").read_text())


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["item"])
def test_every_item_has_its_name_command_page_and_test(row):
    assert all(row[key].strip() for key in ("source", "item", "python", "command", "page", "test"))
    module, _, name = row["python"].rpartition(".")
    assert callable(getattr(importlib.import_module(module), name))
    words = shlex.split(row["command"])
    options = dict(pairwise(words))
    assert words[0] == "rarefind"
    assert options.get("--model", "auto") in models.names()
    assert options.get("--strategy", "auto") in strategies.names()
    assert "--kernel" not in options or parse_kernel(options["--kernel"])
    assert (ROOT / "docs" / row["page"]).exists()
    file, _, test = row["test"].partition("::")
    assert f"def {test}(" in (ROOT / file).read_text()


def test_the_page_is_made_from_the_file():
    made = runpy.run_path(str(ROOT / "docs" / "sources.py"))["page"]()
    assert (ROOT / "docs" / "sources.md").read_text() == made
