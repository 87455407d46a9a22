"""Looking at files, and beginning hunts in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rarefind.core.errors import ParameterError
from rarefind.service.asking.news import Changed
from rarefind.service.hunts.inspecting import inspect_table
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.shared import ServiceBase
from rarefind.service.showing.views import HuntState, HuntView, Inspection


class Opening(ServiceBase):
    """Files, and the hunts in them."""

    def inspect(self, path: Path, kinds: Mapping[str, str] | None = None) -> Inspection:
        """Look at a file before anything runs: what its columns hold, and why that is thought."""
        return inspect_table(self._tables.table(Path(path)), kinds or {})

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

    def id_of(self, name_or_id: str) -> str:
        """Return the id of a hunt."""
        return self._hunt(name_or_id).id

    def change(self, hunt_id: str, **settings: Any) -> HuntView:
        """Change overlap, background, lease_seconds or title while the hunt runs."""
        fixed = set(settings) - {"overlap", "background", "lease_seconds", "title"}
        if fixed:
            raise ParameterError(
                f"The {sorted(fixed)[0]!r} of a hunt cannot change once it has begun. Begin "
                "another."
            )
        hunt = self._hunt(hunt_id)
        hunt.change(HuntSettings.from_mapping({**hunt.settings.as_mapping(), **settings}))
        self._news.publish(hunt.id, Changed())
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
