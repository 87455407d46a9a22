"""The tree tells the story: small rooms, short files, names that do not repeat their folder."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import rarefind

ROOT = Path(rarefind.__file__).parent
PAGE = Path(__file__).parents[1] / "ARCHITECTURE.md"
FOLDERS = sorted(
    folder
    for folder in [ROOT, *ROOT.rglob("*")]
    if folder.is_dir() and any(folder.glob("*.py")) and "__pycache__" not in folder.parts
)
MODULES = sorted(path for folder in FOLDERS for path in folder.glob("*.py"))


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_folder_has_at_most_fifteen_files_of_its_own(folder):
    files = [path for path in folder.iterdir() if path.is_file()]
    assert len(files) <= 15


def test_no_file_is_over_three_hundred_lines():
    long = {
        str(path.relative_to(ROOT)): lines
        for path in MODULES
        if (lines := len(path.read_text().splitlines())) > 300
    }
    assert not long


def test_no_file_repeats_the_name_of_its_folder():
    def words(name: str) -> set[str]:
        return {word.removesuffix("s") for word in name.split("_")}

    repeated = [
        str(path.relative_to(ROOT))
        for path in MODULES
        if path.parent != ROOT
        and path.stem != "__init__"
        and words(path.parent.name) <= words(path.stem)
    ]
    assert not repeated


def test_every_folder_says_what_it_is_about_in_one_sentence():
    for folder in FOLDERS:
        first = (folder / "__init__.py").read_text().splitlines()[0]
        assert re.fullmatch(r'"""[A-Z].*[.?]("""|)', first), folder


def test_the_tree_on_the_page_is_the_tree_there_is():
    tree = PAGE.read_text().partition("## The tree in one look")[2].split("```")[1]
    for folder in FOLDERS[1:]:
        parts = folder.relative_to(ROOT).parts
        if parts[-1] != "versions":
            assert re.search(rf"\b{parts[-1]}\b", tree), folder
    for named in re.findall(r"^  (\w+)/", tree, flags=re.M):
        assert (ROOT / named).is_dir(), named
