from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from rarefind.evaluation.hit_curves import hit_curve
from rarefind.evaluation.label_counts import random_labels_needed

NASTY = ["<script>alert(1)</script>", '"><img src=x onerror=alert(2)>', "$x_1$ & <b>bold</b>"]


class Words(HTMLParser):
    """Collects tags, and what a reader sees."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.text, self._hidden = [], [], 0
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        self._hidden += tag == "style"

    def handle_endtag(self, tag):
        self._hidden -= tag == "style"

    def handle_data(self, data):
        if not self._hidden:
            self.text.append(data)

    def __str__(self):
        return " ".join(" ".join(self.text).split())


def test_a_hunt_without_an_answer_has_a_page_that_says_so(payments):
    hunt = payments()
    page = str(Words(hunt.service.report(hunt.id)))
    assert "Nobody has answered a question yet." in page
    assert "0 labels so far: too few to say what is still unseen." in page


def test_the_page_tells_classes_people_outlook_data_and_settings(payments):
    hunt = payments(background=("ordinary",), overlap=2, title="March")
    first = [hunt.answer("anna") for _ in range(12)]
    for _ in range(12):
        hunt.answer("bo")
    hunt.service.tell(hunt.id, first[3], "refund", "bo")
    hunt.service.tell(hunt.id, first[4], "slip", "bo")
    hunt.service.undo(hunt.id, "bo")
    page = str(Words(hunt.service.report(hunt.id)))
    assert "What was found in March" in page
    assert "1 rare class among 156 records of payments.csv, with 12 labels." in page
    progress = hunt.service.progress(hunt.id)
    fraud = next(each for each in progress.classes if each.name == "fraud")
    assert f"row {fraud.first_row}" in page
    assert "country lt" in page
    chance = random_labels_needed([6], 156)
    assert f"random sampling needs {chance:,.0f} on average" in page
    assert "People disagree about 1 record." in page
    assert f"anna: {hunt.truth[first[3]]}, bo: refund" in page
    assert "1 answer taken back" in page
    assert progress.outlook_words in page
    for words in ("numbers from", "farthest-first", "people asked about each record 2"):
        assert words in page


def test_without_a_label_column_nothing_is_said_about_random_sampling(payments):
    hunt = payments(label_column=None)
    row = hunt.service.ask(hunt.id, "anna")[0].row
    hunt.service.tell(hunt.id, row, "odd", "anna")
    page = str(Words(hunt.service.report(hunt.id)))
    assert "can be told only where the true class of every record is known" in page
    assert "random sampling needs" not in page


def test_a_ranking_is_measured_by_the_label_column_and_by_what_was_confirmed(payments):
    hunt = payments(background=("ordinary",))
    for _ in range(10):
        hunt.answer()
    ranking = hunt.service.rank(hunt.id, "fraud", "lago")
    ranked = hunt.service.ranked(hunt.id, ranking.id, 0, 3)
    for each in ranked:
        hunt.service.tell(hunt.id, each.row, hunt.truth[each.row], "anna")
    page = str(Words(hunt.service.report(hunt.id)))
    rows = hunt.service.ranked(hunt.id, ranking.id, 0, 1000)
    wanted = [hunt.truth[each.row] == "fraud" for each in rows]
    curve = hit_curve(wanted, [each.score for each in rows])
    assert "Ranked for fraud" in page
    assert f"By the label column {sum(wanted)} of these records belong to the class." in page
    assert f"10 {curve[10]:g} {curve[10] / 10:g}" in page
    assert "People have looked at 3 of them since, down to rank 3, and called 3 fraud" in page
    assert f"row {ranked[0].row}" in page


def test_nothing_in_names_or_cells_becomes_markup(tmp_path, payments):
    path = tmp_path / "payments.csv"
    cells = ",".join('"' + word.replace('"', '""') + '"' for word in ("=1", *NASTY))
    lines = [f"{n}.5,{cells}" for n in range(40)]
    path.write_text("\n".join(["<i>n</i>,a,b,c,d", *lines]))
    hunt = payments(label_column=None, title=NASTY[0])
    for row, label in enumerate(NASTY * 4):
        hunt.service.tell(hunt.id, row, label, NASTY[1])
    hunt.service.tell(hunt.id, 0, NASTY[2], NASTY[0])
    hunt.service.rank(hunt.id, NASTY[0], "lago")
    page = hunt.service.report(hunt.id)
    words = Words(page)
    for word in NASTY:
        assert word in str(words)
    tags = {tag for tag, _ in words.tags}
    assert not tags & {"script", "img", "b", "i", "iframe"}
    assert not any(name.startswith("on") for _, attributes in words.tags for name in attributes)
    addresses = re.findall(r'(?:src|href)="([^"]*)"', page)
    assert all(address.startswith(("data:", "#")) for address in addresses)


def test_a_closed_hunt_is_told_without_preparing_it_and_one_without_its_file_too(payments):
    hunt = payments(background=("ordinary",))
    for _ in range(11):
        hunt.answer()
    ready = hunt.service.report(hunt.id)
    hunt.service.close_hunt(hunt.id)
    closed = hunt.service.report(hunt.id)
    assert hunt.service.hunt(hunt.id).state.state == "closed"
    assert str(Words(closed)) == str(Words(ready))
    hunt.path.write_text("amount\n1\n")
    gone = str(Words(hunt.service.report(hunt.id)))
    assert "The file was not read for this page:" in gone
    assert "with 11 labels" in gone


@pytest.mark.parametrize("labels", [3, 2500])
def test_long_hunts_have_a_curve_as_well(payments, labels, tmp_path):
    path = tmp_path / "payments.csv"
    path.write_text("\n".join(["amount,hour", *(f"{n},{n % 7}" for n in range(3000))]))
    hunt = payments(label_column=None, strategy="random")
    futures = [
        hunt.service.submit_tell(hunt.id, row, "odd" if row == 2 else "ordinary", "anna", f"e{row}")
        for row in range(labels)
    ]
    for future in futures:
        future.result()
    assert "Rare classes seen after each label." in hunt.service.report(hunt.id)
