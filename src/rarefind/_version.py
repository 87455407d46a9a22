"""The version, kept apart so that the build can read it without importing anything."""

from __future__ import annotations

__version__ = "0.1.0"
