"""Zip archives that hold a table, looked at before they are unpacked."""

from __future__ import annotations

import zipfile
from pathlib import Path

from rarefind.core.errors import DataError
from rarefind.records.formats.limits import Watch


def check_zip(path: Path, watch: Watch) -> None:
    """Refuse an archive that would grow beyond the limits; its sizes are counted, not believed."""
    try:
        with zipfile.ZipFile(path) as archive:
            total, packed, size = 0, 0, path.stat().st_size
            for part in archive.infolist():
                # Parts may lie on top of each other: all together are no larger than the file.
                packed = min(packed + part.compress_size, size)
                with archive.open(part) as stream:
                    while block := stream.read(2**18):
                        total += len(block)
                        watch.size(total, max(packed, 1))
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as problem:
        raise DataError(f"{watch.name} is damaged: {problem}.") from None
