"""Durable labels a second."""

from __future__ import annotations
