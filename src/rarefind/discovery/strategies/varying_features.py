"""For strategies that work feature by feature."""

from __future__ import annotations

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.errors import NotAvailableError
from rarefind.geometry import Space


def varying_vectors(space: Space, strategy: str) -> FloatArray:
    """Return the points as vectors without constant features, or say that there are none."""
    if space.vectors is None:
        raise NotAvailableError(
            f"The strategy {strategy!r} needs a dense table of numbers, since it works feature by "
            "feature. Leave the kernel out, or choose one that needs distances only, such as "
            "'malice', 'p-new' or 'farthest-first'."
        )
    varies = np.ptp(space.vectors, axis=0) > 0
    return space.vectors[:, varies]
