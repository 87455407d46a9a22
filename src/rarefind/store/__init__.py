"""What must never be lost: hunts, labels, leases, models and rankings."""

from __future__ import annotations
