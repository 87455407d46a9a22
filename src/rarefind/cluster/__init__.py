"""The same work on a Dask cluster.

Everything is cut into tasks that know nothing of each other: each reads the partitions it needs
from a folder that all machines see, and returns something small. What comes back is written into a
journal at once, so that a driver that was stopped goes on where it was. No data are shuffled.
"""

from __future__ import annotations

from rarefind.cluster.connection import Cluster
from rarefind.cluster.engine import ClusterEngine
from rarefind.cluster.preparing import cluster_space
from rarefind.cluster.scoring import score_partitions

__all__ = ["Cluster", "ClusterEngine", "cluster_space", "score_partitions"]
