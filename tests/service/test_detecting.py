from __future__ import annotations

import numpy as np
import pytest

from rarefind.core.errors import DataError, ParameterError, UnknownNameError
from rarefind.geometry import thresholds
from rarefind.service.facade import Service
from rarefind.service.heavy.cancelling import Cancelled, Work
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store


@pytest.fixture(scope="module")
def ranked(shared):
    return shared.service.rank(shared.id, "fraud", "lago")


def test_a_ranking_brings_the_class_to_the_top(shared, ranked):
    told = shared.service.labels(shared.id)
    left = sum(label == "fraud" for label in shared.truth) - list(told.values()).count("fraud")
    rows = shared.service.ranked(shared.id, ranked.id, 0, left)
    assert [shared.truth[each.row] for each in rows] == ["fraud"] * left
    assert [each.rank for each in rows] == list(range(1, left + 1))
    assert ranked.n_ranked == 156 - len(told)
    assert ranked.known == list(told.values()).count("fraud")
    assert sum(ranked.histogram["counts"]) == ranked.n_ranked
    assert shared.service.rankings(shared.id)[0].id == ranked.id


def test_scores_are_kept_by_row_with_gaps_for_what_was_known(shared, ranked):
    scores = shared.service.scores(shared.id, ranked.id)
    told = shared.service.labels(shared.id)
    assert np.isnan(scores[list(told)]).all()
    assert np.isfinite(np.delete(scores, list(told))).all()
    first = shared.service.ranked(shared.id, ranked.id, 0, 1)[0]
    assert scores[first.row] == pytest.approx(first.score)


def test_known_examples_vote_and_features_add_up(shared, ranked):
    told = shared.service.labels(shared.id)
    first = shared.service.ranked(shared.id, ranked.id, 0, 1)[0]
    votes = shared.service.votes(shared.id, ranked.id, first.row)
    assert votes.kind == "votes"
    assert all(told[part["row"]] == "fraud" for part in votes.parts)
    assert sum(part["share"] for part in votes.parts) == pytest.approx(1.0)
    linear = shared.service.rank(shared.id, "fraud", "logistic")
    adds = shared.service.votes(shared.id, linear.id, first.row)
    assert adds.kind == "features"
    assert {part["feature"] for part in adds.parts} & {"amount", "hour", "country=lt"}
    forest = shared.service.rank(shared.id, "fraud", "forest")
    shown = shared.service.votes(shared.id, forest.id, first.row)
    assert shown.kind == "features"
    assert {part["feature"] for part in shown.parts} & {"amount", "hour", "country=lt"}


def test_what_is_confirmed_since_makes_the_hit_curve(payments):
    hunt = payments(background=("ordinary",))
    for _ in range(10):
        hunt.answer()
    made = hunt.service.rank(hunt.id, "fraud", "lago")
    assert made.hits == ()
    for each in hunt.service.ranked(hunt.id, made.id, 0, 3):
        hunt.service.tell(hunt.id, each.row, hunt.truth[each.row], "anna", asked=False)
    hits = hunt.service.ranking(hunt.id, made.id).hits
    assert [(hit["rank"], hit["looked_at"]) for hit in hits] == [(1, 1), (2, 2), (3, 3)]
    looked = [shown.row for shown in hunt.service.ranked(hunt.id, made.id, 0, 3)]
    assert hits[-1]["found"] == sum(hunt.truth[row] == "fraud" for row in looked)


def test_votes_are_the_same_after_the_model_was_forgotten(shared, ranked):
    before = shared.service.votes(shared.id, ranked.id, 7)
    shared.service.opened(shared.id).explainers.clear()
    assert shared.service.votes(shared.id, ranked.id, 7) == before


def test_a_ranking_can_be_stopped(shared):
    work = Work("ranking")
    work.cancel()
    with pytest.raises(Cancelled), work.watched():
        shared.service.rank(shared.id, "fraud", "lago")


def test_wrong_rankings_are_refused_in_words(shared, payments):
    with pytest.raises(UnknownNameError, match=r"There is no class 'frod'\. Did you mean 'fraud'"):
        shared.service.rank(shared.id, "frod")
    with pytest.raises(UnknownNameError, match="There is no model 'lagoo'"):
        shared.service.rank(shared.id, "fraud", "lagoo")
    with pytest.raises(UnknownNameError):
        shared.service.ranked(shared.id, "nothing")
    hunt = payments()
    hunt.service.tell(hunt.id, 0, "odd", "anna")
    with pytest.raises(DataError, match="All labels are 'odd'"):
        hunt.service.rank(hunt.id, "odd")


def test_models_are_compared_on_a_file_and_on_a_hunt(shared):
    table = shared.service.compare(
        shared.path, "fraud", ["lago", "logistic", "neighbours"], label_column="kind", folds=3
    )
    assert [row.model for row in table.rows if row.average_precision == 1.0]
    assert (table.wanted, table.n_records, table.folds, table.k) == (6, 156, 3, 2)
    assert all(len(row.curve) == 1001 and row.curve[-1] == 1.0 for row in table.rows)
    with pytest.raises(DataError, match="take at most 6 folds, or label more"):
        shared.service.compare(shared.path, "fraud", ["lago"], label_column="kind", folds=7)


def test_models_are_compared_on_the_labels_of_a_hunt(payments):
    hunt = payments()
    for row in range(60):
        hunt.service.tell(hunt.id, row, hunt.truth[row], "anna", asked=False)
    table = hunt.service.compare(hunt.id, "fraud", ["neighbours"], folds=2)
    assert (table.n_records, table.wanted) == (60, hunt.truth[:60].count("fraud"))


def test_records_of_a_kernel_are_ranked_by_models_that_take_one(tmp_path):
    rng = np.random.default_rng(0)
    lines = ["sequence,label"]
    for number in range(60):
        letters = "".join(rng.choice(list("ACGT"), 30))
        lines.append(f"{letters[:10]}TTTTTTTT{letters[18:]},odd" if number < 8 else f"{letters},no")
    (tmp_path / "dna.csv").write_text("\n".join(lines))
    service = Service(open_store("memory:"))
    hunt = service.open_hunt(
        tmp_path / "dna.csv", settings=HuntSettings(label_column="label", strategy="random")
    ).id
    service.prepare(hunt)
    assert "sequence" in service.description(hunt)
    for row in range(0, 60, 2):
        service.tell(hunt, row, service.truth(hunt)[row], "anna", asked=False)
    for model in ("lago", "svm", "kernel-logistic"):
        made = service.rank(hunt, "odd", model)
        top = [service.truth(hunt)[each.row] for each in service.ranked(hunt, made.id, 0, 4)]
        assert top.count("odd") >= 3
    with pytest.raises(ParameterError, match="'forest' needs vectors"):
        service.rank(hunt, "odd", "forest")
    service.close()


def test_very_many_records_of_a_kernel_are_searched_without_comparing_all(monkeypatch, tmp_path):
    monkeypatch.setattr(thresholds, "ALL_PAIRS_RECORDS", 30)
    rng = np.random.default_rng(0)
    cells = "\n".join("".join(rng.choice(list("ACGT"), 20)) for _ in range(40))
    (tmp_path / "dna.csv").write_text(f"sequence\n{cells}\n")
    service = Service(open_store("memory:"))
    hunt = service.open_hunt(tmp_path / "dna.csv").id
    service.prepare(hunt)
    assert "farthest-first searches, since auto would" in service.description(hunt)
    assert service.ask(hunt, "anna")
    service.close()
