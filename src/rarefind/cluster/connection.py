"""A connection to a Dask cluster, and the running of tasks on it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rarefind.cluster.journal import Journal, Result, task_key
from rarefind.core.errors import MissingPackageError, RarefindError, StateError
from rarefind.core.progress import report

_AHEAD = 3
"""Tasks given to each thread of the cluster before it has finished the one at hand."""


@dataclass(frozen=True)
class Task:
    """A function of plain arguments.

    ``what`` says for people what it works on; ``made`` is the file it writes, if it writes one.
    """

    function: Callable[..., Result]
    arguments: tuple[Any, ...]
    what: str
    made: str = ""

    @property
    def key(self) -> str:
        """The name of the task, the same in every run."""
        return task_key(self.function.__qualname__, self.arguments)


class Cluster:
    """Runs tasks on a Dask cluster and keeps a journal of what they gave.

    Parameters
    ----------
    address
        The address of a scheduler (``tcp://host:8786``), or ``"local"`` for processes on this
        machine.
    folder
        A folder that this process and all workers see. Partitions and the journal are kept there.
    workers
        How many processes a local cluster has.
    memory
        How much memory each of them may use, as Dask writes it ("2GB"); "auto" for a fair share.
    timeout
        Seconds to wait for the scheduler.
    """

    def __init__(
        self,
        address: str,
        folder: Path,
        *,
        workers: int = 2,
        memory: str = "auto",
        timeout: float = 10.0,
    ) -> None:
        self.folder = Path(folder)
        self.journal = Journal(self.folder / "journal")
        self._local: Any = None
        distributed = _distributed()
        try:
            if address == "local":
                self._local = distributed.LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    memory_limit=memory,
                    host="127.0.0.1",
                    dashboard_address=None,
                )
            where = self._local if address == "local" else address
            self.client = distributed.Client(where, timeout=timeout, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as problem:
            if self._local is not None:
                self._local.close()
            raise StateError(
                f"There is no Dask cluster at {address}: {_first_line(problem)}. Start one with "
                "'dask scheduler' and 'dask worker', or use 'local'."
            ) from None

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Leave the cluster; one that was started here is stopped."""
        self.client.close()
        if self._local is not None:
            self._local.close()

    def run(self, work: str, tasks: Sequence[Task], *, keep: bool = True) -> list[Result]:
        """Run tasks, or take what they gave in an earlier run; results are in order.

        ``work`` is what a person is told. Unless ``keep``, the journal is left alone: asking again
        is as quick as reading.
        """
        results: list[Result | None] = [None] * len(tasks)
        if keep:
            results = [self._known(task) for task in tasks]
        missing = [place for place, result in enumerate(results) if result is None]
        done = len(tasks) - len(missing)
        for place, result in self._computed(tasks, missing):
            if keep:
                self.journal.write(tasks[place].key, result)
            results[place] = result
            done += 1
            report(work, done, len(tasks))
        return [result for result in results if result is not None]

    def _known(self, task: Task) -> Result | None:
        if task.made and not Path(task.made).exists():
            return None
        return self.journal.read(task.key)

    def _computed(
        self, tasks: Sequence[Task], places: Sequence[int]
    ) -> Iterator[tuple[int, Result]]:
        """Give the tasks out a few at a time, and yield results as they come."""
        distributed = _distributed()
        waiting = iter(places)
        place_of: dict[Any, int] = {}
        threads = max(1, sum(self.client.nthreads().values()))
        coming = distributed.as_completed(
            loop=self.client.loop, with_results=True, raise_errors=False
        )

        def give_out() -> None:
            place = next(waiting, None)
            if place is not None:
                future = self.client.submit(
                    tasks[place].function, *tasks[place].arguments, pure=False
                )
                place_of[future] = place
                coming.add(future)

        for _ in range(_AHEAD * threads):
            give_out()
        try:
            for future, result in coming:
                place = place_of.pop(future)
                if future.status != "finished":
                    raise _failure(_problem(future, result), tasks[place])
                yield place, result
                give_out()
        finally:
            self.client.cancel(list(place_of))


def _problem(future: Any, result: Any) -> BaseException:
    """Return what went wrong; a future that was given up has no error of its own."""
    if isinstance(result, tuple) and len(result) == 3 and isinstance(result[1], BaseException):
        return result[1]
    problem = None if future.cancelled() else future.exception()
    return problem if isinstance(problem, BaseException) else asyncio.CancelledError()


def _failure(problem: BaseException, task: Task) -> BaseException:
    """Put what went wrong on a worker into one sentence."""
    if isinstance(problem, RarefindError):
        return problem
    if isinstance(problem, _distributed().KilledWorker):
        return StateError(
            f"Workers of the cluster died again and again on {task.what}, most likely because they "
            "ran out of memory. Give them more, or make the partitions smaller."
        )
    if isinstance(problem, MemoryError):
        return StateError(
            f"A worker of the cluster ran out of memory on {task.what}. Give it more, or make the "
            "partitions smaller."
        )
    if isinstance(problem, OSError):
        return StateError(
            f"A worker of the cluster cannot work on {task.what}: {_first_line(problem)}. All "
            "machines must see the same folder."
        )
    if isinstance(problem, asyncio.CancelledError | _distributed().CancelledError):
        return StateError(
            f"The cluster went away while it worked on {task.what}. What was finished is kept; "
            "start again to go on."
        )
    return problem


def _first_line(problem: BaseException) -> str:
    lines = str(problem).strip().splitlines()
    return lines[0].rstrip(".") if lines else type(problem).__name__


def _distributed() -> Any:
    try:
        import distributed
    except ImportError:
        raise MissingPackageError("A cluster", "distributed", "cluster") from None
    return distributed
