"""Labels brought along, which nobody was asked for, and what is ordinary beside them."""

from __future__ import annotations

import pytest

from rarefind.core.errors import DataError, StateError
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store


def fraud_file(hunt, tmp_path, count):
    rows = [row for row, kind in enumerate(hunt.truth) if kind == "fraud"][:count]
    path = tmp_path / "known.csv"
    path.write_text("row,label\n" + "".join(f"{row},fraud\n" for row in rows))
    return path


def test_known_fraud_never_becomes_ordinary(payments, tmp_path):
    hunt = payments()
    service = hunt.service
    assert service.import_labels(hunt.id, fraud_file(hunt, tmp_path, 6), "bank").new == 6
    progress = service.progress(hunt.id)
    assert [each.name for each in progress.classes if each.background] == []
    assert progress.outlook["labels"] == 0
    assert progress.outlook_words.startswith(
        "0 labels so far (and 6 brought along or harvested): too few"
    )
    for _ in range(2):
        hunt.answer()
    progress = service.progress(hunt.id)
    assert [each.name for each in progress.classes if each.background] == ["ordinary"]
    service.opened(hunt.id).live.wait_until_heard()
    assert service.opened(hunt.id).live.hunt.background == {"ordinary"}
    assert (progress.outlook["labels"], progress.outlook["brought"]) == (2, 6)


def test_of_several_kinds_brought_along_none_is_ordinary_before_an_answer(payments, tmp_path):
    hunt = payments()
    service = hunt.service
    path = tmp_path / "known.csv"
    path.write_text("row,label\n0,theft\n1,theft\n2,theft\n3,abuse\n")
    assert service.import_labels(hunt.id, path, "bank").new == 4
    progress = service.progress(hunt.id)
    assert progress.background == ()
    assert {each.name: each.background for each in progress.classes} == {
        "theft": False,
        "abuse": False,
    }
    assert progress.curve == (0, 1, 1, 1, 2)
    service.prepare(hunt.id)
    service.opened(hunt.id).live.wait_until_heard()
    assert service.opened(hunt.id).live.hunt.background == frozenset()
    assert "theft (ordinary)" not in service.report(hunt.id)
    service.tell(hunt.id, service.ask(hunt.id, "anna")[0].row, "usual", "anna")
    assert service.progress(hunt.id).background == ("usual",)


def test_what_is_ordinary_can_be_said_when_a_hunt_is_opened_again(payments, tmp_path):
    hunt = payments(store=str(tmp_path / "kept.db"))
    settings = HuntSettings(**{**hunt.settings, "background": ("fraud",)})
    view = hunt.service.open_hunt(hunt.path, settings=settings)
    assert view.settings["background"] == ["fraud"]
    again = hunt.service.open_hunt(hunt.path, settings=HuntSettings(**hunt.settings))
    assert again.settings["background"] == ["fraud"]  # not said, so it stays


def test_records_that_share_a_key_elsewhere_do_not_matter(payments, tmp_path):
    hunt = payments()
    table = hunt.service.opened(hunt.id).table()
    path = tmp_path / "labels.csv"
    words = table.words("amount")
    once = next(row for row, word in enumerate(words) if words.count(word) == 1)
    path.write_text(f"amount,label\n{words[once]},fraud\n")
    assert hunt.service.import_labels(hunt.id, path, "bank", by="amount").new == 1
    assert hunt.service.labels(hunt.id) == {once: "fraud"}
    path.write_text("country,label\nse,fraud\n")
    with pytest.raises(DataError, match=r"holds 'se' more than once, so .* row 0 of labels.csv"):
        hunt.service.import_labels(hunt.id, path, "bank", by="country")


def test_a_column_with_gaps_is_brought_along_once(tmp_path):
    path = tmp_path / "half.csv"
    lines = [f"{row % 7}.{row},{'fraud' if row in (3, 9) else ''}" for row in range(40)]
    path.write_text("size,kind\n" + "\n".join(lines) + "\n")
    with Service(open_store("memory:")) as service:
        settings = HuntSettings(label_column="kind", strategy="farthest-first")
        hunt = service.open_hunt(path, settings=settings).id
        assert service.bring_column(hunt).new == 2
        service.prepare(hunt)
        assert service.labels(hunt) == {3: "fraud", 9: "fraud"}
        service.undo(hunt, "kind")
        assert service.bring_column(hunt).new == 0
        assert service.labels(hunt) == {3: "fraud"}
        assert service.ask(hunt, "anna")[0].row != 3


def test_a_deleted_hunt_is_out_of_sight_and_comes_back_with_every_answer(payments, tmp_path):
    hunt = payments(store=str(tmp_path / "kept.db"))
    row = hunt.answer()
    name = hunt.service.hunt(hunt.id).name
    hunt.service.delete(name)
    assert hunt.service.hunts() == []
    for call in (hunt.service.hunt, hunt.service.labels):
        with pytest.raises(StateError, match=r"'payments' was deleted. Bring it back with"):
            call(name)
    with pytest.raises(StateError, match="was deleted"):
        hunt.service.open_hunt(hunt.path)
    hunt.service.delete(name, undo=True)
    assert [each.name for each in hunt.service.hunts()] == [name]
    assert list(hunt.service.labels(hunt.id)) == [row]
