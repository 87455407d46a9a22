from __future__ import annotations

import re
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
PAGES = [
    "tutorial",
    "harvest",
    "guarantee",
    "features",
    "notebook",
    "write-your-own-strategy",
    "write-your-own-model",
    "pca-and-lda",
    "records",
    "store",
    "pictures-and-embeddings",
    *(
        f"story-{who}"
        for who in ("fraud", "security", "science", "chemistry", "texts", "teaching", "pictures")
    ),
]


def blocks(page, language):
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("name", PAGES)
def test_the_python_of_a_page_runs_as_printed(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    # A module of its own, as a notebook is, so that classes of the page can be found again.
    page = ModuleType("page")
    monkeypatch.setitem(sys.modules, "page", page)
    names = vars(page)
    names.update(X=rng.normal(size=(40, 2)), y=np.repeat(["a", "b"], 20))
    found = blocks(DOCS / f"{name}.md", "python")
    assert found
    for block in found:
        exec(compile(block, f"{name}.md", "exec"), names)


def test_every_page_with_python_is_tried():
    with_python = {page.stem for page in DOCS.glob("*.md") if blocks(page, "python")}
    elsewhere = {"write-your-own-kernel", "kernels"}
    assert with_python - elsewhere == set(PAGES)


def test_every_page_is_in_the_table_of_contents():
    contents = (DOCS / "index.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"^([a-z][a-z/-]+)$", contents, re.MULTILINE))
    pages = {page.stem for page in DOCS.glob("*.md")} - {"index"}
    assert pages <= listed
    assert {name for name in listed if "/" not in name} <= pages


def test_links_between_pages_lead_somewhere():
    broken = []
    for page in [*DOCS.glob("*.md"), *ROOT.glob("*.md")]:
        for target in re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8")):
            elsewhere = target.startswith(("http", "mailto"))
            built = target.startswith("examples/")  # made when the pages are built
            if not (elsewhere or built or (page.parent / target).exists()):
                broken.append((page.name, target))
    assert broken == []


def test_the_reference_lists_every_public_name(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import reference

    reference.write(tmp_path)
    for package in reference.PACKAGES:
        names = reference.public_names(package)
        page = tmp_path / f"{package}.md"
        text = page.read_text(encoding="utf-8") if names else ""
        for name in names:
            thing = getattr(sys.modules[package], name)
            assert isinstance(thing, ModuleType) or f"{package}.{name}\n" in text


def test_the_tables_on_robustness_are_those_that_were_measured(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import pictures

    from rarefind_bench.discovery.labels_needed import number

    def cell(outcome):
        limit = pictures.BUDGET
        ends = min(outcome.labels), max(outcome.labels)
        spread = " \u2013 ".join(number(end, limit) for end in ends)
        return f"{number(outcome.median, limit)} ({spread})"

    outcomes = [pictures.robustness_outcomes(name) for name in pictures.ROBUSTNESS]
    measured = {of[0].case.name: [cell(one) for one in of] for of in zip(*outcomes, strict=True)}
    text = (DOCS / "robustness.md").read_text(encoding="utf-8")
    rows = [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith("| ")]
    printed = [(row[0], row[1:]) for row in rows if row[0] != "case"]
    assert {name for name, _ in printed} == set(measured)
    for name, cells in printed:
        assert cells == measured[name], name


def test_the_table_of_what_was_told_is_the_one_that_was_measured(monkeypatch):
    monkeypatch.syspath_prepend(str(DOCS))
    import pictures

    from rarefind_bench.detection.few_labels import told_grid
    from rarefind_bench.detection.told_and_true import difference_grid
    from rarefind_bench.markdown_page import markdown_table

    told = pictures.figures_told()
    text = (DOCS / "detection-results.md").read_text(encoding="utf-8")
    for grid in (told_grid(told), difference_grid(told)):
        assert markdown_table(grid.header, grid.rows) in text


def test_examples_name_their_figures_and_follow_the_pattern():
    scripts = [*(DOCS / "gallery").rglob("*.py")]
    assert len(scripts) >= 12
    for script in scripts:
        assert script.name.startswith("plot_")
        assert script.read_text(encoding="utf-8").startswith('"""\n')
