"""Pictures as addresses that a page shows by itself: arrays, files, or what a file holds."""

from __future__ import annotations

import base64
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import DataError

_KINDS = ((b"\x89PNG", "png"), (b"\xff\xd8\xff", "jpeg"), (b"GIF8", "gif"), (b"RIFF", "webp"))
"""What the files that browsers show begin with."""

_COLOURS = {1: 0, 3: 2, 4: 6}
"""PNG's names of grey, red-green-blue, and the same with transparency, by numbers a point."""


def picture_uri(picture: Any) -> str:
    """Return a picture as a data address.

    Parameters
    ----------
    picture
        An array of points (rows x columns, or with 3 or 4 colours behind), a path, or the bytes of
        a PNG, JPEG, GIF or WebP file. Numbers other than bytes are stretched from the smallest, in
        black, to the largest, in white.
    """
    if isinstance(picture, str | Path):
        try:
            picture = Path(picture).read_bytes()
        except OSError as problem:
            raise DataError(f"The picture {picture} cannot be read: {problem.strerror}.") from None
    if isinstance(picture, bytes):
        for start, kind in _KINDS:
            if picture.startswith(start):
                return f"data:image/{kind};base64,{base64.b64encode(picture).decode()}"
        raise DataError("A picture must be PNG, JPEG, GIF or WebP. Its bytes begin otherwise.")
    return f"data:image/png;base64,{base64.b64encode(_png(_points(picture))).decode()}"


def _points(picture: Any) -> NDArray[np.uint8]:
    given = np.asarray(picture)
    if given.ndim == 2:
        given = given[:, :, None]
    if given.ndim != 3 or given.shape[2] not in _COLOURS or given.dtype.kind not in "biuf":
        raise DataError(
            "A picture must be an array of rows x columns, or with 3 or 4 colours behind. This one "
            f"has the shape {np.shape(picture)} and the type {given.dtype}."
        )
    if given.dtype == np.uint8:
        return given
    numbers = np.nan_to_num(given.astype(np.float64))
    low, high = numbers.min(), numbers.max()
    stretched: NDArray[np.uint8] = (255 * (numbers - low) / ((high - low) or 1.0)).astype(np.uint8)
    return stretched


def _png(points: NDArray[np.uint8]) -> bytes:
    rows, columns, colours = points.shape
    header = struct.pack(">2I5B", columns, rows, 8, _COLOURS[colours], 0, 0, 0)
    lines = b"".join(b"\0" + line.tobytes() for line in np.ascontiguousarray(points))
    parts = ((b"IHDR", header), (b"IDAT", zlib.compress(lines)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(_part(name, body) for name, body in parts)


def _part(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
