"""Strategies that ask one record of every group."""

from __future__ import annotations
