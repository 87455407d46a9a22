"""Every record in the plane, by the method that is asked for."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from rarefind.core.arrays import FloatArray, Records
from rarefind.core.errors import DataError
from rarefind.core.names import unknown_name
from rarefind.geometry.maps.components import kernel_components
from rarefind.geometry.maps.linear import discriminants, principal_components
from rarefind.geometry.maps.neighbourhoods import neighbourhoods

if TYPE_CHECKING:
    from rarefind.kernels.contract import Kernel

Method = Literal["pca", "lda", "kernel-pca", "umap"]
"""The maps there are, by the names that people write."""

METHODS: tuple[Method, ...] = ("pca", "lda", "kernel-pca", "umap")
"""All of them."""


@dataclass(frozen=True)
class Map:
    """Every record in the plane: pairs within [-1, 1], the method, and what the plane shows."""

    method: str
    points: NDArray[np.float32]
    note: str


def make_map(
    method: str, records: Records, kernel: Kernel | None, labels: Mapping[int, Hashable]
) -> Map:
    """Place every record in the plane.

    Parameters
    ----------
    method
        ``"pca"``: the two directions in which vectors spread most. ``"lda"``: those that tell the
        labelled classes apart best. ``"kernel-pca"``: the two of largest spread in a kernel's
        feature space, from a sample of the records. ``"umap"``: neighbours stay neighbours, by
        whatever measure the records are compared; it needs the package umap-learn.
    records, kernel
        As the hunt compares them. Records that are no vectors have the map of their kernel.
    labels
        What has been told, by row; the discriminants need two classes.
    """
    if method not in METHODS:
        raise unknown_name("map", method, METHODS)
    vectors = _vectors(records)
    if vectors is None and kernel is None:
        raise DataError("These records are no vectors, and there is no kernel to place them.")
    if method == "umap":
        points, note = neighbourhoods(records if vectors is None else vectors, kernel)
    elif kernel is not None and (vectors is None or method == "kernel-pca"):
        points, note = kernel_components(records, kernel)
        method = "kernel-pca"
    elif method == "lda":
        points, note = discriminants(vectors, labels)
    else:
        points, note = principal_components(vectors)
        method = "pca"
    return Map(method, _within(points), note)


def _vectors(records: Records) -> Any:
    if sparse.issparse(records):
        return sparse.csr_array(records)
    if isinstance(records, np.ndarray) and records.ndim == 2 and records.dtype.kind in "biuf":
        return records
    return None


def _within(points: FloatArray) -> NDArray[np.float32]:
    """Scale each axis into [-1, 1] around the middle of its range."""
    finite = np.nan_to_num(points)
    low, high = finite.min(axis=0), finite.max(axis=0)
    half = np.where(high > low, (high - low) / 2.0, 1.0)
    scaled: NDArray[np.float32] = ((finite - (low + high) / 2.0) / half).astype(np.float32)
    return np.clip(scaled, -1.0, 1.0)
