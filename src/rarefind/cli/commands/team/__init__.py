"""Commands about the people who label together."""

from __future__ import annotations
