"""A whole hunt: from the first question to the ranking of every record."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.detection.auto.quality import Quality
    from rarefind.hunting.forecast import Forecast, Interval
    from rarefind.hunting.harvest import Harvest
    from rarefind.hunting.harvest_round import Look
    from rarefind.hunting.hunt import Hunt, discover
    from rarefind.hunting.ranking import Ranking
    from rarefind.hunting.reasons import Reason

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "Forecast": "rarefind.hunting.forecast",
        "Harvest": "rarefind.hunting.harvest",
        "Hunt": "rarefind.hunting.hunt",
        "Interval": "rarefind.hunting.forecast",
        "Look": "rarefind.hunting.harvest_round",
        "Quality": "rarefind.detection.auto.quality",
        "Ranking": "rarefind.hunting.ranking",
        "Reason": "rarefind.hunting.reasons",
        "discover": "rarefind.hunting.hunt",
    },
)

__all__ = [
    "Forecast",
    "Harvest",
    "Hunt",
    "Interval",
    "Look",
    "Quality",
    "Ranking",
    "Reason",
    "discover",
]
