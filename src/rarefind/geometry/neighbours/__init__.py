"""Who is nearest, found quickly and in an order that does not depend on how."""

from __future__ import annotations
