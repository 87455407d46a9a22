"""Stopping on request."""

from __future__ import annotations


class Stopped(Exception):  # noqa: N818  (somebody wanted to)
    """Somebody stopped the command; the sentence says what is kept."""
