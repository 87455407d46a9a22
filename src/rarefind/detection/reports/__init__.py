"""What can be said about a fitted model."""

from __future__ import annotations
