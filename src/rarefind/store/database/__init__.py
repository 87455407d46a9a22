"""The store on SQLite and on PostgreSQL."""

from __future__ import annotations
