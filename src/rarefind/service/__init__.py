"""The use cases that every front door shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.lazy import lazy_attributes

if TYPE_CHECKING:
    from rarefind.service.facade import Service
    from rarefind.service.hunts.settings import HuntSettings

__getattr__, __dir__ = lazy_attributes(
    __name__,
    {
        "HuntSettings": "rarefind.service.hunts.settings",
        "Service": "rarefind.service.facade",
    },
)

__all__ = ["HuntSettings", "Service"]
