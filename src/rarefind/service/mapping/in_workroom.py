"""What a workroom computes for maps."""

from __future__ import annotations

from collections.abc import Mapping

from rarefind.core.arrays import Records
from rarefind.geometry.maps import Map, make_map
from rarefind.kernels.contract import Kernel


def place_records(
    records: Records, kernel: Kernel | None, method: str, labels: Mapping[int, str]
) -> Map:
    """Place every record in the plane; the records come first, as a workroom keeps them."""
    return make_map(method, records, kernel, labels)
