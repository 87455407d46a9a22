"""Labels needed as the papers print them."""

from __future__ import annotations

from collections.abc import Mapping

SHUTTLE: Mapping[str, tuple[int, ...]] = {
    "MALICE": (6, 11, 49, 71, 72, 84),
    "Interleave": (1, 52, 107, 109, 115, 132),
    "random": (7, 9, 13, 63, 100, 512),
}
"""Labels at the 1st to 6th rare class of Shuttle-4515 (He and Carbonell, 2008)."""

IMAGE: Mapping[str, tuple[int, ...]] = {
    "MALICE": (3, 4, 14, 43, 49),
    "Interleave": (6, 114, 180, 181, 662),
    "random": (10, 22, 39, 61, 112),
}
"""Labels at the 1st to 5th rare class of 5000 pictures that were not published (the same paper)."""

SYNTHETIC: Mapping[str, Mapping[str, int]] = {
    "set 1": {"MALICE": 3, "Interleave": 35, "random": 101},
    "set 2": {"MALICE": 4, "Interleave": 382, "random": 68},
}
"""Labels until every rare class was seen, on one draw each."""
