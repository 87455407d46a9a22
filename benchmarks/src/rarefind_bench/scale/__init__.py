"""What it costs: seconds and memory against rows, dimensions, classes and lengths."""

from __future__ import annotations
