"""A connection to a Dask cluster, and the running of tasks on it."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from time import monotonic
from typing import Any

from rarefind.cluster.faults import failure, import_distributed
from rarefind.cluster.joining import check_workers, join, start_local
from rarefind.cluster.journal import Journal, Result
from rarefind.cluster.tasks import Order, Task, carry_out
from rarefind.cluster.work_folder import WorkFolder
from rarefind.core.errors import StateError
from rarefind.core.progress import announce

_AHEAD = 3
"""Tasks given to each thread of the cluster before it has finished the one at hand."""

_LOOK_SECONDS = 1.0
"""How often the cluster is looked at while nothing comes from it."""


class Cluster:
    """Runs tasks on a Dask cluster; the workers keep a journal of what they gave.

    Parameters
    ----------
    address
        The address of a scheduler (``tcp://host:8786``), or ``"local"`` for processes on this
        machine.
    folder
        A folder that this process and all workers see. Vectors and the journal are kept there.
    workers
        How many processes a local cluster has; None for one on every processor.
    memory
        How much memory each of them may use, as Dask writes it ("2GB"); "auto" for a fair share.
    timeout
        Seconds to wait for the scheduler and the first worker.
    patience
        Seconds to wait when all workers are gone or out of memory.
    keep
        Whether the folder stays when a ``with`` block has ended well. After an error it does.

    Attributes
    ----------
    found, written
        How many results were taken from the journal, and how many were added to it.
    """

    def __init__(
        self,
        address: str,
        folder: Path,
        *,
        workers: int | None = None,
        memory: str = "auto",
        timeout: float = 10.0,
        patience: float = 30.0,
        keep: bool = True,
    ) -> None:
        import_distributed()
        self.found = self.written = 0
        self._patience = patience
        self._stopped = False
        self._room = WorkFolder(folder, keep=keep)
        self.folder = self._room.path
        self._journal = Journal(self._room.journal)
        self._logger = logging.getLogger("distributed")
        self._level = self._logger.level
        self._logger.setLevel(logging.CRITICAL)  # what matters is told in a sentence
        announce("joining the cluster", 0, 1)
        self._local: Any = None
        self.client: Any = None
        try:
            if address == "local":
                self._local = start_local(workers, memory)
            self.client = join(self._local or address, timeout)
            check_workers(self.client, address, self.folder, timeout)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        self.close(done=kind is None)

    @contextmanager
    def giving_up(self) -> Iterator[None]:
        """Let whatever runs be given up inside the block, in whichever thread it was asked for."""
        self._stopped = True
        try:
            yield
        finally:
            self._stopped = False

    def close(self, *, done: bool = False) -> None:
        """Leave the cluster; one that was started here is stopped.

        If the work is ``done``, what it left in the folder is removed, unless that is kept.
        """
        self._stopped = True
        if self.client is not None:
            with suppress(TimeoutError, OSError):
                self.client.close()
        if self._local is not None:
            self._local.close()
        self._room.leave(done=done)
        self._logger.setLevel(self._level)

    def run(self, work: str, tasks: Sequence[Task], *, keep: bool = True) -> list[Result]:
        """Run tasks, or take what they gave in an earlier run; results are in order."""
        results: list[Result] = [{} for _ in tasks]
        for place, result in self.each(work, tasks, keep=keep):
            results[place] = result
        return results

    def each(
        self, work: str, tasks: Sequence[Task], *, keep: bool = True
    ) -> Iterator[tuple[int, Result]]:
        """Yield the place and the result of every task, in whatever order they are finished.

        ``work`` is what a person is told. Unless ``keep``, the journal is left alone: asking again
        is as quick as reading.
        """
        missing = []
        round_of = _Round(self, work, tasks, keep)
        for place, task in enumerate(tasks):
            known = task.known(self._journal) if keep else None
            if known is None:
                missing.append(place)
                continue
            self.found += 1
            round_of.tell(sum(1 for _ in task.all()))
            yield place, known
        yield from round_of.results(missing)

    def journal_for(self, keep: bool) -> str:
        """Name the journal, if results are to be kept."""
        return str(self._room.journal) if keep else ""

    def forget(self, tasks: Iterable[Task]) -> None:
        """Remove from the journal what tasks and their parts gave, since nobody will ask again."""
        for task in tasks:
            for each in task.all():
                self._journal.remove(each.key)

    def look(self, since: float) -> None:
        """Give up if somebody wants that, or if no worker has been able to work for too long."""
        if self._stopped:
            raise StateError("The cluster was left before the work was done.")
        if monotonic() - since < self._patience:
            return
        workers: dict[str, Any] = {}
        with suppress(OSError, TimeoutError):
            workers = self.client.scheduler_info(n_workers=-1)["workers"]
        if not workers:
            raise StateError(
                "All workers of the cluster are gone. What was finished is kept; start workers, "
                "then start again to go on."
            )
        if all(worker.get("status") == "paused" for worker in workers.values()):
            raise StateError(
                "All workers of the cluster wait for memory. What was finished is kept; give them "
                "more, or write the file in smaller groups of rows, then start again to go on."
            )


class _Round:
    """Some tasks on their way: given out a few at a time, results as they come."""

    def __init__(self, cluster: Cluster, work: str, tasks: Sequence[Task], keep: bool) -> None:
        self._cluster, self._work, self._tasks, self._keep = cluster, work, tasks, keep
        self._coming: SimpleQueue[Any] = SimpleQueue()
        self._out: dict[Any, tuple[Task, int | None]] = {}
        self._waiting: Iterator[int] = iter(())
        self._done, self._total = 0, sum(1 for task in tasks for _ in task.all())

    def tell(self, more: int) -> None:
        """Tell how far the work has come."""
        self._done += more
        announce(self._work, self._done, self._total)

    def results(self, places: Sequence[int]) -> Iterator[tuple[int, Result]]:
        """Run the tasks at these places, and yield what they give."""
        if not places:
            return
        self._waiting = iter(places)
        try:
            for _ in range(_AHEAD * max(1, sum(self._cluster.client.nthreads().values()))):
                self._give_out()
            while self._out:
                future = self._next()
                task, place = self._out.pop(future)
                if future.status != "finished":
                    raise failure(_problem(future), task.what) from None
                self.tell(1)
                if place is None:
                    continue
                result, found, written = future.result()
                self._cluster.found += found if self._keep else 0
                self._cluster.written += written if self._keep else 0
                yield place, result
                self._give_out()
        finally:
            if self._out:
                with suppress(OSError, TimeoutError, RuntimeError):
                    self._cluster.client.cancel(list(self._out))

    def _next(self) -> Any:
        since = monotonic()
        while True:
            try:
                future = self._coming.get(timeout=_LOOK_SECONDS)
            except Empty:
                self._cluster.look(since)
                continue
            if future in self._out:
                return future

    def _give_out(self) -> None:
        place = next(self._waiting, None)
        if place is not None:
            self._submit(self._tasks[place], place)

    def _submit(self, task: Task, place: int | None) -> Any:
        parts = [self._submit(part, None) for part in task.parts] if task.parts else None
        order = Order.of(task, self._cluster.journal_for(self._keep))
        future = self._cluster.client.submit(carry_out, order, parts, pure=False)
        self._out[future] = (task, place)
        future.add_done_callback(self._coming.put)
        return future


def _problem(future: Any) -> BaseException:
    """Return what went wrong; a future that was given up has no error of its own."""
    problem = None if future.cancelled() else future.exception()
    return problem if isinstance(problem, BaseException) else asyncio.CancelledError()
