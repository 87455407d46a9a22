"""The widget of a hunt, as a page would drive it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy import sparse

import rarefind as rf
from rarefind.core.errors import DataError, StateError
from rarefind.notebook.record import shown_record


def payments(frame=pd.DataFrame):
    rng = np.random.default_rng(0)
    amounts = np.r_[rng.normal(50.0, 5.0, size=60), [900.0, 901.0, 902.0]]
    return frame({"amount": amounts, "country": ["se", "no", "fi"] * 21})


def press(widget, **content):
    """What the page sends when a key is pressed."""
    widget.answer({"row": widget.row, **content})


def names(widget):
    return [each["name"] for each in widget.state["classes"]]


def test_answers_from_the_page_go_to_the_hunt_and_can_be_taken_back():
    hunt = rf.Hunt(payments())
    widget = hunt.widget()
    first = widget.row
    assert first == hunt.ask().row
    press(widget, do="tell", label=" plain ")
    assert hunt.labels == {first: "plain"}
    second = widget.row
    press(widget, do="tell", label="odd")
    press(widget, do="skip")
    assert [event.label for event in hunt.events] == ["plain", "odd", None]
    press(widget, do="undo")
    press(widget, do="undo")
    assert hunt.labels == {first: "plain"}
    assert widget.row == second  # what was taken back is asked about again
    assert names(widget) == ["plain", "odd"]  # every class keeps its key
    assert [each["count"] for each in widget.state["classes"]] == [1, 0]


def test_classes_have_the_keys_they_have_in_the_workbench():
    widget = rf.Hunt(payments()).widget()
    for name in ("plain", "-1", "7", "2", "odd"):
        press(widget, do="tell", label=name)
    keys = {each["name"]: each["key"] for each in widget.state["classes"]}
    assert keys == {"plain": "1", "-1": "a", "7": "7", "2": "2", "odd": "3"}
    press(widget, do="undo")
    assert [each["key"] for each in widget.state["classes"]] == list(keys.values())


def test_the_numbers_behind_a_question_are_told_in_words():
    widget = rf.Hunt(payments()).widget()
    first = widget.state["question"]
    assert first["numbers"]
    assert all(": " in line for line in first["numbers"])
    press(widget, do="tell", label="plain")
    assert widget.state["said"] == 1  # other cells of marimo hear of it by that
    press(widget, do="undo")
    assert widget.state["question"] == first


def test_a_press_too_late_answers_nothing():
    hunt = rf.Hunt(payments())
    widget = hunt.widget()
    row = widget.row
    hunt.tell(row, "plain")  # in another cell
    press(widget, do="tell", label="odd")
    assert hunt.labels == {row: "plain"}
    widget.refresh()
    assert widget.row not in hunt.labels
    press(widget, do="tell", row=row, label="odd")
    assert hunt.labels == {row: "plain"}


def test_what_cannot_be_done_is_said_on_the_page():
    widget = rf.Hunt(payments()).widget()
    press(widget, do="undo")
    assert "nothing to undo" in widget.state["problem"]
    press(widget, do="skip")
    assert widget.state["problem"] == ""


def test_labels_that_are_no_words_stay_what_they_are():
    hunt = rf.Hunt(np.arange(12.0)[:, None])
    hunt.tell(0, 7)
    widget = hunt.widget()
    press(widget, do="tell", label="7")
    assert set(hunt.labels.values()) == {7}


def test_curve_outlook_and_end_are_told():
    hunt = rf.Hunt(np.arange(4.0)[:, None], "random", background="plain")
    widget = hunt.widget()
    for label in ("plain", "odd", "plain", "new"):
        widget.tell(label)
    assert widget.state["curve"] == [0, 0, 1, 1, 2]
    assert widget.state["question"] is None
    assert widget.state["outlook"] == str(hunt.outlook())
    with pytest.raises(StateError, match="nothing left to tell"):
        widget.tell("plain")
    widget.undo()
    assert widget.row is not None


@pytest.mark.parametrize("map", ["pca", "kernel-pca"])
def test_the_map_is_drawn_when_it_is_asked_for(map):
    hunt = rf.Hunt(["abab", "abba", "cdcd", "cddc", "xyz"], kernel="spectrum")
    widget = hunt.widget(map=map)
    assert widget.plane == {}
    press(widget, do="map")
    assert widget.plane["rows"] == [0, 1, 2, 3, 4]
    assert np.abs(widget.plane["places"]).max() <= 1000


@pytest.mark.parametrize("frame", [pd.DataFrame, pl.DataFrame])
def test_fields_of_tables_are_named_and_unusual_ones_come_first(frame):
    shown = shown_record(payments(frame), 60, unusual={"country"})
    assert shown["fields"] == [("country", "se", True), ("amount", "900", False)]
    assert shown["picture"] is None


def test_texts_arrays_sparse_rows_and_pictures_are_shown_as_what_they_are():
    assert shown_record(["a text"], 0)["text"] == "a text"
    fields = shown_record(np.array([[1.5, np.nan]]), 0)["fields"]
    assert fields == [("feature 0", "1.5", False), ("feature 1", "missing", False)]
    row = sparse.csr_array([[0.0, 2.0, -3.0]])
    assert [name for name, *_ in shown_record(row, 0)["fields"]] == ["feature 2", "feature 1"]
    drawn = np.zeros((3, 4, 4), dtype=np.uint8)
    assert shown_record(drawn, 1)["picture"].startswith("data:image/png;")
    assert shown_record(np.zeros((3, 2)), 1, drawn)["picture"].startswith("data:image/png;")


def test_pictures_must_be_as_many_as_records():
    with pytest.raises(DataError, match=r"picture for each of the 63 records\. There are 2"):
        rf.Hunt(payments()).widget(pictures=[b"", b""])


def test_a_hunt_draws_its_curve_and_its_map_and_shows_itself_as_a_card():
    table = payments()
    hunt = rf.discover(table, lambda row: "odd" if row >= 60 else "plain", budget=12)
    axes = hunt.plot_discovery()
    curve = next(line for line in axes.lines if line.get_label() == "this hunt")
    assert curve.get_ydata()[-1] == 1
    drawn = hunt.plot_map()
    assert len(drawn.collections[0].get_offsets()) == 63
    [number] = [text.get_text() for text in drawn.texts]  # where the class was first told
    told = [text.get_text() for text in drawn.get_legend().get_texts()]
    assert f"found: odd, at label {number}" in told
    card = hunt._repr_html_()
    assert "63" in card
    assert "odd (row 6" in card
    assert "What is row" in hunt.ask()._repr_html_()
    assert "unseen" in hunt.outlook()._repr_html_()
    assert "Ranking for odd" in hunt.rank("odd", "lago")._repr_html_()
    assert "<script>" not in rf.Hunt(table, background="<script>")._repr_html_()
