"""Let strategies compete on draws of one set: labels at the 1st, 2nd, ... rare class."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.progress import announce
from rarefind.discovery import Interleave, Linkage, Malice, Strategy, make_strategy
from rarefind.evaluation.simulation import Simulation, simulate
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.peers import Peer, first_seen
from rarefind_bench.discovery.random_sampling import random_labels
from rarefind_bench.discovery.shared_spaces import Spaces
from rarefind_bench.journal import Journal

TOLD_SIZES = ("alice", "malice", "grade", "grade-li")
"""Strategies that are told the true sizes of the classes, since they cannot work without."""


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

    def mean(self, strategy: str) -> float:
        """Return the mean labels at the last class; infinite if a draw did not get there."""
        return float(self._needed(strategy)[:, -1].mean())

    def best_and_worst(self, strategy: str) -> tuple[float, float]:
        """Return the fewest and the most labels at the last class."""
        last = self._needed(strategy)[:, -1]
        return float(last.min()), float(last.max())

    def _needed(self, strategy: str) -> FloatArray:
        return np.array([entry.needed for entry in self.entries[strategy]], dtype=np.float64)


READINGS: dict[str, Callable[[LabelledSet], Strategy]] = {
    "interleave, a component a class": lambda drawn: Interleave(len(drawn.sizes)),
    "malice, largest class first": lambda drawn: Malice(order="largest-first"),
    "malice, t - 1 as printed": lambda drawn: Malice(widen="never"),
}
"""Other ways to read what the papers leave open, played beside ours."""

AVERAGE_LINKAGE = "linkage, average"
"""The name of linkage where the distance of two groups is the average."""


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
            announce(
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


def hunt_once(
    drawn: LabelledSet, spaces: Spaces, strategy: str, seed: int, budget: int, **told: Any
) -> Simulation:
    """Hunt in a draw with one seed; the sizes of classes are told to those who need them."""
    reading = READINGS.get(strategy)
    if strategy == AVERAGE_LINKAGE:
        player: Strategy = Linkage("average")
    else:
        player = make_strategy(strategy) if reading is None else reading(drawn)
    return simulate(
        spaces.scaled(player.scale),
        drawn.labels,
        player,
        [seed],
        budget=budget,
        priors=drawn.priors if strategy.partition(",")[0] in TOLD_SIZES else None,
        **told,
    )


def _play(
    drawn: LabelledSet, spaces: Spaces, strategy: str, seed: int, budget: int
) -> dict[str, Any]:
    played = hunt_once(drawn, spaces, strategy, seed, budget, background=drawn.background)
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
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what other people's tools say is no figure
        needed = first_seen(peer, vectors, drawn.labels, drawn.background, seed, budget)
    return {
        "needed": [labels if np.isfinite(labels) else None for labels in needed],
        "rows": [],
        "seconds": time.perf_counter() - begun,
    }


def _entry(kept: Mapping[str, Any]) -> Entry:
    needed = tuple(np.inf if labels is None else labels for labels in kept["needed"])
    return Entry(needed, tuple(kept["rows"]), kept["seconds"])


def finite(labels: float) -> float | None:
    """Return the labels, or None where the budget did not suffice: JSON has no infinity."""
    return labels if math.isfinite(labels) else None


def number(labels: float, budget: int) -> str:
    """Write labels; those beyond the budget only as more than it.

    >>> number(13.5, 100), number(float("inf"), 100)
    ('13.5', '>100')
    """
    return f"{labels:g}" if math.isfinite(labels) else f">{budget}"


def _middle(column: FloatArray) -> float:
    """Return the median; infinite as soon as one of the middle two is."""
    ordered = np.sort(column)
    half = len(ordered) // 2
    return float(ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2)
