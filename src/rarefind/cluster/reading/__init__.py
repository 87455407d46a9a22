"""What Parquet files on a cluster hold: the columns as one machine reads them, when needed."""

from __future__ import annotations
