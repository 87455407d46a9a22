"""Hunts on a cluster: the same use cases, with the heavy work done by its workers."""

from __future__ import annotations

from pathlib import Path

from rarefind.cluster.connection import Cluster
from rarefind.cluster.partitions import find_files
from rarefind.cluster.scoring import check_folder
from rarefind.core.errors import Remedy, StateError
from rarefind.core.progress import announce
from rarefind.service.facade import Service
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.hunts.records import HuntData
from rarefind.service.on_cluster.preparing import cluster_data
from rarefind.service.on_cluster.ranking import check_model, rank_partitions
from rarefind.service.on_cluster.tables import ClusterTables
from rarefind.service.ranking.of_file import FileToRank, RankedFile, labelled_rows
from rarefind.store.contract import HuntEntry, Store


class ClusterService(Service):
    """The use cases of the command line, for hunts whose geometry a cluster computes.

    Parameters
    ----------
    store
        Where hunts are kept.
    cluster
        Who works.
    tables
        Files looked at a moment ago.
    """

    def __init__(self, store: Store, cluster: Cluster, tables: ClusterTables) -> None:
        super().__init__(store, tables=tables)
        self.cluster = cluster
        self._partitions = tables

    def close(self) -> None:
        """Let go of everything; work on the cluster is given up."""
        with self.cluster.giving_up():
            super().close()

    def rank_file(self, wanted: FileToRank) -> RankedFile:
        """Rank the rows of Parquet files; of a hunt's ranking the best rows are kept."""
        table = self._partitions.cluster_table(wanted.file)
        hunt = self._hunt_of(wanted)
        if hunt is None:
            labels = labelled_rows(table.words(str(wanted.settings.label_column)))
            made = rank_partitions(self.cluster, table, wanted, wanted.settings, labels)
            return RankedFile.of(*made, None)
        labels, after = dict(hunt.log.labels()), hunt.log.last_seq
        made = rank_partitions(self.cluster, table, wanted, hunt.settings, labels)
        return RankedFile.of(*made, self._keep_ranking(hunt, made[0], after).id)

    def _made(self, entry: HuntEntry) -> OpenHunt:
        hunt = ClusterHunt(self.store, entry, self._catalogue.table, self._news.publish)
        hunt.cluster = self.cluster
        return hunt


class ClusterHunt(OpenHunt):
    """A hunt whose records are prepared and compared by the workers of a cluster."""

    cluster: Cluster

    def _first(self) -> HuntData:
        announce("reading", 0, 1)
        table = self._file(self.entry.dataset)
        data = cluster_data(self.cluster, table, self.settings)
        self.log.catch_up(force=True)
        return data

    def _more(self, part: str, data: HuntData) -> HuntData:
        raise StateError(
            f"Records were added to the hunt {self.entry.name!r}, which a cluster cannot compare "
            "with the others."
        ).advising(Remedy("Go on without {cluster}."))


def join_cluster(
    address: str, file: Path, folder: Path | None, *, goes_on: bool = False
) -> Cluster:
    """Join the cluster that is to work on a file, or start one on this machine.

    What it leaves in a folder that nobody named is removed in the end, unless a person ``goes_on``
    with it another time.
    """
    find_files(file)  # what is wrong with the file is told before anybody is called
    keep = goes_on or folder is not None
    return Cluster(address, folder or cluster_folder(file), keep=keep)


def check_ranking(model: str, out: Path | None) -> None:
    """Refuse a model that does not rank on a cluster, or a folder that cannot be written."""
    check_model(model)
    if out is not None:
        check_folder(out)


def cluster_folder(path: Path) -> Path:
    """Name the folder for the work on a file: hidden, beside it.

    >>> cluster_folder(Path("data/payments.parquet")).as_posix()
    'data/.payments.parquet.cluster'
    """
    return path.with_name(f".{path.name}.cluster")
