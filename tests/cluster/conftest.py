from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.cluster import Cluster
from tests.waiting import PATIENCE

DATA = Path(os.environ.get("RAREFIND_DATA", Path(__file__).parents[3] / "shared" / "datasets"))


@pytest.fixture(scope="session")
def processes() -> Iterator[object]:
    """A real scheduler and two worker processes."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
    ) as local:
        yield local


def _held():
    import rarefind.cluster.scoring  # noqa: F401  (and what that brings)

    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


@pytest.fixture(scope="session")
def tight():
    """Return a limit of memory under which a new worker may take so many bytes more than it has.

    What it has without doing anything differs from machine to machine. A worker takes no further
    task at four fifths of its limit.
    """
    from distributed import LocalCluster

    with (
        LocalCluster(
            n_workers=1, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as local,
        local.get_client() as client,
    ):
        (idle,) = client.run(_held).values()
    return lambda more: (idle + more) * 5 // 4


@pytest.fixture
def cluster(processes, tmp_path) -> Iterator[Cluster]:
    with Cluster(processes.scheduler_address, tmp_path / "work", timeout=PATIENCE) as connected:
        yield connected


@pytest.fixture
def write(tmp_path):
    """Write a matrix as a folder of Parquet files, each with some groups of rows."""

    def write_files(X, files=2, groups=3, name="data"):
        names = [f"x{feature}" for feature in range(X.shape[1])]
        return write_table(
            tmp_path / name, pa.table(dict(zip(names, X.T, strict=True))), files, groups
        )

    return write_files


def write_table(folder, table, files=2, groups=3):
    folder.mkdir()
    for number, rows in enumerate(np.array_split(np.arange(table.num_rows), files)):
        size = max(1, -(-len(rows) // groups))
        path = folder / f"part-{number}.parquet"
        parquet.write_table(table.take(rows), path, row_group_size=size)
    return folder


@pytest.fixture
def datasets():
    """Find a data set by name; without the folder of data sets the test is left out."""

    def find(name):
        path = DATA / name
        if not path.exists():
            pytest.skip(f"{path} is not there: set RAREFIND_DATA to the folder of data sets")
        return path

    return find
