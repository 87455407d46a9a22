from __future__ import annotations

from importlib.metadata import EntryPoint

import pytest

from rarefind.core import names
from rarefind.core.errors import UnknownNameError
from rarefind.core.names import Registry, unknown_name


def test_a_registry_imports_what_a_name_stands_for():
    registry = Registry("thing", "rarefind.things", {"path": "pathlib:Path"})
    from pathlib import Path

    assert registry.get("path") is Path
    assert registry.names() == ["path"]


def test_installed_packages_come_through_the_same_door(monkeypatch):
    plugin = EntryPoint("theirs", "collections:Counter", "rarefind.things")
    monkeypatch.setattr(names, "entry_points", lambda group: [plugin])
    registry = Registry("thing", "rarefind.things", {"path": "pathlib:Path"})
    from collections import Counter

    assert registry.names() == ["path", "theirs"]
    assert registry.get("theirs") is Counter


def test_an_unknown_name_lists_the_nearest_and_all():
    registry = Registry("thing", "rarefind.things", {"path": "pathlib:Path"})
    with pytest.raises(UnknownNameError) as problem:
        registry.get("pth")
    expected = "There is no thing 'pth'. Did you mean 'path'? Available: path."
    assert str(problem.value) == expected
    assert isinstance(problem.value, LookupError)


def test_long_lists_are_cut_and_empty_ones_said():
    assert "and 70 more" in str(unknown_name("row", "x", range(100)))
    assert "Available: none." in str(unknown_name("row", "x", []))
