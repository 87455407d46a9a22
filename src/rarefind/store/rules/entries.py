"""What is checked before a data set, hunt or ranking is kept, whichever engine keeps it."""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import ParameterError, StateError, UnknownNameError
from rarefind.core.names import unknown_name
from rarefind.store.contract import DataSet, HuntEntry, RankingEntry
from rarefind.store.rules.values import LONGEST_ID, LONGEST_NAME, clean_row, clean_text, to_json

LONGEST_PATH = 10_000
"""Characters: Linux allows 4,096, so this refuses only what is no path there."""


def clean_dataset(dataset: DataSet) -> DataSet:
    """Return the data set with plain types, or say what of it cannot be kept."""
    return replace(
        dataset,
        id=clean_text("id of a data set", dataset.id, LONGEST_ID),
        name=clean_text("name of a data set", dataset.name, LONGEST_NAME),
        path=clean_text("path of a data set", dataset.path, LONGEST_PATH),
        sha256=clean_text("sha256 of a data set", dataset.sha256, LONGEST_ID),
        n_rows=clean_row(dataset.n_rows),
        reading=plain("reading of a data set", dataset.reading),
        created_at=_time(dataset.created_at),
    )


def clean_hunt(hunt: HuntEntry) -> HuntEntry:
    """Return the hunt with plain types, or say what of it cannot be kept."""
    return replace(
        hunt,
        id=clean_text("id of a hunt", hunt.id, LONGEST_ID),
        name=clean_text("name of a hunt", hunt.name, LONGEST_NAME),
        dataset=clean_text("data set of a hunt", hunt.dataset, LONGEST_ID),
        settings=plain("settings of a hunt", hunt.settings),
        created_at=_time(hunt.created_at),
    )


def clean_ranking(ranking: RankingEntry) -> RankingEntry:
    """Return the ranking with plain types, or say what of it cannot be kept."""
    rows, scores = _numbers(ranking.rows, "<i8"), _numbers(ranking.scores, "<f8")
    if rows.ndim != 1 or rows.shape != scores.shape:
        raise ParameterError(
            "A ranking must have one score for each row. "
            f"Got {rows.shape} rows and {scores.shape} scores."
        )
    return replace(
        ranking,
        id=clean_text("id of a ranking", ranking.id, LONGEST_ID),
        hunt=clean_text("hunt of a ranking", ranking.hunt, LONGEST_ID),
        target=clean_text("target of a ranking", ranking.target, 1000),
        model=clean_text("model of a ranking", ranking.model, LONGEST_NAME),
        after_seq=clean_row(ranking.after_seq),
        note=plain("note of a ranking", ranking.note),
        rows=rows,
        scores=scores,
        created_at=_time(ranking.created_at),
    )


def without_arrays(ranking: RankingEntry) -> RankingEntry:
    """Return the ranking as lists show it."""
    return replace(ranking, rows=np.empty(0, "<i8"), scores=np.empty(0, "<f8"))


def plain(what: str, mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return the mapping as it will be read back."""
    read: dict[str, Any] = json.loads(to_json(what, mapping))
    return read


def same_dataset(one: DataSet, other: DataSet) -> bool:
    """Tell whether two data sets have the same path, contents and reading."""
    return (one.path, one.sha256) == (other.path, other.sha256) and to_json(
        "reading", one.reading
    ) == to_json("reading", other.reading)


def refuse_hunt(hunt: HuntEntry, others: Iterable[HuntEntry], datasets: Iterable[str]) -> bool:
    """Refuse a hunt whose name or id is taken; tell whether the very same one is kept already."""
    for other in others:
        if other == hunt:
            return True
        if other.id == hunt.id:
            raise StateError(f"The id {hunt.id!r} stands for another hunt: make a new id for each.")
        if other.name == hunt.name:
            raise StateError(
                f"There is a hunt named {hunt.name!r} already: choose another name, or go on "
                "with that one."
            )
    if hunt.dataset not in datasets:
        raise no_such("data set", hunt.dataset)
    return False


def refuse_ranking(ranking: RankingEntry, before: RankingEntry | None) -> None:
    """Refuse an id that stands for another ranking; the very same one may come again."""
    if before is None:
        return
    same = np.array_equal(before.rows, ranking.rows) and np.array_equal(
        before.scores, ranking.scores, equal_nan=True
    )
    if not same or _heading(before) != _heading(ranking):
        raise StateError(f"The id {ranking.id!r} stands for another ranking already.")


def find_hunt(name_or_id: str, hunts: Iterable[HuntEntry]) -> HuntEntry:
    """Return the hunt of that id or name; the error names the nearest match."""
    all_hunts = list(hunts)
    for hunt in all_hunts:
        if hunt.id == name_or_id:
            return hunt
    for hunt in all_hunts:
        if hunt.name == name_or_id:
            return hunt
    raise unknown_name("hunt", name_or_id, [hunt.name for hunt in all_hunts])


def no_such(what: str, id: str) -> UnknownNameError:
    """Make the error for an id that the store does not have."""
    return UnknownNameError(f"There is no {what} with the id {id!r} in this store.")


def _numbers(values: object, kind: str) -> NDArray[Any]:
    """Return a copy that nobody can change any more."""
    try:
        numbers = np.array(values, dtype=kind)
    except (TypeError, ValueError) as problem:
        raise ParameterError(f"Rows and scores of a ranking must be numbers: {problem}.") from None
    numbers.setflags(write=False)
    return numbers


def _heading(ranking: RankingEntry) -> dict[str, Any]:
    return {name: value for name, value in vars(ranking).items() if name not in ("rows", "scores")}


def _time(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise ParameterError(f"A time must be in seconds since 1970. Got {value!r} instead.")
    return float(value)
