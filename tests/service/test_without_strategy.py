"""Looking at records, ranking and drawing maps need no strategy, and set none up."""

from __future__ import annotations

import pytest

from rarefind.service.facade import Service
from rarefind.service.hunts.opened import NotReadyError
from rarefind.store.opening import open_store
from tests.service.conftest import write_payments


def looked_at(service, hunt):
    """Everything a person sees of a hunt without being asked anything."""
    ranking = service.rank(hunt, "fraud", "lago")
    first = service.ranked(hunt, ranking.id, 0, 5)
    return (
        service.record(hunt, 3),
        service.neighbours(hunt, 3),
        service.map(hunt).points.tolist(),
        service.description(hunt),
        service.truth(hunt),
        [(each.row, each.score, each.summary) for each in first],
        service.votes(hunt, ranking.id, first[0].row),
    )


def test_what_is_seen_is_the_same_before_and_after_a_strategy_is_set_up(payments):
    hunt = payments()
    service, id = hunt.service, hunt.id
    rare = [row for row, name in enumerate(hunt.truth) if name == "fraud"][:4]
    for row in [*range(12), *rare]:
        service.tell(id, row, hunt.truth[row], "anna", asked=False)
    service.close_hunt(id)
    before = looked_at(service, id)
    assert service.compare(id, "fraud", ["lago", "lda"], folds=2).wanted > 1
    assert service.state(id).state == "closed"
    with pytest.raises(NotReadyError):
        service.ask(id, "anna")
    service.prepare(id)
    assert looked_at(service, id) == before


def test_records_that_were_added_are_seen_without_a_strategy(payments, tmp_path):
    hunt = payments(store=str(tmp_path / "hunts.db"))
    with Service(open_store(str(tmp_path / "hunts.db"))) as other:
        assert other.record(hunt.id, 155).row == 155
        write_payments(tmp_path / "more.csv", rows=40, rare=4, seed=1)
        hunt.service.append(hunt.id, tmp_path / "more.csv", "anna")
        assert other.record(hunt.id, 199) == hunt.service.record(hunt.id, 199)
        assert other.neighbours(hunt.id, 199) == hunt.service.neighbours(hunt.id, 199)
        assert len(other.truth(hunt.id)) == 200
        assert other.state(hunt.id).state == "closed"
        other.prepare(hunt.id)
        assert other._hunt(hunt.id).live.hunt.n_records == 200


def test_a_question_may_be_given_back_when_the_hunt_was_let_go(payments):
    hunt = payments()
    question = hunt.service.ask(hunt.id, "anna")[0]
    hunt.service.close_hunt(hunt.id)
    hunt.service.release(hunt.id, question)
    hunt.service.prepare(hunt.id)
    assert hunt.service.ask(hunt.id, "bert")[0].row == question.row
