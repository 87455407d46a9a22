"""The use cases that every front door shares."""

from __future__ import annotations
