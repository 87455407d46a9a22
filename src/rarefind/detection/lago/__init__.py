"""LAGO: known examples vote for what is near, each as far as its background lets it."""

from __future__ import annotations
