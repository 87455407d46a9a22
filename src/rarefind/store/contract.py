"""What a store promises, whichever engine keeps it.

A label is an event with an id its sender made; a hunt is the replay of its events in order. An
event is acknowledged only once it is kept for good, and the same id counts once however often it
is sent. Asking takes a lease that expires: a late answer still counts, once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from pathlib import Path
from sys import intern
from typing import TYPE_CHECKING, Any, Literal

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import RarefindError
from rarefind.store.people.invitations import PeopleKept

if TYPE_CHECKING:
    from rarefind.core.arrays import FloatArray, IntArray
    from rarefind.store.rules.projection import Statement

LATE_SECONDS = 7 * 24 * 3600.0
"""An answer that comes so long after its lease expired still tells who asked."""

Kind = Literal["label", "skip", "undo", "append", "rename"]


@dataclass(frozen=True)
class DataSet:
    """A file of records, known by what is in it: a changed file has another ``sha256``."""

    id: str
    name: str
    path: str
    sha256: str
    n_rows: int
    reading: Mapping[str, Any]  # how it is read, where somebody said so
    created_at: float


@dataclass(frozen=True)
class HuntEntry:
    """A hunt: the data set it began with and its settings (strategy, kernel, seed, …)."""

    id: str
    name: str
    dataset: str
    settings: Mapping[str, Any]
    created_at: float


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that happened to a hunt.

    Attributes
    ----------
    id
        A UUID made by whoever sends it.
    kind
        ``label`` (``value`` is the class), ``skip``, ``undo`` (``value`` is the id of the event
        taken back), ``append`` (``value`` is the id of the data set whose records were added) or
        ``rename`` (``value`` has the old name and the new one, as ``rename_value`` writes them).
    row
        The record it is about; None for ``undo``, ``append`` and ``rename``.
    at
        When the store took it, in seconds since 1970.
    asked_by
        Which member of the strategy had asked; None if nobody had. Of ``UNKNOWN`` the store finds
        out who it was.
    seq
        Its place in the order of the store; 0 until it is kept.
    """

    id: str
    hunt: str
    kind: Kind
    row: int | None
    value: str | None
    annotator: str
    at: float
    asked_by: AskedBy | None = None
    seq: int = 0

    def __post_init__(self) -> None:
        # A hunt has very many events and keeps them all: the same few names stand in most.
        for name in ("hunt", "kind", "value", "annotator"):
            if type(text := getattr(self, name)) is str:
                object.__setattr__(self, name, intern(text))


@dataclass(frozen=True)
class Kept:
    """The acknowledgement of an event: its place, and whether it had been sent before."""

    event: Event
    repeated: bool


@dataclass(frozen=True)
class Candidate:
    """A row that could be asked about, with its reason (shown again when the lease is resumed).

    ``asked_by`` goes over to the answer.
    """

    row: int
    why: str
    evidence: Mapping[str, float] = field(default_factory=dict)
    neighbours: tuple[int, ...] = ()
    asked_by: AskedBy = UNKNOWN


@dataclass(frozen=True)
class Lease:
    """A record that somebody is looking at."""

    id: str
    hunt: str
    annotator: str
    candidate: Candidate
    expires_at: float


@dataclass(frozen=True)
class RankingEntry:
    """A ranking made from a hunt: which model, from how many labels, and all scores."""

    id: str
    hunt: str
    target: str
    model: str
    after_seq: int  # the last event it had seen
    note: Mapping[str, Any]  # why the model was chosen, average precision, seconds, …
    rows: IntArray
    scores: FloatArray
    created_at: float


@dataclass(frozen=True)
class CheckReport:
    """What ``check`` found: how many hunts and events there are, and a sentence for each fault."""

    ok: bool  # whether no fault is left
    faults: tuple[str, ...]  # that are still there
    repaired: tuple[str, ...]  # that were there
    hunts: int
    events: int


class Store(PeopleKept, ABC):
    """Keeps hunts. Safe to use from many threads and from several processes at once.

    Attributes
    ----------
    read_only
        Why nothing can be written, as a sentence; None where it can.
    beside
        A folder for what takes long and can be computed anew; None where there is no place for it.
    """

    read_only: str | None = None
    beside: Path | None = None

    @abstractmethod
    def put_dataset(self, dataset: DataSet) -> DataSet:
        """Keep a data set; one with the same path, contents and reading is returned instead."""

    @abstractmethod
    def dataset(self, id: str) -> DataSet:
        """Return a data set by id."""

    @abstractmethod
    def datasets(self) -> list[DataSet]:
        """Return all data sets, oldest first."""

    @abstractmethod
    def create_hunt(self, hunt: HuntEntry) -> None:
        """Keep a new hunt; a name that is taken is refused."""

    @abstractmethod
    def hunt(self, name_or_id: str) -> HuntEntry:
        """Return a hunt by name or id; the error names the nearest match."""

    @abstractmethod
    def hunts(self, limit: int | None = None, before: str | None = None) -> list[HuntEntry]:
        """Return the hunts, oldest first: all, or the latest ``limit`` before that of an id."""

    @abstractmethod
    def change_hunt(self, id: str, settings: Mapping[str, Any]) -> HuntEntry:
        """Replace the settings of a hunt."""

    @abstractmethod
    def submit(self, event: Event) -> Future[Kept]:
        """Hand an event over; the future is done once it is kept for good (group commit).

        The store sets ``seq`` and ``at``. The lease of that annotator on that row ends in the same
        transaction; if that was a question (``asked_by`` is ``UNKNOWN``), who asked is taken over
        from the lease, also from one that expired within ``LATE_SECONDS``, or from what the
        annotator had said of the row before. An id kept before gives the first event with
        ``repeated`` (``asked_by`` and ``at`` may differ); the same id with other contents, an
        unknown hunt, or an ``undo`` of what does not exist, is no label, skip or rename, or has
        been taken back already, is refused.
        """

    @abstractmethod
    def submit_together(self, events: Sequence[Event]) -> Future[list[Kept | RarefindError]]:
        """Hand over events that belong together: one transaction keeps all that are not refused."""

    def keep(self, event: Event) -> Kept:
        """Hand an event over and wait until it is kept for good."""
        return self.submit(event).result()

    @abstractmethod
    def events(self, hunt: str, after: int = 0) -> list[Event]:
        """Return the events of a hunt with a larger ``seq`` than ``after``, in order."""

    @abstractmethod
    def event(self, id: str) -> Event | None:
        """Return the event of that id; None if it was never kept."""

    @abstractmethod
    def standing(self, hunt: str) -> list[Statement]:
        """Return what stands, in order: the latest word of each annotator on each row.

        The same as ``replay(store.events(hunt)).statements``, read from the store's own table.
        """

    @abstractmethod
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
        """Lease up to ``count`` of the candidates, first come first served, in one transaction.

        A row is free for this annotator if they have not spoken about it and fewer than
        ``overlap`` others hold it or have spoken about it. Leases the annotator still holds are
        given back first, renewed, so that whoever comes back sees the same question. If the
        leases whose questions they have ``seen`` are named, their others end instead.
        """

    @abstractmethod
    def leases(self, hunt: str, now: float) -> list[Lease]:
        """Return the leases that have not expired."""

    @abstractmethod
    def release(self, lease: str) -> None:
        """End a lease without an answer."""

    @abstractmethod
    def put_ranking(self, ranking: RankingEntry) -> None:
        """Keep a ranking."""

    @abstractmethod
    def ranking(self, id: str) -> RankingEntry:
        """Return a ranking by id."""

    @abstractmethod
    def rankings(self, hunt: str) -> list[RankingEntry]:
        """Return the rankings of a hunt, oldest first, without rows and scores (empty arrays)."""

    @abstractmethod
    def backup(self, path: Path) -> None:
        """Copy everything acknowledged so far into a new SQLite file, while the store is in use.

        The file appears whole or not at all; one that exists is never written over.
        """

    @abstractmethod
    def check(self, *, repair: bool = False) -> CheckReport:
        """Verify that what is kept is whole and that every hunt can be replayed."""

    @abstractmethod
    def close(self) -> None:
        """Finish what was handed over and let go of the files."""

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
