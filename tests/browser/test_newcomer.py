"""Somebody who has never seen it, with a wide table, at a laptop and with a finger on a phone."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.browser.desk import asked, question, saved

COLUMNS, ROWS = 41, 400
SCREENS = {
    "laptop": {"viewport": {"width": 1440, "height": 900}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}


def wide_table(path: Path) -> list[str]:
    """Write connections with two rare kinds; returns what each of them is."""
    rng = np.random.default_rng(4)
    names = ["seconds", "service", *(f"dst_host_rate_of_kind_{i}" for i in range(COLUMNS - 2))]
    lines, truth = [",".join(names)], []
    for row in range(ROWS):
        kind = {0: "scan", 1: "theft"}.get(row % 25, "normal")
        numbers = rng.gamma(2.0, size=COLUMNS - 2)
        numbers[:6] += {"scan": 9.0, "theft": 0.0, "normal": 0.0}[kind]
        numbers[6:12] += {"scan": 0.0, "theft": 12.0, "normal": 0.0}[kind]
        service = {"scan": "eco", "theft": "ftp"}.get(kind, ("http", "smtp", "dns")[row % 3])
        lines.append(",".join([str(row % 7), service, *(f"{each:.2f}" for each in numbers)]))
        truth.append(kind)
    path.write_text("\n".join(lines))
    return truth


def begin(page: Page, path: Path) -> None:
    """Bring the file along and start."""
    page.locator("#new-hunt").click()
    page.set_input_files("input[type=file]", path)
    start = page.get_by_role("button", name="Start the hunt")
    expect(start).to_be_in_viewport(ratio=0.99)  # whatever the number of columns
    start.click()
    question(page).wait_for()


def label(page: Page, truth: list[str], count: int, press: Callable[[str], None]) -> None:
    """Answer questions by what the classes' buttons say, naming those that are new."""
    for _ in range(count):
        row = asked(page)
        name = truth[row]
        if page.locator(f".answer[data-name='{name}']").count():
            press(name)
        else:
            page.get_by_role("button", name="New class").click()
            page.locator("#class-name").fill(name)
            page.keyboard.press("Enter")
        page.locator(f"#question[data-row]:not([data-row='{row}'])").wait_for()
    saved(page)


def rename(page: Page, old: str, new: str) -> None:
    page.get_by_role("button", name=f"Change the class {old}").click()
    page.get_by_label("Name", exact=True).fill(new)
    page.get_by_role("button", name="Rename").click()
    expect(page.locator(f".answer[data-name='{new}']")).to_be_visible()
    saved(page)


def lasso(page: Page, draw: Callable[[list[tuple[float, float]]], None], name: str) -> int:
    """Draw a line around a part of the map and call all of it something; returns how many."""
    page.get_by_role("link", name="Map", exact=True).click()
    page.locator(".map[data-first-paint]").wait_for()
    page.get_by_role("button", name="Lasso").click()
    box = page.locator(".map-over").bounding_box()
    assert box is not None
    corners = [(0.55, 0.05), (0.98, 0.05), (0.98, 0.95), (0.55, 0.95), (0.55, 0.05)]
    draw([(box["x"] + box["width"] * x, box["y"] + box["height"] * y) for x, y in corners])
    page.get_by_label("All chosen are").fill(name)
    act = page.locator("#label-many")
    expect(act).to_be_in_viewport(ratio=0.99)  # where one looks after drawing
    number = int(act.inner_text().split()[1])
    act.click()
    expect(page.locator(".note").last).to_contain_text(f"{name} now.")
    saved(page)
    return number


def confirm(page: Page, truth: list[str], target: str, count: int) -> None:
    """Rank for a class and say of the first records whether they are of it."""
    page.get_by_role("link", name="Rank", exact=True).click()
    page.get_by_label("Class").select_option(target)
    page.get_by_role("button", name="Rank", exact=True).click()
    detail = page.locator(".rank-detail[data-row]")
    detail.wait_for()
    for _ in range(count):
        row = int(detail.get_attribute("data-row") or -1)
        yes = page.get_by_role("button", name=f"Yes, {target}")
        no = page.get_by_role("button", name=re.compile(r"\bNo: "))  # and what that stores
        for each in (yes, no):
            expect(each).to_be_in_viewport(ratio=0.99)
        (yes if truth[row] == target else no).click()
        other = page.locator(".rank-detail .answer[data-name='normal']")
        page.locator(f".rank-detail:not([data-row='{row}'])").or_(other).first.wait_for()
        if other.count() and other.is_visible():
            other.click()
        page.locator(f".rank-detail:not([data-row='{row}'])").wait_for()
    saved(page)


def take_home(page: Page, folder: Path) -> list[dict[str, Any]]:
    page.get_by_role("link", name="Settings", exact=True).click()
    with page.expect_download() as coming:
        page.get_by_role("link", name="Records with their labels, CSV").click()
    path = folder / coming.value.suggested_filename
    coming.value.save_as(path)
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def by_finger(page: Page) -> Callable[[list[tuple[float, float]]], None]:
    """Draw as a finger does."""
    session = page.context.new_cdp_session(page)

    def touch(kind: str, points: list[dict[str, float]]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    def draw(places: list[tuple[float, float]]) -> None:
        touch("touchStart", [{"x": places[0][0], "y": places[0][1]}])
        for x, y in places[1:]:
            touch("touchMove", [{"x": x, "y": y}])
        touch("touchEnd", [])

    return draw


def by_mouse(page: Page) -> Callable[[list[tuple[float, float]]], None]:
    """Draw as a mouse does."""

    def draw(places: list[tuple[float, float]]) -> None:
        page.mouse.move(*places[0])
        page.mouse.down()
        for place in places[1:]:
            page.mouse.move(*place, steps=4)
        page.mouse.up()

    return draw


@pytest.mark.parametrize("screen", SCREENS)
def test_no_dead_end_from_the_file_to_the_labels_taken_home(desk, tmp_path, screen):
    truth = wide_table(tmp_path / f"{screen}.csv")
    page = desk.sit(screen, accept_downloads=True, **SCREENS[screen])
    begin(page, tmp_path / f"{screen}.csv")

    def by_key(name: str) -> None:
        key = page.locator(f".answer[data-name='{name}'] kbd").text_content()
        page.keyboard.press(key or "")

    def by_tap(name: str) -> None:
        page.locator(f".answer[data-name='{name}']").tap()

    label(page, truth, 40, by_tap if screen == "phone" else by_key)
    rename(page, "theft", "stolen data")
    many = lasso(page, by_finger(page) if screen == "phone" else by_mouse(page), "seen at once")
    assert many > 0
    confirm(page, truth, "scan", 10)
    rows = take_home(page, tmp_path)
    told = [row["label"] for row in rows if row["label"]]
    assert len(rows) == ROWS
    assert {"normal", "scan", "stolen data", "seen at once"} <= set(told)
    assert told.count("seen at once") <= many  # some of them were looked at again since
    assert len(told) >= 40 + many
