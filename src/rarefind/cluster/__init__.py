"""The same work on a Dask cluster."""

from __future__ import annotations
