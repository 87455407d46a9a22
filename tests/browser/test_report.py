from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.desk import DIGITS, digits_hunt, show
from tests.web.running import label


@pytest.fixture(scope="module")
def demo(tmp_path_factory):
    folder = tmp_path_factory.mktemp("demo")
    command = [sys.executable, "-m", "rarefind", "demo", "--report", "report.html", "--json"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout), folder / "report.html"


def test_the_report_needs_nothing_but_itself_and_shows_everything(demo, chromium):
    answer, path = demo
    page = chromium.new_page()
    problems, requests = [], []
    page.on("console", lambda message: problems.append(message.text))
    page.on("pageerror", lambda error: problems.append(str(error)))
    page.on("request", lambda request: requests.append(request.url))
    page.goto(path.as_uri())
    assert page.locator("h1").inner_text() == "What rarefind found"
    charts = page.locator("figure svg")
    assert charts.count() == 5
    for number in range(5):
        box = charts.nth(number).bounding_box()
        assert box["width"] > 200
        assert box["height"] > 150
        assert charts.nth(number).get_attribute("aria-label")
    pictures = page.locator(".pictures img")
    assert pictures.count() == 24
    assert pictures.first.evaluate("image => image.naturalWidth") == 8
    assert page.locator(".pictures .hit").count() >= 1
    found, looked = (page.locator("table").nth(number).locator("tbody tr") for number in range(2))
    assert found.count() == len(answer["digits"]["found"])
    assert looked.count() == len(answer["looked_at"])
    assert problems == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_the_page_is_plain_html_without_script_or_foreign_address(demo):
    html = demo[1].read_text()
    assert "<script" not in html
    addresses = set(re.findall(r"(?:src|href)=\"(\w+):", html))
    assert addresses <= {"data"}


def test_a_hunt_is_saved_as_one_page_from_the_workbench_and_opens_without_network(desk, tmp_path):
    running = desk.running
    hunt = digits_hunt(running)
    nasty = "<img src=x onerror=alert(1)> $a_1$"
    for row in range(12):
        name = nasty if row == 5 else DIGITS[row]
        answer = running.api.post(f"/api/hunts/{hunt}/labels", json=label(row, name))
        assert answer.status_code == 200, answer.text
    page = desk.sit("anna")
    show(page, running, f"/hunt/{hunt}/label")
    with page.expect_download() as saving:
        page.get_by_role("link", name="All of it as one page").click()
    path = tmp_path / saving.value.suggested_filename
    saving.value.save_as(path)
    assert re.fullmatch(r"digits-\d+-report-20\d\d-\d\d-\d\d\.html", path.name)

    away = desk.open(desk.contexts[0])
    requests = []
    away.on("request", lambda request: requests.append(request.url))
    away.goto(path.as_uri())
    assert away.locator("h1").inner_text().startswith("What was found in digits")
    assert nasty in away.locator("tbody").first.inner_text()
    assert away.locator("img, script, iframe").count() == 0
    chart = away.locator("figure svg")
    assert chart.count() == 1
    assert chart.bounding_box()["width"] > 300
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    for width in (1280, 390):  # and on a telephone, where wide tables scroll in their frame
        away.set_viewport_size({"width": width, "height": 800})
        assert away.evaluate("document.documentElement.scrollWidth") <= width
    found = Axe().run(away).response["violations"]
    assert [(item["id"], item["nodes"][0]["html"]) for item in found] == []
