"""Labelled data: where they lie, how they are fetched and read, and draws with rare classes."""

from __future__ import annotations
