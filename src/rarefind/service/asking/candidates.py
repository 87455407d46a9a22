"""Questions in the form a store keeps with a lease, whoever chose them.

Besides those of the strategy there are second opinions, and records drawn at random.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.discovery.contract.question import NEIGHBOURS, Question
from rarefind.service.asking.log import HuntLog
from rarefind.store.contract import Candidate

if TYPE_CHECKING:  # listing hunts does without the geometry
    from rarefind.geometry import Space

_BY_CHANCE = AskedBy("stand-in")
"""By this such questions are known among the answers; no strategy gets credit for them."""


def candidate(question: Question) -> Candidate:
    """Take over a question of the strategy."""
    return Candidate(
        question.row,
        question.why,
        dict(question.evidence),
        tuple(question.neighbours),
        question.asked_by,
    )


def second_opinion(row: int, answers: int, wanted: int, log: HuntLog, space: Space) -> Candidate:
    """Ask about a record that others answered; whoever asked them asks again."""
    return Candidate(
        row,
        f"Every record is shown to {wanted} people; {answers} answered this one so far.",
        {"answers": float(answers)},
        tuple(near for near, _ in neighbours(space, row, NEIGHBOURS)),
        log.asked_by(row) or UNKNOWN,
    )


def stand_ins(random: np.random.Generator, n: int, log: HuntLog, count: int) -> list[Candidate]:
    """Draw records at random while the strategy cannot keep up with the people."""
    drawn = random.integers(n, size=4 * count).tolist()
    free = [row for row, label in zip(drawn, log.labels_of(drawn), strict=True) if label is None]
    why = "Drawn at random, because answers come in faster than questions are worked out."
    return [Candidate(row, why, asked_by=_BY_CHANCE) for row in free]


def neighbours(space: Space, row: int, k: int) -> list[tuple[int, float]]:
    """List the nearest other records with their distances."""
    point = np.array([space.folded.point_of[row]])
    distances, near = space.engine.nearest(k, point)
    rows = space.folded.first_row[near[0]]
    return [(int(r), float(d)) for r, d in zip(rows, distances[0], strict=True)]
