"""Data sets and hunts: what is in the store, and the files they were made from."""

from __future__ import annotations

import time
import uuid
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError, Remedy, StateError, UnknownNameError
from rarefind.discovery import make_strategy
from rarefind.discovery.contract.priors import read_priors
from rarefind.records.read_as import ReadAs
from rarefind.records.several_names import is_there
from rarefind.records.table import Table
from rarefind.service.hunts.records import check_settings
from rarefind.service.hunts.settings import HuntSettings, in_words
from rarefind.service.hunts.table_cache import TableCache
from rarefind.store.contract import DataSet, HuntEntry, Store

_ANOTHER = Remedy("Another hunt gets its name with {name}.")
"""Where a hunt cannot be gone on with."""


class Catalogue:
    """Finds the file of a data set, and refuses one that has changed."""

    def __init__(self, store: Store, tables: TableCache) -> None:
        self._store = store
        self._tables = tables
        self._paths: dict[str, Path] = {}

    def add(
        self, path: Path, name: str | None = None, read_as: Mapping[str, Any] | None = None
    ) -> DataSet:
        """Keep a file as a data set; the same file read the same way is one data set."""
        reading = {"read_as": dict(read_as)} if read_as else {}
        digest, table = self._tables.read(path, _how(reading))
        place, added = str(path.absolute()), time.time()
        for known in self._store.datasets():
            # Stores of old keep with a data set what only a hunt needs to know: not compared here.
            if (known.path, known.sha256, _how(known.reading)) == (place, digest, _how(reading)):
                return known
        new = (uuid.uuid4().hex, name or path.name, place, digest, table.n_rows, reading, added)
        return self._store.put_dataset(DataSet(*new))

    def at_hand(self) -> list[DataSet]:
        """Return the data sets whose files are there, oldest first; of a file the last that was."""
        latest = {(data.path, _how(data.reading)): data for data in self._store.datasets()}
        return [data for data in latest.values() if is_there(Path(data.path))]

    def table(self, dataset: DataSet, how: ReadAs | None = None) -> Table:
        """Read the file of a data set; one that is gone or has changed is refused.

        A hunt knows ``how``: that may have been changed before anything was said.
        """
        path = self._paths.get(dataset.id, Path(dataset.path))
        if not is_there(path):
            raise DataError(
                f"The file {path} of the data set {dataset.name!r} is gone. Put it back, or open "
                "the hunt with the path it has now."
            )
        digest, table = self._tables.read(path, how or _how(dataset.reading))
        if digest != dataset.sha256:
            raise _changed(path, dataset.name)
        return table

    def open_hunt(
        self, path: Path, name: str | None, settings: HuntSettings | None, *, create: bool
    ) -> HuntEntry:
        """Return the hunt of that name if it is about this file, or begin it."""
        title = name or default_name(path)
        try:
            kept = self._store.hunt(title)
        except UnknownNameError:
            if not create:
                raise
        else:
            if kept.name == title:
                return self._resume(kept, path, settings)
        wanted = self._checked(settings or HuntSettings(), path)
        dataset = self.add(path, read_as=wanted.read_as)
        read_priors(wanted.priors, dataset.n_rows)
        entry = HuntEntry(uuid.uuid4().hex, title, dataset.id, wanted.as_mapping(), time.time())
        self._store.create_hunt(entry)
        return entry

    def _checked(self, settings: HuntSettings, path: Path) -> HuntSettings:
        """Return the settings of a hunt that begins; what can never work is refused."""
        wanted = settings.check().begun()
        make_strategy(wanted.strategy)
        check_settings(self._tables.table(path, wanted.how), wanted)
        return wanted

    def _resume(self, kept: HuntEntry, path: Path, settings: HuntSettings | None) -> HuntEntry:
        _check_in_sight(kept)
        dataset = self._store.dataset(kept.dataset)
        if not is_there(path):
            raise DataError(f"There is no file {path}. Check the name and the folder.")
        if self._tables.digest(path, _how(dataset.reading)) != dataset.sha256:
            own = Path(dataset.path)
            moved = not is_there(own) and default_name(path) == default_name(own)
            if moved or path.absolute() == own:
                raise _changed(path, kept.name)
            raise StateError(
                f"The hunt {kept.name!r} is about {own}, not about {path}. Go on with that file."
            ).advising(Remedy("For a hunt in this one, choose another name with {name}."))
        self._paths[dataset.id] = path.absolute()
        if settings is None:
            return kept
        before = HuntSettings.from_mapping(kept.settings)
        different = settings.contradiction(before)
        if different is None:
            return kept
        # Answers were given to what was seen, so what they were asked by stays.
        if self._store.events(kept.id):
            raise StateError(
                f"The hunt {kept.name!r} has answers, and was begun with "
                f"{_said(different, getattr(before, different))}: that cannot become "
                f"{_said(different, getattr(settings, different))} any more. Go on without it, or "
                "begin another hunt; labels are carried over with export and import."
            ).advising(_ANOTHER)
        wanted = self._checked(settings.over(before), path)
        if self._tables.table(path, wanted.how).n_rows != dataset.n_rows:
            raise StateError(
                f"Read that way the file has not the {dataset.n_rows:,} records that the hunt "
                f"{kept.name!r} was begun with. Begin another hunt."
            ).advising(_ANOTHER)
        read_priors(wanted.priors, dataset.n_rows)
        changed = self._store.change_hunt(kept.id, wanted.as_mapping())
        # Questions that were chosen by other settings, and their reasons, hold no longer.
        for lease in self._store.leases(kept.id, time.time()):
            self._store.release(lease.id)
        return changed


def default_name(path: Path) -> str:
    """Name a hunt after its file.

    >>> default_name(Path("data/payments.csv.gz"))
    'payments'
    """
    return path.name.strip("{}").split(".")[0].rstrip("*?-_") or path.name


def _how(reading: Mapping[str, Any]) -> ReadAs:
    """Return how the file of a data set is read."""
    return ReadAs.from_mapping(reading.get("read_as", {}))


def _said(name: str, value: Any) -> str:
    """Tell a setting in words.

    >>> _said("kinds", {"zip": "category"}), _said("kernel", None), _said("leave_out", ("a", "b"))
    ('kinds zip=category', 'no kernel', 'leave out a, b')
    >>> _said("read_as", {"header": False, "missing": ["-", "x"]}), _said("read_as", None)
    ('the file read with header no, missing -, x', 'the file read as it looks')
    """
    if name == "read_as":
        called = ", ".join(f"{key} {in_words(each)}" for key, each in (value or {}).items())
        return f"the file read with {called}" if called else "the file read as it looks"
    words = in_words(value)
    called = name.replace("_", " ")
    return f"{called} {words}" if words else f"no {called}"


def _changed(path: Path, name: str) -> DataError:
    return DataError(
        f"{path} has changed since {name!r} began, so its rows may no longer be the ones that were "
        "labelled. Put the old file back, or begin another hunt; labels can be carried over with "
        "export and import."
    ).advising(_ANOTHER)


def _check_in_sight(entry: HuntEntry) -> None:
    """Refuse a hunt that was deleted, whatever else could be said of it."""
    if entry.settings.get("deleted"):
        raise StateError(f"The hunt {entry.name!r} was deleted.").advising(
            Remedy("Bring it back with {restore}.", restore=entry.name), _ANOTHER
        )


def find_hunt(store: Store, name_or_id: str, *, deleted: bool = False) -> HuntEntry:
    """Return a hunt by name or id, a deleted one only if asked for; errors list what there is."""
    try:
        entry = store.hunt(name_or_id)
        if not deleted:
            _check_in_sight(entry)
        return entry
    except UnknownNameError as problem:
        empty = f"There is no hunt {name_or_id!r}: the store is empty."
        raise UnknownNameError(str(problem) if store.hunts(limit=1) else empty).advising(
            Remedy("Begin one with {open_hunt}, or name the store with {store}.")
        ) from problem
