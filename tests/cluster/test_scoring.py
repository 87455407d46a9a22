from __future__ import annotations

from functools import partial

import numpy as np
import pytest
from pyarrow import parquet

from rarefind.cluster import score_partitions
from rarefind.core.errors import DataError
from rarefind.detection import Lago


def lago_scores(model, table, row):
    return model.decision_function(np.column_stack([column.to_numpy() for column in table.columns]))


def fail_on_the_last(table, row):
    if row > 400:
        raise DataError("the last partition cannot be scored")
    return np.zeros(table.num_rows)


@pytest.fixture
def crowd():
    random = np.random.default_rng(0)
    X = random.normal(size=(590, 3))
    X[:20] = 3.0 + random.normal(0.0, 0.2, size=(20, 3))
    return X


def test_partitions_are_scored_as_on_one_machine_and_only_once(cluster, write, crowd, tmp_path):
    model = Lago(target=True).fit(crowd[:200], np.arange(200) < 10)
    folder, out = write(crowd), tmp_path / "scores"
    score = partial(lago_scores, model)
    rows, scores = score_partitions(cluster, folder, out, score, top=15)
    expected = model.decision_function(crowd)
    written = parquet.read_table(out)
    np.testing.assert_allclose(written["score"].to_numpy(), expected, rtol=1e-12, atol=1e-12)
    assert rows.tolist() == np.argsort(-expected, kind="stable")[:15].tolist()
    np.testing.assert_allclose(scores, expected[rows], rtol=1e-12)
    assert len(list(out.iterdir())) == 6
    with pytest.raises(DataError, match="is already there"):
        score_partitions(cluster, folder, out, score)
    # Stopped before the end, with one file lost: only that one is made again.
    draft = out.with_name(".scores.part")
    out.rename(draft)
    (draft / "part-00003.parquet").unlink()
    written_before = cluster.journal.written
    again, _ = score_partitions(cluster, folder, out, score, top=15)
    assert again.tolist() == rows.tolist()
    assert cluster.journal.written == written_before + 1
    assert parquet.read_table(out).equals(written)


def test_a_partition_that_fails_leaves_nothing_that_looks_whole(cluster, write, crowd, tmp_path):
    out = tmp_path / "scores"
    with pytest.raises(DataError, match="the last partition cannot be scored"):
        score_partitions(cluster, write(crowd), out, fail_on_the_last)
    assert not out.exists()
    with pytest.raises(DataError, match="already has a column 'x1'"):
        score_partitions(cluster, write(crowd, name="b"), out, fail_on_the_last, score_column="x1")
