"""What is done at every size: ours, and other people's."""

from __future__ import annotations
