"""The widget in a real JupyterLab, in a real browser."""

from __future__ import annotations

import json
import re

import pytest
from playwright.sync_api import expect

from tests.notebook.served import free_port, served
from tests.waiting import PATIENCE, wait_until

CELLS = [
    """\
import numpy as np, rarefind as rf
rng = np.random.default_rng(0)
X = np.vstack([rng.normal(size=(60, 4)), rng.normal(9.0, 0.1, size=(3, 4))])
pictures = (rng.random((63, 8, 8)) * 255).astype(np.uint8)
hunt = rf.Hunt(X)
hunt.widget(pictures)""",
    "print('told', sorted(hunt.labels.values()), 'of', hunt.n_records)",
]
TOKEN = "a-token-of-the-test"


def notebook():
    cells = [
        {"cell_type": "code", "id": f"cell-{number}", "metadata": {}, "outputs": [],
         "execution_count": None, "source": source}
        for number, source in enumerate(CELLS)
    ]  # fmt: skip
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return {"cells": cells, "metadata": {"kernelspec": kernel}, "nbformat": 4, "nbformat_minor": 5}


@pytest.fixture
def lab(tmp_path):
    """A JupyterLab with one notebook; gives its address."""
    (tmp_path / "hunt.ipynb").write_text(json.dumps(notebook()))
    port = free_port()
    kept = ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR")
    home = {name: str(tmp_path / name) for name in kept}
    options = [
        "--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0",
        f"--IdentityProvider.token={TOKEN}", f"--ServerApp.root_dir={tmp_path}",
        "--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]  # fmt: skip
    address = f"http://127.0.0.1:{port}"
    health = f"{address}/api?token={TOKEN}"
    with served("jupyterlab", *options, folder=tmp_path, health=health, **home):
        yield f"{address}/lab/tree/hunt.ipynb?token={TOKEN}&reset"


def test_a_hunt_is_answered_by_keys_inside_jupyterlab(lab, chromium):
    # The system is dark, JupyterLab is not.
    page = chromium.new_page(viewport={"width": 1200, "height": 900}, color_scheme="dark")
    page.set_default_timeout(PATIENCE * 1000)
    expect.set_options(timeout=PATIENCE * 1000)
    page.goto(lab)
    cell = page.locator(".jp-CodeCell").first
    cell.locator(".cm-content").click()
    page.wait_for_selector(".jp-Notebook-ExecutionIndicator[data-status=idle]")
    prompt = cell.locator(".jp-InputPrompt").first

    def begun():
        """Press again if the notebook was not listening yet: a cell that runs has a mark."""
        page.keyboard.press("Control+Enter")
        page.wait_for_timeout(1000)
        return "".join(prompt.inner_text().split()) != "[]:"

    wait_until(begun)
    widget = page.locator(".rarefind-hunt")
    title = widget.locator("h3")
    expect(title).to_have_text(re.compile(r"What is row \d+\?"))
    assert widget.locator("img.main").get_attribute("src").startswith("data:image/png;base64,")
    assert widget.get_attribute("data-dark") is None
    first = title.inner_text()
    widget.focus()
    page.keyboard.press("n")
    page.keyboard.type("plain")
    page.keyboard.press("Enter")
    expect(title).not_to_have_text(first)
    second = title.inner_text()
    page.keyboard.press("1")
    expect(title).not_to_have_text(second)
    expect(widget.get_by_role("button", name="plain (2)")).to_be_visible()
    page.keyboard.press("u")
    expect(title).to_have_text(second)
    page.keyboard.press("s")
    page.keyboard.press("m")
    expect(widget.locator("circle")).to_have_count(63)
    page.locator(".jp-CodeCell").nth(1).locator(".cm-content").click()
    page.keyboard.press("Control+Enter")
    expect(page.locator(".jp-CodeCell").nth(1).locator(".jp-OutputArea")).to_contain_text(
        "told ['plain'] of 63"
    )
    page.close()
