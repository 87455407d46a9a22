"""What a hunt keeps up with each answer is what going through all of them tells."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import StateError
from rarefind.discovery import Hunt
from rarefind.discovery.contract.strategy import Strategy
from rarefind.discovery.strategies.random_sampling import RandomSampling

N = 6
STEPS = st.lists(
    st.tuples(st.sampled_from(["tell", "skip", "undo", "restore"]), st.integers(0, N - 1)),
    max_size=20,
)


class Noting(Strategy):
    """Draws at random, and notes what it is told before."""

    def prepare(self, problem):
        search = RandomSampling().prepare(problem)
        several = search.several

        def noted(count, barred, held):
            Noting.barred, Noting.held = set(np.flatnonzero(barred)), dict(held)
            return several(count, barred, held)

        search.several = noted
        return search


@given(STEPS)
def test_rows_out_of_question_follow_every_step(steps):
    hunt = Hunt(np.arange(N + 2.0)[:, None], Noting(), random_state=0)
    said: dict[int, str | None] = {}
    for place, (what, row) in enumerate(steps):
        try:
            if what == "tell":
                hunt.tell(row, "ab"[row % 2])
                said[row] = "ab"[row % 2]
            elif what == "skip":
                hunt.skip(row)
                said.setdefault(row, None)
            elif what == "undo":
                hunt.undo(row)
                del said[row]
            else:
                hunt.restore(list(hunt.events))
        except StateError:
            continue
        held = {N: AskedBy("reach")} if place % 2 else {}
        hunt.ask(1, exclude=held)
        skipped = {row for row, label in said.items() if label is None}
        assert Noting.barred == set(said) | set(held)
        assert set(Noting.held) == skipped | set(held)
        assert all(Noting.held[row] == AskedBy("reach") for row in held)
        counts = [list(said.values()).count(label) for label in "ab"]
        assert hunt.background == frozenset() or max(counts) == counts["ab".index(*hunt.background)]


def test_who_asked_about_a_skipped_row_is_told():
    hunt = Hunt(np.arange(N + 2.0)[:, None], Noting(), random_state=0)
    row = hunt.ask().row
    hunt.skip(row)
    hunt.skip((row + 1) % N)
    hunt.ask()
    assert Noting.held[(row + 1) % N] == UNKNOWN
    assert Noting.held[row] != UNKNOWN
