"""Looking at files, and beginning hunts in them."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rarefind.core.errors import ParameterError, StateError, UnknownNameError
from rarefind.records.read_as import USUAL, ReadAs
from rarefind.service.hunts.catalogue import find_hunt
from rarefind.service.hunts.inspecting import inspect_table
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.views import HuntState, HuntView, Inspection
from rarefind.store.contract import DataSet, HuntEntry


class Opening(ServiceBase):
    """Files, and the hunts in them."""

    def inspect(
        self, path: Path, kinds: Mapping[str, str] | None = None, how: ReadAs = USUAL
    ) -> Inspection:
        """Look at a file before anything runs: what its columns hold, and why that is thought."""
        return inspect_table(self._tables.table(Path(path), how), kinds or {})

    def add_dataset(
        self, path: Path, name: str | None = None, read_as: Mapping[str, Any] | None = None
    ) -> DataSet:
        """Keep a file, so that hunts can be begun in it; read the same way it is one data set."""
        return self._catalogue.add(Path(path), name, read_as)

    def datasets(self) -> list[DataSet]:
        """List the files at hand, oldest first: those of hunts, and those added."""
        return self._catalogue.at_hand()

    def dataset(self, id: str) -> tuple[DataSet, Inspection]:
        """Return a file by its id, and what its columns hold; one that has changed is refused."""
        data = self.store.dataset(id)
        return data, inspect_table(self._catalogue.table(data), {})

    def open_hunt(
        self,
        path: Path | str,
        *,
        name: str | None = None,
        settings: HuntSettings | None = None,
        create: bool = True,
    ) -> HuntView:
        """Go on with the hunt of that name, or begin it; the usual name is the file's.

        A file that has changed since is refused, and so are settings the hunt was not begun with,
        once anything was said; which class is ordinary may be said later.
        """
        entry = self._catalogue.open_hunt(Path(path), name, settings, create=create)
        hunt = self.opened(entry.id)
        if settings is not None and settings.contradiction(hunt.settings) is not None:
            self._forget(entry.id)  # it was opened as it was set before
            hunt = self.opened(entry.id)
        if settings is not None and settings.background not in ((), hunt.settings.background):
            return self.change(entry.id, background=settings.background)
        return self._view(hunt)

    def hunts(self, limit: int | None = None, before: str | None = None) -> list[HuntView]:
        """List the hunts, oldest first: all, or the latest ``limit`` before one to go on from."""
        before = None if before is None else self.opened(before).id
        kept: list[HuntEntry] = []
        while True:
            page = self.store.hunts(limit, before)
            kept = [entry for entry in page if not entry.settings.get("deleted")] + kept
            if limit is None or len(page) < limit or len(kept) >= limit:
                break
            before = page[0].id
        latest = kept if limit is None else kept[max(0, len(kept) - limit) :]
        return [self._view(self.opened(entry)) for entry in latest]

    def latest_hunt_in(self, path: Path, how: ReadAs = USUAL) -> str | None:
        """Return the id of the hunt begun last in a file, read in one way if that is said."""
        here = {
            data.id
            for data in self.store.datasets()
            if Path(data.path) == path
            and (how == USUAL or data.reading.get("read_as", {}) == how.as_mapping())
        }
        hunts = reversed(self.store.hunts()) if here else ()
        kept = (hunt for hunt in hunts if not hunt.settings.get("deleted"))
        return next((hunt.id for hunt in kept if hunt.dataset in here), None)

    def as_kept(self, name: str, settings: HuntSettings) -> HuntSettings:
        """Return the settings of the hunt of that name, with those given here that can be heeded.

        Those of a hunt that is not there yet, or that cannot become what is given, are as given.
        """
        try:
            entry = find_hunt(self.store, name)
        except (UnknownNameError, StateError):
            return settings
        kept = HuntSettings.from_mapping(entry.settings)
        fits = settings.contradiction(kept) is None or not self.store.events(entry.id)
        return settings.over(kept) if fits else settings

    def hunt(self, name_or_id: str) -> HuntView:
        """Return one hunt by name or id."""
        return self._view(self.opened(name_or_id))

    def id_of(self, name_or_id: str) -> str:
        """Return the id of a hunt."""
        return self.opened(name_or_id).id

    def change(self, hunt_id: str, **settings: Any) -> HuntView:
        """Change overlap, background, lease_seconds or title while the hunt runs."""
        fixed = set(settings) - {"overlap", "background", "lease_seconds", "title"}
        if fixed:
            raise ParameterError(
                f"The {sorted(fixed)[0]!r} of a hunt cannot change once it has begun. Begin "
                "another."
            )
        hunt = self.opened(hunt_id)
        self._change(hunt, settings)
        return self._view(hunt)

    def delete(self, hunt_id: str, *, undo: bool = False) -> HuntEntry:
        """Put a hunt out of sight, or bring it back; nothing that was said is lost."""
        entry = find_hunt(self.store, hunt_id, deleted=True)
        if not undo:
            self._forget(entry.id)
            if self.store.beside is not None:  # what its set-up found out can be computed again
                shutil.rmtree(self.store.beside / entry.id, ignore_errors=True)
        return self.store.change_hunt(entry.id, {**entry.settings, "deleted": not undo})

    def _forget(self, hunt_id: str) -> None:
        self.close_hunt(hunt_id)
        with self._lock:
            self._open.pop(hunt_id, None)

    def prepare(self, hunt_id: str) -> None:
        """Read the records and set up the strategy; returns when the hunt can be asked."""
        self.opened(hunt_id).prepare()

    def cancel(self, hunt_id: str) -> None:
        """Stop preparing a hunt."""
        self.opened(hunt_id).cancel()

    def state(self, hunt_id: str) -> HuntState:
        """Tell whether a hunt can be asked."""
        return self.opened(hunt_id).state()
