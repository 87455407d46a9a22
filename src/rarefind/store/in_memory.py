"""A store that forgets when the process ends: for notebooks, trials and tests."""

# ruff: noqa: D102  (the contract says what each method does)

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from typing import Any

from rarefind.core.errors import RarefindError, StateError
from rarefind.store.contract import (
    LATE_SECONDS,
    Candidate,
    CheckReport,
    DataSet,
    Event,
    HuntEntry,
    Kept,
    Lease,
    RankingEntry,
    Store,
)
from rarefind.store.people.in_memory import MemoryPeople
from rarefind.store.rules.entries import (
    clean_dataset,
    clean_hunt,
    clean_ranking,
    find_hunt,
    no_such,
    plain,
    refuse_hunt,
    refuse_ranking,
    same_dataset,
    without_arrays,
)
from rarefind.store.rules.free_records import check_asking, free_candidates, who_is_busy, with_asker
from rarefind.store.rules.ledger import Ledger, Verdict
from rarefind.store.rules.projection import Projection, Statement, replay
from rarefind.store.rules.values import (
    candidate_from_json,
    candidate_to_json,
    clean_event,
)


class MemoryStore(MemoryPeople, Store):
    """Keeps everything in this process; the other stores are measured against it.

    >>> from rarefind.store.contract import DataSet, Event, HuntEntry
    >>> store = MemoryStore()
    >>> data = store.put_dataset(DataSet("d", "pay", "pay.csv", "00", 9, {}, created_at=0.0))
    >>> store.create_hunt(HuntEntry("h", "first", data.id, {}, created_at=0.0))
    >>> store.keep(Event("e", "h", "label", 3, "fraud", "ann", at=0.0)).event.seq
    1
    """

    def __init__(self) -> None:
        super().__init__()
        self._lock = threading.RLock()
        self._datasets: dict[str, DataSet] = {}
        self._hunts: dict[str, HuntEntry] = {}
        self._events: dict[str, Event] = {}
        self._projections: dict[str, Projection] = {}
        self._leases: dict[str, Lease] = {}
        self._rankings: dict[str, RankingEntry] = {}
        self._ledger = Ledger(self._events, set(), self._hunts, self._datasets, 0)
        self._closed = False

    def put_dataset(self, dataset: DataSet) -> DataSet:
        dataset = clean_dataset(dataset)
        with self._open():
            for other in self._datasets.values():
                if same_dataset(other, dataset):
                    return other
            if dataset.id in self._datasets:
                raise StateError(f"The id {dataset.id!r} stands for another data set already.")
            self._datasets[dataset.id] = dataset
            return dataset

    def dataset(self, id: str) -> DataSet:
        with self._open():
            if id not in self._datasets:
                raise no_such("data set", id)
            return self._datasets[id]

    def datasets(self) -> list[DataSet]:
        with self._open():
            return sorted(self._datasets.values(), key=lambda data: (data.created_at, data.id))

    def create_hunt(self, hunt: HuntEntry) -> None:
        hunt = clean_hunt(hunt)
        with self._open():
            if not refuse_hunt(hunt, self._hunts.values(), self._datasets):
                self._hunts[hunt.id] = hunt
                self._projections[hunt.id] = Projection()

    def hunt(self, name_or_id: str) -> HuntEntry:
        return find_hunt(name_or_id, self.hunts())

    def hunts(self, limit: int | None = None, before: str | None = None) -> list[HuntEntry]:
        with self._open():
            found = sorted(self._hunts.values(), key=_age)
            if before is not None:
                last = _age(self._known_hunt(before))
                found = [hunt for hunt in found if _age(hunt) < last]
            return found if limit is None else found[max(0, len(found) - limit) :]

    def change_hunt(self, id: str, settings: Mapping[str, Any]) -> HuntEntry:
        settings = plain("settings of a hunt", settings)
        with self._open():
            self._hunts[id] = replace(self._known_hunt(id), settings=settings)
            return self._hunts[id]

    def submit(self, event: Event) -> Future[Kept]:
        future: Future[Kept] = Future()
        verdict = self._judged(event)
        if isinstance(verdict, Kept):
            future.set_result(verdict)
        else:
            future.set_exception(verdict)
        return future

    def submit_together(self, events: Sequence[Event]) -> Future[list[Verdict]]:
        future: Future[list[Verdict]] = Future()
        try:
            with self._open():
                clean = [clean_event(event) for event in events]
                future.set_result([self._judged(event) for event in clean])
        except RarefindError as reason:
            future.set_exception(reason)
        return future

    def _judged(self, event: Event) -> Verdict:
        try:
            event = clean_event(event)
            with self._open():
                held = [self._leases[id] for id in self._leases_about(event)]
                event = with_asker(event, held, self._events.values())
                verdict = self._ledger.judge(event, time.time())
                if isinstance(verdict, Kept) and not verdict.repeated:
                    self._projections[event.hunt].apply(verdict.event)
                    self._end_lease(event)
        except RarefindError as reason:
            return reason
        return verdict

    def _end_lease(self, event: Event) -> None:
        for id in self._leases_about(event):
            del self._leases[id]

    def _leases_about(self, event: Event) -> list[str]:
        return [
            id
            for id, lease in self._leases.items()
            if (lease.hunt, lease.annotator) == (event.hunt, event.annotator)
            and lease.candidate.row == event.row
        ]

    def events(self, hunt: str, after: int = 0) -> list[Event]:
        with self._open():
            self._known_hunt(hunt)
            return [
                event for event in self._events.values() if event.hunt == hunt and event.seq > after
            ]

    def event(self, id: str) -> Event | None:
        with self._open():
            return self._events.get(id)

    def standing(self, hunt: str) -> list[Statement]:
        with self._open():
            self._known_hunt(hunt)
            return self._projections[hunt].statements

    def take_leases(
        self,
        hunt: str,
        annotator: str,
        candidates: Sequence[Candidate],
        *,
        count: int,
        seconds: float,
        now: float,
        overlap: int = 1,
        seen: Collection[str] | None = None,
    ) -> list[Lease]:
        check_asking(annotator, candidates, count, seconds, now, overlap)
        with self._open():
            live = self.leases(hunt, now)
            if seen is not None:
                for lease in live:
                    if (
                        lease.annotator == annotator and lease.id not in seen
                    ):  # still tells who asked
                        self._leases[lease.id] = replace(lease, expires_at=now)
                live = self.leases(hunt, now)
            mine = [lease for lease in live if lease.annotator == annotator][:count]
            for lease in mine:
                self._leases[lease.id] = replace(lease, expires_at=now + seconds)
            spoken = ((word.row, word.annotator) for word in self.standing(hunt))
            free = free_candidates(candidates, annotator, who_is_busy(live, spoken), overlap)
            ids = [lease.id for lease in mine]
            chosen = free[: count - len(mine)]
            self._forget_leases(hunt, annotator, {int(each.row) for each in chosen}, now)
            for candidate in chosen:
                kept = candidate_from_json(int(candidate.row), candidate_to_json(candidate))
                lease = Lease(uuid.uuid4().hex, hunt, annotator, kept, now + seconds)
                self._leases[lease.id] = lease
                ids.append(lease.id)
            return [self._leases[id] for id in ids]

    def _forget_leases(self, hunt: str, annotator: str, rows: set[int], now: float) -> None:
        """Drop leases that expired long ago, and of this annotator those on rows leased again."""
        for lease in [one for one in self._leases.values() if one.hunt == hunt]:
            again = lease.annotator == annotator and lease.candidate.row in rows
            if lease.expires_at <= (now if again else now - LATE_SECONDS):
                del self._leases[lease.id]

    def leases(self, hunt: str, now: float) -> list[Lease]:
        with self._open():
            self._known_hunt(hunt)
            return [
                lease
                for lease in self._leases.values()
                if lease.hunt == hunt and lease.expires_at > now
            ]

    def release(self, lease: str) -> None:
        with self._open():
            self._leases.pop(lease, None)

    def put_ranking(self, ranking: RankingEntry) -> None:
        ranking = clean_ranking(ranking)
        with self._open():
            self._known_hunt(ranking.hunt)
            refuse_ranking(ranking, self._rankings.get(ranking.id))
            self._rankings[ranking.id] = ranking

    def ranking(self, id: str) -> RankingEntry:
        with self._open():
            if id not in self._rankings:
                raise no_such("ranking", id)
            return self._rankings[id]

    def rankings(self, hunt: str) -> list[RankingEntry]:
        with self._open():
            self._known_hunt(hunt)
            found = [without_arrays(one) for one in self._rankings.values() if one.hunt == hunt]
            return sorted(found, key=lambda ranking: (ranking.created_at, ranking.id))

    def backup(self, path: Path) -> None:
        from rarefind.store.copying import Contents, export

        with self._open():
            contents = Contents(
                datasets=self.datasets(),
                hunts=self.hunts(),
                events=list(self._events.values()),
                leases=list(self._leases.values()),
                rankings=list(self._rankings.values()),
                people=self.people(),
            )
        export(contents, Path(path))

    def check(self, *, repair: bool = False) -> CheckReport:
        with self._open():
            faults = [
                f"The hunt {hunt.name!r} differs from the replay of its events."
                for hunt in self._hunts.values()
                if replay(self.events(hunt.id)).statements != self.standing(hunt.id)
            ]
            return CheckReport(not faults, tuple(faults), (), len(self._hunts), len(self._events))

    def close(self) -> None:
        self._closed = True

    def _open(self) -> threading.RLock:
        if self._closed:
            raise StateError("The store is closed: open it again.")
        return self._lock

    def _known_hunt(self, id: str) -> HuntEntry:
        if id not in self._hunts:
            raise no_such("hunt", id)
        return self._hunts[id]


def _age(hunt: HuntEntry) -> tuple[float, str]:
    """Tell older hunts from newer ones, and those of the same moment by their id."""
    return hunt.created_at, hunt.id
