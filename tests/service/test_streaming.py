from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.core import threads
from rarefind.core.errors import DataError, UnknownNameError
from rarefind.core.progress import listen
from rarefind.detection import Lago
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats import parquet_stream
from rarefind.records.formats.by_ending import read_table
from rarefind.records.preparing.recipe import prepare
from rarefind.service.ranking.by_stream import rank_parquet, score_parquet


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setattr(parquet_stream.ParquetStream.batches, "__defaults__", (None, 97))
    monkeypatch.setattr(threads, "workers", lambda: 2)


@pytest.fixture
def crowd(tmp_path):
    """A crowd with a rare class at 4; one in ten of either is labelled."""
    random = np.random.default_rng(0)
    x = random.normal(size=(1500, 3))
    x[:60] = 4.0 + random.normal(0.0, 0.3, size=(60, 3))
    kind = ["a" if value > 0 else "b" for value in random.normal(size=1500)]
    label = [None if row % 10 else ("rare" if row < 60 else "ordinary") for row in range(1500)]
    path = tmp_path / "crowd.parquet"
    columns = {"x": x[:, 0], "y": x[:, 1], "z": x[:, 2], "kind": kind, "label": label}
    parquet.write_table(pa.table(columns), path, row_group_size=400)
    return path


def scores_in_memory(path):
    table = read_table(path)
    labels = np.array(table.words("label"), dtype=object)
    table = table.without(["label"])
    prepared = prepare(table, detect_kinds(table))
    known = np.array([label is not None for label in labels])
    model = Lago(target=True).fit(prepared.records[known], labels[known] == "rare")
    return model.decision_function(prepared.records), known


def test_a_stream_scores_as_the_whole_table_in_memory_does(crowd, tmp_path):
    out = tmp_path / "out.parquet"
    steps = []
    with listen(steps.append):
        ranking = rank_parquet(crowd, out, "rare", label_column="label", top=40)
    expected, known = scores_in_memory(crowd)
    written = parquet.read_table(out)
    np.testing.assert_allclose(written["score"].to_numpy(), expected, rtol=1e-12, atol=1e-12)
    assert written.drop_columns(["score"]).equals(parquet.read_table(crowd))
    order = [row for row in np.argsort(-expected, kind="stable") if not known[row]][:40]
    assert ranking.rows.tolist() == order
    np.testing.assert_array_equal(ranking.scores, written["score"].to_numpy()[order])
    assert (ranking.n_rows, ranking.known, ranking.target) == (1500, 6, "rare")
    assert "compared by 3 numbers" in ranking.description
    assert {step.task for step in steps} >= {"reading labels", "learning", "scoring"}
    assert steps[-1].done == steps[-1].total == 1500


def test_labels_of_a_hunt_give_the_same_as_a_column_of_them(crowd, tmp_path):
    labels = {
        row: label
        for row, label in enumerate(read_table(crowd).words("label"))
        if label is not None
    }
    bare = tmp_path / "bare.parquet"
    parquet.write_table(parquet.read_table(crowd).drop_columns(["label"]), bare)
    first = rank_parquet(crowd, tmp_path / "a.parquet", "rare", label_column="label")
    second = rank_parquet(bare, tmp_path / "b.parquet", "rare", labels=labels)
    np.testing.assert_array_equal(first.rows, second.rows)
    np.testing.assert_array_equal(first.scores, second.scores)


def test_learning_from_a_sample_repeats_with_its_seed(crowd, tmp_path, monkeypatch):
    monkeypatch.setattr("rarefind.service.ranking.by_stream.LEARN", 200)
    monkeypatch.setattr("rarefind.service.ranking.by_stream.EXAMPLES", 4)
    runs = [
        rank_parquet(crowd, tmp_path / "a.parquet", "rare", label_column="label", seed=seed)
        for seed in (1, 1, 2)
    ]
    np.testing.assert_array_equal(runs[0].scores, runs[1].scores)
    assert runs[0].scores.tolist() != runs[2].scores.tolist()
    assert (runs[0].rows[:30] < 60).mean() > 0.9


def test_scores_keep_all_digits_however_many_votes_there_are(crowd, tmp_path, monkeypatch):
    expected, _ = scores_in_memory(crowd)
    monkeypatch.setattr("rarefind.geometry.thresholds.SINGLE_PRECISION_VOTES", 0)
    assert np.abs(scores_in_memory(crowd)[0] - expected).max() > 1e-9  # which is what is avoided
    rank_parquet(crowd, tmp_path / "out.parquet", "rare", label_column="label")
    written = parquet.read_table(tmp_path / "out.parquet")["score"].to_numpy()
    np.testing.assert_allclose(written, expected, rtol=1e-12, atol=1e-12)


def test_any_function_may_score(crowd, tmp_path):
    rows, scores = score_parquet(
        crowd, tmp_path / "out.parquet", lambda table: -np.abs(table.column("x")), top=3
    )
    x = np.abs(read_table(crowd).column("x"))
    assert rows.tolist() == np.argsort(x, kind="stable")[:3].tolist()
    np.testing.assert_array_equal(scores, -np.sort(x)[:3])
    rows, _ = score_parquet(crowd, tmp_path / "out.parquet", lambda t: t.column("x"), top=0)
    assert rows.size == 0


def test_only_the_columns_kept_are_written(crowd, tmp_path):
    out = tmp_path / "out.parquet"
    score_parquet(crowd, out, lambda table: table.column("x"), keep=["kind"])
    assert parquet.read_table(out).column_names == ["kind", "score"]
    score_parquet(crowd, out, lambda table: table.column("x"), keep=[])
    assert parquet.read_table(out).column_names == ["score"]
    with pytest.raises(DataError, match="'kinds'"):
        score_parquet(crowd, out, lambda table: table.column("x"), keep=["kinds"])


def test_the_earlier_of_equal_rows_is_the_better(crowd, tmp_path):
    rows, _ = score_parquet(
        crowd, tmp_path / "out.parquet", lambda table: np.zeros(table.n_rows), top=150
    )
    assert rows.tolist() == list(range(150))


def test_a_score_that_fails_leaves_no_file(crowd, tmp_path):
    def fail_later(table):
        if table.column("x")[0] == read_table(crowd).column("x")[970]:
            raise DataError("row 970 cannot be scored")
        return table.column("x")

    with pytest.raises(DataError, match="row 970"):
        score_parquet(crowd, tmp_path / "out.parquet", fail_later)
    assert [path.name for path in tmp_path.iterdir()] == ["crowd.parquet"]


def test_wrong_use_is_told_in_words(crowd, tmp_path):
    out = tmp_path / "out.parquet"
    with pytest.raises(DataError, match="either 'labels' or a 'label_column'"):
        rank_parquet(crowd, out, "rare")
    with pytest.raises(UnknownNameError, match="'rar'"):
        rank_parquet(crowd, out, "rar", label_column="label")
    with pytest.raises(DataError, match="already has a column 'x'"):
        rank_parquet(crowd, out, "rare", label_column="label", score_column="x")
    with pytest.raises(DataError, match="has no row 1500"):
        rank_parquet(crowd, out, "rare", labels={1500: "rare"})
    with pytest.raises(DataError, match="All labels are 'rare'"):
        rank_parquet(crowd, out, "rare", labels={0: "rare", 1: "rare"})
    assert not out.exists()
