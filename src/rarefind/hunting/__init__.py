"""A whole hunt: from the first question to the ranking of every record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.detection.auto.quality import Quality
    from rarefind.hunting.hunt import Hunt, discover
    from rarefind.hunting.ranking import Ranking
    from rarefind.hunting.reasons import Reason

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Hunt": "rarefind.hunting.hunt",
        "Quality": "rarefind.detection.auto.quality",
        "Ranking": "rarefind.hunting.ranking",
        "Reason": "rarefind.hunting.reasons",
        "discover": "rarefind.hunting.hunt",
    },
)

__all__ = ["Hunt", "Quality", "Ranking", "Reason", "discover"]
