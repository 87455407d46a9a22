"""The records of Parquet files, prepared on a cluster as one machine prepares them."""

from __future__ import annotations

from rarefind.cluster.connection import Cluster
from rarefind.cluster.preparing import encoded_space
from rarefind.cluster.reading.columns import Encoded, LearntColumn, learn_columns
from rarefind.cluster.reading.lazy_table import ClusterTable
from rarefind.core.errors import DataError, ParameterError, Remedy
from rarefind.records.preparing.parts import SPECIAL
from rarefind.records.preparing.recipe import Prepared, prepared_vectors
from rarefind.records.table import Table
from rarefind.service.hunts.records import HuntData, wanted_kinds
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.views import ColumnView, Inspection


def inspect_on_cluster(cluster: Cluster, table: ClusterTable, settings: HuntSettings) -> Inspection:
    """Say what the columns hold and why."""
    columns = _columns(cluster, table, settings)
    views = tuple(ColumnView.of(each.kind) for each in columns)
    return Inspection(table.source, table.n_rows, views, (), ())


def prepared_on_cluster(
    cluster: Cluster, table: ClusterTable, settings: HuntSettings
) -> tuple[Prepared, Encoded, tuple[LearntColumn, ...]]:
    """Learn how records are prepared, as one machine does; only a few rows are prepared here."""
    if settings.kernel is not None:
        raise ParameterError(
            "A cluster compares records by the distance of their vectors, not by a kernel."
        ).advising(Remedy("Leave out {kernel}, or {cluster}."))
    columns = _columns(cluster, table, settings)
    for each in columns:
        if each.kind.kind in SPECIAL:
            raise DataError(
                f"{table.source}: column {each.kind.name!r} holds a {each.kind.kind}, which a "
                "cluster cannot compare."
            ).advising(
                Remedy(
                    "Leave it out with {leave_out}, give it another kind with {kinds}, or leave "
                    "out {cluster}.",
                    leave_out=each.kind.name,
                )
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
    used = used_columns(table, encoded)
    space = encoded_space(cluster, table.partitions, used, encoded)
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
