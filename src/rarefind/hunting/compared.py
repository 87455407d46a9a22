"""The records of a hunt as they are compared: what rankings and maps are made from."""

from __future__ import annotations

import numpy as np
from sklearn.base import clone

from rarefind import discovery
from rarefind.core.arrays import Records
from rarefind.core.errors import NotAvailableError
from rarefind.geometry import Precomputed, Space
from rarefind.hunting.learnt_kernel import Learnt
from rarefind.kernels import GivenGram, make_kernel
from rarefind.kernels.contract import Kernel


class ComparedHunt(discovery.Hunt):
    """A hunt that gives its records away as it compares them."""

    def compared(self) -> tuple[Records, Kernel | None]:
        """Return the records as the hunt compares them, and the kernel where one does.

        What models by name are given; of vectors the kernel is None.
        """
        space, given = self.space, self._records
        if isinstance(given, Space | Precomputed):
            raise NotAvailableError(
                "A ranking or a map needs the records themselves or a kernel, and this hunt knows "
                "distances only. Start it with the records, or with kernel='precomputed' and "
                "similarities."
            )
        if self._kernel is None:
            points = space.folded.records if space.vectors is None else space.vectors
            return points[space.folded.point_of], None
        if isinstance(self._kernel, str) and self._kernel == "precomputed":
            return np.arange(self.n_records)[:, None], GivenGram(given)
        return given, Learnt(clone(make_kernel(self._kernel)).fit(given))
