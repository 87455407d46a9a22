"""Rankings: made, kept, compared, explained."""

from __future__ import annotations
