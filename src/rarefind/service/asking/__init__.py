"""Asking people and hearing their answers."""

from __future__ import annotations
