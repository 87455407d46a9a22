from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

import rarefind.kernels as kernels
from rarefind.kernels import registry

DOCS = Path(__file__).parents[2] / "docs"
BLOCKS = re.compile(r"^```(python|pycon)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def test_the_page_on_writing_a_kernel_runs_as_printed():
    page = DOCS / "write-your-own-kernel.md"
    blocks = BLOCKS.findall(page.read_text(encoding="utf-8"))
    assert [kind for kind, _ in blocks].count("pycon") >= 5
    names: dict[str, object] = {"__name__": "page"}
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for number, (kind, code) in enumerate(blocks):
        if kind == "python":
            exec(compile(code, str(page), "exec"), names)
            continue
        example = doctest.DocTestParser().get_doctest(code, names, f"block {number}", str(page), 0)
        said: list[str] = []
        runner.run(example, out=said.append, clear_globs=False)
        assert runner.failures == 0, "".join(said)
        names.update(example.globs)


@pytest.fixture(scope="module")
def rows():
    text = (DOCS / "kernels.md").read_text(encoding="utf-8")
    return dict(re.findall(r"^\| `([a-z-]+)` \| `(\w+)` \|", text, re.MULTILINE))


def test_the_table_lists_every_kernel_by_its_name_and_class(rows):
    named = {name: path.partition(":")[2] for name, path in registry.paths().items()}
    assert rows == named


def test_the_page_mentions_every_public_name():
    text = (DOCS / "kernels.md").read_text(encoding="utf-8")
    text += (DOCS / "write-your-own-kernel.md").read_text(encoding="utf-8")
    missing = [name for name in kernels.__all__ if not re.search(rf"\b{name}\b", text)]
    assert missing == []
