"""One hunt as this process has it: what was said, its records, and, once asked, a strategy."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import RarefindError, StateError
from rarefind.core.progress import announce, part_of_work, whole_work
from rarefind.records.columns.kinds import detect_kinds
from rarefind.records.read_as import ReadAs
from rarefind.records.table import Table
from rarefind.service.asking.class_keys import ClassKeys
from rarefind.service.asking.log import LATELY_SECONDS, HuntLog
from rarefind.service.asking.news import Failed, News, Ready, Said, Stopped
from rarefind.service.asking.patience import GOODBYE_SECONDS, RECORDS_TAKE
from rarefind.service.asking.thinker import LiveHunt
from rarefind.service.asking.who_has import WhoHas
from rarefind.service.heavy.cancelling import Cancelled, Work
from rarefind.service.hunts.further_records import added, fitted
from rarefind.service.hunts.loaded_records import LoadedRecords
from rarefind.service.hunts.records import (
    HuntData,
    more_records,
    prepare_table,
    split_truth,
    wanted_kinds,
)
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.remembered import Remembered
from rarefind.service.showing.record import RecordViewer
from rarefind.service.showing.views import HuntState
from rarefind.store.contract import DataSet, Event, HuntEntry, Kept, Store

if TYPE_CHECKING:
    from rarefind.geometry import Space
    from rarefind.hunting.harvest_round import Look

_READING = RECORDS_TAKE / 2
"""How much of a set-up is over when the records are read."""

RANKINGS_KEPT = 8
"""The last rankings stay in memory to be explained; an older one is fitted again."""

_MAPS, _FOUND = 8, 8
"""Ways of drawing a map; and the last queries, for the next page of their lists, and colours."""

Publish = Callable[[str, News], None]


class NotReadyError(StateError):
    """The hunt must be prepared first."""


class OpenHunt:
    """A hunt, closed, being prepared, ready or failed. Safe to use from many threads."""

    def __init__(
        self,
        store: Store,
        entry: HuntEntry,
        read: Callable[[DataSet, ReadAs], Table],
        publish: Publish,
    ) -> None:
        self.entry = entry
        self.settings = HuntSettings.from_mapping(entry.settings)
        named, ordinary = self.settings.named_at_first()
        self.log = HuntLog(store, entry.id, self._heard_of, ClassKeys(named, ordinary))
        self.log.set_overlap(self.settings.overlap)
        self.records = LoadedRecords(self.log, self._first, self._more)
        self.maps = Remembered(_MAPS)
        self.explainers = Remembered(RANKINGS_KEPT)
        self.found = Remembered(_FOUND)
        self.looks: WhoHas[Look] = WhoHas()
        self._store = store
        self._read = read
        self._publish = publish
        self._preparing = threading.Lock()
        self._work: Work | None = None
        self._problem: RarefindError | None = None
        self._live: LiveHunt | None = None
        self._asked_at = 0.0
        self._size = cache(lambda dataset: store.dataset(dataset).n_rows)

    @property
    def id(self) -> str:
        """The id of the hunt."""
        return self.entry.id

    @property
    def n_records(self) -> int:
        """How many records there are, those added later included."""
        return sum(map(self._size, (self.entry.dataset, *self.log.parts)))

    def state(self) -> HuntState:
        """Tell whether the hunt can be asked."""
        if self._live is not None:
            return HuntState("ready")
        if (work := self._work) is not None:
            return HuntState("preparing", work.step)
        if self._problem is not None:
            return HuntState("failed", problem=self._problem)
        return HuntState("closed")

    @property
    def at_work(self) -> bool:
        """Whether a strategy thinks about this hunt."""
        return self._live is not None

    @property
    def holds_memory(self) -> bool:
        """Whether there is something to let go, and nobody is busy with it."""
        return self._work is None and (self.at_work or self.records.loaded)

    @property
    def used_at(self) -> float:
        """When somebody last asked, or looked at records."""
        return max(self._asked_at, self.records.seen_at)

    @property
    def live(self) -> LiveHunt:
        """The hunt at work."""
        if (live := self._live) is not None:
            self._asked_at = time.monotonic()
            return live
        if self._problem is not None:
            raise NotReadyError(
                f"The hunt {self.entry.name!r} could not be opened: {self._problem}"
            )
        raise NotReadyError(f"The hunt {self.entry.name!r} is not ready yet. Prepare it first.")

    @property
    def data(self) -> HuntData:
        """The records; read now if nobody has looked at them yet."""
        return self.records.data

    @property
    def space(self) -> Space:
        """Who is near whom; the strategy's own space serves once there is one."""
        live = self._live
        if live is not None and live.hunt.n_records == self.data.n_records:
            return live.hunt.space
        return self.records.space

    @property
    def viewer(self) -> RecordViewer:
        """Shows the records; those that nobody has prepared are read for it, and not prepared."""
        if self.records.loaded:
            return self.records.viewer
        return self.found.of("viewer", self.n_records, self._light_viewer)

    def prepare(self) -> None:
        """Let the strategy look at the records and hear what was said; only asking needs that."""
        with self._preparing:
            if self._live is not None:
                return
            self._problem, work = None, Work("reading")
            self._work = work
            try:
                with work.watched(), whole_work():
                    self._live = LiveHunt(self._store, self.log, self.settings, lambda: self.data)
                self._publish(self.id, Ready())
            except Cancelled:
                self._publish(self.id, Stopped())
                raise  # and closed, as before
            except RarefindError as problem:
                self._problem = problem
                self._publish(self.id, Failed())
                raise
            finally:
                self._work = None

    def cancel(self) -> None:
        """Stop preparing at the next report of progress."""
        if (work := self._work) is not None:
            work.cancel()

    def change(self, changes: Mapping[str, Any]) -> None:
        """Go on with other settings; the classes named at first stay those they were."""
        settings = HuntSettings.from_mapping({**self.settings.as_mapping(), **changes})
        if settings.named is None:
            settings = replace(settings, named=self.settings.named_at_first()[0])
        self.entry = self._store.change_hunt(self.id, settings.check().as_mapping())
        self.settings = settings
        self.log.set_overlap(settings.overlap)
        if self._live is not None:
            self._live.change(settings)

    def told(self, outcomes: Iterable[Kept | RarefindError]) -> None:
        """Let the strategy hear of events once they are kept; called by the store's writer."""
        kept = [each for each in outcomes if isinstance(each, Kept)]
        self.log.acknowledge([each.event for each in kept if not each.repeated])
        if (live := self._live) is not None:
            live.nudge()

    def asked_ahead(self, annotator: str, row: int) -> AskedBy | None:
        """Tell who asked somebody about a row ahead of a time without a server; None if nobody."""
        live = self._live
        return None if live is None else live.asked_ahead(annotator, row)

    def given_back(self, row: int) -> None:
        """Note that somebody gave the question about a row back."""
        if (live := self._live) is not None:
            live.given_back(row)

    def table(self) -> Table:
        """Return the records as shown; those of a hunt that is not ready are read for it."""
        return self.shown()[0]

    def shown(self) -> tuple[Table, tuple[str | None, ...] | None]:
        """Return the records as shown, and their label column or None, without preparing them."""
        if self.records.loaded:
            data = self.data
            return data.table, data.truth
        self.log.catch_up()
        whole, truth = split_truth(self._file(self.entry.dataset), self.settings.label_column)
        for part in self.log.parts:
            more, told = split_truth(self._file(part), self.settings.label_column)
            whole = added(whole, fitted(whole, more))
            truth = None if truth is None or told is None else (*truth, *told)
        return whole, truth

    def check_part(self, table: Table) -> None:
        """Refuse records that cannot be added: once they are, they stay."""
        more_records(self.data, table, self.settings)

    def stop(self) -> None:
        """Let whatever thinks about this hunt end at its next step."""
        self.cancel()
        if (live := self._live) is not None:
            live.stop()

    def close(self) -> None:
        """Let go of the records and end the thread."""
        self.stop()
        if self._preparing.acquire(timeout=GOODBYE_SECONDS):  # or it ends when it reports next
            try:
                live, self._live = self._live, None
            finally:
                self._preparing.release()
            if live is not None:
                live.close()
        self.maps.clear()
        self.explainers.clear()
        self.found.clear()
        self.records.forget()

    def _light_viewer(self) -> RecordViewer:
        table = self.table()
        return RecordViewer(table, detect_kinds(table, wanted_kinds(self.settings)))

    def _first(self) -> HuntData:
        with part_of_work(0.0, _READING):
            announce("reading", 0, 1)
            table = self._file(self.entry.dataset)
        with part_of_work(_READING, RECORDS_TAKE):
            announce("preparing records", 0, 1)
            data = prepare_table(table, self.settings)
            announce("preparing records", 1, 1)
        self.log.catch_up(force=True)
        return data

    def _more(self, part: str, data: HuntData) -> HuntData:
        return more_records(data, self._file(part), self.settings)

    def _file(self, dataset: str) -> Table:
        return self._read(self._store.dataset(dataset), self.settings.how)

    def _heard_of(self, event: Event) -> None:
        if (live := self._live) is not None:
            live.note(event)
        if abs(time.time() - event.at) < LATELY_SECONDS:
            self._publish(self.id, Said.of(event))
