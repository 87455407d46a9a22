"""A new hunt in a wide file, what is refused before it begins, and comparing models in it."""

from __future__ import annotations

import uuid

import pytest
from playwright.sync_api import expect

from tests.browser.desk import question, show


def wide(columns=60, rows=80):
    lines = [",".join([*(f"column_{number}" for number in range(columns)), "gaps"])]
    for row in range(rows):
        numbers = [f"{(row * 37 + 11 * number) % 101}" for number in range(columns)]
        lines.append(",".join([*numbers, "" if row % 4 else "1.5"]))
    return {"name": "wide.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}


@pytest.mark.parametrize("size", [(1440, 900), (390, 844)])
def test_the_start_is_in_sight_and_plain_columns_are_folded(desk, running, size):
    page = desk.sit(viewport={"width": size[0], "height": size[1]})
    show(page, running, "/new")
    page.set_input_files("#file", files=[wide()])
    expect(page.locator("#start")).to_be_in_viewport(ratio=1)
    expect(page.locator(".plain-columns summary")).to_have_text(
        "60 plain columns of numbers and words"
    )
    expect(page.locator(".columns tbody tr:visible")).to_have_count(1)  # the one with gaps
    page.locator(".plain-columns summary").click()
    expect(page.locator(".columns tbody tr:visible")).to_have_count(61)
    expect(page.locator("#start")).to_be_in_viewport(ratio=1)


def test_priors_are_kept_and_a_kernel_is_checked_before_a_hunt_is_made(desk, running):
    page = desk.sit()
    show(page, running, "/new")
    page.set_input_files("#file", files=[wide(columns=4)])
    name = f"wide {uuid.uuid4()}"
    page.locator("#hunt-name").fill(name)
    page.get_by_text("More choices").click()
    page.locator("#kernel").fill("gausian")
    page.locator("#start").click()
    expect(page.locator(".start-bar .bad")).to_contain_text("gaussian")
    desk.problems.clear()  # the browser writes the refusal to its console
    assert name not in [each["name"] for each in running.api.get("/api/hunts").json()]
    page.locator("#kernel").fill("")
    page.locator("#strategy").select_option("malice")
    page.locator("#priors").fill("odd = 0.05, odder = 0.1")
    page.locator("#start").click()
    question(page).wait_for()
    [made] = [each for each in running.api.get("/api/hunts").json() if each["name"] == name]
    assert made["settings"]["priors"] == {"odd": 0.05, "odder": 0.1}
    assert page.locator(".answer-name").all_text_contents() == ["odd", "odder"]


def test_a_comparison_stays_says_what_is_alike_and_leads_to_a_ranking(desk, running):
    page = desk.sit()
    dataset = running.api.put("/api/datasets/wide.csv", content=wide(4)["buffer"]).json()
    begun = running.api.post("/api/hunts", json={"dataset": dataset["id"], "name": "compared"})
    id = begun.json()["id"]
    place = f"/hunt/{id}"
    show(page, running, f"{place}/label")
    question(page).wait_for()
    for row in range(24):
        label = "high" if (row * 37) % 101 > 60 else "low"
        body = {"id": str(uuid.uuid4()), "row": row, "label": label}
        assert running.api.post(f"/api/hunts/{id}/labels", json=body).status_code == 200
    show(page, running, f"{place}/compare")
    page.locator("#target").select_option("high")
    page.get_by_text("The usual models").click()
    for model in ("lago", "lda"):
        page.locator(f"input[value={model}]").check()
    page.locator("#compare").click()
    lines = page.locator(".models tbody tr")
    expect(lines).to_have_count(2)
    expect(lines.first).not_to_contain_text("not told apart")
    words = lines.all_text_contents()
    show(page, running, f"{place}/history")
    show(page, running, f"{place}/compare")
    expect(lines).to_have_count(2)
    assert lines.all_text_contents() == words
    page.get_by_role("button", name="Rank with lda").click()
    expect(page.get_by_role("heading", name="lda for high")).to_be_visible()


def test_texts_are_embedded_by_a_model_chosen_on_the_page(desk, running):
    page = desk.sit()
    show(page, running, "/new")
    lines = [
        "message",
        *(f"the parcel number {row} waits for you at the station" for row in range(60)),
    ]
    page.set_input_files(
        "#file",
        files=[{"name": "words.csv", "mimeType": "text/csv", "buffer": "\n".join(lines).encode()}],
    )
    page.get_by_text("More choices").click()
    chosen = page.get_by_label("Embeddings")
    assert {"", "looks", "pixels"} <= set(
        chosen.locator("option").evaluate_all("all => all.map(each => each.value)")
    )
    chosen.select_option("looks")  # for pictures: what does not go together is said
    page.locator("#start").click()
    expect(page.get_by_role("alert").filter(has_text="looks")).to_contain_text("picture")
    desk.problems[:] = [
        each for each in desk.problems if "422" not in each
    ]  # refused, as it should
