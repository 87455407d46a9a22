"""Who plays: our strategies, asked one at a time or several, plain explorers, and others' tools."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from rarefind.core.errors import NotAvailableError
from rarefind.core.names import unknown_name
from rarefind.discovery import registry
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.explorers import EXPLORERS, explored_rows
from rarefind_bench.discovery.labels_needed import AVERAGE_LINKAGE, hunt_once
from rarefind_bench.discovery.peers import PEERS
from rarefind_bench.discovery.shared_spaces import Spaces

SEVERAL = {"auto, ask(2)": ("auto", 2), "auto, ask(10)": ("auto", 10)}
"""A strategy that is asked for several questions at a time."""

PINE_FOREST = "coniferest PineForest"
"""The peer that takes feedback."""

TO_THE_END = ("auto", "random")
"""These play to the end of the budget, so that what they say about the unseen can be judged."""

_STRATEGIES = (
    "auto", "auto-1", "farthest-first", "linkage", AVERAGE_LINKAGE, "interleave", "p-new",
    "malice", "random",
)  # fmt: skip
"""Ours and the former default, what is hard to beat, and random for its outlook."""

Played = dict[str, Any]
"""One hunt as JSON holds it; or ``cannot`` (why not), with ``failed`` if that was an error."""


def usual_players(*, peers: bool) -> tuple[tuple[str, ...], list[str]]:
    """Name who plays if nobody says, and a note for whoever is left out."""
    players = (*_STRATEGIES, *SEVERAL, *EXPLORERS)
    if not peers:
        return players, []
    try:
        import coniferest  # noqa: F401
    except ImportError:
        install = PEERS[PINE_FOREST].install
        return players, [f"{PINE_FOREST} is left out: it is not installed (pip install {install})"]
    return (*players, PINE_FOREST), []


def check_players(names: Sequence[str]) -> tuple[str, ...]:
    """Return the players of these names, or say which is unknown."""
    known = (*registry.names(), AVERAGE_LINKAGE, *SEVERAL, *EXPLORERS, *PEERS)
    for name in names:
        if name not in known:
            raise unknown_name("strategy", name, known)
    return tuple(names)


def play(drawn: LabelledSet, spaces: Spaces, player: str, seed: int, budget: int) -> Played:
    """Hunt once; what JSON can hold of it, or why the player cannot."""
    begun = time.perf_counter()
    if player in EXPLORERS:
        rows = explored_rows(EXPLORERS[player], spaces.scaled("squash"), seed)
        return _counted(rows, drawn, budget, begun)
    if player in PEERS:
        space = spaces.scaled("standard")
        if space.vectors is None:
            return {"cannot": "it needs features"}
        vectors = np.asarray(space.vectors)[space.folded.point_of]
        rows = PEERS[player].order(vectors, drawn.labels, drawn.background, seed)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what other people's tools say is no figure
            return _counted(rows, drawn, budget, begun)
    strategy, at_a_time = SEVERAL.get(player, (player, 1))
    to_the_end = player in TO_THE_END
    options = {"tell_background": False, "spend_all": to_the_end, "at_a_time": at_a_time}
    try:
        played = hunt_once(drawn, spaces, strategy, seed, budget, **options)
    except NotAvailableError as problem:
        return {"cannot": str(problem)}
    answer: Played = {"seen": dict(played.seen[0]), "seconds": round(played.seconds[0], 3)}
    if to_the_end:
        answer["told"] = [drawn.labels[row] for row in played.rows[0]]
    return answer


def _counted(rows: Iterable[int], drawn: LabelledSet, budget: int, begun: float) -> Played:
    """Count the labels until each class is seen, for a tool that only says which row is next."""
    seen: dict[str, int] = {}
    for position, row in enumerate(islice(rows, budget), start=1):
        seen.setdefault(drawn.labels[row], position)
        if len(seen) == len(drawn.sizes):
            break
    return {"seen": seen, "seconds": round(time.perf_counter() - begun, 3)}
