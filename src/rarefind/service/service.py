"""The use cases of every front door in one object: open, ask, tell, see, rank, export."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path
from queue import Queue
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import ParameterError, UnknownNameError
from rarefind.core.params import Integer, check_param
from rarefind.service.catalogue import Catalogue, find_hunt
from rarefind.service.comparing import compare_models
from rarefind.service.data import open_data
from rarefind.service.exporting import check_export, export_hunt
from rarefind.service.importing import event_id as import_id
from rarefind.service.importing import read_labels
from rarefind.service.inspecting import inspect_table
from rarefind.service.maps import make_map
from rarefind.service.open_hunt import OpenHunt
from rarefind.service.progress_view import class_views, history_view, progress_view
from rarefind.service.rankings import Rankings
from rarefind.service.record_view import RecordView
from rarefind.service.settings import HuntSettings
from rarefind.service.subscriptions import News, Subscriptions
from rarefind.service.views import (
    Asked,
    Comparison,
    HistoryView,
    HuntState,
    HuntView,
    Inspection,
    MapView,
    NeighbourView,
    ProgressView,
    RankedView,
    RankingView,
    VotesView,
)
from rarefind.store.contract import DataSet, Event, Kept, Kind, Lease, Store


class Service:
    """Everything a front door can do with hunts. Safe to call from many threads.

    Parameters
    ----------
    store
        Where hunts are kept.
    home
        A folder for files that are handed over instead of named, one folder for each.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rarefind.store.opening import open_store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sizes.csv"
    ...     _ = path.write_text("size\\n" + "\\n".join(map(str, [1, 2, 3, 4, 90])))
    ...     service = Service(open_store("memory:"))
    ...     hunt = service.open_hunt(path, settings=HuntSettings(strategy="farthest-first"))
    ...     service.prepare(hunt.id)
    ...     asked = service.ask(hunt.id, "anna")[0]
    ...     _ = service.tell(hunt.id, asked.row, "ordinary", "anna")
    ...     print(service.progress(hunt.id).labels)
    ...     service.close()
    1
    """

    def __init__(self, store: Store, *, home: Path | None = None) -> None:
        self.store = store
        self.home = home
        self._catalogue = Catalogue(store)
        self._news = Subscriptions()
        self._rankings = Rankings(store)
        self._lock = threading.Lock()
        self._open: dict[str, OpenHunt] = {}

    # ---- opening ---------------------------------------------------------------------------

    def inspect(self, path: Path, kinds: Mapping[str, str] | None = None) -> Inspection:
        """Look at a file before anything runs: what its columns hold, and why that is thought."""
        return inspect_table(self._catalogue.read(Path(path)), kinds or {})

    def add_dataset(self, path: Path, name: str | None = None) -> DataSet:
        """Keep a file as a data set, to begin hunts in it by its id."""
        return self._catalogue.add(Path(path), name)

    def datasets(self) -> list[DataSet]:
        """List the data sets, oldest first."""
        return self.store.datasets()

    def dataset(self, dataset_id: str) -> DataSet:
        """Return a data set."""
        return self.store.dataset(dataset_id)

    def open_hunt(
        self,
        path: Path | str,
        *,
        name: str | None = None,
        settings: HuntSettings | None = None,
        create: bool = True,
    ) -> HuntView:
        """Go on with the hunt of that name, or begin it; the usual name is the file's.

        A file that has changed since is refused, and so are settings the hunt was not begun with.
        """
        entry = self._catalogue.open_hunt(Path(path), name, settings, create=create)
        return self._view(self._hunt(entry.id))

    def hunts(self) -> list[HuntView]:
        """List the hunts, oldest first."""
        return [self._view(self._hunt(entry.id)) for entry in self.store.hunts()]

    def hunt(self, name_or_id: str) -> HuntView:
        """Return one hunt by name or id."""
        return self._view(self._hunt(name_or_id))

    def change(self, hunt_id: str, **settings: Any) -> HuntView:
        """Change overlap, background, lease_seconds or title while the hunt runs."""
        fixed = set(settings) - {"overlap", "background", "lease_seconds", "title"}
        if fixed:
            raise ParameterError(
                f"The {sorted(fixed)[0]!r} of a hunt cannot change once it has begun. Begin another."
            )
        hunt = self._hunt(hunt_id)
        hunt.change(HuntSettings.from_mapping({**hunt.settings.as_mapping(), **settings}))
        return self._view(hunt)

    def prepare(self, hunt_id: str) -> None:
        """Read the records and set up the strategy; returns when the hunt can be asked."""
        self._hunt(hunt_id).prepare()

    def cancel(self, hunt_id: str) -> None:
        """Stop preparing a hunt."""
        self._hunt(hunt_id).cancel()

    def state(self, hunt_id: str) -> HuntState:
        """Tell whether a hunt can be asked."""
        return self._hunt(hunt_id).state()

    # ---- labelling -------------------------------------------------------------------------

    def ask(self, hunt_id: str, annotator: str, count: int = 1) -> list[Asked]:
        """Give somebody their next questions; the ones they hold come first."""
        check_param("ask", "count", count, Integer(1, 100))
        hunt = self._hunt(hunt_id)
        leases = hunt.live.ask(_name(annotator), count)
        for lease in leases:
            row = lease.candidate.row
            self._news.publish(hunt.id, {"type": "lease", "row": row, "annotator": annotator})
        return [_asked(lease) for lease in leases]

    def release(self, lease_id: str) -> None:
        """Give a question back without an answer."""
        self.store.release(lease_id)

    def submit_tell(
        self,
        hunt_id: str,
        row: int,
        label: str,
        annotator: str,
        event_id: str | None = None,
        asked: bool = True,
    ) -> Future[Kept]:
        """Say what a record is; the future is done once that is kept for good."""
        hunt = self._hunt(hunt_id)
        self._check_row(hunt, row)
        words = label.strip() if isinstance(label, str) else label
        if not words:
            raise ParameterError(
                f"The label of row {row} is empty. Give it a name, or skip the record."
            )
        return self._submit(hunt, "label", row, words, annotator, event_id, asked=asked)

    def tell(
        self,
        hunt_id: str,
        row: int,
        label: str,
        annotator: str,
        event_id: str | None = None,
        asked: bool = True,
    ) -> Kept:
        """Say what a record is; kept for good when it returns."""
        return self.submit_tell(hunt_id, row, label, annotator, event_id, asked).result()

    def submit_skip(
        self, hunt_id: str, row: int, annotator: str, event_id: str | None = None
    ) -> Future[Kept]:
        """Leave a record undecided; the future is done once that is kept."""
        hunt = self._hunt(hunt_id)
        self._check_row(hunt, row)
        return self._submit(hunt, "skip", row, None, annotator, event_id)

    def skip(self, hunt_id: str, row: int, annotator: str, event_id: str | None = None) -> Kept:
        """Leave a record undecided."""
        return self.submit_skip(hunt_id, row, annotator, event_id).result()

    def undo(
        self,
        hunt_id: str,
        annotator: str,
        event_id: str | None = None,
        target: str | None = None,
    ) -> Kept:
        """Take back the event of the id ``target``, or this annotator's last answer."""
        hunt = self._hunt(hunt_id)
        sent_before = None if event_id is None else hunt.log.find(event_id)
        if target is None and sent_before is not None:
            target = sent_before.value
        if target is None:
            hunt.log.catch_up(force=True)
            target = hunt.log.last_of(_name(annotator)).event_id
        return self._submit(hunt, "undo", None, target, annotator, event_id).result()

    def append(
        self, hunt_id: str, path: Path | str, annotator: str, event_id: str | None = None
    ) -> HuntView:
        """Add the records of another file with the same columns."""
        hunt = self._hunt(hunt_id)
        dataset = self._catalogue.add(Path(path), reading=hunt.settings.reading())
        hunt.check_part(self._catalogue.table(dataset))
        self._submit(hunt, "append", None, dataset.id, annotator, event_id).result()
        hunt.log.catch_up(force=True)
        if hunt.state().state == "ready":
            hunt.live.wait_until_heard()
        return self._view(hunt)

    # ---- seeing ----------------------------------------------------------------------------

    def record(self, hunt_id: str, row: int) -> RecordView:
        """Lay out a record: its fields, what is unusual about them, and what it looks like."""
        hunt = self._hunt(hunt_id)
        self._check_row(hunt, row)
        return hunt.viewer.record(row)

    def summary(self, hunt_id: str, row: int) -> str:
        """Tell a record in a line."""
        return self._hunt(hunt_id).viewer.summary(row)

    def neighbours(self, hunt_id: str, row: int, k: int = 5) -> list[NeighbourView]:
        """List the records most like another, nearest first."""
        check_param("neighbours", "k", k, Integer(1, 100))
        hunt = self._hunt(hunt_id)
        self._check_row(hunt, row)
        hunt.log.catch_up()
        labels = hunt.log.labels()
        return [
            NeighbourView(near, distance, labels.get(near), hunt.viewer.summary(near))
            for near, distance in hunt.live.neighbours(row, k)
        ]

    def progress(self, hunt_id: str) -> ProgressView:
        """Sum up what was found, by whom, and what may still be unseen."""
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up()
        truth = hunt.data.truth if hunt.state().state == "ready" else None
        leases = self.store.leases(hunt.id, time.time())
        return progress_view(hunt.log, hunt.settings, hunt.n_records, leases, truth)

    def history(
        self, hunt_id: str, limit: int = 100, before: int | None = None
    ) -> list[HistoryView]:
        """List what was said, latest first."""
        check_param("history", "limit", limit, Integer(1, 10_000))
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up()
        return history_view(hunt.log, limit, before)

    def labels(self, hunt_id: str) -> dict[int, str]:
        """Return the label of each row that has one, in the order they were first told."""
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up(force=True)
        return dict(hunt.log.labels())

    def class_numbers(self, hunt_id: str) -> NDArray[np.int16]:
        """Number the class of each row, in the order of ``progress().classes``; -1 for none."""
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up()
        number = {each.name: i for i, each in enumerate(class_views(hunt.log, hunt.settings))}
        numbers = np.full(hunt.n_records, -1, dtype=np.int16)
        labels = hunt.log.labels()
        if labels:
            rows = np.fromiter(labels, dtype=np.int64, count=len(labels))
            numbers[rows] = [number[label] for label in labels.values()]
        return numbers

    def map(
        self, hunt_id: str, method: Literal["pca", "lda", "kernel-pca"] = "pca"
    ) -> MapView:
        """Place every record in the plane."""
        hunt = self._hunt(hunt_id)
        data, length = hunt.data, hunt.log.length
        key = (method, data.n_records, length if method == "lda" else 0)
        if key not in hunt.maps:
            labels = hunt.log.labels() if method == "lda" else {}
            made = make_map(method, data.records, hunt.kernel, labels)
            kept = {old: view for old, view in hunt.maps.items() if old[0] != method}
            hunt.maps = {**kept, key: made}
            return made
        return hunt.maps[key]

    # ---- ranking ---------------------------------------------------------------------------

    def rank(
        self, hunt_id: str, target: str, model: str = "auto", annotator: str | None = None
    ) -> RankingView:
        """Rank every record without a label for a class; reports progress, and can be stopped."""
        hunt = self._hunt(hunt_id)
        made = self._rankings.rank(hunt, target, model)
        news = {"type": "ranking", "ranking": made.id, "target": target, "annotator": annotator}
        self._news.publish(hunt.id, news)
        return made

    def rankings(self, hunt_id: str) -> list[RankingView]:
        """List the rankings of a hunt, oldest first."""
        return self._rankings.list(self._hunt(hunt_id))

    def ranking(self, hunt_id: str, ranking_id: str) -> RankingView:
        """Sum up a ranking: why the model, how good it is, what was confirmed since."""
        return self._rankings.view(self._hunt(hunt_id), ranking_id)

    def ranked(
        self, hunt_id: str, ranking_id: str, offset: int = 0, limit: int = 50
    ) -> list[RankedView]:
        """Read some rows of a ranking, best first."""
        check_param("ranked", "offset", offset, Integer(0))
        check_param("ranked", "limit", limit, Integer(1, 10_000))
        return self._rankings.ranked(self._hunt(hunt_id), ranking_id, offset, limit)

    def scores(self, hunt_id: str, ranking_id: str) -> NDArray[np.float32]:
        """Return the score of every row, NaN for those that had a label already."""
        return self._rankings.scores(self._hunt(hunt_id), ranking_id)

    def votes(self, hunt_id: str, ranking_id: str, row: int) -> VotesView:
        """Tell why a row has its score."""
        hunt = self._hunt(hunt_id)
        self._check_row(hunt, row)
        return self._rankings.votes(hunt, ranking_id, row)

    def compare(
        self,
        source: str | Path,
        target: str,
        models: Sequence[str] | None = None,
        *,
        label_column: str | None = None,
        settings: HuntSettings | None = None,
        folds: int = 5,
        seed: int = 0,
        k: int | None = None,
    ) -> Comparison:
        """Compare models on the labels of a hunt (by id), or on a file's label column."""
        if label_column is not None:
            chosen = replace(settings or HuntSettings(), label_column=label_column)
            data = open_data(Path(source), chosen)
            labels: Sequence[str | None] = data.truth or ()
            kernel = data.prepared.kernel
        else:
            hunt = self._hunt(str(source))
            data, kernel = hunt.data, hunt.kernel
            hunt.log.catch_up(force=True)
            told = hunt.log.labels()
            labels = [told.get(row) for row in range(data.n_records)]
        return compare_models(
            data.records, kernel, labels, target, models, folds=folds, seed=seed, k=k
        )

    # ---- out and in ------------------------------------------------------------------------

    def export(
        self,
        hunt_id: str,
        path: Path | str,
        *,
        what: Literal["records", "labels", "ranking"] = "records",
        ranking: str | None = None,
        raw: bool = False,
    ) -> int:
        """Write records, labels or a ranking to a file; its ending says how. Returns the rows."""
        check_export(Path(path), what)
        hunt = self._hunt(hunt_id)
        hunt.log.catch_up(force=True)
        entry = None
        if what == "ranking":
            made = self._rankings
            entry = made.latest(hunt) if ranking is None else made.entry(hunt, ranking)
        return export_hunt(Path(path), what, hunt.table(), hunt.log, entry, raw=raw)

    def import_labels(
        self,
        hunt_id: str,
        path: Path | str,
        annotator: str,
        *,
        column: str | None = None,
        by: str | None = None,
    ) -> int:
        """Tell the labels of a file (a table, or Label Studio's .json); returns how many are new.

        Importing the same labels again changes nothing.
        """
        hunt = self._hunt(hunt_id)
        futures = []
        for row, label, who in read_labels(Path(path), hunt.table(), column=column, by=by):
            name = _name(who or annotator)
            once = import_id(hunt.id, row, label, name)
            futures.append(self._submit(hunt, "label", row, label, name, once, asked=False))
        return sum(not future.result().repeated for future in futures)

    # ---- news ------------------------------------------------------------------------------

    def subscribe(self, hunt_id: str) -> Queue[News]:
        """Return a queue of small news of a hunt."""
        return self._news.subscribe(self._hunt(hunt_id).id)

    def unsubscribe(self, hunt_id: str, queue: Queue[News]) -> None:
        """Stop sending news to a queue."""
        self._news.unsubscribe(self._hunt(hunt_id).id, queue)

    def close_hunt(self, hunt_id: str) -> None:
        """Let go of the records of a hunt; it can be prepared again."""
        self._hunt(hunt_id).close()

    def close(self) -> None:
        """Let go of everything, the store included."""
        with self._lock:
            hunts, self._open = list(self._open.values()), {}
        for hunt in hunts:
            hunt.close()
        self.store.close()

    def __enter__(self) -> Service:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # ---- inside ----------------------------------------------------------------------------

    def _hunt(self, name_or_id: str) -> OpenHunt:
        hunt = self._open.get(name_or_id)
        if hunt is not None:
            return hunt
        entry = find_hunt(self.store, name_or_id)
        with self._lock:
            if entry.id not in self._open:
                self._open[entry.id] = OpenHunt(
                    self.store, entry, self._catalogue.table, self._news.publish
                )
            return self._open[entry.id]

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
            len(hunt.log.labels()),
            tuple(each.name for each in classes),
            tuple(hunt.log.view("counts", lambda projection: projection.counts)),
            hunt.entry.created_at,
            hunt.state(),
            hunt.settings.as_mapping(),
        )

    def _submit(
        self,
        hunt: OpenHunt,
        kind: Kind,
        row: int | None,
        value: str | None,
        annotator: str,
        event_id: str | None,
        *,
        asked: bool = False,
    ) -> Future[Kept]:
        event = Event(
            event_id or str(uuid.uuid4()), hunt.id, kind, row, value, _name(annotator), 0.0, asked
        )
        future = self.store.submit(event)
        future.add_done_callback(hunt.acknowledged)
        return future

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


def _asked(lease: Lease) -> Asked:
    chosen = lease.candidate
    return Asked(
        lease.id, lease.expires_at, chosen.row, chosen.why, dict(chosen.evidence), chosen.neighbours
    )


def _name(annotator: str) -> str:
    if not isinstance(annotator, str) or not annotator.strip():
        raise ParameterError(
            f"The annotator must be the name of somebody. Got {annotator!r} instead."
        )
    return annotator.strip()
