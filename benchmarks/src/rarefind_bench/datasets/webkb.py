"""WebKB from where it is published: pages of four universities, built from the archive.

The archive has a folder for each class, in it one for each university, in it the pages, each with
the header of the server's answer above its HTML. No checksum is published with it, so what is built
is verified by the number of pages of every class and university.
"""

from __future__ import annotations

import re
import tarfile
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rarefind.core.errors import DataError
from rarefind_bench.datasets.resumed import fetch_resumed

ADDRESS = "http://www.cs.cmu.edu/afs/cs.cmu.edu/project/theo-20/www/data/webkb-data.gtar.gz"
"""Where the archive is published."""

ARCHIVE = "webkb-data.gtar.gz"
"""What it is called there, and in the cache."""

UNIVERSITIES = ("cornell", "misc", "texas", "washington", "wisconsin")
"""Whose pages were gathered; misc are many others."""

PAGES: dict[str, tuple[int, ...]] = {
    "course": (44, 686, 38, 77, 85),
    "department": (1, 178, 1, 1, 1),
    "faculty": (34, 971, 46, 31, 42),
    "other": (619, 693, 571, 939, 942),
    "project": (20, 418, 20, 21, 25),
    "staff": (21, 91, 3, 10, 12),
    "student": (128, 1083, 148, 126, 156),
}
"""Pages of each class, by university: what the archive must hold."""

_TEST = "wisconsin"
"""One fold of the usual comparison, which leaves out a university at a time."""

_LARGEST_PAGE, _MOST_PAGES = 4 * 2**20, 20_000
"""Bytes of a page, and pages, that are read at most: the archive might be another one."""

_LARGEST_ARCHIVE = 200 * 2**20
"""Bytes of the archive that are taken at most."""

_HEADER_END = re.compile(rb"\r?\n\r?\n")
"""Parts the server's answer from the page."""


Pages = tuple[list[NDArray[Any]], list[str]]
"""Columns text, university and split; and the class of each page."""


def fetched(cache: Path) -> Pages:
    """Fetch the archive into the cache, going on from what is there of it, and build."""
    return build(fetch_resumed(ADDRESS, cache / ARCHIVE, largest=_LARGEST_ARCHIVE))


def build(archive: Path) -> Pages:
    """Read the pages of the archive; they come in the order of class, university and name."""
    try:
        pages = _pages(archive)
    except (tarfile.TarError, EOFError, OSError) as problem:
        raise DataError(f"{archive.name} is no whole archive ({problem})") from None
    _verify(Counter((label, university) for label, university, _, _ in pages))
    pages.sort(key=lambda page: page[:3])
    labels = [label for label, _, _, _ in pages]
    texts = np.array([page_text(content) for _, _, _, content in pages], dtype=object)
    places = np.array([university for _, university, _, _ in pages], dtype=object)
    split = np.where(places == _TEST, "test", "train").astype(object)
    return [texts, places, split], labels


def _pages(archive: Path) -> list[tuple[str, str, str, bytes]]:
    pages: list[tuple[str, str, str, bytes]] = []
    # Read as a stream and never unpacked, so that no name in it can lead anywhere.
    with tarfile.open(archive, "r|gz") as members:
        for member in members:
            parts = PurePosixPath(member.name).parts
            if not member.isfile() or len(parts) < 3 or parts[-3] not in PAGES:
                continue
            if member.size > _LARGEST_PAGE or len(pages) >= _MOST_PAGES:
                raise DataError(f"{archive.name} holds more than WebKB does ({member.name:.80})")
            content = members.extractfile(member)
            assert content is not None  # it is a file
            pages.append((parts[-3], parts[-2], parts[-1], content.read()))
    return pages


def _verify(found: Counter[tuple[str, str]]) -> None:
    wanted = {
        (label, university): count
        for label, counts in PAGES.items()
        for university, count in zip(UNIVERSITIES, counts, strict=True)
    }
    for pair in sorted({*wanted, *found}):
        if found[pair] != wanted.get(pair, 0):
            label, university = pair
            raise DataError(
                f"{wanted.get(pair, 0)} pages of class {label!r} from {university} were expected, "
                f"{found[pair]} came"
            )


def page_text(content: bytes) -> str:
    r"""Return the words of a page: without the answer's header, tags, scripts and comments.

    >>> page_text(b"Server: x\nDate: y\n\n<title>A&amp;B</title> <p>one\n <!-- two -->three")
    'A&B one three'
    """
    parts = _HEADER_END.split(content, maxsplit=1)
    reader = _Words()
    reader.feed((parts[1] if len(parts) == 2 else content).decode("latin-1"))
    reader.close()
    return " ".join(" ".join(reader.words).split())


class _Words(HTMLParser):
    """Collects what is neither tag, comment, script nor style."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.words: list[str] = []
        self._silent = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        """Begin to leave out a script."""
        self._silent += tag in ("script", "style")

    def handle_endtag(self, tag: str) -> None:
        """Go on after a script."""
        self._silent = max(0, self._silent - (tag in ("script", "style")))

    def handle_data(self, data: str) -> None:
        """Keep words."""
        if not self._silent:
            self.words.append(data)
