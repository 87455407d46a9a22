from __future__ import annotations

import json

import numpy as np
import pytest

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.records.shown.column_facts import NumberFacts
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.hunts.table_cache import TableCache
from rarefind.service.showing.views import as_plain
from rarefind.store.opening import open_store


def begin(path, **settings):
    service = Service(open_store("memory:"))
    chosen = HuntSettings(strategy="random", **settings)
    hunt = service.open_hunt(path, settings=chosen).id
    service.prepare(hunt)
    return service, hunt


def test_a_record_shows_its_fields_and_marks_what_is_unusual(shared):
    row = shared.truth.index("fraud")
    record = shared.service.record(shared.id, row)
    fields = {field.name: field for field in record.fields}
    assert set(fields) == {"amount", "hour", "country"}
    assert fields["amount"].note.startswith("higher than")
    assert fields["amount"].unusual > 0.3
    assert fields["country"].value == "lt"
    assert fields["country"].note == "3.8% of records have this"
    assert sum(fields["amount"].histogram["counts"]) == 156
    ordinary = shared.service.record(shared.id, shared.truth.index("ordinary"))
    assert not ordinary.fields[2].marked
    json.dumps(as_plain(record), allow_nan=False)


def test_forced_numbers_and_dates_are_told_by_where_they_lie(tmp_path):
    sizes = ["small" if row % 4 == 0 else f"{row % 30}.5 cm" for row in range(100)]
    days = [f"2024-{row % 12 + 1:02}-{row % 28 + 1:02}" for row in range(100)]
    sizes[41], days[41] = "900 cm", "1999-01-01"
    lines = "\n".join(map(",".join, zip(sizes, days, strict=True)))
    (tmp_path / "t.csv").write_text(f"size,day\n{lines}\n")
    service, hunt = begin(tmp_path / "t.csv", kinds={"size": "number"})
    size, day = service.record(hunt, 41).fields
    assert (size.value, size.note, size.marked) == ("900 cm", "higher than all others", True)
    assert (day.note, day.marked) == ("earlier than all others", True)
    gap = service.record(hunt, 0).fields[0]
    assert gap.note == "missing here, as in 25% of records"


def test_hundredths_are_not_rounded_away(tmp_path):
    pandas = pytest.importorskip("pandas")
    amounts = [9843.42 + row / 100 for row in range(40)]
    pandas.DataFrame({"amount": amounts}).round(2).to_parquet(tmp_path / "t.parquet")
    service, hunt = begin(tmp_path / "t.parquet")
    assert service.record(hunt, 3).summary.startswith("9843.45")


def test_numbers_are_shown_as_the_file_writes_them(tmp_path):
    lines = [f"{row},5;{row % 7}" for row in range(30)]
    lines = ["Betrag;n", "1.234,50;0.123456789012345", *lines]
    (tmp_path / "t.csv").write_text("\n".join(lines))
    service, hunt = begin(tmp_path / "t.csv")
    assert [field.value for field in service.record(hunt, 0).fields] == ["1.234,50", "0.1235"]
    assert service.record(hunt, 3).summary == "Betrag 2,5, n 2"
    service.close()


def test_money_is_shown_as_any_file_writes_it(tmp_path):
    lines = [f'{{"amount": "${row}.50", "size": {row % 7}}}' for row in range(30)]
    (tmp_path / "t.jsonl").write_text("\n".join(lines))
    service, hunt = begin(tmp_path / "t.jsonl")
    assert [field.value for field in service.record(hunt, 3).fields] == ["$3.50", "3"]
    service.close()


def test_a_long_list_in_words_is_shown_by_its_first_numbers(tmp_path):
    lists = [f"[{' '.join(str(row + place / 8) for place in range(64))}]" for row in range(30)]
    (tmp_path / "t.csv").write_text("\n".join(["embedding", *lists]))
    service, hunt = begin(tmp_path / "t.csv")
    (field,) = service.record(hunt, 2).fields
    assert field.value == "[2, 2.125, 2.25, 2.375, 2.5, 2.625, 2.75, 2.875, … 64 numbers]"
    service.close()


def test_neighbours_come_with_their_labels(shared):
    told = shared.service.labels(shared.id)
    near = shared.service.neighbours(shared.id, shared.truth.index("fraud"), 5)
    assert [shared.truth[each.row] for each in near] == ["fraud"] * 5
    assert [each.distance for each in near] == sorted(each.distance for each in near)
    for each in near:
        assert each.label == told.get(each.row)
        assert "country lt" in each.summary


def test_a_summary_begins_with_the_id_and_what_sets_the_record_apart(tmp_path):
    lines = [
        f"{row},TX-{row * 7919 % 1000:03d},{row % 7},{row % 5},{row % 3},{row % 4},"
        f"{'xx' if row == 150 else 'se'},{9000 if row == 150 else row % 11}"
        for row in range(200)
    ]
    path = tmp_path / "t.csv"
    path.write_text("nr,ref,a,b,c,d,country,amount\n" + "\n".join(lines) + "\n")
    service, hunt = begin(path)
    assert service.record(hunt, 150).summary == ("ref TX-850, country xx*, amount 9000*, a 3, b 0")
    assert service.record(hunt, 7).summary == "ref TX-433, a 0, b 2, c 1, d 3"
    service.close()


def test_progress_counts_classes_people_and_what_chance_would_have_seen(shared):
    progress = shared.service.progress(shared.id)
    told = shared.service.labels(shared.id)
    assert progress.labels == len(told) == 12
    names = [each.name for each in progress.classes]
    assert names == list(dict.fromkeys(told.values()))
    assert [each.name for each in progress.classes if each.background] == ["ordinary"]
    assert progress.curve[0] == 0
    assert progress.curve[-1] == 1
    assert len(progress.random) == 13
    assert 0 < progress.random[-1] < 1
    assert progress.annotators == {"anna": 12}
    assert progress.outlook["labels"] == 12
    json.dumps(as_plain(progress), allow_nan=False)


def test_history_is_told_backwards_in_pages(shared):
    pages = shared.service.history(shared.id, 5)
    assert len(pages) == 5
    more = shared.service.history(shared.id, 100, before=pages[-1].seq)
    seqs = [entry.seq for entry in [*pages, *more]]
    assert seqs == sorted(seqs, reverse=True)
    assert len(seqs) == 12
    assert pages[0].words.startswith("anna called row")
    for entry in pages:
        assert entry.summary == shared.service.summary(shared.id, entry.row)


def test_the_history_of_a_hunt_at_rest_tells_its_records_when_they_may_be_read(payments, tmp_path):
    hunt = payments(store=str(tmp_path / "kept.db"))
    row = hunt.answer()
    summary = hunt.service.summary(hunt.id, row)
    assert summary
    hunt.service.rename(hunt.id, hunt.truth[row], "named", "anna")
    with Service(open_store(str(tmp_path / "kept.db"))) as later:
        assert [entry.summary for entry in later.history(hunt.id)] == ["", ""]
        told = later.history(hunt.id, read=True)
        assert [(entry.row, entry.summary) for entry in told] == [(None, ""), (row, summary)]
        assert not later.opened(hunt.id).records.loaded
        hunt.path.unlink()
    with Service(open_store(str(tmp_path / "kept.db"))) as later:
        assert [entry.summary for entry in later.history(hunt.id, read=True)] == ["", ""]


def test_the_map_places_every_record_within_the_square(shared):
    for method in ("pca", "lda"):
        found = shared.service.map(shared.id, method)
        assert found.points.shape == (156, 2)
        assert found.points.dtype == np.float32
        assert np.abs(found.points).max() <= 1.0
        rare = np.array([label == "fraud" for label in shared.truth])
        spread = found.points[~rare].std(axis=0).max()
        away = np.abs(found.points[rare].mean(axis=0) - found.points[~rare].mean(axis=0)).max()
        assert away > 2 * spread
        assert shared.service.map(shared.id, method) is found
    with pytest.raises(UnknownNameError, match="There is no map 'tsne'"):
        shared.service.map(shared.id, "tsne")


def test_the_map_of_discriminants_needs_two_classes(payments):
    hunt = payments()
    with pytest.raises(DataError, match="need two labelled classes"):
        hunt.service.map(hunt.id, "lda")


def test_class_numbers_follow_the_order_of_progress(shared):
    numbers = shared.service.class_numbers(shared.id)
    classes = [each.name for each in shared.service.progress(shared.id).classes]
    told = shared.service.labels(shared.id)
    assert (numbers >= 0).sum() == 12
    assert all(classes[numbers[row]] == label for row, label in told.items())


def test_files_are_inspected_before_anything_runs(shared):
    seen = shared.service.inspect(shared.path)
    assert [(each.name, each.kind) for each in seen.columns] == [
        ("amount", "number"), ("hour", "number"), ("country", "category"), ("kind", "category"),
    ]  # fmt: skip
    assert len(seen.preview) == 20
    assert seen.preview[0]["country"] in ("se", "no", "dk", "lt")
    assert seen.label_guesses == ("kind",)
    assert shared.service.inspect(shared.path, {"country": "id"}).columns[2].kind == "id"


def test_texts_sequences_molecules_and_pictures_are_shown_as_what_they_are(tmp_path):
    rng = np.random.default_rng(0)
    rows = ["sequence,smiles,note"]
    for number in range(40):
        letters = "".join(rng.choice(list("ACGT"), 30))
        words = " ".join(rng.choice(["please", "call", "me", "back", "soon", "about", "this"], 9))
        rows.append(f"{letters},{'C' * (number % 7 + 1)}(=O)O,{words} {number}")
    path = tmp_path / "mixed.csv"
    path.write_text("\n".join(rows))
    service, hunt = begin(path, kinds={"smiles": "molecule"})
    payloads = {each["kind"]: each for each in service.record(hunt, 3).payloads}
    assert set(payloads) == {"sequence", "molecule", "text"}
    molecule = payloads["molecule"]
    assert len(molecule["nodes"]) == len(molecule["layout"]) == 6
    assert len(molecule["edges"]) == 5
    assert service.map(hunt).method == "kernel-pca"
    assert service.map(hunt).points.shape == (40, 2)
    service.close()

    pixels = ",".join(f"p{number}" for number in range(64))
    grid = [",".join(str(rng.integers(0, 16)) for _ in range(64)) for _ in range(30)]
    path = tmp_path / "pictures.csv"
    path.write_text("\n".join([pixels, *grid]))
    service, hunt = begin(path)
    (picture,) = service.record(hunt, 0).payloads
    assert picture["shape"] == [8, 8]
    assert 0 <= min(picture["values"]) <= max(picture["values"]) <= 1
    service.close()


def test_graphs_are_laid_out(tmp_path):
    lines = [
        json.dumps({"nodes": ["C"] * (3 + n % 4), "edges": [[0, 1], [1, 2]], "label": str(n % 2)})
        for n in range(20)
    ]
    (tmp_path / "graphs.jsonl").write_text("\n".join(lines))
    service, hunt = begin(tmp_path / "graphs.jsonl", label_column="label")
    (graph,) = service.record(hunt, 1).payloads
    assert graph["nodes"] == ["C"] * 4
    assert np.abs(graph["layout"]).max() <= 1
    service.close()


def test_listeners_get_news_until_they_go(payments):
    hunt = payments()
    heard = []
    hunt.service.subscribe(hunt.id, heard.append)
    row = hunt.answer()
    hunt.service.progress(hunt.id)
    lease, label = (news.as_mapping() for news in heard)
    assert lease == {"type": "lease", "row": row, "annotator": "anna"}
    assert (label["type"], label["row"], label["value"]) == ("label", row, hunt.truth[row])
    hunt.service.unsubscribe(hunt.id, heard.append)
    hunt.service.undo(hunt.id, "anna")
    hunt.service.progress(hunt.id)
    assert len(heard) == 2
    assert row not in hunt.service.labels(hunt.id)


def test_wrong_numbers_are_refused_in_words(shared):
    with pytest.raises(ParameterError, match="'k' parameter of neighbours"):
        shared.service.neighbours(shared.id, 0, 0)
    with pytest.raises(ParameterError, match="'limit' parameter of history"):
        shared.service.history(shared.id, 0)
    with pytest.raises(UnknownNameError, match="There is no row 156"):
        shared.service.record(shared.id, 156)


def test_preparing_can_be_stopped(tmp_path, payments, monkeypatch):
    from rarefind.service.heavy.cancelling import Cancelled

    hunt = payments()
    hunt.service.close_hunt(hunt.id)
    opened = hunt.service.opened(hunt.id)
    read = TableCache.read
    monkeypatch.setattr(TableCache, "read", lambda *given: (opened.cancel(), read(*given))[1])
    with pytest.raises(Cancelled, match="Stopped while"):
        hunt.service.prepare(hunt.id)
    assert hunt.service.state(hunt.id).state == "closed"
    monkeypatch.undo()
    hunt.service.prepare(hunt.id)
    assert hunt.service.state(hunt.id).state == "ready"


def test_neighbours_are_told_by_where_they_differ(payments):
    hunt = payments()
    table = hunt.service.opened(hunt.id).data.table
    row = hunt.truth.index("fraud")
    for near in hunt.service.neighbours(hunt.id, row):
        sizes = {}
        for name, cells in table.columns.items():
            if cells.dtype.kind == "f":
                low, high = sorted((cells[row], cells[near.row]))
                sizes[name] = sum(low <= cell < high for cell in cells) / len(cells)
            else:
                sizes[name] = float(cells[row] != cells[near.row])
        told = {each.name: each.size for each in near.differs}
        assert told == {name: size for name, size in sizes.items() if size > 0}
        assert list(told.values()) == sorted(told.values(), reverse=True)
        for each in near.differs:
            assert each.value.startswith(str(table.columns[each.name][near.row])[:4])


def test_a_number_that_most_records_have_is_told_by_their_share():
    facts = NumberFacts(np.array([0.0] * 95 + [1.0, 2.0, 3.0, 4.0, 5.0]))
    assert facts.unusual(0.0).words == "95% of records have this"
    assert not facts.unusual(0.0).marked
    assert facts.unusual(4.0).words == "higher than 98% of records"
