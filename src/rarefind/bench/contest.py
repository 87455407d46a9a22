"""Let strategies compete on draws of one set: labels at the 1st, 2nd, ... rare class."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from math import comb
from typing import Any

import numpy as np

from rarefind.bench.journal import Journal
from rarefind.bench.labelled import LabelledSet
from rarefind.bench.peers import Peer, first_seen
from rarefind.core.arrays import FloatArray
from rarefind.core.progress import report
from rarefind.discovery import make_strategy
from rarefind.evaluation.simulation import remembering, simulate
from rarefind.geometry import BlockEngine, Precomputed, Space

TOLD_SIZES = ("alice", "malice", "grade", "grade-li")
"""Strategies that are told the true sizes of the classes, since they cannot work without."""

_KNOWN_POINTS = 3000
"""Up to this many points all distances are computed once and kept."""


@dataclass(frozen=True)
class Entry:
    """One strategy on one draw.

    Attributes
    ----------
    needed
        Labels at the first sight of the 1st, 2nd, ... class besides the largest; infinite for
        those not seen within the budget.
    rows
        The rows asked about, in order.
    seconds
        The time it took, set-up included.
    """

    needed: tuple[float, ...]
    rows: tuple[int, ...]
    seconds: float


@dataclass(frozen=True)
class Contest:
    """What strategies needed on the draws of a set."""

    name: str
    entries: dict[str, list[Entry]]
    random: tuple[float, ...]

    def median(self, strategy: str) -> tuple[float, ...]:
        """Return the median labels at the 1st, 2nd, ... class."""
        return tuple(_middle(column) for column in self._needed(strategy).T)

    def spread(self, strategy: str) -> tuple[float, float]:
        """Return the fewest and the most labels at the last class."""
        last = self._needed(strategy)[:, -1]
        return float(last.min()), float(last.max())

    def _needed(self, strategy: str) -> FloatArray:
        return np.array([entry.needed for entry in self.entries[strategy]], dtype=np.float64)


def run_contest(
    draw: Callable[[int], LabelledSet],
    strategies: Sequence[str],
    seeds: Sequence[int],
    budget: int,
    *,
    peers: Mapping[str, Peer] | None = None,
    journal: Journal | None = None,
) -> Contest:
    """Draw a set for every seed and play every strategy on it; the largest class is known.

    Other people's tools (``peers``) play on the same draws. What a ``journal`` knows is not played
    again.
    """
    rivals = {} if peers is None else peers
    kept = Journal() if journal is None else journal
    players = [*strategies, *rivals]
    entries: dict[str, list[Entry]] = {player: [] for player in players}
    for turn, seed in enumerate(seeds):
        drawn = draw(seed)
        spaces = Spaces(drawn)
        for place, player in enumerate(players):
            report(
                f"{drawn.name}, {player}", turn * len(players) + place, len(seeds) * len(players)
            )
            key = ["contest", drawn.name, len(drawn.labels), player, seed, budget]
            peer = rivals.get(player)
            entry = (
                kept.result(key, partial(_play, drawn, spaces, player, seed, budget))
                if peer is None
                else kept.result(key, partial(_play_peer, drawn, spaces, peer, seed, budget))
            )
            entries[player].append(_entry(entry))
    sizes = list(drawn.sizes.values())[1:]
    return Contest(drawn.name, entries, random_labels(sizes, len(drawn.labels)))


class Spaces:
    """The spaces of one draw by scale, made once and remembering what they were asked."""

    def __init__(self, drawn: LabelledSet) -> None:
        self._drawn = drawn
        self._made: dict[str, Space] = {}

    def scaled(self, scale: str) -> Space:
        """Return the space with features scaled like this."""
        # Where a kernel or the table decides, all scales are the same.
        key = scale if self._drawn.kernel is None and self._drawn.scale == "auto" else "own"
        if key not in self._made:
            self._made[key] = remembering(known_distances(self._drawn.space(scale)))
        return self._made[key]


def known_distances(space: Space) -> Space:
    """Return the same space with all distances computed beforehand, if they are not too many.

    Many strategies ask for the same distances again, and a kernel takes its time to answer.
    """
    engine = space.engine
    if not isinstance(engine, BlockEngine) or engine.n > _KNOWN_POINTS:
        return space
    distances = engine.measure(engine.records)
    np.fill_diagonal(distances, 0.0)
    points = np.arange(engine.n)
    given = Precomputed(np.minimum(distances, distances.T))
    return Space(
        space.folded, BlockEngine(given, points, engine.weights), space.vectors, space.names
    )


def _play(
    drawn: LabelledSet, spaces: Spaces, strategy: str, seed: int, budget: int
) -> dict[str, Any]:
    played = simulate(
        spaces.scaled(make_strategy(strategy).scale),
        drawn.labels,
        strategy,
        [seed],
        budget=budget,
        priors=drawn.priors if strategy in TOLD_SIZES else None,
        background=drawn.background,
    )
    first = played.seen[0]
    needed = sorted(float(first.get(name, np.inf)) for name in played.rare)
    return {
        "needed": [labels if np.isfinite(labels) else None for labels in needed],
        "rows": list(played.rows[0]),
        "seconds": played.seconds[0],
    }


def _play_peer(
    drawn: LabelledSet, spaces: Spaces, peer: Peer, seed: int, budget: int
) -> dict[str, Any]:
    begun = time.perf_counter()
    space = spaces.scaled("standard")
    vectors = np.asarray(space.vectors)[space.folded.point_of]
    needed = first_seen(peer, vectors, drawn.labels, drawn.background, seed, budget)
    return {
        "needed": [labels if np.isfinite(labels) else None for labels in needed],
        "rows": [],
        "seconds": time.perf_counter() - begun,
    }


def _entry(kept: Mapping[str, Any]) -> Entry:
    needed = tuple(np.inf if labels is None else labels for labels in kept["needed"])
    return Entry(needed, tuple(kept["rows"]), kept["seconds"])


def random_labels(sizes: Sequence[int], n: int) -> tuple[float, ...]:
    """Labels that random sampling needs on average until the 1st, 2nd, ... class is seen.

    The k-th of several moments is a sum over groups of classes of the first moment in each group
    (inclusion and exclusion), and a group of c among n records is first met after (n+1)/(c+1).

    >>> [round(labels, 1) for labels in random_labels([6, 11, 37, 132, 245, 674], 4515)]
    [4.1, 12.4, 30.7, 92.2, 283.1, 776.9]
    """
    classes = len(sizes)
    # How many groups have so many classes and so many records together.
    groups: dict[tuple[int, int], int] = {(0, 0): 1}
    for size in sizes:
        for (members, total), number in list(groups.items()):
            larger = members + 1, total + size
            groups[larger] = groups.get(larger, 0) + number
    first = [0.0] * (classes + 1)
    for (members, total), number in groups.items():
        first[members] += number * (n + 1) / (total + 1)
    return tuple(
        sum(
            (-1) ** (members - (classes - place + 1))
            * comb(members - 1, classes - place)
            * first[members]
            for members in range(classes - place + 1, classes + 1)
        )
        for place in range(1, classes + 1)
    )


def _middle(column: FloatArray) -> float:
    """Return the median; infinite as soon as one of the middle two is."""
    ordered = np.sort(column)
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)
