"""Folders of tables that are read as one."""

from __future__ import annotations

from pathlib import Path

from rarefind.records.formats.streams import endings

_JOINED = {".csv", ".tsv", ".jsonl", ".ndjson", ".json", ".parquet", ".arrow", ".feather", ".xlsx"}
"""Endings of which several files in a folder are one table."""

_STORES = (".db", ".db-wal", ".db-shm")
"""Endings of a store and of what lies beside it while it is in use."""


def tables_in(folder: Path) -> list[Path] | None:
    """List the tables of a folder; None if it holds something else, or several kinds.

    Remarks (.txt or .md, fewer than the tables) and a store beside them hold no records.
    """
    files = _shown(folder)
    tables = [file for file in files if endings(file)[0] in _JOINED]
    remarks = _remarks(files)
    others = len(files) - len(tables) - len(remarks)
    one_kind = len({endings(file)[0] for file in tables}) == 1
    return tables if one_kind and not others and len(remarks) < len(tables) else None


def told_beside_tables(folder: Path) -> str:
    """Say which files of a folder of tables are not read."""
    remarks = _remarks(_shown(folder))
    return f"without {' and '.join(file.name for file in remarks)}" if remarks else ""


def _shown(folder: Path) -> list[Path]:
    """List the files of a folder by their names, without hidden ones and stores."""
    entries = sorted(folder.iterdir(), key=lambda entry: entry.name)
    files = (entry for entry in entries if entry.is_file() and not entry.name.startswith("."))
    return [file for file in files if file.suffix.lower() not in _STORES]


def _remarks(files: list[Path]) -> list[Path]:
    return [file for file in files if file.suffix.lower() in (".txt", ".md")]
