"""Where records lie in the plane, to be looked at."""

from __future__ import annotations

from rarefind.geometry.maps.plane import METHODS, Map, Method, make_map

__all__ = ["METHODS", "Map", "Method", "make_map"]
