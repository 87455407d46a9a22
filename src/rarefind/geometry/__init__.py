"""How far apart are records, and who is near whom?"""

from __future__ import annotations

from rarefind.geometry.engines.blocks import BlockEngine
from rarefind.geometry.engines.choice import choose_engine
from rarefind.geometry.engines.contract import Engine, reach
from rarefind.geometry.engines.tree import TreeEngine
from rarefind.geometry.folding import Folded, fold
from rarefind.geometry.measures import (
    Angle,
    Euclidean,
    KernelAngle,
    KernelDistance,
    Measure,
    measure_for,
    row_blocks,
)
from rarefind.geometry.precomputed import Precomputed
from rarefind.geometry.space import (
    Space,
    distance_space,
    kernel_space,
    vector_space,
)

__all__ = [
    "Angle",
    "BlockEngine",
    "Engine",
    "Euclidean",
    "Folded",
    "KernelAngle",
    "KernelDistance",
    "Measure",
    "Precomputed",
    "Space",
    "TreeEngine",
    "choose_engine",
    "distance_space",
    "fold",
    "kernel_space",
    "measure_for",
    "reach",
    "row_blocks",
    "vector_space",
]
