"""How a record is laid out on the terminal, with what is unusual about it marked."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rich.console import Group
from rich.table import Table as Grid
from rich.text import Text

from rarefind.service.showing.record import FieldView, RecordView

MOST_FIELDS = 24
"""Fields shown of a record; the most unusual ones come first when there are more."""

_SHADES = " .:-=+*#%@"
"""Characters from no ink to most."""

_LONGEST_TEXT = 1500
"""Characters of a text shown: about twenty lines of eighty, so that the question stays in sight."""

_WIDEST_PICTURE = 40
"""Points of a picture in a line, two characters each: a terminal has eighty."""


def record_panel(record: RecordView) -> Group:
    """Lay out a record: what it looks like, then names and values with the unusual ones marked."""
    drawn = [_drawn(payload) for payload in record.payloads]
    if len(record.fields) > 1:  # a text alone needs no name
        drawn = [
            _named(payload, part) for payload, part in zip(record.payloads, drawn, strict=True)
        ]
    shown_whole = {str(payload.get("name")) for payload in record.payloads if _drawn(payload)}
    fields = [each for each in record.fields if each.name not in shown_whole]
    parts: list[Any] = [part for part in drawn if part is not None]
    if fields:
        parts.append(_fields(fields))
    return Group(*parts)


def _fields(fields: list[FieldView]) -> Grid:
    shown = fields
    if len(fields) > MOST_FIELDS:
        shown = sorted(fields, key=lambda field: -field.unusual)[:MOST_FIELDS]
    table = Grid(box=None, show_header=False, pad_edge=False)
    for field in shown:
        style = "bold yellow" if field.marked else ""
        note = field.note if field.marked else ""
        table.add_row(
            Text(field.name, style="dim"), Text(field.value, style=style), Text(note, "yellow")
        )
    if len(fields) > len(shown):
        left = len(fields) - len(shown)
        table.add_row(Text(f"and {left} fields nearer to the ordinary", style="dim"), "", "")
    return table


def _drawn(payload: Mapping[str, Any]) -> Text | None:
    kind = payload["kind"]
    if kind == "picture":
        return _picture(payload) if "values" in payload else None  # its name is among the fields
    if kind == "broken":
        return Text(str(payload["text"]), style="yellow")
    if kind == "text":
        text = str(payload["text"])
        words = Text(text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} …")
        for start, end in payload["marks"]:
            words.stylize("bold yellow", start, end)
        return words
    if kind == "sequence":
        letters = Text(str(payload["text"]))
        for start, end in payload["marks"]:
            letters.stylize("bold yellow", start, end)
        return letters
    return None


def _named(payload: Mapping[str, Any], drawn: Text | None) -> Text | None:
    """Put the name of its column before a text, which may be as short as a number."""
    if drawn is None or payload["kind"] not in ("text", "sequence"):
        return drawn
    return Text.assemble((f"{payload['name']}  ", "dim"), drawn)


def _picture(payload: Mapping[str, Any]) -> Text:
    """Draw a picture with characters, two wide for each point."""
    height, width = payload["shape"]
    values = payload["values"]
    step = -(-width // _WIDEST_PICTURE)
    lines = []
    for line in range(0, height, step):
        shades = [
            _SHADES[round(values[line * width + column] * (len(_SHADES) - 1))] * 2
            for column in range(0, width, step)
        ]
        lines.append("".join(shades))
    return Text("\n".join(lines))
