"""Maps of all records: computed aside, kept, and coloured."""

from __future__ import annotations
