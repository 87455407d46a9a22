"""Files that were uploaded, or named on the command line: each has an id, and only that is sent.

An upload lies in a folder of its own, under a name made by us. No path ever comes from a client.
"""

from __future__ import annotations

import asyncio
import errno
import json
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import BinaryIO

from rarefind.core.errors import DataError, StorageError, UnknownNameError
from rarefind.web.server_settings import ServerSettings

_ID = re.compile(r"[0-9a-f]{28}", re.ASCII)
"""Milliseconds in twelve digits, so that ids sort by age, and 64 random bits; nothing that could be
a path."""

_BUFFER = 1 << 20
"""Bytes gathered before a thread writes them: a write for every packet would cost more."""

_UNFINISHED_SECONDS = 24 * 3600
"""An upload may last a night; what is older was broken off."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names that Windows keeps for devices."""

ENDINGS = (
    ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather", ".fasta", ".fa", ".smi",
    ".smiles", ".txt", ".graphml", ".json", ".npy", ".npz", ".xlsx", ".xls", ".xlsb", ".ods",
)  # fmt: skip
COMPRESSED = (".gz", ".zst")
"""Ways of packing that the readers unpack."""


class FullError(StorageError):
    """There is no room for another file."""


@dataclass(frozen=True)
class Entry:
    """A file that hunts can be opened on: ``path`` is ours and never shown."""

    id: str
    name: str
    path: str
    bytes: int
    added_at: float
    uploaded: bool
    example: bool = False


class Shelf:
    """The files at hand, one folder each under the home."""

    def __init__(self, settings: ServerSettings) -> None:
        self._home = settings.home
        self._most = settings.home_bytes
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._sweep()

    async def receive(self, name: str, chunks: AsyncIterator[bytes]) -> Entry:
        """Keep a file that arrives in pieces; nothing stays of one that does not arrive whole."""
        safe = safe_name(name)
        id, folder = await asyncio.to_thread(self._folder)
        path = folder / safe
        try:
            room = self._most - await asyncio.to_thread(self._size)
            taken = await _write(path, chunks, room)
            if taken == 0:
                raise DataError(f"{safe} is empty. Choose a file with records in it.")
            made = Entry(id, shown_name(name), str(path), taken, time.time(), True)
            return await asyncio.to_thread(self._keep, made)
        except BaseException:
            # Shielded, since whoever sent the file may be gone and the request with them.
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))
            raise

    def place(self, name: str) -> Path:
        """Make a folder for a file that we write ourselves, and return the path for it."""
        return self._folder()[1] / safe_name(name)

    def put(self, path: Path, name: str, *, example: bool = False) -> Entry:
        """List a file that lies in a place of ours, or one named on the command line."""
        path = path.resolve()
        for entry in self.entries():
            if entry.path == str(path):
                return entry
        ours = path.parent.parent == self._home.resolve()
        id = path.parent.name if ours else self._folder()[0]
        size = path.stat().st_size if path.is_file() else 0
        made = Entry(id, shown_name(name), str(path), size, time.time(), ours, example)
        return self._keep(made)

    def entries(self) -> list[Entry]:
        """Return all files, oldest first."""
        found = []
        for folder in sorted(self._home.iterdir()):
            if _ID.fullmatch(folder.name):
                entry = self._read(folder)
                if entry is not None:
                    found.append(entry)
        return found

    def get(self, id: str) -> Entry:
        """Return the file of an id."""
        entry = self._read(self._home / id) if _ID.fullmatch(id) else None
        if entry is None:
            raise UnknownNameError("There is no data set of that id. It may have been removed.")
        return entry

    def remove(self, id: str) -> None:
        """Forget a file; one that was uploaded is deleted."""
        shutil.rmtree(self._home / self.get(id).id, ignore_errors=True)

    def _folder(self) -> tuple[str, Path]:
        id = f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(8)}"
        folder = self._home / id
        folder.mkdir(mode=0o700)
        return id, folder

    def _keep(self, entry: Entry) -> Entry:
        about = self._home / entry.id / "about.json"
        draft = about.with_suffix(".part")
        draft.write_text(json.dumps(asdict(entry)), encoding="utf-8")
        draft.replace(about)
        return entry

    def _read(self, folder: Path) -> Entry | None:
        try:
            entry = Entry(**json.loads((folder / "about.json").read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None
        return entry if Path(entry.path).exists() else None

    def _size(self) -> int:
        return sum(entry.bytes for entry in self.entries() if entry.uploaded)

    def _sweep(self) -> None:
        """Remove what a crash left half uploaded."""
        for folder in self._home.iterdir():
            if not _ID.fullmatch(folder.name) or (folder / "about.json").exists():
                continue
            if time.time() - folder.stat().st_mtime > _UNFINISHED_SECONDS:
                shutil.rmtree(folder, ignore_errors=True)


def safe_name(name: str) -> str:
    """Make a file name out of plain letters and a known ending.

    >>> safe_name("../../März 2024.CSV.gz")
    'M_rz_2024.csv.gz'
    """
    last = re.split(r"[/\\]", name)[-1].lower()
    packed = next((more for more in COMPRESSED if last.endswith(more)), "")
    bare = last.removesuffix(packed)
    ending = next((each for each in ENDINGS if bare.endswith(each)), None)
    if ending is None:
        raise DataError(
            f"Files of this kind are not known. Expected a name ending in one of "
            f"{', '.join(ENDINGS)}, perhaps with {' or '.join(COMPRESSED)}."
        )
    stem = re.split(r"[/\\]", name)[-1][: len(bare) - len(ending)]
    stem = re.sub(r"[^A-Za-z0-9_-]+", "_", stem)[:60].strip("_") or "records"
    return f"{'file-' if _RESERVED.fullmatch(stem) else ''}{stem}{ending}{packed}"


def shown_name(name: str) -> str:
    """Return the last part of a name as people may see it."""
    last = re.split(r"[/\\]", name)[-1]
    return "".join(letter if letter.isprintable() else "�" for letter in last)[:200]


async def _write(path: Path, chunks: AsyncIterator[bytes], room: int) -> int:
    taken, buffer = 0, bytearray()
    file = await asyncio.to_thread(path.open, "xb")
    try:
        async for chunk in chunks:
            taken += len(chunk)
            if taken > room:
                raise FullError("There is no room for another file of this size on the server.")
            buffer += chunk
            if len(buffer) >= _BUFFER:
                await asyncio.to_thread(_append, file, buffer)
                buffer = bytearray()
        await asyncio.to_thread(_append, file, buffer)
    finally:
        await asyncio.to_thread(file.close)
    return taken


def _append(file: BinaryIO, data: bytearray) -> None:
    try:
        file.write(data)
        file.flush()
    except OSError as problem:
        if problem.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise FullError("The server's disk is full: the file was not kept.") from None
        raise
