"""Hunts on a cluster: the same use cases, with the heavy work done by its workers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rarefind.cluster.connection import Cluster
from rarefind.cluster.partitions import find_files
from rarefind.cluster.preparing import encoded_space
from rarefind.core.errors import DataError, ParameterError, StateError
from rarefind.core.progress import report
from rarefind.records.kinds import KINDS
from rarefind.records.parts import SPECIAL
from rarefind.records.preparation import Prepared, prepared_vectors
from rarefind.records.tables import Table
from rarefind.service.cancelling import Work
from rarefind.service.cluster_columns import Encoded, LearntColumn, learn_columns
from rarefind.service.cluster_tables import ClusterTable, ClusterTables
from rarefind.service.data import HuntData, wanted_kinds
from rarefind.service.live_hunt import LiveHunt
from rarefind.service.open_hunt import OpenHunt
from rarefind.service.service import Service
from rarefind.service.settings import HuntSettings
from rarefind.service.views import ColumnView, Inspection
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

    def close(self) -> None:
        """Let go of everything; work on the cluster is given up."""
        self.cluster.stop()
        super().close()

    def _opened(self, entry: HuntEntry) -> OpenHunt:
        hunt = ClusterHunt(self.store, entry, self._catalogue.table, self._news.publish)
        hunt.cluster = self.cluster
        return hunt


class ClusterHunt(OpenHunt):
    """A hunt whose records are prepared and compared by the workers of a cluster."""

    cluster: Cluster

    def _prepared(self, work: Work) -> LiveHunt:
        report("reading", 0, 1)
        table = self._read(self._store.dataset(self.entry.dataset))
        data = cluster_data(self.cluster, table, self.settings)
        self.log.catch_up(force=True)
        live = LiveHunt(self._store, self.log, self.settings, data, self._more)
        work.check()
        return live

    def _more(self, part: str, data: HuntData) -> tuple[HuntData, Any]:
        raise StateError(
            f"Records were added to the hunt {self.entry.name!r}, which a cluster cannot compare "
            "with the others. Go on without --cluster."
        )


def join_cluster(address: str, file: Path, folder: Path | None) -> Cluster:
    """Join the cluster that is to work on a file, or start one on this machine."""
    find_files(file)  # what is wrong with the file is told before anybody is called
    return Cluster(address, folder or cluster_folder(file))


def cluster_folder(path: Path) -> Path:
    """Name the folder for the work on a file: hidden, beside it.

    >>> cluster_folder(Path("data/payments.parquet")).as_posix()
    'data/.payments.parquet.cluster'
    """
    return path.with_name(f".{path.name}.cluster")


def inspect_on_cluster(cluster: Cluster, table: ClusterTable, settings: HuntSettings) -> Inspection:
    """Say what the columns hold and why."""
    columns = _columns(cluster, table, settings)
    return Inspection(
        table.source,
        table.n_rows,
        tuple(
            ColumnView(
                each.kind.name,
                each.kind.kind,
                each.kind.why,
                each.kind.missing,
                each.kind.examples,
                KINDS,
            )
            for each in columns
        ),
        (),
        (),
    )


def prepared_on_cluster(
    cluster: Cluster, table: ClusterTable, settings: HuntSettings
) -> tuple[Prepared, Encoded, tuple[LearntColumn, ...]]:
    """Learn how records are prepared, as one machine does; only a few rows are prepared here."""
    if settings.kernel is not None:
        raise ParameterError(
            "A cluster compares records by the distance of their vectors, not by a kernel. Leave "
            "out --kernel, or --cluster."
        )
    columns = _columns(cluster, table, settings)
    for each in columns:
        if each.kind.kind in SPECIAL:
            raise DataError(
                f"{table.source}: column {each.kind.name!r} holds a {each.kind.kind}, which a "
                f"cluster cannot compare. Leave it out with --leave-out {each.kind.name}, give it "
                "another kind with --kind, or leave out --cluster."
            )
    encoded = Encoded.of(columns, table.source)
    without = [each.kind for each in columns if each.encoder is None]
    without.sort(key=lambda kind: kind.kind != "id")
    aside = tuple(kind.name for kind in without)
    if not encoded.parts:
        raise DataError(
            f"{table.source}: there is nothing to compare records by; every column is an "
            f"identifier or empty ({', '.join(aside) or 'no columns'}). Give a column another kind."
        )
    prepared = prepared_vectors(first_rows(table, encoded), encoded.parts, None, aside)
    return prepared, encoded, columns


def cluster_data(cluster: Cluster, table: Table, settings: HuntSettings) -> HuntData:
    """Prepare the records of Parquet files on a cluster; the label column is kept apart."""
    assert isinstance(table, ClusterTable)
    prepared, encoded, columns = prepared_on_cluster(cluster, table, settings)
    space = encoded_space(
        cluster, table.partitions, used_columns(table, encoded), encoded, prepared.names
    )
    label = settings.label_column
    shown = table if label is None else table.without([label])
    truth = None if label is None else tuple(table.words(label))
    return HuntData(shown, prepared, space, tuple(each.kind for each in columns), truth)


def used_columns(table: ClusterTable, encoded: Encoded) -> list[str]:
    """Name the columns to read, as the files call them."""
    return [table.stored_name(part.kind.name) for part in encoded.parts]


def first_rows(table: ClusterTable, encoded: Encoded) -> Table:
    """Read a few rows, of the columns that are compared."""
    source = table.partitions.sources[0]
    batch = next(iter(source.batches(used_columns(table, encoded))))
    return encoded.table(batch.slice(0, 2))


def _columns(
    cluster: Cluster, table: ClusterTable, settings: HuntSettings
) -> tuple[LearntColumn, ...]:
    label = settings.label_column
    if label is not None and label not in table.columns:
        table.column(label)  # refuses it, with the nearest match
    return learn_columns(cluster, table.partitions, wanted_kinds(settings), label)
