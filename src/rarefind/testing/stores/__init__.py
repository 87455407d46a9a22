"""What every store must satisfy."""

from __future__ import annotations

from collections.abc import Callable

from rarefind.store import Store
from rarefind.testing.rules import judge
from rarefind.testing.stores import askers, backup_and_check, events, hunts, leases

RULES = (*hunts.RULES, *events.RULES, *leases.RULES, *askers.RULES, *backup_and_check.RULES)
"""Each is tried on an empty store."""

SHARED_RULES = backup_and_check.SHARED_RULES
"""Each is tried on an empty store and a way to open it once more."""


def check_store(empty: Callable[[], Store], again: Callable[[], Store] | None = None) -> None:
    """Raise AssertionError, in words, unless a store keeps its promises.

    Data sets, hunts and rankings come back as they were kept; an event has its place for good and
    counts once, however often and from however many threads it is sent; what stands is the replay
    of the events; nobody is given the record of another; nonsense is refused in words and changes
    nothing; a backup holds everything.

    Parameters
    ----------
    empty
        Opens a store that holds nothing. It is called once for every rule.
    again
        Opens, once more, the store that ``empty`` opened last; None for a store that is gone with
        its process.

    Examples
    --------
    >>> from rarefind.store import open_store
    >>> check_store(lambda: open_store("memory:"))
    """
    for rule in RULES:
        with empty() as store:
            judge(type(store).__name__, [rule], store)
    for rule in SHARED_RULES if again is not None else ():
        with empty() as store:
            judge(type(store).__name__, [rule], store, again)
