"""Whole hunts and rankings of mixed tables, on one machine and on a cluster."""

from __future__ import annotations

import datetime as dt

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.cluster import find_files
from rarefind.core.errors import DataError, ParameterError, StateError
from rarefind.records.shown.in_one_line import record_summary
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.on_cluster.hunts import ClusterService, cluster_folder
from rarefind.service.on_cluster.tables import ClusterTables
from rarefind.service.ranking.of_file import FileToRank
from rarefind.store.opening import open_store
from tests.cluster.conftest import write_table


def mixed(seed, rows=400):
    """Numbers with gaps, whole numbers, words, yes and no, dates, copies, and empty columns."""
    random = np.random.default_rng(seed)
    size = random.normal(size=rows)
    size[:8] += 9.0
    gappy = random.lognormal(sigma=2.0, size=rows)
    missing = random.random(rows) < 0.1
    days = random.integers(0, 900, size=rows)
    dates = [f"{1 + day % 12}/{1 + day % 28}/{2020 + day % 4}" for day in days]
    words = random.choice(["red", "green", "blue", None], size=rows, p=[0.6, 0.3, 0.05, 0.05])
    begin = dt.datetime(2024, 1, 1)
    table = pa.table(
        {
            "size": size,
            "gappy  ": pa.array(gappy, mask=missing),
            "whole": random.integers(0, 7, size=rows),
            "colour": pa.array(words.tolist()),
            "paid": pa.array((random.random(rows) < 0.3).tolist()),
            "member": pa.array(random.choice(["yes", "no"], size=rows).tolist()),
            "day": pa.array(dates),
            "at": pa.array([begin + dt.timedelta(hours=int(day)) for day in days]),
            "always": np.full(rows, 3.5),
            "nothing": pa.nulls(rows),
            "row id": np.arange(rows),
            "label": np.where(np.arange(rows) < 8, "odd", "plain"),
        }
    )
    copies = random.integers(0, rows, size=rows // 10)
    return table.take(np.concatenate([np.arange(rows), copies]))


def one_service():
    return Service(open_store("memory:"))


def cluster_service(cluster):
    return ClusterService(open_store("memory:"), cluster, ClusterTables())


def hunted(service, path, settings, questions):
    """Prepare a hunt, let the label column answer, and tell all that came of it."""
    with service:
        view = service.open_hunt(path, settings=settings)
        service.prepare(view.id)
        data = service.opened(view.id).data
        truth = service.truth(view.id)
        said = []
        for _ in range(questions):
            asked = service.ask(view.id, "anna")[0]
            said.append((asked.row, asked.why, asked.neighbours))
            service.tell(view.id, asked.row, str(truth[asked.row]), "anna")
        space = service.opened(view.id).live.hunt.space
        return {
            "asked": said,
            "kinds": data.kinds,
            "names": data.prepared.names,
            "left out": set(data.prepared.left_out),
            "description": data.prepared.description,
            "truth": truth,
            "record": service.record(view.id, 3),
            "progress": service.progress(view.id).classes,
            "points": (space.folded.point_of, space.folded.weights, space.vectors),
        }


def assert_same(one, many):
    for ours, theirs in zip(many.pop("points"), one.pop("points"), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert many == one


@pytest.mark.parametrize(
    ("seed", "files", "groups", "empty"),
    [(0, 1, 1, False), (1, 3, 2, True), (2, 2, 20, False)],
    ids=["one partition", "an empty file", "tiny partitions"],
)
def test_a_hunt_in_a_mixed_table_is_the_same(cluster, tmp_path, seed, files, groups, empty):
    table = mixed(seed)
    parquet.write_table(table, tmp_path / "data.parquet")
    folder = write_table(tmp_path / "data", table, files, groups)
    if empty:
        parquet.write_table(table.slice(0, 0), folder / "part-1a.parquet")
    settings = HuntSettings(label_column="label", background=("plain",), seed=seed)
    one = hunted(one_service(), tmp_path / "data.parquet", settings, 12)
    many = hunted(cluster_service(cluster), folder, settings, 12)
    assert_same(one, many)
    assert "gappy is missing" in many["names"]


@pytest.mark.parametrize(
    ("name", "every", "strategy"),
    [("shuttle_train", 8, "auto"), ("shuttle_train", 12, "malice"), ("kdd99_10", 100, "auto")],
)
def test_real_data_are_hunted_in_as_on_one_machine(
    cluster, tmp_path, datasets, name, every, strategy
):
    whole = parquet.read_table(datasets(f"{name}.parquet"))
    table = whole.take(np.arange(0, whole.num_rows, every))
    parquet.write_table(table, tmp_path / "data.parquet", row_group_size=600)
    priors = (0.01, 0.002) if strategy == "malice" else None
    settings = HuntSettings(label_column="label", strategy=strategy, priors=priors)
    one = hunted(one_service(), tmp_path / "data.parquet", settings, 15)
    many = hunted(cluster_service(cluster), tmp_path / "data.parquet", settings, 15)
    assert_same(one, many)


def test_a_ranking_from_a_hunt_has_the_scores_of_one_machine(cluster, tmp_path):
    table = mixed(3)
    path = tmp_path / "data.parquet"
    parquet.write_table(table, path, row_group_size=120)
    labels = {0: "odd", 5: "odd", 3: "odd", **dict.fromkeys(range(40, 60), "plain")}
    with one_service() as service:
        view = service.open_hunt(path, settings=HuntSettings(leave_out=("label",)))
        service.prepare(view.id)
        for row, label in labels.items():
            service.tell(view.id, row, label, "anna")
        ranking = service.rank(view.id, "odd", "lago")
        one = service.ranked(view.id, ranking.id, 0, table.num_rows)
        data = service.opened(view.id).data
    with cluster_service(cluster) as service:
        view = service.open_hunt(path, settings=HuntSettings(leave_out=("label",)))
        for row, label in labels.items():
            service.tell(view.id, row, label, "anna")
        out = tmp_path / "ranked"
        made = service.rank_file(FileToRank(path, "odd", top=20, out=out))
        kept = service.store.ranking(made.id)
    assert made.n_ranked == len(one) == len(kept.rows)
    assert made.why == ranking.why
    assert made.average_precision == ranking.average_precision
    assert kept.rows.tolist() == [each.row for each in one]
    np.testing.assert_allclose(kept.scores, [each.score for each in one], rtol=1e-12)
    # What is usual among all records, and so what to tell first and mark, one machine alone knows.
    plain = [record_summary(data.table, data.kinds, each.row) for each in one[:20]]
    assert [each.summary for each in made.shown] == plain
    written = parquet.read_table(out)
    assert written.drop_columns("score").equals(table)
    scores = written["score"].to_numpy()
    np.testing.assert_allclose(scores[kept.rows], kept.scores, rtol=1e-12)


@pytest.mark.parametrize("every", [1, 2], ids=["every row has a label", "half of the rows have"])
def test_a_ranking_from_a_column_is_that_of_one_machine(cluster, tmp_path, every):
    table = mixed(4, rows=200)
    labels = [
        word if row % every == 0 else None for row, word in enumerate(table["label"].to_pylist())
    ]
    table = table.set_column(11, "label", pa.array(labels))
    path = tmp_path / "data.parquet"
    parquet.write_table(table, path, row_group_size=50)
    wanted = FileToRank(path, "odd", "lago", settings=HuntSettings(label_column="label"))
    with one_service() as service:
        one = service.rank_file(wanted)
    with cluster_service(cluster) as service:
        many = service.rank_file(wanted)
    np.testing.assert_allclose(many.scores, one.scores, rtol=1e-12, atol=1e-15)
    # Row by row: scores that differ by rounding alone may change places.
    there, here = (each.scores[np.argsort(each.rows)] for each in (many, one))
    assert sorted(many.rows) == sorted(one.rows)
    np.testing.assert_allclose(there, here, rtol=1e-12, atol=1e-15)
    assert (many.average_precision, many.chance) == (one.average_precision, one.chance)
    assert (many.why, many.known_examples) == (one.why, one.known_examples)
    assert many.n_ranked == one.n_ranked == len(one.rows)


def test_more_labels_than_can_be_learnt_from_are_drawn(cluster, tmp_path, monkeypatch):
    monkeypatch.setattr("rarefind.service.on_cluster.ranking.LEARN", 50)
    path = tmp_path / "data.parquet"
    parquet.write_table(mixed(5, rows=200), path)
    with cluster_service(cluster) as service:
        settings = HuntSettings(label_column="label")
        made = service.rank_file(FileToRank(path, "odd", settings=settings, out=tmp_path / "out"))
    assert "drawn at random" in made.why
    assert made.n_ranked == 220
    assert parquet.read_table(tmp_path / "out").num_rows == 220


def test_a_hunt_goes_on_with_and_without_a_cluster(cluster, tmp_path):
    path = tmp_path / "data.parquet"
    parquet.write_table(mixed(6, rows=150), path)
    settings = HuntSettings(leave_out=("label",))
    rows = []
    for turn in range(4):
        store = open_store(str(tmp_path / "hunts.db"))
        tables = ClusterTables()
        service = ClusterService(store, cluster, tables) if turn % 2 else Service(store)
        with service:
            view = service.open_hunt(path, settings=settings)
            assert view.labels == turn
            service.prepare(view.id)
            asked = service.ask(view.id, "anna")[0]
            service.tell(view.id, asked.row, "plain", "anna")
            rows.append(asked.row)
    assert len(set(rows)) == 4


@pytest.mark.parametrize(
    ("column", "kind"),
    [("a longer note about this and that {}", "text"), ("ACGTTGCA{}", "sequence")],
)
def test_what_only_a_kernel_compares_is_refused_by_name(cluster, tmp_path, column, kind):
    letters = ["".join("ACGT"[int(d)] for d in np.base_repr(n + 64, 4)) for n in range(60)]
    cells = [column.format(word) for word in letters]
    path = tmp_path / "data.parquet"
    parquet.write_table(pa.table({"x": np.arange(60.0) % 7, "note": cells}), path)
    with (
        cluster_service(cluster) as service,
        pytest.raises(DataError, match=rf"column 'note' holds a {kind}, which a cluster cannot"),
    ):
        service.prepare(service.open_hunt(path).id)
    with cluster_service(cluster) as service:
        service.prepare(service.open_hunt(path, settings=HuntSettings(leave_out=("note",))).id)
    with (
        cluster_service(cluster) as service,
        pytest.raises(ParameterError, match="not by a kernel"),
    ):
        service.prepare(service.open_hunt(path, settings=HuntSettings(kernel="linear")).id)


def test_a_picture_is_refused_unless_its_columns_are_numbers(cluster, tmp_path):
    path = tmp_path / "data.parquet"
    random = np.random.default_rng(0)
    parquet.write_table(pa.table({f"p{dot}": random.random(30) for dot in range(16)}), path)
    with (
        cluster_service(cluster) as service,
        pytest.raises(DataError, match=r"columns p0-p15 form a picture, which a cluster"),
    ):
        service.prepare(service.open_hunt(path).id)
    settings = HuntSettings(kinds={"p0-p15": "number"})
    one = hunted(one_service(), path, settings, 0)
    many = hunted(cluster_service(cluster), path, settings, 0)
    assert_same(one, many)


def test_records_cannot_be_added_on_a_cluster(cluster, tmp_path):
    path = tmp_path / "data.parquet"
    parquet.write_table(mixed(7, rows=100).drop_columns("label"), path)
    parquet.write_table(mixed(8, rows=100).drop_columns("label"), tmp_path / "more.parquet")
    store = tmp_path / "rarefind.db"
    with Service(open_store(store)) as service:
        hunt = service.open_hunt(path).id
        service.append(hunt, tmp_path / "more.parquet", "anna")
    with (
        ClusterService(open_store(store), cluster, ClusterTables()) as service,
        pytest.raises(StateError, match="Go on without cluster="),
    ):
        service.prepare(hunt)


def test_files_that_differ_in_their_columns_are_refused(tmp_path):
    folder = tmp_path / "data"
    folder.mkdir()
    parquet.write_table(pa.table({"x": [1.0], "y": [1.0]}), folder / "a.parquet")
    parquet.write_table(pa.table({"x": [1.0], "y": ["word"]}), folder / "b.parquet")
    with pytest.raises(DataError, match=r"b.parquet: column 'y' holds string, and double in a.par"):
        find_files(folder)
    parquet.write_table(pa.table({"x": [1.0]}), folder / "b.parquet")
    with pytest.raises(DataError, match=r"b.parquet lacks column 'y', unlike a.parquet"):
        find_files(folder)
    parquet.write_table(pa.table({"x": [1.0], "y": [1.0], "z": [1.0]}), folder / "b.parquet")
    with pytest.raises(DataError, match=r"b.parquet also has column 'z', unlike a.parquet"):
        find_files(folder)
    (tmp_path / "data.csv").write_text("x\n1\n")
    with pytest.raises(DataError, match=r"data.csv: a cluster reads Parquet files"):
        find_files(tmp_path / "data.csv")
    assert cluster_folder(folder).name == ".data.cluster"
