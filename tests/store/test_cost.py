"""What is done for one answer does not grow with the answers there are."""

from __future__ import annotations

import pytest
from sqlalchemy import Engine, event

from rarefind.core.asked_by import UNKNOWN
from rarefind.store import open_store
from rarefind.testing.stores.examples import ask, label, ranking, rename, skip, undo, with_hunt

FEW, MANY = 200, 6_000
"""Answers there are: thirty times as many must not cost twice as much."""

STEP = 10
"""So many of SQLite's own instructions are counted at once."""


@pytest.fixture
def instructions():
    """Counts, in tens, what SQLite does on any connection opened meanwhile."""
    counted = [0]

    def count():
        counted[0] += 1

    def watch(connection, _):
        connection.set_progress_handler(count, STEP)

    event.listen(Engine, "connect", watch)
    yield counted
    event.remove(Engine, "connect", watch)


def test_an_answer_costs_the_same_among_few_and_many(tmp_path, instructions):
    costs = []
    with with_hunt(open_store(tmp_path / "hunts.db")) as store:
        for size in (FEW, MANY):
            first = len(store.events("hunt"))
            told = [store.submit(label(row, asked_by=UNKNOWN)) for row in range(first, size)]
            last = told[-1].result().event
            costs.append(
                {
                    name: cost_of(instructions, work)
                    for name, work in {
                        "ask": lambda size=size: ask(store, rows=[size + 10]),
                        "answer": lambda size=size: tell(store, label(size + 10, asked_by=UNKNOWN)),
                        "second answer": lambda size=size: tell(
                            store, label(size + 10, "error", "bert", asked_by=UNKNOWN)
                        ),
                        "skip": lambda size=size: tell(store, skip(size + 11)),
                        "undo": lambda last=last: tell(store, undo(last.id)),
                        "rename": lambda: tell(store, rename("error", "fraud")),
                        "look for what is new": lambda last=last: store.events("hunt", last.seq),
                        "ranking": lambda size=size: store.put_ranking(ranking(f"of {size}")),
                    }.items()
                }
            )
    few, many = costs
    assert many.keys() == few.keys()
    grown = {name: (few[name], many[name]) for name in few if many[name] > 2 * few[name] + 20}
    assert not grown
    assert min(many.values()) > 0, "nothing was counted"


def cost_of(instructions, work):
    before = instructions[0]
    work()
    return instructions[0] - before


def tell(store, word):
    return store.submit(word).result()
