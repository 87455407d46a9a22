"""How far apart are records, and who is near whom?"""

from __future__ import annotations

from rarefind.geometry.measures import (
    Angle,
    Euclidean,
    KernelAngle,
    KernelDistance,
    Measure,
    measure_for,
    row_blocks,
)

__all__ = [
    "Angle",
    "Euclidean",
    "KernelAngle",
    "KernelDistance",
    "Measure",
    "measure_for",
    "row_blocks",
]
