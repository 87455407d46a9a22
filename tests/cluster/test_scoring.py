from __future__ import annotations

from functools import partial

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.cluster import find_files, score_partitions, scoring
from rarefind.cluster.scoring import begin_folder, best_of
from rarefind.core.errors import DataError
from rarefind.detection import Lago
from rarefind.service.on_cluster.ranking import Scores


def lago_scores(model, batch, row):
    return model.decision_function(np.column_stack([column.to_numpy() for column in batch.columns]))


def stop(*_):
    raise KeyboardInterrupt


def fail_on_the_last(batch, row):
    if row > 400:
        raise DataError("the last partition cannot be scored")
    return np.zeros(batch.num_rows)


@pytest.fixture
def crowd():
    random = np.random.default_rng(0)
    X = random.normal(size=(590, 3))
    X[:20] = 3.0 + random.normal(0.0, 0.2, size=(20, 3))
    return X


def test_partitions_are_scored_as_on_one_machine_and_only_once(
    cluster, write, crowd, tmp_path, monkeypatch
):
    model = Lago(target=True).fit(crowd[:200], np.arange(200) < 10)
    folder, out = write(crowd), tmp_path / "scores"
    score = partial(lago_scores, model)
    rows, scores = score_partitions(cluster, folder, out, score, top=15, mark="lago")
    expected = model.decision_function(crowd)
    written = parquet.read_table(out)
    np.testing.assert_allclose(written["score"].to_numpy(), expected, rtol=1e-12, atol=1e-12)
    assert rows.tolist() == np.argsort(-expected, kind="stable")[:15].tolist()
    np.testing.assert_allclose(scores, expected[rows], rtol=1e-12)
    assert len(list(out.iterdir())) == 6
    with pytest.raises(DataError, match="is already there"):
        score_partitions(cluster, folder, out, score)
    assert not list((cluster.folder / "journal").iterdir())
    # Stopped before the end, with one file lost: only that one is made again.
    again = tmp_path / "again"
    with monkeypatch.context() as patch:
        patch.setattr(scoring, "finish_folder", stop)
        with pytest.raises(KeyboardInterrupt):
            score_partitions(cluster, folder, again, score, top=15, mark="lago")
    draft = begin_folder(again, "lago", find_files(folder))
    (draft / "part-00003.parquet").unlink()
    before = cluster.written
    found, _ = score_partitions(cluster, folder, again, score, top=15, mark="lago")
    assert found.tolist() == rows.tolist()
    assert cluster.written == before + 1
    assert parquet.read_table(again).equals(written)
    assert not draft.exists()


def test_labelled_rows_are_not_among_the_best_and_nothing_need_be_written(cluster, write, crowd):
    expected = crowd[:, 0]
    known = np.sort(np.argsort(-expected)[:3])
    rows, _ = score_partitions(
        cluster, write(crowd), None, first_column, top=4, leave_out=known, columns=["x0"]
    )
    assert rows.tolist() == np.argsort(-expected)[3:7].tolist()


def first_column(batch, row):
    return batch.column(0).to_numpy()


def test_the_best_of_several_lists_are_in_order_and_of_equals_the_earlier():
    lists = [
        {"rows": np.array([5, 9]), "scores": np.array([2.0, 1.0])},
        {"rows": np.array([1, 3]), "scores": np.array([1.0, 2.0])},
    ]
    best = best_of(lists, 3)
    assert best["rows"].tolist() == [3, 5, 1]


def test_a_partition_that_fails_leaves_nothing_that_looks_whole(cluster, write, crowd, tmp_path):
    out = tmp_path / "scores"
    with pytest.raises(DataError, match="the last partition cannot be scored"):
        score_partitions(cluster, write(crowd), out, fail_on_the_last)
    assert not out.exists()
    assert not list(tmp_path.glob("[!.]*/*.part"))
    with pytest.raises(DataError, match="already has a column 'x1'"):
        score_partitions(cluster, write(crowd, name="b"), out, fail_on_the_last, score_column="x1")
    (tmp_path / "file").touch()
    with pytest.raises(DataError, match="there is no folder"):
        score_partitions(cluster, tmp_path / "data", tmp_path / "file" / "out", fail_on_the_last)


def test_scores_of_a_worker_keep_all_digits_however_many_votes_there_are(crowd, monkeypatch):
    model = Lago(target=True).fit(crowd[:200], np.arange(200) < 10)
    batch = pa.record_batch(list(crowd.T), names=["x0", "x1", "x2"])
    score = Scores(lambda rows: np.column_stack(rows.columns), ("x0", "x1", "x2"), model)
    expected = model.decision_function(crowd)
    monkeypatch.setattr("rarefind.geometry.thresholds.SINGLE_PRECISION_VOTES", 0)
    np.testing.assert_array_equal(score(batch, 0), expected)
