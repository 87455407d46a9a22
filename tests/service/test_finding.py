"""Queries: what they mean, beside a slow and obvious reading, and what they say when wrong."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import ParameterError
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.formats.by_ending import read_table
from rarefind.records.table import Table
from rarefind.service.finding.grammar import parse
from rarefind.service.finding.history import HistoryFilter
from rarefind.service.finding.matching import Matcher, Spoken

AMOUNT = [5.0, 1200.0, float("nan"), -3.5, 1000.0, 7.0]
COUNTRY = ["FR", "fr", "DE", None, "New York", "ORDER"]
DAY = ["2024-01-05", "2024-01-31 12:30", "2024-02-01", "2023-12-31", "2024-01-31", "2024-03-09"]
LABELS = {0: "ok", 1: "fraud", 5: "fraud"}
SPEAKERS = {0: {"anna"}, 1: {"anna", "bo"}, 5: {"bo"}, 2: {"bo"}}


@pytest.fixture(scope="module")
def matcher():
    columns = {
        "amount": np.array(AMOUNT),
        "country": np.array(COUNTRY, dtype=object),
        "paid on": np.array(DAY, dtype=object),
        "class": np.array(list("abcdef"), dtype=object),
    }
    table = Table(columns, "pay.csv")
    answers = Spoken(LABELS, SPEAKERS, frozenset({2}), frozenset({1}))
    return Matcher(table, detect_kinds(table, {"paid on": "date"}), answers)


def found(matcher, query):
    return np.flatnonzero(matcher.mask(parse(query))).tolist()


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("", [0, 1, 2, 3, 4, 5]),
        ("amount > 1000", [1]),
        ("amount>=1e3", [1, 4]),
        ("amount != 5", [1, 3, 4, 5]),
        ("amount = missing", [2]),
        ("AMOUNT < 0 or country = missing", [3]),
        ("country = FR", [0, 1]),
        ("country != fr", [2, 4, 5]),
        ('country = "new york"', [4]),
        ("country ~ r", [0, 1, 4, 5]),
        ("york", [4]),
        ('"or"', [4, 5]),
        ("1200", [1]),
        ('"paid on" = 2024-01-31', [1, 4]),
        ('"paid on" > 2024-01-31', [2, 5]),
        ('"paid on" <= 2024-01-31', [0, 1, 3, 4]),
        ('"paid on" > "2024-01-31 12:00"', [1, 2, 5]),
        ("class = FRAUD", [1, 5]),
        ("class != fraud", [0, 2, 3, 4]),
        ('"class" = a', [0]),
        ("unlabelled", [2, 3, 4]),
        ("labelled and not class = ok", [1, 5]),
        ("skipped", [2]),
        ("disputed", [1]),
        ("by = bo amount > 0", [1, 5]),
        ("by ~ b or row = 3", [1, 2, 3, 5]),
        ("(country = DE or country = fr) unlabelled", [2]),
        ("not (labelled or row < 4)", [4]),
    ],
)
def test_queries_mean_what_they_say(matcher, query, rows):
    assert found(matcher, query) == rows


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("amount >", "ends at character 9, where a value after amount > was expected"),
        ("> 5", r"The > at character 1 of the query compares nothing"),
        ("amount > many", "with 'many' at character 10, but the column 'amount' holds numbers"),
        ("amonut > 5", "no column 'amonut', named at character 1 of the query. Did you mean amo"),
        (
            "paid = 2024-01-01",
            "no column 'paid', named at character 1 .* Did you mean \"paid on\"?",
        ),
        ("country > FR", "has > after 'country' at character 1, but that column holds words"),
        ('"paid on" > yesterday', "'yesterday' at character 13, but the column 'paid on' holds d"),
        ("class = fruad", "No class is called 'fruad', named at character 9 .* mean fraud"),
        ("by = cleo", "Nobody who answered is called 'cleo'"),
        ("class > a", "names are compared by"),
        ("lamp and", "ends at character 9, where a word or a comparison"),
        ("or lamp", "has or at character 1, where a word"),
        ("(lamp", r"The \( at character 1 of the query is never closed"),
        ("lamp)", r"The \) at character 5 of the query closes nothing"),
        ('two "words', "quotation mark at character 5 of the query has no partner"),
        ("(" * 60 + "a" + ")" * 60, "goes too deep at character 42"),
        ("a" * 1001, "may have 1000 characters"),
    ],
)
def test_a_wrong_query_gets_one_sentence_that_names_the_place(matcher, query, words):
    with pytest.raises(ParameterError, match=words):
        matcher.mask(parse(query))


SIMPLE = {
    "amount > 6": [value > 6 for value in AMOUNT],
    "country = fr": [value is not None and value.lower() == "fr" for value in COUNTRY],
    "labelled": [row in LABELS for row in range(6)],
    "by = anna": ["anna" in SPEAKERS.get(row, ()) for row in range(6)],
}


@st.composite
def queries(draw, depth=3):
    """A query, and which rows it means by plain truth tables."""
    kind = draw(st.sampled_from(["simple", "not", "and", "or"])) if depth else "simple"
    if kind == "simple":
        words = draw(st.sampled_from(sorted(SIMPLE)))
        return words, SIMPLE[words]
    first, truth = draw(queries(depth - 1))
    if kind == "not":
        return f"not ({first})", [not each for each in truth]
    second, other = draw(queries(depth - 1))
    both = zip(truth, other, strict=True)
    if kind == "and":
        sign = draw(st.sampled_from([" and ", " "]))
        return f"({first}){sign}({second})", [one and two for one, two in both]
    return f"({first}) OR ({second})", [one or two for one, two in both]


@given(queries())
def test_combinations_mean_what_logic_says(matcher, query):
    words, truth = query
    assert matcher.mask(parse(words)).tolist() == truth


def test_a_hunt_is_searched_page_by_page_and_in_the_order_of_a_ranking(payments):
    hunt = payments()
    service, id = hunt.service, hunt.id
    frauds = [row for row, kind in enumerate(hunt.truth) if kind == "fraud"]
    service.tell_many(id, frauds[:3], "fraud", "anna")
    service.tell_many(id, [0, 1, 2, 3], "ordinary", "bo")
    page = service.find(id, "country = lt", 0, 4)
    assert (page.total, [each.row for each in page.records]) == (6, frauds[:4])
    assert [each.label for each in page.records] == ["fraud"] * 3 + [None]
    assert [each.row for each in service.find(id, "country = lt", 4, 4).records] == frauds[4:]
    assert service.find(id, "by = anna").total == 3
    ranking = service.rank(id, "fraud", "lago").id
    best = service.find(id, "unlabelled", 0, 3, ranking)
    assert {each.row for each in best.records} == set(frauds[3:])
    assert [each.row for each in service.ranked(id, ranking, 0, 3)] == [
        each.row for each in best.records
    ]


def test_history_is_filtered_by_class_person_kind_and_text(payments):
    hunt = payments()
    service, id = hunt.service, hunt.id
    lithuanian = int(service.found_rows(id, "country = lt")[0])
    service.tell(id, lithuanian, "frued", "anna")
    service.tell(id, 0, "ordinary", "bo")
    service.skip(id, 2, "bo")
    service.rename(id, "frued", "fraud", "anna")
    service.undo(id, "bo")

    def listed(**wanted):
        entries = service.history(id, read=True, wanted=HistoryFilter(**wanted))
        return [(each.kind, each.row) for each in entries]

    assert listed(label="fraud") == [("rename", None), ("label", lithuanian)]
    assert listed(annotator="bo", kind="label") == [("label", 0)]
    assert listed(text="LT") == [("label", lithuanian)]
    assert listed(text="took back") == [("undo", None)]
    assert listed(annotator="bo", standing=True) == [("label", 0)]
    service.tell(id, 0, "fraud", "bo")  # in place of the former answer
    assert listed(annotator="bo", standing=True) == [("label", 0)]
    assert listed(label="ordinary", standing=True) == []
    assert listed(standing=True) == [("label", 0), ("rename", None), ("label", lithuanian)]


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    """A file of numbers as people write them, as it is read."""
    file = tmp_path_factory.mktemp("written") / "pay.csv"
    ages = ["412 days", "3 days", "1 day", "5 days", "7 days", "90 days"]
    amounts = ["$1.05", '"$1,200.00"', "-$3.00", "$7.00", "$12.00", "$0.93"]
    times = ["02:55", "13:00", "23:59", "08:15", "09:30", "17:45"]
    memos = ["old lamp", "lamp", "new", "lamp", "chair", "days off"]
    lines = zip(ages, amounts, times, memos, strict=True)
    file.write_text("age,amount,at,memo\n" + "".join(",".join(line) + "\n" for line in lines))
    table = read_table(file)
    return Matcher(table, detect_kinds(table), Spoken({}, {}, frozenset(), frozenset()))


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("age < 5 days", [1, 2]),
        ('age < "5 days"', [1, 2]),
        ("age < 5", [1, 2]),
        ("age <= 120 hours", [1, 2, 3]),
        ("age > 1 week", [0, 5]),
        ("age > 432000 s and memo ~ lamp", [0]),
        ("not age < 5 days", [0, 3, 4, 5]),
        ("age <= 5 days lamp", [1, 3]),
        ("amount = $1.05", [0]),
        ("amount = 1.05", [0]),
        ("amount >= $1,200", [1]),
        ("amount < 0", [2]),
        ("amount > 1 lamp", [0, 1, 3]),
        ("at < 03:00", [0]),
        ("at > 5:45 pm", [2]),
    ],
)
def test_numbers_are_compared_as_the_file_writes_them(written, query, rows):
    asked = parse(query, written.is_value)
    assert np.flatnonzero(written.mask(asked)).tolist() == rows


def test_a_number_that_is_none_is_told_with_one_of_the_column(written):
    with pytest.raises(ParameterError, match="holds numbers: write one such as 412 days"):
        written.mask(parse("age < soon"))
