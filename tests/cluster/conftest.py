from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from rarefind.cluster import Cluster


@pytest.fixture(scope="session")
def processes() -> Iterator[object]:
    """A real scheduler and two worker processes."""
    from distributed import LocalCluster

    with LocalCluster(
        n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
    ) as local:
        yield local


@pytest.fixture
def cluster(processes, tmp_path) -> Iterator[Cluster]:
    with Cluster(processes.scheduler_address, tmp_path / "work", timeout=60) as connected:
        yield connected


@pytest.fixture
def write(tmp_path):
    """Write a matrix as a folder of Parquet files, each with some groups of rows."""

    def write_files(X, files=2, groups=3, name="data"):
        folder = tmp_path / name
        folder.mkdir()
        for number, rows in enumerate(np.array_split(np.arange(len(X)), files)):
            names = [f"x{feature}" for feature in range(X.shape[1])]
            table = pa.table(dict(zip(names, X[rows].T, strict=True)))
            size = -(-len(rows) // groups)
            parquet.write_table(table, folder / f"part-{number}.parquet", row_group_size=size)
        return folder

    return write_files
