"""The routes, what they take and what they answer."""

from __future__ import annotations
