"""What every request passes before a route sees it."""

from __future__ import annotations
