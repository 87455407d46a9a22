"""What all use cases share: the store, the hunts that are open, and news about them."""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any, ParamSpec, Self, TypeVar

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import ParameterError, RarefindError, UnknownNameError
from rarefind.service.asking.news import Changed, Hear, Subscriptions
from rarefind.service.heavy.workroom import Workplace
from rarefind.service.hunts.attendant import Attendant
from rarefind.service.hunts.catalogue import Catalogue, find_hunt
from rarefind.service.hunts.opened import RANKINGS_KEPT, OpenHunt
from rarefind.service.hunts.table_cache import TableCache
from rarefind.service.remembered import Remembered
from rarefind.service.showing.progress import class_views
from rarefind.service.showing.views import HuntView
from rarefind.store.contract import Event, HuntEntry, Kept, Kind, Store

T = TypeVar("T")
P = ParamSpec("P")


class ServiceBase:
    """The store, the hunts this process has open, and who listens to them."""

    def __init__(
        self,
        store: Store,
        *,
        tables: TableCache | None = None,
        workplace: Workplace | None = None,
        idle_seconds: float | None = None,
    ) -> None:
        self.store = store
        self._tables = tables or TableCache()
        self._catalogue = Catalogue(store, self._tables)
        self._news = Subscriptions()
        self._workplace = workplace or Workplace()
        self._orders = Remembered(RANKINGS_KEPT)
        self._lock = threading.Lock()
        self._open: dict[str, OpenHunt] = {}
        self._attendant: Attendant | None = None
        if idle_seconds is not None:
            self._attendant = Attendant(self._at_hand, self._listened, self._let_go, idle_seconds)

    def subscribe(self, hunt_id: str, hear: Hear) -> None:
        """Tell somebody the news of a hunt, given by its id; never waits."""
        self._news.subscribe(hunt_id, hear)
        if self._attendant is not None:
            self._attendant.nudge()

    def unsubscribe(self, hunt_id: str, hear: Hear) -> None:
        """Tell them no more; never waits."""
        self._news.unsubscribe(hunt_id, hear)

    def close_hunt(self, hunt_id: str) -> None:
        """Let go of the records of a hunt; the next look reads them again."""
        self._let_go(self.opened(hunt_id))

    def close(self) -> None:
        """Let go of everything, the store included."""
        if self._attendant is not None:
            self._attendant.close()
        with self._lock:
            hunts, self._open = list(self._open.values()), {}
        for hunt in hunts:
            hunt.stop()  # all at once, or each would be waited for in turn
        for hunt in hunts:
            hunt.close()
        self._workplace.close()
        self.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _let_go(self, hunt: OpenHunt) -> None:
        self._workplace.forget(hunt.id)
        hunt.close()
        self._tables.forget()

    def _at_hand(self) -> list[OpenHunt]:
        with self._lock:
            return list(self._open.values())

    def _listened(self) -> list[OpenHunt]:
        return [self.opened(id) for id in self._news.hunts()]

    def opened(self, called: str | HuntEntry) -> OpenHunt:
        """Return a hunt by its name or id, or by its entry in the store, which saves a look-up."""
        hunt = self._open.get(called.id if isinstance(called, HuntEntry) else called)
        if hunt is not None:
            return hunt
        entry = called if isinstance(called, HuntEntry) else find_hunt(self.store, called)
        with self._lock:
            if entry.id not in self._open:
                self._open[entry.id] = self._made(entry)
            return self._open[entry.id]

    def _heard(self, hunt_id: str, *, force: bool = False) -> OpenHunt:
        """Return a hunt that has read what was said; ``force`` reads on in any case."""
        hunt = self.opened(hunt_id)
        hunt.log.catch_up(force=force)
        return hunt

    def _at_row(self, hunt_id: str, row: int) -> OpenHunt:
        """Return a hunt that has this row."""
        hunt = self.opened(hunt_id)
        self._check_row(hunt, row)
        return hunt

    def _made(self, entry: HuntEntry) -> OpenHunt:
        return OpenHunt(self.store, entry, self._catalogue.table, self._news.publish)

    def _view(self, hunt: OpenHunt) -> HuntView:
        hunt.log.catch_up()
        dataset = self.store.dataset(hunt.entry.dataset)
        classes = class_views(hunt.log, hunt.settings)
        return HuntView(
            hunt.id,
            hunt.entry.name,
            hunt.settings.title or hunt.entry.name,
            dataset.name,
            dataset.id,
            dataset.path,
            hunt.n_records,
            hunt.log.tally(lambda tally: tally.labelled),
            tuple(each.name for each in classes),
            tuple(hunt.log.tally(lambda tally: tally.counts)),
            hunt.entry.created_at,
            hunt.state(),
            hunt.settings.as_mapping(),
        )

    def _change(self, hunt: OpenHunt, settings: Mapping[str, Any]) -> None:
        hunt.change(settings)
        self._news.publish(hunt.id, Changed())

    def _submit_together(self, hunt: OpenHunt, events: Sequence[Event]) -> list[Kept]:
        """Keep events in one transaction; return those that were, or raise why none was."""
        outcome = self.store.submit_together(events)
        verdicts = _heard_first(outcome, hunt.told).result()
        kept = [each for each in verdicts if isinstance(each, Kept)]
        if not kept:
            raise next(each for each in verdicts if isinstance(each, RarefindError))
        return kept

    def _submit(
        self,
        hunt: OpenHunt,
        kind: Kind,
        row: int | None,
        value: str | None,
        annotator: str,
        event_id: str | None,
        *,
        asked_by: AskedBy | None = None,
    ) -> Future[Kept]:
        event = Event(
            event_id or str(uuid.uuid4()),
            hunt.id,
            kind,
            row,
            value,
            clean_name(annotator),
            0.0,
            asked_by,
        )
        return _heard_first(self.store.submit(event), lambda kept: hunt.told([kept]))

    def _up_to_date(self, hunt_id: str) -> OpenHunt:
        """Return a hunt whose records are at hand, and all that was said until then."""
        hunt = self.opened(hunt_id)
        hunt.records.read()
        hunt.log.catch_up(force=True)
        return hunt

    def _computed(self, task: str, hunt: OpenHunt, function: Callable[..., T], *args: object) -> T:
        """Return ``function(records, kernel, *args)``, computed where heavy work is done."""
        kept = (hunt.data.records, hunt.records.kernel)
        return self._workplace.run(task, hunt.id, kept, function, *args)

    @staticmethod
    def _check_row(hunt: OpenHunt, row: int) -> None:
        if isinstance(row, bool) or not isinstance(row, int) or row < 0:
            raise ParameterError(f"A row must be a whole number from 0. Got {row!r} instead.")
        if row >= hunt.n_records:
            hunt.log.catch_up(force=True)  # another process may have added records
            if row >= hunt.n_records:
                raise UnknownNameError(
                    f"There is no row {row}: the hunt has {hunt.n_records} records, rows 0 to "
                    f"{hunt.n_records - 1}."
                )


def _heard_first(outcome: Future[T], hear: Callable[[T], object]) -> Future[T]:
    """Return a future for the same outcome, done once ``hear`` has been called with it.

    Whoever is told that an answer is kept may ask at once for a question that heeds it.
    """
    heard: Future[T] = Future()

    def tell(done: Future[T]) -> None:
        problem = done.exception()
        if problem is None:
            hear(done.result())
            heard.set_result(done.result())
        else:
            heard.set_exception(problem)

    outcome.add_done_callback(tell)
    return heard


def once_kept(submit: Callable[P, Future[Kept]]) -> Callable[P, Kept]:
    """Do the same as a method that hands something over, and return once it is kept for good."""

    def wait(*args: P.args, **kwargs: P.kwargs) -> Kept:
        return submit(*args, **kwargs).result()

    return wait


def clean_name(annotator: str) -> str:
    """Return the name of an annotator without blanks around it."""
    if not isinstance(annotator, str) or not annotator.strip():
        raise ParameterError(
            f"The annotator must be the name of somebody. Got {annotator!r} instead."
        )
    return annotator.strip()
