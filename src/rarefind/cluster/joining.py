"""Joining a cluster: is it there, has it workers, and do they fit to this process?"""

from __future__ import annotations

import logging
import platform
import socket
import uuid
import warnings
from collections.abc import Mapping
from contextlib import suppress
from importlib import metadata
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rarefind._version import __version__
from rarefind.cluster.faults import first_line, import_distributed
from rarefind.core.errors import Remedy, StateError
from rarefind.core.threads import workers as processors

_PACKAGES = ("distributed", "numpy", "scipy", "scikit-learn")
"""Packages whose version must be the same everywhere, for the same answers."""


def start_local(workers: int | None, memory: str) -> Any:
    """Start a scheduler and worker processes on this machine."""
    try:
        return import_distributed().LocalCluster(
            n_workers=workers or max(2, processors()),
            threads_per_worker=1,
            memory_limit=memory,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",
            silence_logs=logging.CRITICAL,
            preload=["rarefind.cluster.worker_setup"],
        )
    except (OSError, RuntimeError, ValueError) as problem:
        raise StateError(
            f"A cluster cannot be started on this machine: {first_line(problem)}."
        ) from None


def join(address: Any, timeout: float) -> Any:
    """Connect to a scheduler (or to a cluster just started) and return the client."""
    distributed = import_distributed()
    try:
        if isinstance(address, str):
            _knock(address, timeout)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # other versions are told below, in a sentence
            return distributed.Client(address, timeout=timeout, set_as_default=False)
    except (OSError, TimeoutError, ValueError, TypeError) as problem:
        words = "nobody answers there" if _silent(problem) else first_line(problem)
        raise StateError(
            f"There is no Dask cluster at {address}: {words}. Start one with 'dask scheduler' and "
            "'dask worker', or use 'local'."
        ) from None


def _knock(address: str, timeout: float) -> None:
    """See whether a scheduler listens: Dask itself would try for long, or wait for ever."""
    parts = urlsplit(address if "://" in address else f"tcp://{address}")
    if parts.scheme not in ("tcp", "tls"):
        raise ValueError(f"{parts.scheme!r} is no way to reach one; it looks like tcp://host:8786")
    if not parts.hostname or parts.port is None:
        raise ValueError("an address looks like tcp://host:8786")
    with socket.create_connection((parts.hostname, parts.port), timeout) as knocking:
        # A scheduler greets whoever comes; under TLS it waits for a greeting.
        if parts.scheme == "tcp" and not _first_byte(knocking):
            raise ValueError("who answers there is no Dask scheduler")


def _first_byte(knocking: socket.socket) -> bytes:
    try:
        return knocking.recv(1)
    except OSError:
        return b""


def _silent(problem: BaseException) -> bool:
    return isinstance(problem, ConnectionRefusedError | TimeoutError)


def check_workers(client: Any, address: str, folder: Path, timeout: float) -> None:
    """Refuse a cluster without workers, with other versions, or that does not see the folder."""
    try:
        client.wait_for_workers(1, timeout=timeout)
    except TimeoutError:
        raise StateError(
            f"The cluster at {address} has no workers. Start some with 'dask worker {address}'."
        ) from None
    token = folder / f".seen-{uuid.uuid4().hex}"
    token.touch()
    try:
        found: Mapping[str, Any] = client.run(look_around, str(token), on_error="return")
    finally:
        token.unlink(missing_ok=True)
    own = versions()
    for worker, answer in found.items():
        check_answer(worker, answer, own, folder)


def check_answer(worker: str, answer: Any, own: Mapping[str, str], folder: Path) -> None:
    """Refuse a worker by what it answered: an error, other versions, or a folder not seen."""
    if isinstance(answer, BaseException):
        raise StateError(
            f"The worker at {worker} cannot run rarefind: {first_line(answer)}. Install rarefind "
            f"{__version__} with the extra 'cluster' there."
        )
    for name, version in own.items():
        if answer["versions"].get(name) != version:
            raise StateError(
                f"The worker at {worker} has {name} {answer['versions'].get(name, 'missing')}, and "
                f"this process has {version}: the answers could differ. Install the same versions "
                "everywhere."
            )
    if not answer["seen"]:
        raise StateError(f"The worker at {worker} does not see the folder {folder}.").advising(
            Remedy("Name one that all machines see with {cluster_folder}.")
        )


def look_around(token: str) -> dict[str, Any]:
    """Tell, on a worker, what is installed there and whether it sees a file."""
    return {"versions": versions(), "seen": Path(token).exists()}


def versions() -> dict[str, str]:
    """Return the versions that matter for the answers."""
    found = {"rarefind": __version__, "Python": ".".join(platform.python_version_tuple()[:2])}
    for name in _PACKAGES:
        with suppress(metadata.PackageNotFoundError):
            found[name] = metadata.version(name)
    return found
