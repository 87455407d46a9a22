"""What of the service's views goes out: everything but the paths on this machine."""

from __future__ import annotations

import datetime as dt
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from starlette.responses import FileResponse
from starlette.types import Receive, Scope, Send

from rarefind.service.showing.views import as_plain
from rarefind.web.routes.json_answers import field_name
from rarefind.web.routes.schemas import JobAnswer

if TYPE_CHECKING:
    from rarefind.service.showing.views import HuntView, Inspection
    from rarefind.store.contract import DataSet
    from rarefind.web.live.jobs import Job
    from rarefind.web.routes.access import Workbench


class Download(FileResponse):
    """A file that is written anew for each request.

    It goes out whole, since parts of two of them would not fit together.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send the file."""
        self.headers["Accept-Ranges"] = "none"
        headers = [pair for pair in scope["headers"] if pair[0] != b"range"]
        await super().__call__({**scope, "headers": headers}, receive, send)


def download_name(hunt: str, what: str, ending: str) -> str:
    """Name a download after its hunt and the day, in letters that every system takes.

    >>> download_name("Zahlungen, März", "labels", "csv").startswith("Zahlungen-M-rz-labels-20")
    True
    """
    name = re.sub(r"[^A-Za-z0-9_-]+", "-", hunt).strip("-")[:80] or "hunt"
    return f"{name}-{what}-{dt.date.today().isoformat()}.{ending}"


def dataset_entry(bench: Workbench, data: DataSet) -> dict[str, Any]:
    """Show a file in one line; several as one have no size."""
    path = Path(data.path)
    return {
        "id": data.id,
        "name": data.name,
        "bytes": path.stat().st_size if path.is_file() else 0,
        "added_at": data.created_at,
        "uploaded": bench.uploads.holds(path),
    }


def dataset_view(bench: Workbench, data: DataSet, inspection: Inspection) -> dict[str, Any]:
    """Show a file with its columns and a preview."""
    return {
        **dataset_entry(bench, data),
        "rows": inspection.n_rows,
        "columns": inspection.columns,
        "preview": inspection.preview,
        "label_guesses": inspection.label_guesses,
    }


def hunt_view(bench: Workbench, view: HuntView) -> dict[str, Any]:
    """Show a hunt, with its state and the step of its set-up side by side."""
    shown = as_plain(view)
    del shown["path"], shown["state"]
    state = bench.state(view.id, view.state)
    problem = None if state.problem is None else bench.said(state.problem.worded(field_name))
    return {**shown, "state": state.state, "step": state.step, "problem": problem}


def job_view(bench: Workbench, job: Job) -> JobAnswer:
    """Show how far a job has come."""
    error = None if job.error is None else bench.said(job.error)
    return JobAnswer(job.id, job.kind, job.state, job.step, job.result, error)
