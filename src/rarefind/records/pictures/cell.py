"""A cell that is a picture: a word to people, a file or its bytes to those who open it."""

from __future__ import annotations

from pathlib import Path

ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".bmp", ".tif", ".tiff")
"""How names of pictures end, those that Pillow opens without further packages."""

_BEGINNINGS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"BM", b"II*\0", b"MM\0*")
"""What the files of these kinds begin with; WebP begins as other RIFF files do."""


class Picture(str):
    """The name of a picture as the file writes it, with what it is the name of.

    Every reader of words sees the name; only who asks for ``source`` opens the picture.

    Attributes
    ----------
    source
        The file, or the bytes of one.

    Examples
    --------
    >>> Picture("cats/1.png", Path("/photos/cats/1.png")) == "cats/1.png"
    True
    """

    __slots__ = ("source",)
    source: Path | bytes

    def __new__(cls, name: str, source: Path | bytes) -> Picture:
        """Make a cell."""
        made = super().__new__(cls, name)
        made.source = source
        return made

    def __reduce__(self) -> tuple[type[Picture], tuple[str, Path | bytes]]:
        return type(self), (str(self), self.source)


def names_a_picture(name: str) -> bool:
    """Whether a name ends as those of pictures do.

    >>> names_a_picture("Holiday 7.JPG"), names_a_picture("holidays.csv")
    (True, False)
    """
    return name.lower().endswith(ENDINGS)


def begins_a_picture(data: bytes) -> bool:
    """Whether bytes begin as a file of a picture does.

    >>> begins_a_picture(b"GIF89a"), begins_a_picture(b"PK")
    (True, False)
    """
    return data.startswith(_BEGINNINGS) or (data[:4] == b"RIFF" and data[8:12] == b"WEBP")
