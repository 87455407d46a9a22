"""The records of a hunt at hand: read when first looked at, without any strategy."""

from __future__ import annotations

import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from rarefind.service.asking.log import HuntLog
from rarefind.service.hunts.records import HuntData
from rarefind.service.remembered import Remembered
from rarefind.service.showing.record import RecordViewer

if TYPE_CHECKING:
    from rarefind.geometry import Space
    from rarefind.kernels.contract import Kernel

T = TypeVar("T")

_KINDS = 3
"""What is made of the records: a viewer, a kernel and a space."""


class LoadedRecords:
    """The records of a hunt, those added later included, and what is made of them once.

    Whoever looks first reads them, and whoever comes meanwhile waits for that. Safe to use from
    many threads.

    Parameters
    ----------
    log
        Says which records were added.
    first
        Reads the records the hunt began with.
    more
        Adds the records of a data set, given by its id, to those there are.
    """

    def __init__(
        self,
        log: HuntLog,
        first: Callable[[], HuntData],
        more: Callable[[str, HuntData], HuntData],
    ) -> None:
        self._log, self._first, self._more = log, first, more
        self._lock = threading.RLock()
        self._at_hand: tuple[HuntData, int] | None = None  # with how many parts are in it
        self._made = Remembered(_KINDS)
        self._making = defaultdict[str, threading.Lock](threading.Lock)
        self.seen_at = 0.0  # when somebody last looked

    @property
    def loaded(self) -> bool:
        """Whether the records have been read."""
        return self._at_hand is not None

    @property
    def data(self) -> HuntData:
        """All records, read now if they have not been."""
        self.seen_at = time.monotonic()
        at_hand = self._at_hand
        if at_hand is not None and at_hand[1] >= len(self._log.parts):
            return at_hand[0]
        with self._lock:
            data, taken = self._at_hand = self._at_hand or (self._first(), 0)
            for part in self._log.parts[taken:]:
                data, taken = self._more(part, data), taken + 1
                self._at_hand = data, taken
            return data

    def read(self) -> None:
        """Read the records if they have not been; that may take long."""
        self.data  # noqa: B018

    @property
    def viewer(self) -> RecordViewer:
        """Shows records, knowing what is usual in each column."""
        return self._made_of("viewer", RecordViewer.of)

    @property
    def kernel(self) -> Kernel | None:
        """The kernel of the records, having seen all of them; None for vectors."""
        return self._made_of("kernel", _learnt)

    @property
    def space(self) -> Space:
        """Who is near whom."""
        return self._made_of("space", HuntData.space)

    def forget(self) -> None:
        """Let go of everything; the next look reads it again.

        Nobody waits for somebody else who is reading: what they read stays.
        """
        self._at_hand = None
        self._made.clear()

    def _made_of(self, name: str, make: Callable[[HuntData], T]) -> T:
        data = self.data
        with self._making[name]:  # whoever shows a record does not wait for a kernel that learns
            return self._made.of(name, data.n_records, lambda: make(data))


def _learnt(data: HuntData) -> Kernel | None:
    from sklearn.base import clone

    from rarefind.hunting.learnt_kernel import Learnt

    kernel = data.prepared.kernel
    if kernel is None or kernel.takes_vectors:
        return kernel
    return Learnt(clone(kernel).fit(data.records))
