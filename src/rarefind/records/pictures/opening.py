"""Pictures opened, whatever they hold: the only door to Pillow.

Files may be damaged, or made to exhaust a machine. Their first bytes say how large they are, which
is looked at before a point is unpacked, and only kinds of files that are meant are tried.
"""

from __future__ import annotations

import base64
import io
import warnings
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.core.memory_guard import readable_size

_KINDS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
"""Kinds that are opened: Pillow knows many more, some of which start other programs."""

MOST_POINTS = 100_000_000
"""Points of a picture that is opened: twice what large cameras take, 300 MB unpacked."""

MOST_BYTES = 2**27
"""Size of a file that is opened: larger ones are no pictures to look at."""

_LOSSLESS = 128
"""Pictures up to this many points a side are sent as they are: what is small must stay sharp."""

_QUALITY = 85
"""Of JPEG, in per cent: above, files grow and nobody sees why."""


def import_pillow(purpose: str) -> Any:
    """Import Pillow, or say what it is needed for."""
    try:
        import PIL.Image
        import PIL.ImageOps
    except ImportError:
        raise MissingPackageError(purpose, "Pillow", "pictures") from None
    return PIL


def points_of(
    source: Path | bytes, most: int, *, square: bool = False, name: str = ""
) -> NDArray[np.uint8]:
    """Return the points of a picture, rows x columns x red, green, blue, made smaller.

    Parameters
    ----------
    source
        A file, or the bytes of one.
    most
        Points of the longer side at most, or with ``square`` of both sides.
    square
        Whether every picture becomes a square of that size.
    name
        What it is called in messages.
    """
    return np.asarray(_opened(source, most, square, name or _name(source)))


def address_of(source: Path | bytes, most: int, name: str = "") -> tuple[str, tuple[int, int]]:
    """Return a picture as a data address that pages show by themselves, and its rows and columns.

    It is drawn anew: nothing else that a file may carry gets to a page.
    """
    picture = _opened(source, most, False, name or _name(source))
    held = io.BytesIO()
    if max(picture.size) <= _LOSSLESS:
        kind = "png"
        picture.save(held, "PNG")
    else:
        kind = "jpeg"
        picture.save(held, "JPEG", quality=_QUALITY)
    width, height = picture.size
    return f"data:image/{kind};base64,{base64.b64encode(held.getvalue()).decode()}", (height, width)


def _opened(source: Path | bytes, most: int, square: bool, name: str) -> Any:
    pil = import_pillow("Opening pictures")
    size = len(source) if isinstance(source, bytes) else _size(source, name)
    if size > MOST_BYTES:
        raise DataError(
            f"The picture {name} is a file of {readable_size(size)}, and at most "
            f"{readable_size(MOST_BYTES)} are opened. Make it smaller."
        )
    held = io.BytesIO(source) if isinstance(source, bytes) else source
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what is odd about a file that opens is no matter
            with pil.Image.open(held, formats=_KINDS) as picture:
                width, height = picture.size
                if width * height > MOST_POINTS:
                    raise DataError(
                        f"The picture {name} has {width:,} x {height:,} points, and at most "
                        f"{MOST_POINTS:,} are opened. Make it smaller."
                    )
                # A JPEG is unpacked at an eighth or so of its size where that is enough.
                picture.draft("RGB", (2 * most, 2 * most))
                upright = pil.ImageOps.exif_transpose(picture)
                return _resized(pil, _on_white(pil, upright), most, square)
    except DataError:
        raise
    except Exception as problem:  # whatever a damaged file makes Pillow come up with
        words = " ".join(str(problem).split())[:120].rstrip(".")
        words = words.replace(str(source), name) if isinstance(source, Path) else words
        raise DataError(
            f"The picture {name} cannot be opened ({words or type(problem).__name__}). Expected a "
            f"file of {', '.join(_KINDS[:-1])} or {_KINDS[-1]}."
        ) from None


def _on_white(pil: Any, picture: Any) -> Any:
    """Return the picture in red, green and blue; what shows through is white."""
    if picture.mode in ("I", "I;16", "I;16B", "I;16L", "F"):  # more than a byte a point
        numbers = np.asarray(picture, dtype=np.float64)
        low, high = float(np.nanmin(numbers)), float(np.nanmax(numbers))
        stretched = 255 * (np.nan_to_num(numbers) - low) / ((high - low) or 1.0)
        return pil.Image.fromarray(stretched.astype(np.uint8)).convert("RGB")
    if "A" in picture.getbands() or "transparency" in picture.info:
        clear = picture.convert("RGBA")
        ground = pil.Image.new("RGBA", clear.size, "white")
        return pil.Image.alpha_composite(ground, clear).convert("RGB")
    return picture.convert("RGB")


def _resized(pil: Any, picture: Any, most: int, square: bool) -> Any:
    width, height = picture.size
    if square:
        wanted = (most, most)
    else:
        shrink = min(1.0, most / max(width, height))
        wanted = (max(1, round(width * shrink)), max(1, round(height * shrink)))
    if wanted == picture.size:
        return picture
    return picture.resize(wanted, pil.Image.Resampling.LANCZOS, reducing_gap=2.0)


def _size(path: Path, name: str) -> int:
    try:
        if not path.is_file():
            raise DataError(f"There is no picture {name}. Check the name and the folder.")
        return path.stat().st_size
    except OSError as problem:
        raise DataError(f"The picture {name} cannot be read: {problem.strerror}.") from None


def _name(source: Path | bytes) -> str:
    return "given as bytes" if isinstance(source, bytes) else source.name
