"""What every store must do with data sets, hunts and rankings."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from rarefind.core.errors import ParameterError, StateError, UnknownNameError
from rarefind.store import Store
from rarefind.testing.rules import Rule, require_equal, require_refused
from rarefind.testing.stores.examples import (
    ask,
    data_set,
    hunt_entry,
    label,
    ranking,
    with_hunt,
)


def _data_set(store: Store) -> None:
    """A data set comes back as it was kept."""
    data = data_set(reading={"text": "é\x00\ud800", "list": [1, 2.5, None, True], "large": 1e300})
    require_equal(store.put_dataset(data), data, "What put_dataset returns")
    require_equal(store.dataset("data"), data, "dataset('data')")
    require_equal(store.datasets(), [data], "datasets()")


def _once(store: Store) -> None:
    """The same file read in the same way is kept once; a changed one or another reading is new."""
    first = store.put_dataset(data_set())
    again = store.put_dataset(data_set("again", name="copy", created_at=99.0))
    require_equal(again, first, "put_dataset of the same path, contents and reading")
    changed = [data_set("changed", sha256="cd" * 32), data_set("read otherwise", reading={})]
    require_equal([store.put_dataset(data) for data in changed], changed, "What is not the same")
    require_equal(len(store.datasets()), 3, "The number of data sets")


def _data_set_id(store: Store) -> None:
    """An id stands for one data set."""
    store.put_dataset(data_set())
    other = data_set(sha256="cd" * 32)
    require_refused(lambda: store.put_dataset(other), StateError, "Another with the id 'data'")
    require_equal(store.datasets(), [data_set()], "What is kept after that")


def _by_name(store: Store) -> None:
    """A hunt is found by its id and by its name."""
    with_hunt(store, "first", "second")
    for name in ("first", "the first"):
        require_equal(store.hunt(name), hunt_entry("first"), f"hunt({name!r})")


def _oldest_first(store: Store) -> None:
    """Data sets, hunts and rankings are listed oldest first."""
    store.put_dataset(data_set("data", created_at=5.0))
    store.put_dataset(data_set("older", sha256="00", created_at=4.0))
    store.create_hunt(hunt_entry("late", created_at=9.0))
    store.create_hunt(hunt_entry("early", created_at=8.0))
    store.put_ranking(ranking("new", hunt="late", created_at=3.0))
    store.put_ranking(ranking("old", hunt="late", created_at=2.0))
    require_equal([data.id for data in store.datasets()], ["older", "data"], "Data sets")
    require_equal([hunt.id for hunt in store.hunts()], ["early", "late"], "Hunts")
    require_equal([hunt.id for hunt in store.hunts(limit=1)], ["late"], "The latest hunt")
    require_equal([hunt.id for hunt in store.hunts(before="late")], ["early"], "Hunts before it")
    require_equal(store.hunts(limit=5, before="early"), [], "Hunts before the first")
    require_refused(
        lambda: store.hunts(before="none"), UnknownNameError, "hunts() before 'none'", naming="none"
    )
    require_equal([one.id for one in store.rankings("late")], ["old", "new"], "Rankings")


def _missing(store: Store) -> None:
    """What does not exist is said to be missing, by its name."""
    store.put_dataset(data_set())
    for what, call in {
        "dataset": lambda: store.dataset("none"),
        "hunt": lambda: store.hunt("none"),
        "events": lambda: store.events("none"),
        "standing": lambda: store.standing("none"),
        "leases": lambda: store.leases("none", 0.0),
        "rankings": lambda: store.rankings("none"),
        "ranking": lambda: store.ranking("none"),
        "change_hunt": lambda: store.change_hunt("none", {}),
        "keep": lambda: store.keep(label(1, hunt="none")),
        "take_leases": lambda: store.take_leases("none", "ann", [], count=1, seconds=1, now=0),
        "create_hunt": lambda: store.create_hunt(hunt_entry(dataset="none")),
        "put_ranking": lambda: store.put_ranking(ranking(hunt="none")),
    }.items():
        require_refused(call, UnknownNameError, f"{what} of 'none'", naming="none")
    require_equal(store.event("never"), None, "event() of an id that was never kept")


def _taken(store: Store) -> None:
    """A name or id that is taken is refused, but the very same hunt may come again."""
    with_hunt(store)
    store.create_hunt(hunt_entry())
    name, other = hunt_entry("other", name="the hunt"), hunt_entry(name="other")
    require_refused(
        lambda: store.create_hunt(name), StateError, "A second hunt of a name", naming="the hunt"
    )
    require_refused(lambda: store.create_hunt(other), StateError, "A second hunt of an id")
    require_equal(store.hunts(), [hunt_entry()], "The hunts after that")


def _settings(store: Store) -> None:
    """The settings of a hunt can be replaced, by what can be written down."""
    with_hunt(store)
    changed = replace(hunt_entry(), settings={"overlap": 3})
    require_equal(store.change_hunt("hunt", {"overlap": 3}), changed, "What change_hunt returns")
    require_refused(
        lambda: store.change_hunt("hunt", {"strategy": object()}), ParameterError, "An object"
    )
    require_equal(store.hunt("hunt"), changed, "The hunt after that")


def _ranking(store: Store) -> None:
    """A ranking comes back with its numbers, and lists show it without."""
    with_hunt(store)
    store.put_ranking(ranking())
    store.put_ranking(ranking())
    kept = store.ranking("r")
    require_equal(kept.rows.tolist(), [5, 2, 9], "The rows")
    require_equal(kept.scores.astype(str).tolist(), ["0.5", "-1.0", "nan"], "The scores")
    require_equal(dict(kept.note), {"why": "best"}, "The note")
    listed = [(one.id, len(one.rows), len(one.scores)) for one in store.rankings("hunt")]
    require_equal(listed, [("r", 0, 0)], "The list, after the very same came twice")


def _other_ranking(store: Store) -> None:
    """Another ranking of the same id is refused, and one that is not numbers, a score a row."""
    with_hunt(store)
    store.put_ranking(ranking())
    require_refused(
        lambda: store.put_ranking(ranking(scores=[0.5, -1.0, 2.0])), StateError, "Other scores"
    )
    for changes in ({"rows": [1]}, {"scores": ["high", "low", "none"]}):
        other = ranking("other", **changes)
        require_refused(partial(store.put_ranking, other), ParameterError, str(changes))
    require_equal([one.id for one in store.rankings("hunt")], ["r"], "The rankings after that")


def _refused_text(store: Store) -> None:
    """Text that no database keeps is refused: empty, too long, with a NUL or half a character."""
    with_hunt(store)
    for text in ["fraud\x00", "\x00", "half \ud800", "\udfff", "", "x" * 1001]:
        calls: dict[str, Callable[[], Any]] = {
            "label": partial(store.keep, label(3, text)),
            "annotator": partial(store.keep, label(3, annotator=text)),
            "name of a hunt": partial(store.create_hunt, hunt_entry("x", name=text)),
            "asker": partial(ask, store, text),
        }
        for what, call in calls.items():
            require_refused(call, ParameterError, f"The {what} {text[:12]!r}")
    require_equal(store.events("hunt"), [], "The events after that")


def _text(store: Store) -> None:
    """All other text comes back unchanged."""
    with_hunt(store)
    texts = ["é", "漢字", "😀", "a\nb\tc", "'; DROP TABLE events; --", "%s", ":x", "x" * 1000]
    for row, text in enumerate(texts):
        store.keep(label(row, text, annotator=text[:200]))
    said = [(word.label, word.annotator) for word in store.standing("hunt")]
    require_equal(said, [(text, text[:200]) for text in texts], "Labels and annotators")


RULES: tuple[Rule, ...] = (
    _data_set,
    _once,
    _data_set_id,
    _by_name,
    _oldest_first,
    _missing,
    _taken,
    _settings,
    _ranking,
    _other_ranking,
    _refused_text,
    _text,
)
"""What every store keeps to about hunts and data sets."""
