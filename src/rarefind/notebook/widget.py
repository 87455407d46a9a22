"""The question, its record, keys, undo, curve and map of a hunt, inside a notebook."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import numpy as np
import traitlets

from rarefind.core.errors import DataError, RarefindError, StateError
from rarefind.discovery.class_keys import key_for
from rarefind.discovery.contract.event import Event
from rarefind.discovery.contract.meanings import told
from rarefind.notebook.curve import classes_seen
from rarefind.notebook.record import shown_record

if TYPE_CHECKING:
    from collections.abc import Callable

    from rarefind.discovery import Hunt
    from rarefind.geometry.maps import Map

_HERE = Path(__file__).parent
"""Where script and style lie."""

_UNUSUAL = 5
"""Fields marked as setting a record apart, at most. A choice."""

_DRAWN = 4000
"""Records drawn on the map, at random, besides those labelled: as many as an SVG draws quickly."""

_FINE = 1000
"""Places on the map are whole numbers up to this: finer than its points are wide."""


class HuntWidget(anywidget.AnyWidget):
    """A hunt to answer by keys or clicks; every answer goes to the hunt object itself.

    Parameters
    ----------
    hunt
        The hunt.
    records
        Its records, to be shown.
    pictures
        A picture for each record, or None.
    map_of
        Draws the map of the hunt, when it is asked for.
    """

    _esm = (_HERE / "widget.js").read_text(encoding="utf-8")
    _css = (_HERE / "widget.css").read_text(encoding="utf-8")

    state = traitlets.Dict().tag(sync=True)
    plane = traitlets.Dict().tag(sync=True)
    said = traitlets.Int().tag(sync=True)
    """How many times something was said, as the page knows it: marimo runs the cells that use the
    widget again when the page changes something, and for nothing else."""

    def __init__(
        self, hunt: Hunt, records: Any, pictures: Sequence[Any] | None, map_of: Callable[[], Map]
    ) -> None:
        if pictures is not None and len(pictures) != hunt.n_records:
            raise DataError(
                f"There must be a picture for each of the {hunt.n_records} records. "
                f"There are {len(pictures)}."
            )
        super().__init__()
        self._hunt, self._records, self._map_of = hunt, records, map_of
        self._pictures = None if pictures is None else list(pictures)
        self._named: dict[str, Hashable] = {}
        self._keys: dict[str, str | None] = {}  # every class keeps its key
        self._problem = ""
        self.on_msg(lambda _, content, __: self.answer(content))
        self.refresh()

    @property
    def row(self) -> int | None:
        """The record asked about; None if none is left."""
        question = self.state["question"]
        return None if question is None else int(question["row"])

    def tell(self, label: Hashable) -> None:
        """Say what the record is, and ask for the next."""
        self._hunt.tell(self._asked(), label)
        self.refresh()

    def skip(self) -> None:
        """Leave the record undecided, and ask for the next."""
        self._hunt.skip(self._asked())
        self.refresh()

    def undo(self) -> None:
        """Take the last answer back, or new name of a class; its record is asked about again."""
        taken_back = self._hunt.undo()
        self.refresh(taken_back.row if isinstance(taken_back, Event) else None)

    def answer(self, content: Any) -> None:
        """Do what was pressed on the page; what cannot be done is said there.

        ``content`` says what to ``do`` (``"tell"`` with a ``label``, ``"skip"``, ``"undo"``,
        ``"map"``), and the ``row`` that was seen.
        """
        self._problem = ""
        try:
            if content["do"] == "map":
                self.draw()
            elif content["do"] == "undo":
                self.undo()
            elif content["row"] != self.row:  # a second press, or answered elsewhere meanwhile
                self.refresh()
            elif content["do"] == "skip":
                self.skip()
            else:
                name = str(content["label"]).strip()
                self.tell(self._named.get(name, name))
        except RarefindError as problem:
            self._problem = str(problem)
            self.refresh()

    def draw(self) -> None:
        """Draw the map of the records."""
        made = self._map_of()
        rng = np.random.default_rng(0)
        rows = np.sort(rng.permutation(self._hunt.n_records)[:_DRAWN])
        rows = np.union1d(rows, np.fromiter(self._hunt.labels, dtype=np.int64))
        places = np.rint(made.points[rows] * _FINE).astype(int)
        self.plane = {"rows": rows.tolist(), "places": places.tolist(), "note": made.note}

    def refresh(self, row: int | None = None) -> None:
        """Show the hunt as it is now, after answers in another cell, say.

        ``row`` is asked about, if it has no answer; else what the hunt asks next.
        """
        hunt = self._hunt
        often = Counter(str(label) for label in hunt.labels.values())
        self._named |= {str(label): label for label in hunt.labels.values()}
        for name in self._named:
            self._keys.setdefault(name, key_for(name, self._keys.values(), self._keys))
        ordinary = {str(label) for label in hunt.background}
        self.state = {
            "question": self._question(row),
            "classes": [
                {"name": name, "key": key, "count": often[name], "ordinary": name in ordinary}
                for name, key in self._keys.items()
            ],
            "labels": {str(row): str(label) for row, label in hunt.labels.items()},
            "records": hunt.n_records,
            "curve": classes_seen(hunt.labels.values(), hunt.background),
            "outlook": str(hunt.outlook()),
            "undo": bool(hunt.events),
            "said": len(hunt.events),
            "problem": self._problem,
        }

    def _question(self, row: int | None) -> dict[str, Any] | None:
        hunt = self._hunt
        try:
            question = hunt.ask()
        except StateError:  # every record has its answer
            return None
        if row is None or row == question.row:
            asked, why, like = question.row, question.why, question.neighbours
        else:
            near = hunt.space.neighbours(row, len(question.neighbours))
            asked, why, like = row, "You took its answer back.", tuple(int(each) for each in near)
        unusual = hunt.space.most_unusual(asked, _UNUSUAL)
        shown = [shown_record(self._records, each, self._pictures) for each in like]
        return {
            "row": asked,
            "why": why,
            "numbers": [] if asked != question.row else told(question.evidence),
            **shown_record(self._records, asked, self._pictures, unusual),
            "neighbours": [
                {"row": each, "label": str(hunt.labels.get(each, "")), **record}
                for each, record in zip(like, shown, strict=True)
            ],
        }

    def _asked(self) -> int:
        if self.row is None:
            raise StateError("Every record has its answer: there is nothing left to tell.")
        return self.row
