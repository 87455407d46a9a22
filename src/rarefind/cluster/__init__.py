"""The same work on a Dask cluster.

Everything is cut into tasks that know nothing of each other: each reads what it needs from a folder
that all machines see, and returns something small. Workers write what they found into a journal at
once, so that a driver that was stopped goes on where it was. No data are shuffled.
"""

from __future__ import annotations

from rarefind.cluster.connection import Cluster
from rarefind.cluster.engine import ClusterEngine
from rarefind.cluster.number_space import cluster_space
from rarefind.cluster.partitions import find_files
from rarefind.cluster.preparing import encoded_space
from rarefind.cluster.scoring import score_partitions
from rarefind.cluster.tasks import Task, together

__all__ = [
    "Cluster",
    "ClusterEngine",
    "Task",
    "cluster_space",
    "encoded_space",
    "find_files",
    "score_partitions",
    "together",
]
