"""How many labels a hunt takes for each way to weigh words, sets left out in turn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.names import unknown_name
from rarefind.core.progress import announce
from rarefind.records.formats.by_ending import read_table
from rarefind_bench.datasets.catalogue import Source
from rarefind_bench.datasets.labelled_set import LabelledSet
from rarefind_bench.datasets.location import data_file
from rarefind_bench.datasets.readers import LabelledRecords, without_small_print
from rarefind_bench.discovery.every_set import FIRST_FRESH
from rarefind_bench.discovery.group_tables import interval
from rarefind_bench.discovery.labels_needed import hunt_once
from rarefind_bench.discovery.random_sampling import ratio_to_random
from rarefind_bench.discovery.shared_spaces import Spaces
from rarefind_bench.features.word_weights import OURS, WEIGHTS, vectors_by_weights
from rarefind_bench.plan import Plan
from rarefind_bench.tables_and_charts import Findings, Grid

ROWS = 1000
"""Rows of each set at most."""

_BUDGET, _DRAWS = 250, 5
"""Labels at most and draws of each set, as in ``rarefind bench discovery``."""


def words(plan: Plan) -> Findings:
    """Hunt in every set that has words, with every way to weigh them."""
    names, strategies = plan.sets or tuple(_SETS), plan.strategies or ("auto",)
    for name in names:
        if name not in _SETS:
            raise unknown_name("data set with words", name, _SETS)
    draws, budget = plan.seeds or _DRAWS, plan.budget or _BUDGET
    found = Findings(
        "How much a word weighs",
        f"At most {ROWS} rows of each set with words, {draws} draws, {budget} labels for each "
        "hunt. Labels until a rare class is seen over those of random sampling, the mean over "
        f"classes and draws; then as a ratio to ours ({OURS}), the geometric mean over sets with "
        "its 90 % interval when the sets are drawn anew.",
    )
    for strategy in strategies:
        ratios: dict[str, dict[str, float]] = {}
        for place, name in enumerate(names):
            announce(f"words, {strategy}, {name}", place, len(names))
            ratios[name] = _play_set(name, strategy, draws, budget, plan)
        _add_tables(found, strategy, ratios)
    return found


def _play_set(name: str, strategy: str, draws: int, budget: int, plan: Plan) -> dict[str, float]:
    """Return for every weight the labels over those of random sampling, the mean of all draws."""
    columns, labels = _read(name)
    rows = Source(name, LabelledRecords(np.arange(len(labels)), labels), None)
    shares: dict[str, list[float]] = {weight: [] for weight in WEIGHTS}
    for seed in range(FIRST_FRESH, FIRST_FRESH + draws):
        drawn = rows.draw(seed, ROWS)
        cut = {column: values[np.asarray(drawn.records)] for column, values in columns.items()}
        for weight, vectors in vectors_by_weights(cut).items():
            key = ["words", name, weight, strategy, seed, ROWS, budget]
            one = LabelledSet(name, vectors, drawn.labels, scale="none")
            work = partial(_play, one, strategy, seed, budget)
            shares[weight].append(plan.journal.result(key, work))
    return {weight: float(np.mean(values)) for weight, values in shares.items()}


def _play(drawn: LabelledSet, strategy: str, seed: int, budget: int) -> float:
    played = hunt_once(drawn, Spaces(drawn), strategy, seed, budget, tell_background=False)
    seen = {str(name): labels for name, labels in played.seen[0].items()}
    return ratio_to_random(seen, drawn.sizes, drawn.sought, budget)


def _add_tables(found: Findings, strategy: str, ratios: Mapping[str, Mapping[str, float]]) -> None:
    rows: list[tuple[object, ...]] = [
        (name, *(f"{row[weight]:.3f}" for weight in WEIGHTS)) for name, row in ratios.items()
    ]
    logs = {
        weight: np.array([np.log(row[weight] / row[OURS]) for row in ratios.values()])
        for weight in WEIGHTS
    }
    rows.append(("all, to ours", *(_told(values) for values in logs.values())))
    found.grids.append(Grid(f"{strategy}: labels over those of random", ("set", *WEIGHTS), rows))
    if len(ratios) > 1:
        choices = [_best_without(logs, place) for place in range(len(ratios))]
        gained = np.array([logs[choice][place] for place, choice in enumerate(choices)])
        cells = [f"{ratio:.2f}" for ratio in np.exp(gained)]
        left_out = list(zip(ratios, choices, cells, strict=True))
        left_out.append(("all", "", _told(gained)))
        title = f"{strategy}: the weight chosen on all other sets, and its labels to ours here"
        found.grids.append(Grid(title, ("left out", "chosen", "to ours"), left_out))
    found.data[strategy] = {name: dict(row) for name, row in ratios.items()}


def _best_without(logs: Mapping[str, FloatArray], place: int) -> str:
    """Name the weight that took fewest labels on all sets but one."""
    means = {weight: np.delete(values, place).mean() for weight, values in logs.items()}
    return min(means, key=means.__getitem__)


def _told(logs: FloatArray) -> str:
    low, high = interval(logs)
    return f"{np.exp(logs.mean()):.2f} ({low:.2f} to {high:.2f})"


class _Known(NamedTuple):
    file: str
    columns: Callable[[Mapping[str, Any]], dict[str, Any]] = dict


def _letters(table: Mapping[str, Any]) -> dict[str, Any]:
    """Give every place of strings of one length a column of its own."""
    letters = np.array([list(text) for text in table["sequence"]], dtype=object)
    return {f"place {place}": column for place, column in enumerate(letters.T)}


def _speaker(table: Mapping[str, Any]) -> dict[str, Any]:
    """Take the number of a speaker for a name."""
    return {**table, "V1": np.array([str(number) for number in table["V1"]], dtype=object)}


def _joined(table: Mapping[str, Any]) -> dict[str, Any]:
    """Join columns of 0 and 1 that tell one word between them, such as the soil of a forest."""
    kept = dict(table)
    for stem in ("Wilderness_Area", "Soil_Type"):
        names = [name for name in table if name.startswith(stem)]
        places = np.argmax(np.column_stack([kept.pop(name) for name in names]), axis=1)
        kept[stem] = np.array(names, dtype=object)[places]
    return kept


_SETS: dict[str, _Known] = {
    "abalone": _Known("abalone.parquet"),
    "winequality": _Known("winequality.parquet"),
    "nursery": _Known("nursery.parquet"),
    "kdd99_10": _Known("kdd99_10.parquet"),
    "unsw_nb15": _Known("unsw_nb15.parquet"),
    "krkopt": _Known("krkopt.parquet"),
    "caravan": _Known("caravan.parquet"),
    "vowel": _Known("vowel.parquet", _speaker),
    "covertype": _Known("covertype.parquet", _joined),
    "splice": _Known("splice.parquet", _letters),
    "caspase3_sites": _Known("caspase3_sites.parquet", _letters),
    "furin_sites": _Known("furin_sites.parquet", _letters),
}
"""Sets with words among their columns, or that are words: strings of one length."""


def _read(name: str) -> tuple[dict[str, Any], tuple[str, ...]]:
    known = _SETS[name]
    path: Path = data_file(known.file, f"The data set {name}")
    table = read_table(path)
    labels = tuple(str(word) for word in table.words("label"))
    features = {name: table.columns[name] for name in without_small_print(table.columns)}
    return known.columns(features), labels
