"""The distance of two rows of a mixed table is the same number here, in a service, on a cluster."""

from __future__ import annotations

import itertools

import numpy as np
import pandas as pd
from hypothesis import HealthCheck, given, settings
from scipy.spatial.distance import cdist

import rarefind as rf
from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.on_cluster.hunts import ClusterService
from rarefind.service.on_cluster.tables import ClusterTables
from rarefind.store.opening import open_store
from tests.hunting.test_one_geometry import KINDS, distances_of, tables

CLOSE = {"rtol": 1e-7, "atol": 1e-7}
NUMBERS = itertools.count()


def neighbours_of(service, path):
    """Every row with the distances of the rows that its neighbours, as the map shows them, are."""
    hunt = service.open_hunt(path, settings=HuntSettings(kinds=KINDS)).id
    count = service.hunt(hunt).n_records
    return {row: service.neighbours(hunt, row, min(100, count - 1)) for row in range(count)}


@settings(
    deadline=None, max_examples=10, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(cells=tables())
def test_rows_are_as_far_apart_in_hunt_lago_ranking_map_and_cluster(cluster, tmp_path, cells):
    table = pd.DataFrame(cells)
    hunt = rf.Hunt(table)
    expected = distances_of(hunt)
    y = np.arange(len(table)) % 4 == 0
    centres = rf.Lago().fit(table, y).centres_
    np.testing.assert_allclose(cdist(centres, centres), expected[np.ix_(y, y)], **CLOSE)
    for row, odd in enumerate(y[:-2]):
        hunt.tell(row, "odd" if odd else "even")
    ranked = hunt.rank("odd", "lago").examples.records
    np.testing.assert_allclose(cdist(ranked, ranked), expected, **CLOSE)
    path = tmp_path / f"table{next(NUMBERS)}.parquet"
    table.to_parquet(path, row_group_size=5)
    with Service(open_store("memory:")) as service:
        shown = neighbours_of(service, path)
    with ClusterService(open_store("memory:"), cluster, ClusterTables()) as service:
        there = neighbours_of(service, path)
    for found in (shown, there):
        for row, near in found.items():
            distances = [each.distance for each in near]
            np.testing.assert_allclose(
                distances, expected[row, [each.row for each in near]], **CLOSE
            )
            others = np.unique(np.delete(expected[row], row).round(6))
            assert len(near) == 0 or distances == sorted(distances)
            assert distances[0] <= others[others > 0].min() + 1e-6
