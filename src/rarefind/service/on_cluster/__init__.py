"""The same use cases with the heavy work done on a cluster."""

from __future__ import annotations
