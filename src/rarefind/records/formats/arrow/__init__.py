"""What Arrow's columns and messages stand for, told before they are unfolded."""

from __future__ import annotations
