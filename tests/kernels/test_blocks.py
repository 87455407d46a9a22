from __future__ import annotations

import threading

import numpy as np
import pytest

from rarefind.core.progress import listen
from rarefind.kernels.gram_blocks import gram_in_blocks

X = np.random.default_rng(0).normal(size=(23, 3))


@pytest.mark.parametrize("height", [None, 1, 4, 100])
@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_make_the_whole_matrix(height, threads):
    def block(rows, columns):
        return X[rows] @ X[columns].T

    same = gram_in_blocks(block, 23, height=height, threads=threads)
    np.testing.assert_allclose(same, X @ X.T, atol=1e-12)
    other = gram_in_blocks(block, 23, 7, height=height, threads=threads)
    np.testing.assert_allclose(other, X @ X[:7].T, atol=1e-12)


def test_a_symmetric_matrix_costs_half():
    cells = []

    def block(rows, columns):
        part = X[rows] @ X[columns].T
        cells.append(part.size)
        return part

    gram_in_blocks(block, 23, height=1, threads=1)
    assert sum(cells) == 23 * 24 // 2


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("columns", [None, 5])
def test_progress_is_told_from_the_calling_thread_up_to_the_end(threads, columns):
    steps, told_by = [], set()

    def hear(step):
        steps.append(step)
        told_by.add(threading.current_thread())

    with listen(hear):
        gram_in_blocks(
            lambda r, c: np.zeros((r.stop - r.start, c.stop - c.start)),
            23,
            columns,
            height=3,
            threads=threads,
            task="looking",
        )
    done = [step.done for step in steps]
    assert done == sorted(done)
    assert done[-1] == steps[-1].total
    assert {step.task for step in steps} == {"looking"}
    assert told_by == {threading.current_thread()}


def test_an_error_in_a_block_reaches_the_caller():
    def block(rows, columns):
        raise ValueError("bad block")

    with pytest.raises(ValueError, match="bad block"):
        gram_in_blocks(block, 23, height=1, threads=2)


def test_no_records_make_an_empty_matrix():
    assert gram_in_blocks(lambda r, c: np.zeros((0, 0)), 0).shape == (0, 0)
