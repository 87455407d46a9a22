"""Facts about a model, and how they are shown."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any


@dataclass(frozen=True)
class Fact:
    """One line of a report."""

    name: str
    value: Any
    note: str = ""

    @property
    def shown(self) -> str:
        """The value as a person reads it."""
        if isinstance(self.value, float):
            return f"{self.value:.4g}"
        return "none" if self.value is None else str(self.value)


@dataclass(frozen=True)
class ModelReport:
    """A report in sections of facts; printing it gives the text."""

    title: str
    sections: dict[str, list[Fact]]

    def to_dict(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        found: dict[str, Any] = {"model": self.title}
        for section, facts in self.sections.items():
            found[section] = {fact.name: fact.value for fact in facts}
        return found

    def to_text(self) -> str:
        """Lines for a terminal."""
        width = max(len(fact.name) for facts in self.sections.values() for fact in facts)
        lines = [self.title]
        for section, facts in self.sections.items():
            lines += ["", section]
            for fact in facts:
                note = f"  ({fact.note})" if fact.note else ""
                lines.append(f"  {fact.name:<{width}}  {fact.shown}{note}")
        return "\n".join(lines)

    def to_html(self) -> str:
        """Give a fragment of HTML: a heading and one table per section."""
        parts = [f"<section><h2>{escape(self.title)}</h2>"]
        for section, facts in self.sections.items():
            parts.append(f"<h3>{escape(section)}</h3><table>")
            for fact in facts:
                cells = f"<td>{escape(fact.shown)}</td><td>{escape(fact.note)}</td>"
                parts.append(f'<tr><th scope="row">{escape(fact.name)}</th>{cells}</tr>')
            parts.append("</table>")
        return "".join([*parts, "</section>"])

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return self.to_html()
