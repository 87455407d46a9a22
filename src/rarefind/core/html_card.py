"""A few facts as a small card of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

_CARD = "border-left:3px solid #0b6e8a;padding:.2em .8em;margin:.4em 0;max-width:60em"
_NAME = "text-align:left;font-weight:600;padding-right:1em;vertical-align:top"
"""Styles stand in the elements, since the page around them is not ours."""


def html_card(title: str, sentence: str, facts: Mapping[str, object]) -> str:
    """Return a heading, a sentence and a table of facts; everything in them is plain text.

    >>> html_card("Outlook", "Nothing < all", {}).count("&lt;")
    1
    """
    rows = "".join(
        f'<tr><th scope="row" style="{_NAME}">{escape(name)}</th>'
        f'<td style="text-align:left">{escape(str(value))}</td></tr>'
        for name, value in facts.items()
    )
    table = f"<table>{rows}</table>" if rows else ""
    words = f"<div>{escape(sentence)}</div>" if sentence else ""
    return f'<div style="{_CARD}"><strong>{escape(title)}</strong>{words}{table}</div>'
