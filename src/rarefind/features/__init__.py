"""What a record looks like in numbers."""

from __future__ import annotations
