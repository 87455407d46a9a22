"""Photograph the workbench for the pages: ``python docs/workbench_pictures.py [STORY ...]``.

``rarefind serve`` is started on files made here, the questions are answered by what is known of
the files, and a browser without a window shows the pages. Needs playwright and Chromium.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np
import pandas as pd
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, sync_playwright

from rarefind.client import Client

IMAGES = Path(__file__).parent / "images"
PATIENCE = 120_000  # milliseconds, for machines that are busy
READY = {
    "label": "#question[data-row]",
    "rank": ".rank-detail[data-row]",
    "map": "canvas",
    "history": "table tbody tr",
    "compare": "table tbody tr",
}
"""What each page shows once it is drawn."""


@dataclass
class Story:
    """Records, who answers, and which pages of the hunt become which pictures."""

    make: Callable[[Path], tuple[Path, list[str]]]
    pictures: dict[str, str]
    answers: int
    target: str = ""
    people: tuple[str, ...] = ("anna",)
    options: tuple[str, ...] = ()
    colours: Literal["light", "dark"] = "light"


def payments(folder: Path) -> tuple[Path, list[str]]:
    rng = np.random.default_rng(7)
    parts = [
        (1500, 40, 0.9, 14, 4, ["grocery", "fuel", "clothes", "travel", "games"], "fine"),
        (9, 495, 0.01, 3, 0.2, ["gift cards"], "gift-card fraud"),
        (12, 120, 0.01, 20, 0.2, ["games"], "refund loop"),
    ]
    tables, truth = [], []
    for n, amount, spread, hour, width, shops, kind in parts:
        cells = {
            "amount": np.exp(rng.normal(np.log(amount), spread, n)).round(2),
            "hour": (rng.normal(hour, width, n) % 24).round(1),
            "shop": rng.choice(shops, n),
            "country": rng.choice(["se", "no", "dk"], n),
            "items": rng.integers(1, 9, n),
        }
        tables.append(pd.DataFrame(cells))
        truth += [kind] * n
    return shuffled(pd.concat(tables), truth, folder / "payments.csv")


def connections(folder: Path) -> tuple[Path, list[str]]:
    rng = np.random.default_rng(1)
    usual = pd.DataFrame(
        {
            "service": rng.choice(["http", "dns", "smtp"], 800),
            "bytes": rng.choice([120, 240, 480, 960], 800),
            "seconds": rng.choice([0, 1, 2], 800),
            "flag": "SF",
        }
    )
    probe = pd.DataFrame({"service": ["ftp"] * 5, "bytes": 0, "seconds": 0, "flag": "S0"})
    entry = pd.DataFrame({"service": ["telnet"] * 4, "bytes": 9000, "seconds": 40, "flag": "SF"})
    truth = ["normal"] * 800 + ["probe"] * 5 + ["break-in"] * 4
    return shuffled(pd.concat([usual, probe, entry]), truth, folder / "connections.csv")


def photographs(folder: Path) -> tuple[Path, list[str]]:
    """Rings on coloured ground, and a few crosses."""
    rng = np.random.default_rng(0)
    place = folder / "pictures"
    place.mkdir()
    truth = []
    for number in range(400):
        ground = rng.normal(0, 9, (96, 128, 3)) + rng.uniform(90, 190, 3)
        picture = Image.fromarray(ground.clip(0, 255).astype(np.uint8))
        draw, (x, y) = ImageDraw.Draw(picture), rng.integers(8, 48, 2).tolist()
        ink = tuple(int(part) for part in rng.integers(20, 90, 3))
        rare = number % 16 == 8
        if rare:
            draw.line([x, y, x + 40, y + 36], fill=ink, width=5)
            draw.line([x + 40, y, x, y + 36], fill=ink, width=5)
        else:
            draw.ellipse([x, y, x + 36, y + 36], outline=ink, width=5)
        picture.save(place / f"part-{number:04}.png")
        truth.append("cross" if rare else "ring")
    return place, truth


def molecules(folder: Path) -> tuple[Path, list[str]]:
    """Amines, alcohols and acids, and a few sulfonamides."""
    rings = ["c1ccccc1", "c1ccncc1", "C1CCCCC1", "c1ccc2ccccc2c1", "C1CCOCC1"]
    ends = ["O", "N", "C(=O)O", "Cl", "OC", "N#C", "C(=O)N(C)C", "N(CC)CC"]
    usual = [end + "C" * size + ring for ring in rings for end in ends for size in range(7)]
    rare = ["NS(=O)(=O)" + "C" * size + ring for ring in rings for size in range(2)]
    table = pd.DataFrame({"smiles": usual + rare})
    truth = ["plain"] * len(usual) + ["sulfonamide"] * len(rare)
    return shuffled(table, truth, folder / "molecules.csv")


def tickets(folder: Path) -> tuple[Path, list[str]]:
    """Questions that support hears every day, and a few about money."""
    rng = np.random.default_rng(4)
    who = ["Since Monday", "After the update", "On my laptop", "In the office", "Again today"]
    what = ["the login page", "the printer", "the search", "my password", "the report", "the app"]
    how = ["is very slow", "shows an error", "does not open", "asks me to sign in twice", "hangs"]
    plea = ["Please reset it.", "Can somebody look?", "It worked last week.", "Thanks!", ""]
    usual = [
        f"{rng.choice(who)} {rng.choice(what)} {rng.choice(how)}. {rng.choice(plea)}".strip()
        for _ in range(600)
    ]
    paid = ["the invoice of March", "my subscription", "the same order", "a cancelled seat"]
    rare = [f"You charged me twice for {each}. Please refund the second amount." for each in paid]
    rare += [f"When do I get the money back for {each}? I asked for a refund." for each in paid]
    table = pd.DataFrame({"ticket": usual + rare})
    truth = ["support"] * len(usual) + ["billing"] * len(rare)
    return shuffled(table, truth, folder / "tickets.csv")


def shuffled(table: pd.DataFrame, truth: list[str], path: Path) -> tuple[Path, list[str]]:
    order = np.random.default_rng(0).permutation(len(table))
    table.iloc[order].to_csv(path, index=False)
    return path, [truth[row] for row in order]


STORIES = {
    "payments": Story(
        payments,
        {"label": "workbench-label", "map": "workbench-map", "rank": "story-fraud-rank"},
        28,
        "gift-card fraud",
    ),
    "dark": Story(payments, {"label": "workbench-dark"}, 12, colours="dark"),
    "connections": Story(
        connections, {"history": "story-security-history"}, 18, people=("anna", "ben", "chris")
    ),
    "pictures": Story(
        photographs,
        {"label": "story-pictures-label", "rank": "workbench-rank"},
        24,
        "cross",
        options=("--embed", "looks"),
    ),
    "molecules": Story(molecules, {"label": "story-chemistry-label"}, 16),
    "tickets": Story(tickets, {"label": "story-texts-label"}, 16),
    "lecture": Story(payments, {"compare": "story-teaching-compare"}, 80, "gift-card fraud"),
}


@contextmanager
def served(path: Path, options: tuple[str, ...]) -> Iterator[tuple[str, str, str]]:
    """Run ``rarefind serve`` on records; gives its address, the link and the token."""
    home = path.parent / "home"
    command = [sys.executable, "-m", "rarefind", "serve", str(path), "--no-browser", "--json"]
    command += ["--port", "0", "--store", str(path.parent / "hunts.db"), "--home", str(home)]
    with subprocess.Popen([*command, *options], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        said = ""
        for line in process.stdout:
            said += line
            if line.rstrip().endswith("}"):
                break
        about = json.loads(said)
        try:
            yield about["address"], about["link"], (home / "token").read_text().strip()
        finally:
            process.terminate()


def answered(address: str, token: str, story: Story, truth: list[str]) -> str:
    """Answer a new hunt by the truth, everybody in turn; returns its id."""
    bench = Client(address, token, story.people[0])
    data = bench.request("GET", "/api/datasets")[0]
    ordinary = max(set(truth), key=truth.count)
    hunt = bench.open_hunt(data["id"], name=data["name"].split(".")[0], background=[ordinary]).id
    seats = [Client(address, token, who).hunt(hunt) for who in story.people]
    for turn in range(story.answers):
        seat = seats[turn % len(seats)]
        question = seat.ask()
        if question is None:
            break
        seat.tell(question, truth[question.row])
    return hunt


def photograph(story: Story, browser: Browser) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path, truth = story.make(Path(folder))
        with served(path, story.options) as (address, link, token):
            hunt = answered(address, token, story, truth)
            page = browser.new_page(
                viewport={"width": 1280, "height": 760}, color_scheme=story.colours
            )
            page.set_default_timeout(PATIENCE)
            page.goto(link)
            page.locator("#annotator").wait_for()
            page.evaluate(
                "name => fetch('/api/me', {method: 'PUT', body: JSON.stringify({annotator: name}),"
                " headers: {'Content-Type': 'application/json'}})",
                story.people[0],
            )
            for part, name in story.pictures.items():
                page.goto(f"{address}/#/hunt/{hunt}/{part}")
                page.reload()
                if part == "rank":
                    page.locator("#target").select_option(story.target)
                    page.locator("#model").select_option("lago")
                    page.get_by_role("button", name="Rank", exact=True).click()
                if part == "compare":
                    page.get_by_label("Class").select_option(story.target)
                    page.get_by_role("button", name="Compare", exact=True).click()
                page.locator(READY[part]).first.wait_for()
                page.wait_for_load_state("networkidle")
                page.wait_for_timeout(1500)  # charts are drawn a moment after the words
                whole = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
                few = whole.quantize(256, dither=Image.Dither.NONE)  # half the size
                few.save(IMAGES / f"{name}.png", optimize=True)
            page.close()


def main() -> None:
    wanted = sys.argv[1:] or list(STORIES)
    with sync_playwright() as play:
        browser = play.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox"]
        )
        for name in wanted:
            photograph(STORIES[name], browser)
        browser.close()


if __name__ == "__main__":
    main()
