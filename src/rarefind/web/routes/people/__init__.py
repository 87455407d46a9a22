"""Who is labelling, who may come in, and how they do."""

from __future__ import annotations
