"""Records that are better seen than read: drawn well, and wherever a record is."""

from __future__ import annotations

import io
import re
import zipfile

import numpy as np
import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.browser.desk import answer, asked, question, saved, show
from tests.waiting import wait_until
from tests.web.running import label, made_ready, upload

MOLECULES = ["NCCO", "c1ccccc1C(=O)O", "[Na+].[Cl-]", "CCNCC", "CC(=O)Oc1ccccc1C(=O)O"]
SIZES = {"laptop": (1440, 900), "tablet": (820, 1180), "phone": (390, 844)}


def begun(running, name, content, **settings):
    dataset = upload(running.api, name, content)
    body = {"dataset": dataset["id"], "name": name, "strategy": "random", **settings}
    answer = running.api.post("/api/hunts", json=body)
    assert answer.status_code == 201, answer.text
    return made_ready(running.api, answer.json()["id"])


@pytest.fixture(scope="module")
def molecules(running):
    more = ["C" * size + ending for size in range(2, 12) for ending in "ONS"]
    return begun(running, "molecules.csv", "\n".join(["smiles", *MOLECULES, *more]))


@pytest.fixture(scope="module")
def pictures(running):
    rng, packed = np.random.default_rng(0), io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        for number in range(60):
            points = rng.integers(0, 60, (48, 64, 3)) + (150 if number % 10 == 0 else 0)
            content = io.BytesIO()
            Image.fromarray(points.astype(np.uint8)).save(content, "PNG")
            archive.writestr(f"part-{number:02}.png", content.getvalue())
    return begun(running, "parts.zip", packed.getvalue())


def drawn(page, running, hunt, row):
    show(page, running, f"/hunt/{hunt}/label/{row}")
    page.locator(f"#question[data-row='{row}']").wait_for()
    return page.locator("#question .record .molecule")


@pytest.mark.parametrize("look", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
def test_molecules_are_drawn_as_chemists_do(desk, running, molecules, size, look):
    width, height = SIZES[size]
    page = desk.sit(viewport={"width": width, "height": height}, color_scheme=look)
    amine = drawn(page, running, molecules, 0)
    names = amine.locator(".node-name").all_text_contents()
    assert sorted(names) in (["H₂N", "OH"], ["HO", "NH₂"])  # hydrogens stand away from the bond
    assert amine.locator("line").count() == 3
    acid = drawn(page, running, molecules, 1)
    assert acid.locator("line").count() == 9 + 4  # the ring has three lines inside
    salt = drawn(page, running, molecules, 2)
    assert sorted(salt.locator(".node-name").all_text_contents()) == ["Cl⁻", "Na⁺"]
    for row in range(len(MOLECULES)):
        molecule = drawn(page, running, molecules, row)
        assert molecule.evaluate(CROSSED) == []
        box, card = molecule.bounding_box(), page.locator("#question").bounding_box()
        assert card["x"] <= box["x"]
        assert box["x"] + box["width"] <= card["x"] + card["width"]
    letters = molecule.locator(".node-name").first
    assert letters.evaluate("text => text.getBoundingClientRect().height") >= 10
    stamps = page.locator(".neighbours .molecule")
    expect(stamps.first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


CROSSED = """drawing => {
  const rooms = [...drawing.querySelectorAll('text')].map((text) => text.getBBox());
  const ends = [...drawing.querySelectorAll('line')].flatMap((line) =>
    [['x1', 'y1'], ['x2', 'y2']].map((place) => place.map((name) => line[name].baseVal.value)));
  return ends.filter(([x, y]) => rooms.some((room) =>
    Math.abs(x - room.x - room.width / 2) < room.width / 2 - 1
    && Math.abs(y - room.y - room.height / 2) < room.height / 4));
}"""
"""Ends of bonds that lie inside the letters of an atom."""


def seen(picture):
    """Whether a picture has arrived."""
    return picture.evaluate("image => image.complete && image.naturalWidth > 0")


def test_pictures_are_seen_without_a_network(desk, running, pictures):
    page = desk.sit()
    with page.expect_response("**/spares") as spares:
        show(page, running, f"/hunt/{pictures}/label")
    spares.value.finished()
    question(page).wait_for()
    answer(page, "plain")
    saved(page)
    page.wait_for_load_state("networkidle")
    page.context.set_offline(True)
    rows = set()
    for _ in range(20):
        rows.add(asked(page))
        picture = page.locator("#question .record img")
        wait_until(lambda picture=picture: seen(picture))
        answer(page, "plain")
    assert len(rows) == 20
    page.context.set_offline(False)
    saved(page)


def test_pictures_are_seen_in_history_map_and_votes(desk, running, pictures):
    for row in (0, 10, 20, 1, 2, 3):
        told = label(row, "bright" if row % 10 == 0 else "plain", asked=False)
        assert running.api.post(f"/api/hunts/{pictures}/labels", json=told).is_success
    page = desk.sit()
    show(page, running, f"/hunt/{pictures}/history")
    first = page.locator(".history tbody tr").first.locator("img")
    expect(first).to_be_visible()
    wait_until(lambda: seen(first))
    show(page, running, f"/hunt/{pictures}/map")
    canvas = page.locator("canvas").first
    expect(page.get_by_text("the plane shows")).to_be_visible()
    box = canvas.bounding_box()

    def pointed():
        for step in range(24):
            place = box["width"] * (step + 0.5) / 24
            page.mouse.move(box["x"] + place, box["y"] + box["height"] * (0.3 + 0.02 * step))
            if page.locator(".tip").is_visible():
                return True
        return False

    wait_until(pointed)
    shown = page.locator(".tip img")
    expect(shown).to_be_visible()
    wait_until(lambda: seen(shown))
    show(page, running, f"/hunt/{pictures}/rank")
    page.locator("#target").select_option("bright")
    page.locator("#model").select_option("svm")
    page.get_by_role("button", name="Rank", exact=True).click()
    votes = page.locator(".votes")
    expect(votes).to_contain_text("say nothing to people")  # not feature by feature
    wait_until(lambda: seen(votes.locator("img").first))


@pytest.mark.parametrize("room", ["find", "history"])
def test_lines_do_not_move_as_their_pictures_come(desk, running, pictures, room):
    for row in (41, 43, 42):
        assert running.api.post(
            f"/api/hunts/{pictures}/labels", json=label(row, "plain", asked=False)
        ).is_success
    page = desk.sit()
    page.route(re.compile(r"/records/\d*[13579]$"), lambda route: None)  # still to come
    show(page, running, f"/hunt/{pictures}/{room}")
    lines = page.locator(".found > li, .history tbody tr")
    page.locator(".stamp-place img").first.wait_for()
    heights = lines.evaluate_all("all => all.slice(0, 3).map(line => line.offsetHeight)")
    assert len(set(heights)) == 1


@pytest.mark.parametrize("room", ["find", "history"])
def test_molecules_stay_within_their_place_and_buttons_on_one_line(desk, running, molecules, room):
    told = label(4, "acid", asked=False)
    assert running.api.post(f"/api/hunts/{molecules}/labels", json=told).is_success
    page = desk.sit("Maximiliana", viewport={"width": 820, "height": 1180})
    show(page, running, f"/hunt/{molecules}/{room}")
    page.locator(".stamp-place .molecule").first.wait_for()
    beyond = page.evaluate(
        """() => [...document.querySelectorAll(".stamp-place > *")].filter((drawing) => {
            const [inner, outer] = [drawing, drawing.parentElement].map((part) =>
                part.getBoundingClientRect());
            return inner.height > outer.height + 1 || inner.width > outer.width + 1;
        }).length"""
    )
    assert beyond == 0
    if room == "history":
        button = page.get_by_role("button", name="Take back").first
        assert button.evaluate("each => each.getClientRects()[0].height") < 48
