"""How quick the workbench is in a real browser: from key to question, and the map.

Run as ``python -m benchmarks.workbench`` from the root of the repository, on a machine that does
nothing else. The browser draws without a graphics card.
"""

from __future__ import annotations

import io
import shutil
import statistics
import tempfile
import time
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from playwright.sync_api import Page, sync_playwright

from tests.browser.desk import DIGITS, Desk, answer, asked, digits_hunt, question, saved, show
from tests.waiting import PATIENCE, wait_until
from tests.web.running import Running, state, upload


def main() -> None:
    with sync_playwright() as play, tempfile.TemporaryDirectory() as folder:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        with Running(Path(folder)) as running:
            desk = Desk(browser, running)
            print("key to next question", keys(desk, running))
            for n in (100_000, 1_000_000):
                print(f"map of {n:,} points", drawn(desk, running, n))
        browser.close()


def keys(desk: Desk, running: Running, labels: int = 200) -> str:
    """Answer at the pace of a quick person, and time what the page takes."""
    hunt = digits_hunt(running)
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    took = []
    for _ in range(labels):
        took.append(answer(page, DIGITS[asked(page)]))
        time.sleep(0.15)
    saved(page)
    page.close()
    return f"median {statistics.median(took):.0f} ms, 95 % {np.quantile(took, 0.95):.0f} ms"


def drawn(desk: Desk, running: Running, n: int) -> str:
    dataset = upload(running.api, f"points{n}.parquet", points(n))
    body = {"dataset": dataset["id"], "strategy": "random"}
    hunt = running.api.post("/api/hunts", json=body).json()["id"]
    wait_until(lambda: state(running.api, hunt) == "ready")
    running.api.get(f"/api/hunts/{hunt}/map", timeout=PATIENCE)  # computed once, then kept
    page = desk.sit()
    show(page, running, f"/hunt/{hunt}/label")
    page.locator(".map[data-first-paint]").wait_for()
    first = page.locator(".map").get_attribute("data-first-paint")
    page.locator(".map-over").focus()
    pans = [pan(page, key) for key in ("ArrowLeft", "ArrowUp", "ArrowRight", "ArrowDown") * 3]
    page.close()
    return f"first paint {first} ms, pan median {statistics.median(pans):.0f} ms, most {max(pans)}"


def pan(page: Page, key: str) -> int:
    page.keyboard.press(key)
    page.wait_for_timeout(250)
    return int(page.locator(".map").get_attribute("data-drawn") or 0)


def points(n: int) -> bytes:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n, 2)) * np.where(rng.random((n, 1)) < 0.3, 0.2, 1.0)
    file = io.BytesIO()
    pq.write_table(pa.table({"x": X[:, 0], "y": X[:, 1]}), file)
    return file.getvalue()


if __name__ == "__main__":
    main()
