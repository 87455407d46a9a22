"""The workbench under load, and in a real browser."""

from __future__ import annotations
