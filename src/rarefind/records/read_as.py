"""What somebody says about how a file is to be read, where looking at it could mislead."""

from __future__ import annotations

import codecs
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from rarefind.core.errors import ParameterError
from rarefind.core.names import unknown_name
from rarefind.records.columns.gap_words import GapWords

_NAMED = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "blank": " ", "space": " "}
"""Delimiters that are hard to type, by name."""


@dataclass(frozen=True)
class ReadAs:
    r"""How a file is read; what is not said is found out.

    Attributes
    ----------
    delimiter
        What stands between the cells of a text file.
    encoding
        How a text file writes letters, as Python calls it: ``"latin-1"``, ``"utf-16"``.
    header
        Whether the first line of a text file or a sheet holds names.
    missing
        Words that stand for a gap, besides the usual ones.
    pictures
        The folder in which names of pictures begin, where that is not the folder of the file.
    embeddings
        A file of embeddings, and after a colon the column that tells whose they are.
    embed
        The model that makes embeddings of the pictures or texts.

    Examples
    --------
    >>> ReadAs.from_mapping({"delimiter": "tab", "missing": ["-999"]}).check().as_mapping()
    {'delimiter': '\t', 'missing': ['-999']}
    """

    delimiter: str | None = None
    encoding: str | None = None
    header: bool | None = None
    missing: tuple[str, ...] = ()
    pictures: str | None = None
    embeddings: str | None = None
    embed: str | None = None

    def check(self) -> ReadAs:
        """Refuse, in a sentence, what no file is read by; delimiters may be named."""
        delimiter = None if self.delimiter is None else _NAMED.get(self.delimiter, self.delimiter)
        if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n\0'):
            raise ParameterError(
                "The delimiter of a file must be one character, or the word tab. Got "
                f"{self.delimiter!r} instead."
            )
        if self.encoding is not None:
            try:
                text = codecs.lookup(self.encoding)._is_text_encoding
            except LookupError:
                text = False
            if not text:
                raise ParameterError(
                    f"There is no encoding {self.encoding!r}. Expected one that Python knows, such "
                    "as utf-8, latin-1, windows-1252, utf-16 or shift-jis."
                )
        if self.header not in (True, False, None):
            raise ParameterError(f"The header of a file is there or not. Got {self.header!r}.")
        if not all(isinstance(word, str) for word in self.missing):
            raise ParameterError(f"Words for a gap must be words. Got {self.missing!r}.")
        if self.embed is not None and self.embeddings is not None:
            raise ParameterError(
                "Embeddings come from a file or from a model. Got both, 'embeddings' "
                f"{self.embeddings!r} and 'embed' {self.embed!r}: leave one out."
            )
        return replace(self, delimiter=delimiter)

    @property
    def gaps(self) -> GapWords:
        """The words for a gap, as cells are compared with them."""
        return GapWords(self.missing)

    def as_mapping(self) -> dict[str, Any]:
        """Return what was said as plain values, ready for JSON."""
        plain: dict[str, Any] = {each.name: getattr(self, each.name) for each in fields(self)}
        plain["missing"] = list(self.missing)
        return {name: value for name, value in plain.items() if value not in (None, [])}

    @classmethod
    def from_mapping(cls, plain: Mapping[str, Any]) -> ReadAs:
        """Read what ``as_mapping`` gave."""
        known = [each.name for each in fields(cls)]
        for name in plain:
            if name not in known:
                raise unknown_name("way to read a file by", name, known)
        return cls(**{**plain, "missing": tuple(plain.get("missing", ()))})


USUAL = ReadAs()
"""Nothing said: all is found out."""
