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

_WEIGHT = {"WEBP": 4}
"""How many times the usual memory kinds take for a point: WebP is unpacked as if it moved."""

BAND = 2**22
"""Points of a very large picture that are looked at together, and 16 bytes for each of them."""

_DEEP = ("I", "I;16", "I;16B", "I;16L", "F")
"""Modes of more than a byte a point."""

_TURN = 0x0112
"""Number of the mark that says how a camera was held."""

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
                allowed = MOST_POINTS // _WEIGHT.get(picture.format, 1)
                if width * height > allowed:
                    raise DataError(
                        f"The picture {name} has {width:,} x {height:,} points, and at most "
                        f"{allowed:,} are opened. Make it smaller."
                    )
                # A JPEG is unpacked at an eighth or so of its size where that is enough.
                picture.draft("RGB", (2 * most, 2 * most))
                picture.load()  # which turns some kinds by itself
                turn = picture.getexif().get(_TURN)
                handy = _by_bands(pil, picture, most, square)
                if handy is not picture and turn is not None:
                    handy.getexif()[_TURN] = turn
                upright = pil.ImageOps.exif_transpose(handy)
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


def _by_bands(pil: Any, picture: Any, most: int, square: bool) -> Any:
    """Return a very large picture smaller, never holding another one as large.

    As in ``_resized``, at least twice the wanted points are left.
    """
    width, height = picture.size
    sides = (width, height) if square else (max(width, height),) * 2
    across, down = (max(1, side // (2 * most)) for side in sides)
    if width * height <= 4 * BAND or across * down == 1:
        return picture
    step = down * max(1, BAND // (width * down))
    small = pil.Image.new("RGB", (-(-width // across), -(-height // down)))
    tops = range(0, height, step)
    span = None
    if picture.mode in _DEEP:
        spans = [_span(_band(picture, top, step)) for top in tops]
        span = min(low for low, _ in spans), max(high for _, high in spans)
    for top in tops:
        band = _on_white(pil, _band(picture, top, step), span)
        small.paste(band.reduce((across, down)), (0, top // down))
    return small


def _band(picture: Any, top: int, step: int) -> Any:
    return picture.crop((0, top, picture.width, min(picture.height, top + step)))


def _span(picture: Any) -> tuple[float, float]:
    """Return the least and the largest number of a picture."""
    numbers = np.asarray(picture, dtype=np.float64)
    return float(np.nanmin(numbers)), float(np.nanmax(numbers))


def _on_white(pil: Any, picture: Any, span: tuple[float, float] | None = None) -> Any:
    """Return the picture in red, green and blue; what shows through is white."""
    if picture.mode in _DEEP:
        low, high = _span(picture) if span is None else span
        numbers = np.asarray(picture, dtype=np.float64)
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
