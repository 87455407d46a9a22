"""A hunt in Python that a store keeps, and what many may say at once."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import rarefind as rf
from rarefind.core.errors import (
    DataError,
    NotAvailableError,
    ParameterError,
    RarefindWarning,
    StateError,
)
from rarefind.hunting import progress_line
from rarefind.service.facade import Service
from rarefind.store.opening import open_store


def payments():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(60, 2)), rng.normal(8, 0.1, size=(4, 2))])
    return pd.DataFrame({"amount": X[:, 0], "hour": X[:, 1], "country": ["se", "no"] * 32})


@pytest.fixture
def store(tmp_path):
    return tmp_path / "rarefind.db"


def test_answers_are_shared_with_the_service_both_ways(store):
    hunt = rf.Hunt(payments(), "farthest-first", store=store, name="payments")
    asked = hunt.ask().row
    hunt.tell(asked, "ordinary")
    hunt.tell({60: "fraud", 61: "fraud"})
    with Service(open_store(str(store))) as service:
        (view,) = service.hunts()
        assert (view.name, view.n_records) == ("payments", 64)
        assert service.labels(view.id) == {asked: "ordinary", 60: "fraud", 61: "fraud"}
        service.prepare(view.id)  # the file with the records can be read
        row = service.ask(view.id, "anna")[0].row
        service.tell(view.id, row, "ordinary", "anna")
        assert [each.background for each in service.progress(view.id).classes] == [True, False]
    assert row not in hunt.labels
    hunt.ask()
    assert hunt.labels[row] == "ordinary"
    with pytest.raises(StateError, match=rf"Row {row} was told by anna, who alone can take it"):
        hunt.undo(row)
    assert hunt.undo(61).label == "fraud"
    hunt.skip(61)
    hunt.close()
    again = rf.Hunt(payments(), "farthest-first", store=store, name="payments")
    assert again.labels == {asked: "ordinary", 60: "fraud", row: "ordinary"}
    assert again.ask().row != 61  # skipped
    again.close()


def test_a_hunt_begun_on_a_file_goes_on_in_python(store, tmp_path):
    payments().to_csv(tmp_path / "payments.csv", index=False)
    with Service(open_store(str(store))) as service:
        view = service.open_hunt(tmp_path / "payments.csv")
        service.tell(view.id, 3, "ordinary", "anna")
    hunt = rf.Hunt(payments(), store=store, name="payments")
    assert hunt.labels == {3: "ordinary"}
    hunt.close()
    with pytest.raises(DataError, match=r"'payments' of .* is about 64 records, and these are 20"):
        rf.Hunt(payments()[:20], store=store, name="payments")


@pytest.mark.parametrize(
    "records", [np.random.default_rng(0).normal(size=(30, 2)), ["ab", "abc", "abd"] * 5]
)
def test_arrays_and_words_are_written_beside_the_store(store, records):
    kernel = "spectrum(2)" if isinstance(records, list) else None
    hunt = rf.Hunt(records, "farthest-first", kernel=kernel, store=store, name="one")
    hunt.tell(0, 7)
    assert hunt.labels == {0: "7"}  # words in a store
    hunt.close()
    with Service(open_store(str(store))) as service:
        service.prepare(service.hunts()[0].id)
        assert service.hunts()[0].n_records == len(records)


def test_columns_that_play_no_part_play_none_elsewhere(store):
    rng = np.random.default_rng(0)
    table = pd.DataFrame(
        {
            "amount": rng.normal(size=60).round(2),
            "zip": rng.choice([11122, 90210], 60),
            "memo": [f"paid for thing {row} at shop {row * 7 % 60}" for row in range(60)],
        }
    )
    features = rf.features.TableFeatures(kinds={"zip": "category"})
    with pytest.warns(RarefindWarning, match="'memo'"):
        hunt = rf.Hunt(table, features=features, store=store, name="payments")
    with Service(open_store(str(store))) as service:
        view = service.hunt("payments")
        service.prepare(view.id)
        assert service.description(view.id) == "compared by 1 number and 1 category"
        assert service.ask(view.id, "anna")[0].row == hunt.ask().row
    hunt.close()


def test_what_cannot_be_kept_is_refused(store, tmp_path):
    with pytest.raises(ParameterError, match="'store' and 'name' parameters of Hunt go together"):
        rf.Hunt(payments(), store=store)
    (tmp_path / "taken.parquet").write_bytes(b"")
    with pytest.raises(DataError, match="exists already, and the records of the hunt 'taken'"):
        rf.Hunt(payments(), store=store, name="taken")
    sets = [{1, 2}, {2, 3}, {4}]
    with pytest.raises(NotAvailableError, match="Records of type list cannot be written"):
        rf.Hunt(sets, "random", rf.kernels.make_kernel("intersection"), store=store, name="sets")


def test_many_may_be_told_at_once_and_asked_why(store):
    hunt = rf.Hunt(payments(), "random")
    hunt.tell(range(5), "ordinary")
    hunt.tell([60, 61], ["fraud", "fraud"])
    assert hunt.found == {"ordinary": 0, "fraud": 60}  # nobody has answered a question yet
    hunt.set_background("ordinary")
    assert hunt.found == {"fraud": 60}
    ranking = hunt.rank("fraud", "lago")
    reasons = ranking.why(ranking.top(2))
    assert [reason.row for reason in reasons] == ranking.top(2).tolist()
    assert reasons[0] == ranking.why(int(ranking.rows[0]))
    with pytest.raises(ParameterError, match="Got 1 labels for 2 rows"):
        hunt.tell([7, 8], ["fraud"])


@pytest.mark.parametrize("shape", [(30, 4, 5), (30, 4, 5, 3)])
def test_pictures_are_arrays_of_three_dimensions_or_four_with_colours(shape):
    dots = np.random.default_rng(0).random(shape)
    hunt = rf.Hunt(dots, "farthest-first")
    flat = dots.reshape(30, -1)
    far = np.linalg.norm(flat[3] - flat[7]) / np.linalg.norm(flat[3] - flat[9])
    vectors = hunt.compared()[0]
    told = np.linalg.norm(vectors[3] - vectors[7]) / np.linalg.norm(vectors[3] - vectors[9])
    assert told == pytest.approx(far)  # one scale for all dots


def test_formulas_are_kernels():
    words = ["abab", "baba", "cccc", "cdcd"]
    formula = rf.Hunt(words, "farthest-first", kernel="normalized(spectrum(2)) + spectrum(1)")
    kernels = rf.kernels
    made = kernels.Normalized(kernels.Spectrum(2)) + kernels.Spectrum(1)
    assert formula.ask().row == rf.Hunt(words, "farthest-first", kernel=made).ask().row


def test_progress_is_shown_only_if_wanted(capsys, monkeypatch):
    monkeypatch.setattr(progress_line, "QUIET_SECONDS", 0.0)
    monkeypatch.setattr(progress_line, "BETWEEN_SECONDS", 0.0)
    assert not progress_line.in_notebook()
    rf.Hunt(payments())
    assert capsys.readouterr().err == ""
    rf.Hunt(payments(), progress=True)
    shown = capsys.readouterr().err
    assert shown.startswith("\rrarefind: ")
    assert shown.endswith("\r")
