"""What the theorem behind ALICE promises for records whose classes are known."""

from __future__ import annotations
