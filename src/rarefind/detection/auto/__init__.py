"""The detector that averages models, and what it tells about itself."""

from __future__ import annotations
