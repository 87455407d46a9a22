from __future__ import annotations

import json
import re
import subprocess
import sys

import pytest


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
    found = page.locator("tbody tr")
    assert found.count() == len(answer["digits"]["found"])
    assert problems == []
    assert [url for url in requests if not url.startswith(("file:", "data:"))] == []
    page.close()


def test_the_page_is_plain_html_without_script_or_foreign_address(demo):
    html = demo[1].read_text()
    assert "<script" not in html
    addresses = set(re.findall(r"(?:src|href)=\"(\w+):", html))
    assert addresses <= {"data"}
