"""Files that are handed over: each lies in a folder of its own, under a name made by us.

The store keeps them as data sets, and their ids are all that is sent. No path ever comes from a
client.
"""

from __future__ import annotations

import asyncio
import errno
import re
import secrets
import shutil
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import BinaryIO

from rarefind.core.errors import DataError, StorageError
from rarefind.web.server_settings import ServerSettings

_FOLDER = re.compile(r"[0-9a-f]{28}", re.ASCII)
"""Milliseconds in twelve digits, so that folders sort by age, and 64 random bits."""

_DRAFT = ".part"
"""Ends the name of a file that has not arrived whole."""

_BUFFER = 1 << 20
"""Bytes gathered before a thread writes them: a write for every packet would cost more."""

_UNFINISHED_SECONDS = 24 * 3600
"""An upload may last a night; what is older was broken off."""

_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)", re.IGNORECASE)
"""Names that Windows keeps for devices."""

ENDINGS = (
    ".csv", ".tsv", ".jsonl", ".ndjson", ".parquet", ".arrow", ".feather", ".fasta", ".fa", ".smi",
    ".smiles", ".txt", ".graphml", ".json", ".npy", ".npz", ".xlsx", ".xls", ".xlsb", ".ods",
    ".zip",
)  # fmt: skip
"""Files that the readers know, and folders of pictures as archives."""

COMPRESSED = (".gz", ".zst")
"""Ways of packing that the readers unpack."""


class FullError(StorageError):
    """There is no room for another file."""


class Uploads:
    """The files that were handed over, one folder each under the home."""

    def __init__(self, settings: ServerSettings) -> None:
        self._home = settings.home.resolve()
        self._most = settings.home_bytes
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._sweep()

    async def receive(self, name: str, chunks: AsyncIterator[bytes]) -> Path:
        """Keep a file that arrives in pieces; nothing stays of one that does not arrive whole."""
        safe = safe_name(name)
        folder = await asyncio.to_thread(self._folder)
        draft = folder / f"{safe}{_DRAFT}"
        try:
            room = self._most - await asyncio.to_thread(self._size)
            if await _write(draft, chunks, room) == 0:
                raise DataError(f"{safe} is empty. Choose a file with records in it.")
            return await asyncio.to_thread(draft.rename, folder / safe)
        except BaseException:
            # Shielded, since whoever sent the file may be gone and the request with them.
            await asyncio.shield(asyncio.to_thread(shutil.rmtree, folder, ignore_errors=True))
            raise

    def holds(self, path: Path) -> bool:
        """Tell whether a file was handed over, or made by us, and not named in its own place."""
        return path.parent.parent == self._home

    def remove(self, path: Path) -> None:
        """Delete a file that was handed over."""
        if self.holds(path):
            shutil.rmtree(path.parent, ignore_errors=True)

    def of_our_own(self, name: str) -> Path:
        """Return the path of a file that we write ourselves: always the same one."""
        folder = self._home / "examples"
        folder.mkdir(mode=0o700, exist_ok=True)
        return folder / name

    def _folder(self) -> Path:
        name = f"{time.time_ns() // 1_000_000:012x}{secrets.token_hex(8)}"
        folder = self._home / name
        folder.mkdir(mode=0o700)
        return folder

    def _size(self) -> int:
        return sum(file.stat().st_size for file in self._home.glob("*/*") if file.is_file())

    def _sweep(self) -> None:
        """Remove what a crash left half uploaded."""
        for folder in self._home.iterdir():
            if not _FOLDER.fullmatch(folder.name):
                continue
            whole = any(not file.name.endswith(_DRAFT) for file in folder.iterdir())
            if not whole and time.time() - folder.stat().st_mtime > _UNFINISHED_SECONDS:
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
