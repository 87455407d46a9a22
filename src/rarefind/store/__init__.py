"""What must never be lost: hunts, labels, leases and rankings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.store.contract import (
        Candidate,
        CheckReport,
        DataSet,
        Event,
        HuntEntry,
        Kept,
        Lease,
        RankingEntry,
        Store,
    )
    from rarefind.store.in_memory import MemoryStore
    from rarefind.store.opening import open_store, upgrade_store
    from rarefind.store.rules.projection import HistoryEntry, Projection, Statement, replay

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Candidate": "rarefind.store.contract",
        "CheckReport": "rarefind.store.contract",
        "DataSet": "rarefind.store.contract",
        "Event": "rarefind.store.contract",
        "HistoryEntry": "rarefind.store.rules.projection",
        "HuntEntry": "rarefind.store.contract",
        "Kept": "rarefind.store.contract",
        "Lease": "rarefind.store.contract",
        "MemoryStore": "rarefind.store.in_memory",
        "Projection": "rarefind.store.rules.projection",
        "RankingEntry": "rarefind.store.contract",
        "Statement": "rarefind.store.rules.projection",
        "Store": "rarefind.store.contract",
        "open_store": "rarefind.store.opening",
        "replay": "rarefind.store.rules.projection",
        "upgrade_store": "rarefind.store.opening",
    },
)

__all__ = [
    "Candidate",
    "CheckReport",
    "DataSet",
    "Event",
    "HistoryEntry",
    "HuntEntry",
    "Kept",
    "Lease",
    "MemoryStore",
    "Projection",
    "RankingEntry",
    "Statement",
    "Store",
    "open_store",
    "replay",
    "upgrade_store",
]
