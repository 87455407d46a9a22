"""A hunt whose answers lie in a store, shared with the terminal and the workbench."""

from __future__ import annotations

import getpass
import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import DataError, StateError, UnknownNameError
from rarefind.discovery.contract.event import Event as Said
from rarefind.hunting.sharing.records_file import write_records
from rarefind.records.formats.by_ending import file_digest
from rarefind.store.contract import DataSet, Event, HuntEntry, Kind
from rarefind.store.opening import open_store
from rarefind.store.rules.projection import Projection
from rarefind.store.rules.steps import step_of


class StoredAnswers:
    """What was said in one hunt of a store, by whomever; what is said here is kept at once.

    Parameters
    ----------
    url
        The store: a file, or the address of a database.
    name
        The hunt. If the store has none of that name it begins, and the records are written to a
        file beside the store, so that the terminal and the workbench can show them.
    records
        The records.
    n_records
        How many there are: a hunt that is about other records is refused.
    settings
        What a hunt that begins here is set to.
    """

    def __init__(
        self, url: str, name: str, records: Any, n_records: int, settings: Mapping[str, Any]
    ) -> None:
        self._store = open_store(url)
        try:
            self._hunt = self._store.hunt(name)
        except UnknownNameError:
            self._hunt = self._begun(url, name, records, n_records, settings)
        self._annotator = getpass.getuser()
        self._projection, self._last = Projection(), 0
        self._hear()
        rows = self._n_rows()
        if rows != n_records:
            raise DataError(
                f"The hunt {name!r} of {url} is about {rows:,} records, and these are "
                f"{n_records:,}. Give the same records, in the same order, or another name."
            )

    def hear(self) -> list[Said] | None:
        """Return all that stands if something new was said, here or elsewhere; else None."""
        return self.said() if self._hear() else None

    def said(self) -> list[Said]:
        """Return all that stands, in order: the label agreed on for each row, None for a skip."""
        agreed, said = self._projection.agreed, dict[int, Said]()
        for word in self._projection.statements:
            label = agreed.get(word.row)
            if word.row not in said and (label is None or word.label is not None):
                said[word.row] = Said(word.row, label, word.asked_by)
        return list(said.values())

    def _hear(self) -> bool:
        news = self._store.events(self._hunt.id, self._last)
        for event in news:
            self._projection.apply(event)
            self._last = event.seq
        return bool(news)

    def tell(self, row: int, label: str | None, asked_by: AskedBy | None) -> None:
        """Keep a label, or a skip for None, for good."""
        kind: Kind = "skip" if label is None else "label"
        self._keep(kind, row, label, asked_by if label is not None else asked_by or UNKNOWN)

    def take_back(self, row: int, *, whole_step: bool = False) -> None:
        """Take back what was said about a row here; others take back their own words.

        With ``whole_step`` all that was said in the same step goes with it.
        """
        words = [word for word in self._projection.statements if word.row == row]
        own = [word for word in words if word.annotator == self._annotator]
        if not own:
            others = ", ".join(word.annotator for word in words)
            raise StateError(f"Row {row} was told by {others}, who alone can take it back.")
        last = own[-1].event_id
        step = step_of(last) if whole_step else None
        parts = [last] if step is None else [each.id for each in self._projection.step(step)]
        for event_id in filter(self._projection.stands, parts):
            self._keep("undo", None, event_id, None)

    def close(self) -> None:
        """Let go of the store."""
        self._store.close()

    def _keep(self, kind: Kind, row: int | None, value: str | None, by: AskedBy | None) -> None:
        event_id, hunt = str(uuid.uuid4()), self._hunt.id
        self._store.keep(Event(event_id, hunt, kind, row, value, self._annotator, 0.0, by))

    def _begun(
        self, url: str, name: str, records: Any, n_records: int, settings: Mapping[str, Any]
    ) -> HuntEntry:
        path = write_records(records, _folder(url), name)
        reading: dict[str, Any] = {"kinds": {}, "label_column": None, "leave_out": []}
        dataset = self._store.put_dataset(
            DataSet(
                uuid.uuid4().hex,
                path.name,
                str(path.absolute()),
                file_digest(path),
                n_records,
                reading,
                time.time(),
            )
        )
        hunt = HuntEntry(uuid.uuid4().hex, name, dataset.id, dict(settings), time.time())
        self._store.create_hunt(hunt)
        return hunt

    def _n_rows(self) -> int:
        parts = (self._hunt.dataset, *self._projection.parts)
        return sum(self._store.dataset(part).n_rows for part in parts)


def _folder(url: str) -> Path:
    """Name the folder a store lies in; of a database or memory, the one at hand."""
    file = url.removeprefix("sqlite:///")
    return Path() if "://" in file or file == "memory:" else Path(file).absolute().parent
