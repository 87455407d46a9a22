"""A report: one HTML file that needs nothing else, neither network nor script."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from rarefind.core.errors import DataError, MissingPackageError
from rarefind.evaluation.plots import as_svg, figure

_STYLE = """
:root { color-scheme: light; --ink: #22303c; --faint: #5d6b78; --line: #e3e8ec;
  --accent: #0b6e8a; --paper: #fbfcfd; }
body { font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  margin: 0 auto; padding: 3rem 1.5rem 5rem; max-width: 62rem; }
h1 { font-size: 2rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.3rem; margin: 3rem 0 .5rem; border-top: 1px solid var(--line);
  padding-top: 2rem; }
p { max-width: 42rem; } .lead { font-size: 1.15rem; color: var(--faint); }
.charts { display: flex; flex-wrap: wrap; gap: 2rem; }
figure { margin: 1rem 0; flex: 1 1 24rem; max-width: min(100%, 36rem); }
figure svg { width: 100%; height: auto; } figcaption { color: var(--faint); font-size: .9rem; }
.frame { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { text-align: left; vertical-align: top; padding: .35rem 1.5rem .35rem 0;
  border-bottom: 1px solid var(--line); }
th { color: var(--faint); font-weight: 500; font-size: .9rem; }
td.long { overflow-wrap: anywhere; min-width: 14rem; }
td.number, th.number { text-align: right; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(5rem, 1fr));
  gap: 1rem; padding: 0; list-style: none; }
.pictures img { width: 100%; image-rendering: pixelated; border: 3px solid var(--line);
  border-radius: 6px; }
.pictures .hit img { border-color: var(--accent); }
.pictures span { display: block; font-size: .8rem; color: var(--faint); text-align: center; }
@media print { body { padding: 0; max-width: none; background: none; font-size: 11pt; }
  h2 { break-after: avoid; } figure, tr { break-inside: avoid; } .frame { overflow: visible; } }
footer { margin-top: 4rem; color: var(--faint); font-size: .9rem; }
"""
"""A page is one file, to be sent and kept."""

_NUMBER, _LONG, _SHORT = ' class="number"', ' class="long"', 30
"""What marks numbers and long words in a table, and how many letters are not long yet."""


def check_page(path: Path) -> None:
    """Refuse a path that no page can be written to, before work is spent on the page."""
    if path.suffix.lower() not in (".html", ".htm"):
        raise DataError(f"{path.name}: a page ends in .html. Got {path.suffix or 'nothing'!r}.")
    if path.is_dir() or not path.absolute().parent.is_dir():
        raise DataError(f"{path} cannot be written: it must be a file in a folder that exists.")


def write_page(path: Path, html: str) -> None:
    """Write a page to a file."""
    try:
        # What no encoding knows (half of a pair of surrogates) is written as a question mark.
        path.write_bytes(html.encode("utf-8", "replace"))
    except OSError as problem:
        raise DataError(f"{path} cannot be written: {problem.strerror}.") from None


@dataclass
class Page:
    """Sections of text, charts, tables and pictures, written as one page."""

    title: str
    lead: str
    _parts: list[str] = field(default_factory=list)

    def section(self, title: str, text: str = "") -> None:
        """Begin a section."""
        self._parts.append(f"<h2>{escape(title)}</h2>")
        self.text(text)

    def text(self, text: str) -> None:
        """Add a paragraph, if there is anything to say."""
        if text:
            self._parts.append(f"<p>{escape(text)}</p>")

    def chart(self, caption: str, draw: Callable[[Any], None]) -> None:
        """Draw a chart on the axes it gets; without matplotlib, say what is missing."""
        try:
            with figure(7.2, 3.6) as (drawn, axes):
                draw(axes)
                self.charts([(as_svg(drawn, caption), caption)])
        except MissingPackageError as missing:
            self.text(f"{caption} Left out: {missing}")

    def charts(self, charts: Sequence[tuple[str, str]]) -> None:
        """Add charts side by side: inline SVG and a caption each."""
        figures = "".join(
            f"<figure>{svg}<figcaption>{escape(caption)}</figcaption></figure>"
            for svg, caption in charts
        )
        self._parts.append(f'<div class="charts">{figures}</div>')

    def table(self, header: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
        """Add a table; numbers are set flush right."""
        numbers = [
            bool(rows) and all(isinstance(row[place], int | float) for row in rows)
            for place in range(len(header))
        ]
        head = "".join(
            f'<th scope="col"{_NUMBER if number else ""}>{escape(title)}</th>'
            for title, number in zip(header, numbers, strict=True)
        )
        body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in rows)
        self._parts.append(
            '<div class="frame" tabindex="0">'
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    def pictures(self, pictures: Sequence[tuple[str, str, bool]]) -> None:
        """Add small pictures: address, caption, and whether to frame it as a hit."""
        items = "".join(
            f'<li class="{"hit" if hit else "miss"}"><img src="{address}" alt="{escape(caption)}">'
            f"<span>{escape(caption)}</span></li>"
            for address, caption, hit in pictures
        )
        self._parts.append(f'<ul class="pictures">{items}</ul>')

    def html(self) -> str:
        """Return the whole page."""
        return (
            '<!doctype html><html lang="en"><head><meta charset="utf-8">'
            '<meta name="viewport" content="width=device-width, initial-scale=1">'
            '<link rel="icon" href="data:,">'
            f"<title>{escape(self.title)}</title><style>{_STYLE}</style></head><body><main>"
            f'<h1>{escape(self.title)}</h1><p class="lead">{escape(self.lead)}</p>'
            f"{''.join(self._parts)}</main><footer>Written by rarefind.</footer></body></html>"
        )

    def write(self, path: Path) -> None:
        """Write the page to a file."""
        write_page(path, self.html())


def _cell(value: object) -> str:
    if isinstance(value, int):
        return f"<td{_NUMBER}>{value:,}</td>"
    if isinstance(value, float):
        return f"<td{_NUMBER}>{value:,.6g}</td>"
    words = str(value)
    return f"<td{_LONG if len(words) > _SHORT else ''}>{escape(words)}</td>"
