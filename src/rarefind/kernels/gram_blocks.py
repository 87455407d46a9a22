"""Gram matrices in blocks of rows: half the work when symmetric, in threads, with progress.

For kernels that compare record by record. A kernel that is one matrix product needs none of this.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.progress import announce
from rarefind.core.threads import in_threads, workers

Block = Callable[[slice, slice], FloatArray]
"""Similarities of the records in one slice (rows) with those in another (columns)."""


def gram_in_blocks(
    block: Block,
    n_rows: int,
    n_columns: int | None = None,
    *,
    task: str = "similarities",
    height: int | None = None,
    threads: int | None = None,
) -> FloatArray:
    """Fill a Gram matrix from blocks.

    Parameters
    ----------
    block
        Computes ``block(rows, columns)`` for two slices. It is called from several threads, which
        pays if it releases the GIL (compiled loops and numpy do).
    n_rows, n_columns
        Size of the matrix; without ``n_columns`` it is symmetric, and only what lies on and above
        the diagonal blocks is computed.
    task
        What is being done, for whoever listens to the progress.
    height
        Rows per block; chosen so that blocks cost about the same if not given.
    threads
        How many threads to use at most; as many as there are processors if not given.

    Examples
    --------
    >>> words = ["a", "ab", "abc"]
    >>> def block(rows, columns):
    ...     return np.array([[len(set(s) & set(t)) for t in words[columns]] for s in words[rows]])
    >>> gram_in_blocks(block, 3, height=1)
    array([[1., 1., 1.],
           [1., 2., 2.],
           [1., 2., 3.]])
    """
    symmetric = n_columns is None
    width = n_rows if n_columns is None else n_columns
    gram = np.empty((n_rows, width))
    height = height or max(1, min(256, -(-n_rows // (8 * (threads or workers())))))
    total = n_rows * (n_rows + 1) // 2 if symmetric else n_rows * width

    def fill(start: int) -> int:
        rows = slice(start, min(start + height, n_rows))
        columns = slice(start if symmetric else 0, width)
        gram[rows, columns] = block(rows, columns)
        below = width - rows.stop
        if symmetric and below:
            gram[rows.stop :, rows] = gram[rows, rows.stop :].T
        size = rows.stop - rows.start
        return size * (size + 1) // 2 + size * below if symmetric else size * width

    done = 0
    for size in in_threads(fill, range(0, n_rows, height), threads):
        done += size
        announce(task, done, total)
    return gram
