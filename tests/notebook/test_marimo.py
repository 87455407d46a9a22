"""The widget in a real marimo, in a real browser.

marimo is no part of the extra ``test``: it is larger than JupyterLab, and it brings a parser of
forms and WebSockets along, with which the workbench's server would be tested as few people run it.
"""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.notebook.served import free_port, served
from tests.waiting import PATIENCE

pytest.importorskip("marimo", reason="marimo is tried where it is installed")

NOTEBOOK = """\
# /// script
# [tool.marimo.display]
# theme = "dark"
# ///
import marimo

app = marimo.App()


@app.cell
def _():
    import marimo as mo
    import numpy as np
    import rarefind as rf

    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 4)), rng.normal(9.0, 0.1, size=(3, 4))])
    pictures = (rng.random((63, 8, 8)) * 255).astype(np.uint8)
    hunt = rf.Hunt(X)
    return hunt, mo, pictures


@app.cell
def _(hunt, mo, pictures):
    widget = mo.ui.anywidget(hunt.widget(pictures))
    widget
    return (widget,)


@app.cell
def _(hunt, mo, widget):
    mo.md(f"{widget.said} times, {sorted(hunt.labels.values())}")
    return
"""


@pytest.fixture
def app(tmp_path):
    """A marimo that shows one notebook; gives its address."""
    (tmp_path / "hunt.py").write_text(NOTEBOOK)
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    options = ["run", "hunt.py", "--headless", f"--port={port}", "--no-token"]
    with served("marimo", *options, folder=tmp_path, health=f"{address}/health"):
        yield address


def test_a_hunt_is_answered_by_keys_and_other_cells_follow(app, chromium):
    page = chromium.new_page(viewport={"width": 1200, "height": 900}, color_scheme="light")
    page.set_default_timeout(PATIENCE * 1000)
    expect.set_options(timeout=PATIENCE * 1000)
    page.goto(app)
    widget = page.locator(".rarefind-hunt")
    title = widget.locator("h3")
    expect(title).to_have_text(re.compile(r"What is row \d+\?"))
    assert widget.locator("img.main").get_attribute("src").startswith("data:image/png;base64,")
    assert widget.get_attribute("data-dark") is not None  # as marimo is, and the system is not
    seen = [title.inner_text()]
    widget.focus()
    page.keyboard.press("n")
    page.keyboard.type("plain")
    for key in ["Enter", *"1111111"]:
        page.keyboard.press(key)
        expect(title).not_to_have_text(seen[-1])
        seen.append(title.inner_text())
    page.keyboard.press("n")
    page.keyboard.type("odd")
    page.keyboard.press("Enter")
    expect(widget.get_by_role("button", name="odd (1)")).to_be_visible()
    page.keyboard.press("2")
    expect(page.locator("body")).to_contain_text(f"10 times, {['odd'] * 2 + ['plain'] * 8}")
    page.keyboard.press("u")
    expect(page.locator("body")).to_contain_text(f"9 times, {['odd'] + ['plain'] * 8}")
    expect(widget.get_by_text("Rare classes seen: 1, labels given: 9")).to_be_visible()
    page.keyboard.press("m")
    expect(widget.locator("circle")).to_have_count(63)
    page.close()
