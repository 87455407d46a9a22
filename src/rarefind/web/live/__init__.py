"""What goes on behind the routes: news, long work, threads."""

from __future__ import annotations
