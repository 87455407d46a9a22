from __future__ import annotations

import csv
import io
import json
import uuid
from urllib.parse import quote

import httpx
import pytest
from playwright.sync_api import expect

from tests.browser.desk import answer, digits_hunt, question, show
from tests.waiting import PATIENCE, wait_until
from tests.web.running import made_ready, upload

SHAPES = (
    "<script>alert({n})</script>",
    "<img src=x onerror=alert({n})>",
    "<svg onload=alert({n})>",
    '"><script>alert({n})</script>',
    "'><img src=x onerror=alert({n})>",
    "javascript:alert({n})",
    "<a href=javascript:alert({n})>x</a>",
    "<iframe srcdoc='<script>parent.alert({n})</script>'></iframe>",
    "<body onload=alert({n})>",
    "<details open ontoggle=alert({n})>",
    "<style>*{{color:red}}</style>{n}",
    "<link rel=stylesheet href=//evil.example/{n}>",
    "<base href=//evil.example/{n}>",
    "<form action=//evil.example/{n}><button>x",
    "</textarea><script>alert({n})</script>",
    "</title><script>alert({n})</script>",
    "${{alert({n})}}",
    "{{{{constructor.constructor('alert({n})')()}}}}",
    "<math><mi xlink:href=javascript:alert({n})>",
    "&lt;script&gt;alert({n})&lt;/script&gt;",
)
PAYLOADS = [shape.format(n=n) for n in range(5) for shape in SHAPES]


@pytest.fixture(scope="module")
def nasty(running):
    """A hunt whose every name is a script: file, columns, cells, hunt, classes and people."""
    assert len(set(PAYLOADS)) == 100
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(["number", "word", *PAYLOADS[:20]])
    for row, payload in enumerate(PAYLOADS):
        cells = [PAYLOADS[(row + place) % 100] for place in range(20)]
        writer.writerow([row * 1.5, payload, *cells])
    kinds = {"word": "category", **dict.fromkeys(PAYLOADS[:20], "category")}
    dataset = upload(
        running.api, quote("<img src=x onerror=alert(9)>.csv", safe=""), text.getvalue()
    )
    body = {"dataset": dataset["id"], "name": PAYLOADS[1], "strategy": "random", "kinds": kinds}
    hunt = running.api.post("/api/hunts", json=body).json()["id"]
    made_ready(running.api, hunt)
    # Names travel in a cookie, as in a browser.
    told = {"headers": running.headers, "timeout": PATIENCE}
    with httpx.Client(base_url=running.address, **told) as person:
        for row in range(60):
            name = {"annotator": PAYLOADS[99 - row][:80]}
            assert person.put("/api/me", json=name).status_code == 200
            label = PAYLOADS[row if row < 50 else 0]
            body = {"id": str(uuid.uuid4()), "row": row, "label": label, "asked": False}
            assert person.post(f"/api/hunts/{hunt}/labels", json=body).status_code == 200
    return hunt


def texts(page, selector):
    return set(page.locator(selector).all_text_contents())


def test_scripts_in_any_name_are_shown_as_they_are_written(desk, running, nasty):
    page = desk.sit()
    show(page, running, "/")
    expect(page.locator(".hunt-card", has_text=PAYLOADS[1])).to_be_visible()

    show(page, running, f"/hunt/{nasty}/label")
    question(page).wait_for()
    names = {text.removesuffix(" (unusual)") for text in texts(page, ".field-line dt")}
    assert set(PAYLOADS[:20]) <= names
    assert texts(page, ".field-line .value") & set(PAYLOADS)
    assert set(PAYLOADS[:50]) <= texts(page, ".answer-name")
    assert {name[:80] for name in PAYLOADS[50:]} <= texts(page, ".people li > span:nth-child(2)")

    show(page, running, f"/hunt/{nasty}/history")
    page.locator(".history td").first.wait_for()
    assert set(PAYLOADS[:50]) <= texts(page, ".history .chip-name")
    assert {name[:80] for name in PAYLOADS[50:]} <= texts(page, ".history td:nth-child(3)")
    assert any(name in words for words in texts(page, ".history .summary") for name in PAYLOADS)

    show(page, running, f"/hunt/{nasty}/rank")
    page.locator("#rank").wait_for()
    page.locator("#target").select_option(PAYLOADS[0])
    page.locator("#model").select_option("lago")
    page.locator("#rank").click()
    page.locator(".rank-detail[data-row]").wait_for()
    expect(page.get_by_role("heading", name=f"Is it {PAYLOADS[0]}?")).to_be_visible()
    assert (
        page.evaluate("document.querySelectorAll('main script, main iframe, main form').length")
        <= 1
    )


def test_scripts_in_new_names_and_errors_are_shown_as_they_are_written(desk, running):
    hunt = digits_hunt(running)
    page = desk.sit()
    page.locator("#annotator").click()
    page.locator("#new-name").fill(PAYLOADS[1])
    page.keyboard.press("Enter")
    expect(page.locator("#annotator")).to_contain_text(PAYLOADS[1])
    show(page, running, f"/hunt/{hunt}/label")
    question(page).wait_for()
    answer(page, PAYLOADS[0])
    expect(page.locator(".answer-name", has_text=PAYLOADS[0])).to_be_visible()
    expect(page.locator(".note")).to_contain_text(PAYLOADS[0])
    refusal = json.dumps({"error": PAYLOADS[2]})
    page.route("**/hunts/*/labels", lambda route: route.fulfill(status=409, body=refusal), times=1)
    page.keyboard.press("1")
    expect(page.locator(".note[data-kind=bad]")).to_contain_text(PAYLOADS[2])
    wait_until(lambda: desk.problems)  # the browser notes the refusal itself
    desk.problems[:] = [problem for problem in desk.problems if "409" not in problem]


def test_scripts_in_an_uploaded_file_are_shown_as_they_are_written(desk, running):
    page = desk.sit()
    show(page, running, "/new")
    text = f'{",".join("n" + str(i) for i in range(3))},"{PAYLOADS[0]}"\n'
    text += "\n".join(
        f'{i},{i * 2},{i % 7},"{PAYLOADS[i]}"' for i in range(40) if '"' not in PAYLOADS[i]
    )
    name = "<svg onload=alert(1)>.csv"
    page.set_input_files(
        "#file", files=[{"name": name, "mimeType": "text/csv", "buffer": text.encode()}]
    )
    page.locator("#start").wait_for()
    assert PAYLOADS[0] in texts(page, ".columns th[scope=row]")
    assert texts(page, ".preview td") & set(PAYLOADS)
    expect(page.locator(".good")).to_contain_text(name)
