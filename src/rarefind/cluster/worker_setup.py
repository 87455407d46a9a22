"""Runs in every worker process that we start on this machine, before it takes tasks."""

from __future__ import annotations

import signal


def dask_setup(worker: object) -> None:
    """Leave Control-C to the process that started the worker: it says so, and ends the worker."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
