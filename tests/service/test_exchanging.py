from __future__ import annotations

import datetime as dt
import json

import pytest

from rarefind.core.errors import DataError, ParameterError, StateError, UnknownNameError
from rarefind.records.formats.by_ending import read_table
from rarefind.service.exchange.use_cases import Imported


def test_records_labels_and_rankings_are_written_and_read_again(shared, tmp_path):
    service, hunt = shared.service, shared.id
    told = service.labels(hunt)
    for ending in ("csv", "parquet", "jsonl", "tsv"):
        path = tmp_path / f"records.{ending}"
        assert service.export(hunt, path) == 156
        words = read_table(path).words("label")
        assert {row: word for row, word in enumerate(words) if word} == told
    assert service.export(hunt, tmp_path / "labels.csv", what="labels") == len(told)
    labels = read_table(tmp_path / "labels.csv")
    assert [int(row) for row in labels.column("row")] == list(told)
    assert set(labels.words("annotator")) == {"anna"}
    times = [dt.datetime.fromisoformat(word) for word in labels.words("at")]
    assert all(abs(dt.datetime.now(dt.UTC) - time) < dt.timedelta(hours=1) for time in times)
    made = service.rank(hunt, "fraud", "lago")
    service.export(hunt, tmp_path / "ranking.parquet", what="ranking")
    ranking = read_table(tmp_path / "ranking.parquet")
    first = [each.row for each in service.ranked(hunt, made.id, 0, 10)]
    assert [int(row) for row in ranking.column("row")[:10]] == first


def test_an_export_goes_back_in_and_the_second_time_changes_nothing(shared, payments, tmp_path):
    told = shared.service.labels(shared.id)
    for ending, what in (("csv", "labels"), ("json", "labels"), ("jsonl", "records")):
        path = tmp_path / f"out.{ending}"
        shared.service.export(shared.id, path, what=what)
        said = shared.service.history(shared.id, 1000)
        assert shared.service.import_labels(shared.id, path, "anna") == Imported(0, 0)
        assert shared.service.history(shared.id, 1000) == said
        hunt = payments()
        assert hunt.service.import_labels(hunt.id, path, "anna") == Imported(len(told), 0)
        assert hunt.service.labels(hunt.id) == {
            row: told[row] for row in hunt.service.labels(hunt.id)
        }
        assert set(hunt.service.labels(hunt.id)) == set(told)
        assert hunt.service.import_labels(hunt.id, path, "anna") == Imported(0, 0)


def test_label_studio_gets_tasks_it_can_read(shared, tmp_path):
    path = tmp_path / "tasks.json"
    shared.service.export(shared.id, path, what="labels")
    tasks = json.loads(path.read_text())
    told = shared.service.labels(shared.id)
    for task, (row, label) in zip(tasks, told.items(), strict=True):
        assert task["data"]["rarefind_row"] == row
        assert set(task["data"]) >= {"amount", "hour", "country"}
        (annotation,) = task["annotations"]
        assert annotation["result"][0]["value"] == {"choices": [label]}
        assert annotation["completed_by"] == {"email": "anna"}


def test_label_studios_own_exports_are_read(payments, tmp_path):
    hunt = payments()

    def result(label):
        return {"from_name": "c", "to_name": "t", "type": "choices", "value": {"choices": [label]}}

    tasks = [
        {"data": {"row": "3"}, "annotations": [{"result": [result("fraud")], "completed_by": 7}]},
        {"data": {"row": 4}, "annotations": [{"was_cancelled": True, "result": [result("no")]}]},
        {"data": {"row": 5}, "annotations": []},
    ]
    path = tmp_path / "project.json"
    path.write_text(json.dumps(tasks))
    assert hunt.service.import_labels(hunt.id, path, "anna") == Imported(1, 0)
    assert hunt.service.labels(hunt.id) == {3: "fraud"}
    assert hunt.service.progress(hunt.id).annotators == {"7": 1}


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_a_hunt_with_the_labels_of_another_goes_on_as_that_would(payments, tmp_path, suffix):
    hunt = payments(strategy="auto")
    for _ in range(8):
        hunt.answer()
    hunt.service.tell(hunt.id, 3, hunt.truth[3], "anna", asked=False)
    path = tmp_path / f"labels.{suffix}"
    hunt.service.export(hunt.id, path, what="labels")
    other = payments(strategy="auto")
    assert other.service.import_labels(other.id, path, "bert") == Imported(9, 0)
    events = [each.service.store.events(each.id) for each in (hunt, other)]
    assert [event.asked_by for event in events[1]] == [event.asked_by for event in events[0]]
    assert {event.asked_by is None for event in events[1]} == {True, False}
    assert other.service.ask(other.id, "anna")[0].row == hunt.service.ask(hunt.id, "anna")[0].row


@pytest.mark.parametrize(
    "written", ["pocket", '{"member": ""}', '{"member": "a", "notes": {"x": "y"}}']
)
def test_who_asked_must_be_what_an_export_wrote(payments, tmp_path, written):
    hunt = payments()
    cell = written.replace('"', '""')
    (tmp_path / "labels.csv").write_text(f'row,label,asked_by\n3,fraud,"{cell}"\n')
    with pytest.raises(DataError, match="column 'asked_by' must hold what an export wrote there"):
        hunt.service.import_labels(hunt.id, tmp_path / "labels.csv", "anna")


def test_labels_are_matched_by_a_shared_column(tmp_path):
    from rarefind.service.facade import Service
    from rarefind.store.opening import open_store

    (tmp_path / "d.csv").write_text("id,x\n" + "".join(f"k{n},{n}\n" for n in range(30)))
    (tmp_path / "l.csv").write_text("id,class\nk7,odd\nk3,even\n")
    service = Service(open_store("memory:"))
    hunt = service.open_hunt(tmp_path / "d.csv").id
    assert service.import_labels(
        hunt, tmp_path / "l.csv", "anna", column="class", by="id"
    ) == Imported(2, 0)
    assert service.labels(hunt) == {7: "odd", 3: "even"}
    (tmp_path / "bad.csv").write_text("id,label\nk99,odd\n")
    with pytest.raises(DataError, match="row 0 of column 'id' holds 'k99', which no record has"):
        service.import_labels(hunt, tmp_path / "bad.csv", "anna", by="id")
    service.close()


def test_other_answers_of_the_same_person_are_changed_only_when_that_is_asked_for(
    payments, tmp_path
):
    hunt = payments()
    service, path = hunt.service, tmp_path / "l.csv"
    service.tell(hunt.id, 3, "odd", "anna")
    path.write_text("row,label,at\n3,even,1700000000.5\n4,odd,2026-01-01T00:00:00Z\n")
    with pytest.raises(StateError, match=r"'even' of row 3, where anna said 'odd'.*replace="):
        service.import_labels(hunt.id, path, "anna")
    assert service.labels(hunt.id) == {3: "odd"}
    assert service.import_labels(hunt.id, path, "anna", replace=True) == Imported(1, 1)
    assert service.labels(hunt.id) == {3: "even", 4: "odd"}
    assert [entry.value for entry in service.history(hunt.id)] == ["odd", "even", "odd"]
    path.write_text("row,label\n3,odd\n")
    assert service.import_labels(hunt.id, path, "anna", replace=True) == Imported(0, 1)
    path.write_text("row,label\n3,even\n")
    assert service.import_labels(hunt.id, path, "anna", replace=True) == Imported(0, 1)
    assert service.labels(hunt.id)[3] == "even"
    service.undo(hunt.id, "anna")
    assert service.labels(hunt.id)[3] == "odd"
    assert service.import_labels(hunt.id, path, "berta") == Imported(1, 0)


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv", "row,label\n1,x\n1,y\n", "both 'x' and 'y' of row 1"),
        ("a.csv", "row,label\n999,x\n", "labels row 999, but the records are rows 0 to 155"),
        ("a.csv", "row,label\n1.5,x\n", "must hold whole numbers"),
        ("a.csv", "label\nx\n", "has 1 rows for 156 records and no column 'row'"),
        ("a.csv", "row,lable\n1,x\n", "There is no column 'label'. Did you mean 'lable'"),
        ("a.json", "{", "a.json: the file, character 2 is not valid JSON"),
        ("a.json", "{}", "a list of tasks"),
        ("a.json", "[{}]", "1 tasks for 156 records"),
    ],
)
def test_labels_that_cannot_be_read_are_refused_in_words(shared, tmp_path, name, content, words):
    path = tmp_path / name
    path.write_text(content)
    with pytest.raises((DataError, UnknownNameError), match=words):
        shared.service.import_labels(shared.id, path, "anna")


def test_exports_that_make_no_sense_are_refused(shared, tmp_path, payments):
    with pytest.raises(ParameterError, match=r"A \.json file is Label Studio's"):
        shared.service.export(shared.id, tmp_path / "a.json", what="records")
    with pytest.raises(DataError, match=r"\.xlsx"):
        shared.service.export(shared.id, tmp_path / "a.xlsx")
    with pytest.raises(ParameterError, match="'what' parameter of export"):
        shared.service.export(shared.id, tmp_path / "a.csv", what="all")
    hunt = payments()
    with pytest.raises(UnknownNameError, match="has no ranking yet"):
        hunt.service.export(hunt.id, tmp_path / "a.csv", what="ranking")


def test_formulas_in_an_export_are_harmless_and_come_back(tmp_path):
    from rarefind.service.facade import Service
    from rarefind.store.opening import open_store

    rows = "".join(f"{n},word{n % 4}\n" for n in range(24))
    (tmp_path / "d.csv").write_text(f"x,who\n{rows}25,=1+1\n")
    service = Service(open_store("memory:"))
    hunt = service.open_hunt(tmp_path / "d.csv").id
    service.tell(hunt, 24, "@evil", "anna")
    service.export(hunt, tmp_path / "out.csv")
    last = (tmp_path / "out.csv").read_text().splitlines()[-1]
    assert not any(cell.lstrip('"').startswith(("=", "@")) for cell in last.split(","))
    assert read_table(tmp_path / "out.csv").words("label")[-1] == "@evil"
    service.export(hunt, tmp_path / "raw.csv", raw=True)
    assert (tmp_path / "raw.csv").read_text().splitlines()[-1].endswith("@evil")
    service.close()
