from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl

from rarefind.geometry.folding import fold
from rarefind.kernels.graphs import Graph


def test_graphs_written_alike_are_one_point():
    water, other = Graph(["O", "H", "H"], [(0, 1), (0, 2)]), Graph(["O", "H"], [(0, 1)])
    folded = fold([water, other, Graph(["O", "H", "H"], [(0, 1), (0, 2)])])
    assert folded.point_of.tolist() == [0, 1, 0]
    assert folded.weights.tolist() == [2, 1]


def test_dictionaries_lists_and_sets_are_compared_by_what_they_hold():
    folded = fold([{"a": [1, 2]}, {"a": [1, 3]}, {"a": [1, 2]}])
    assert folded.point_of.tolist() == [0, 1, 0]
    assert fold([{1, 2}, {2, 1}, {3}]).point_of.tolist() == [0, 0, 1]


def test_arrays_as_records_are_compared_by_shape_and_numbers():
    one, other = np.zeros((2, 2)), np.zeros(4)
    assert fold([one, other, one.copy()]).point_of.tolist() == [0, 1, 0]


def test_objects_that_cannot_be_looked_up_stay_apart():
    class Strange:
        __hash__ = None

    assert fold([Strange(), Strange()]).point_of.tolist() == [0, 1]


def test_rows_of_a_frame_are_records():
    frame = pd.DataFrame({"name": ["anna", "arne", "anna"], "amount": [1.0, 2.0, 1.0]})
    assert fold(frame).point_of.tolist() == [0, 1, 0]
    assert fold(pl.from_pandas(frame)).weights.tolist() == [2, 1]
