"""A map in which neighbours stay neighbours, whatever compares them (UMAP)."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

import numpy as np

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError, MissingPackageError
from rarefind.core.progress import announce
from rarefind.geometry.space import kernel_space, vector_space

if TYPE_CHECKING:
    from rarefind.kernels.contract import Kernel

_NEIGHBOURS = 15
"""Of each record, itself counted: umap-learn's own choice."""

_FEWEST = 5
"""Different records it takes to draw a plane of neighbourhoods. A choice."""


def neighbourhoods(records: Records, kernel: Kernel | None) -> tuple[FloatArray, str]:
    """Place records so that each is near the records most like it; identical ones share a place.

    The neighbours are exact, and the same that questions are chosen by.
    """
    umap = _umap()
    space = kernel_space(records, kernel) if kernel else vector_space(records, scale="none")
    n = space.engine.n
    if n < _FEWEST:
        raise DataError(
            f"The map 'umap' needs {_FEWEST} different records. There are {n}: take another map."
        )
    near = min(_NEIGHBOURS, n) - 1
    distances, others = space.engine.nearest(near)
    itself = np.arange(n)[:, None]
    known = np.hstack([itself, others]), np.hstack([np.zeros((n, 1)), distances])
    announce("drawing the map", 1, 2)
    placed = umap(
        n_neighbors=near + 1,
        precomputed_knn=known,
        force_approximation_algorithm=True,  # else it would measure distances of its own
        random_state=0,
        n_jobs=1,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about placing further records, which is not asked for
        points = placed.fit_transform(np.zeros((n, 2), dtype=np.float32))
    announce("drawing the map", 2, 2)
    note = (
        f"Neighbourhoods: each record is near the {near} most like it; far distances tell little."
    )
    return np.asarray(points, dtype=np.float64)[space.folded.point_of], note


def _umap() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # about a variant that needs TensorFlow
        try:
            from umap import UMAP
        except ImportError:
            raise MissingPackageError("The map 'umap'", "umap-learn", "maps") from None
    return UMAP
