"""What a record looks like to people: in one line, beside the others, drawn."""

from __future__ import annotations
