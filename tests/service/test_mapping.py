from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import ParameterError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.table import Table
from rarefind.service.mapping import use_cases
from rarefind.service.mapping.column_colours import column_colours
from rarefind.service.showing.record import RecordViewer


def viewer(**columns):
    table = Table({name: np.array(cells) for name, cells in columns.items()}, "file.csv")
    kinds = {"day": "date", "shop": "category", "note": "text"}
    return RecordViewer(
        table, detect_kinds(table, {k: v for k, v in kinds.items() if k in columns})
    )


def test_numbers_dates_and_categories_have_colours():
    amounts = [*np.arange(98.0), 1e9, np.nan]
    shops = np.array(["b"] * 60 + ["a"] * 30 + [f"s{i % 9}" for i in range(9)] + [None], object)
    days = np.array([f"2024-01-{1 + i % 28:02}" for i in range(100)], dtype=object)
    seen = viewer(amount=amounts, shop=shops, day=days)
    values, legend = column_colours(seen, "amount")
    assert np.array_equal(values, np.array(amounts, np.float32), equal_nan=True)
    assert (legend.low, legend.missing) == (1.0, 1)
    assert legend.high < 1e3  # a giant does not take all the colours
    assert (legend.low_words, legend.high_words) == ("≤ 1", "≥ 97")  # some lie beyond
    values, legend = column_colours(seen, "shop")
    assert (legend.names[:2], legend.counts[:2]) == (("b", "a"), (60, 30))
    assert (legend.names[-1], legend.others, legend.counts[-1]) == ("1 others", 1, 1)
    assert np.isnan(values[-1])
    assert [int(each) for each in values[[0, 60]]] == [0, 1]
    assert sum(legend.counts) + legend.missing == 100
    assert column_colours(seen, "day")[1].low_words == "2024-01-01"


def test_texts_have_no_colours():
    notes = np.array([f"a long note about {i} lamps and more" for i in range(50)], dtype=object)
    with pytest.raises(ParameterError, match="The text of the column 'note' to colour by"):
        column_colours(viewer(note=notes), "note")


def test_a_map_that_took_long_is_kept_beside_the_store(payments, tmp_path, monkeypatch):
    monkeypatch.setattr(use_cases, "WORTH_SECONDS", -1.0)
    hunt = payments(f"sqlite:///{tmp_path / 'kept.db'}", strategy="random")
    first = hunt.service.map(hunt.id, "pca")
    hunt.close()
    hunt.open()

    def refuse(*_):
        raise AssertionError("The map was computed again.")

    with monkeypatch.context() as patched:
        patched.setattr("rarefind.geometry.maps.make_map", refuse)
        again = hunt.service.map(hunt.id, "pca")
        assert np.array_equal(first.points, again.points)
        assert first.note == again.note
    for file in tmp_path.glob("kept.db.kept/*/maps/*.npz"):
        file.write_bytes(file.read_bytes()[:-40])
    hunt.close()
    hunt.open()
    assert np.array_equal(hunt.service.map(hunt.id, "pca").points, first.points)
