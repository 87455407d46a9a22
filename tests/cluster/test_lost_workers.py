"""Workers killed at any moment of the work: what comes of it is what one machine computes.

Two of them in a usual run, a fiftieth of RAREFIND_FAULT_ROUNDS.
"""

from __future__ import annotations

import os
import random
import signal

import numpy as np
from distributed import LocalCluster

from rarefind.cluster import Cluster, cluster_space, engine, find_files, score_partitions
from rarefind.core.progress import listen
from rarefind.geometry import TreeEngine
from tests.waiting import PATIENCE

LOSSES = max(2, int(os.environ.get("RAREFIND_FAULT_ROUNDS", "50")) // 50)
STEPS = 70
"""About as many steps as the work below tells of, at one of which a worker dies."""


def row_sums(batch, row):
    return sum(column.to_numpy() for column in batch.columns)


def worked(cluster, folder, out):
    """Count, look for neighbours and score; return all that came of it."""
    there = cluster_space(cluster, folder, scale="none").engine
    return [
        there.counts(0.7),
        *there.nearest(12),
        *score_partitions(cluster, find_files(folder), out, row_sums, top=50),
    ]


def test_workers_killed_at_any_moment_change_nothing(write, tmp_path, monkeypatch):
    monkeypatch.setattr(engine, "SLICE", 60)
    X = np.random.default_rng(0).normal(size=(1500, 3))
    folder, rng = write(X, files=3, groups=5), random.Random(4)
    one = TreeEngine(X)
    sums = X.sum(axis=1)
    best = np.argsort(-sums, kind="stable")[:50]
    expected = [one.counts(0.7), *one.nearest(12), best, sums[best]]
    for loss in range(LOSSES):
        killed, left = [], rng.randrange(STEPS)
        work = tmp_path / f"work {loss}"
        # Each time a cluster of its own: Dask now and then brings no other worker in.
        with (
            LocalCluster(
                n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
            ) as processes,
            Cluster(processes.scheduler_address, work, timeout=PATIENCE) as cluster,
        ):
            workers = sorted(cluster.client.run(os.getpid).values())

            def kill_one(step, killed=killed, workers=workers):
                nonlocal left
                left -= 1
                if left < 0 and not killed:
                    killed.append(rng.choice(workers))
                    os.kill(killed[0], signal.SIGKILL)

            with listen(kill_one):
                found = worked(cluster, folder, tmp_path / f"out {loss}")
            assert killed, "fewer steps than were counted on"
            for ours, theirs in zip(found, expected, strict=True):
                if np.issubdtype(theirs.dtype, np.integer):
                    np.testing.assert_array_equal(ours, theirs)
                else:
                    np.testing.assert_allclose(ours, theirs, rtol=1e-12, atol=1e-12)
