"""Every strategy on every labelled set, against random sampling.

Which class is ordinary is told to nobody: as in a hunt, the class told most often is taken for it.
Strategies that cannot work without the sizes of the classes are given the true ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np

from rarefind.core.progress import announce
from rarefind_bench.datasets.catalogue import open_set, set_names
from rarefind_bench.datasets.families import MADE, draw_made
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.discovery.group_tables import add_group_tables
from rarefind_bench.discovery.outlook_check import add_outlook_check
from rarefind_bench.discovery.players import (
    TO_THE_END,
    Played,
    check_players,
    play,
    usual_players,
)
from rarefind_bench.discovery.random_sampling import ratio_to_random
from rarefind_bench.discovery.ratio_tables import Ratios, add_ratio_tables
from rarefind_bench.discovery.shared_spaces import Spaces
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings

ROWS = 1200
"""Rows of each set at most."""

FIRST_FRESH = 107
"""Draws are numbered from here on: earlier ones served to choose the settings of auto."""

_SERVED = (
    "The settings of auto were chosen on draws 0 to 106 of every set of the folder known here and "
    f"of families like these; the draws here, from {FIRST_FRESH} on, served for no choice, but "
    "none of the sets is one that auto had not met"
)
"""Which sets served to learn."""

_BUDGET, _DRAWS = 250, 5
"""Labels at most and draws of each set: hours for all sets together. A choice."""

_PATIENCE = 60.0
"""A strategy that took more seconds for one hunt is not played on other draws of that set."""


def discovery(plan: Plan) -> Findings:
    """Play every strategy on every set."""
    names = plan.sets or (*MADE, *set_names())
    players, notes = usual_players(peers=plan.peers)
    if plan.strategies:
        players = check_players(plan.strategies)  # a wrong name is said before hours of work
    budget, draws = plan.budget or _BUDGET, plan.seeds or _DRAWS
    found = Findings(
        "Labels needed, as a share of what random sampling needs",
        f"At most {ROWS} rows of each set, {draws} draws, {budget} labels for each hunt. Labels at "
        "first sight over those of random sampling, the mean over draws and rare classes (below "
        "5 %; where none is, all but the largest): below 1 is better than chance. A dash: the "
        "strategy needs features, or took too long.",
        notes=[_SERVED, *notes],
    )
    drawn: dict[str, LabelledSet] = {}
    hunts: dict[str, dict[str, list[Played]]] = {}
    for place, name in enumerate(names):
        announce(f"discovery, {name}", place, len(names))
        drawn[name], hunts[name] = _play_set(name, players, budget, draws, plan)
    ratios = _ratios(drawn, hunts, budget)
    shown = [name for name in players if name != "random"] or ["random"]
    add_group_tables(found, ratios, shown)
    add_ratio_tables(found, drawn, ratios, shown)
    for player in TO_THE_END:
        told = [
            (hunt["told"], drawn[name].sizes)
            for name in names
            for hunt in hunts[name].get(player, [])
            if "told" in hunt
        ]
        add_outlook_check(found, player, told)
    found.notes += _failures(hunts)
    return found


def _play_set(
    name: str, players: Sequence[str], budget: int, draws: int, plan: Plan
) -> tuple[LabelledSet, dict[str, list[Played]]]:
    """Play all draws of a set; return the last of them, which has the sizes of all."""
    source = None if name in MADE else open_set(name)
    hunts: dict[str, list[Played]] = {player: [] for player in players}
    for seed in range(FIRST_FRESH, FIRST_FRESH + draws):
        drawn = draw_made(name, seed) if source is None else source.draw(seed, ROWS)
        spaces = Spaces(drawn)
        for player, played in hunts.items():
            if played and played[-1].get("seconds", 0.0) > _PATIENCE:
                played.append({"cannot": f"over {_PATIENCE:g} seconds for one hunt"})
                continue
            key = ["discovery", name, player, seed, ROWS, budget]
            work = partial(play, drawn, spaces, player, seed, budget)
            try:
                played.append(plan.journal.result(key, work))
            except Exception as problem:  # listed in the end: what took hours must not be lost
                played.append({"cannot": str(problem), "failed": type(problem).__name__})
    return drawn, hunts


def _ratios(
    drawn: dict[str, LabelledSet], hunts: dict[str, dict[str, list[Played]]], budget: int
) -> Ratios:
    """Compare with random sampling; a strategy counts only where it played every draw."""
    return {
        name: {
            strategy: np.array(
                [
                    ratio_to_random(hunt["seen"], drawn[name].sizes, drawn[name].sought, budget)
                    for hunt in played
                ]
            )
            for strategy, played in row.items()
            if all("seen" in hunt for hunt in played)
        }
        for name, row in hunts.items()
    }


def _failures(hunts: dict[str, dict[str, list[Played]]]) -> list[str]:
    return [
        f"{name}, draw {seed}, {strategy} failed with {hunt['failed']}: {hunt['cannot']}"
        for name, row in hunts.items()
        for strategy, played in row.items()
        for seed, hunt in enumerate(played, start=FIRST_FRESH)
        if "failed" in hunt
    ]
