"""What may be kept: text that every engine takes, whole numbers, and mappings as JSON."""

from __future__ import annotations

import json
import operator
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rarefind.core.asked_by import UNKNOWN, AskedBy
from rarefind.core.errors import ParameterError
from rarefind.store.contract import Candidate, Event
from rarefind.store.rules.renames import read_rename, rename_value

LONGEST_ID = 100
"""Characters: a UUID has 36, a digest 64."""

LONGEST_NAME = 200
"""Characters of a name: a long one, and no essay."""

LONGEST_LABEL = 1000
"""Characters of a label: a sentence or two for those who label with words."""

LARGEST_ROW = 2**63 - 1
"""The largest whole number both databases hold."""


def clean_text(what: str, text: object, longest: int) -> str:
    """Return the text, or refuse in a sentence what a database cannot hold."""
    if not isinstance(text, str):
        raise ParameterError(f"The {what} must be text. Got {text!r} instead.")
    if not text:
        raise ParameterError(f"The {what} must not be empty.")
    if len(text) > longest:
        raise ParameterError(
            f"The {what} must have at most {longest} characters. Got {len(text)}: shorten it."
        )
    if "\x00" in text:
        raise ParameterError(f"The {what} holds a NUL character, which no database keeps.")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ParameterError(
            f"The {what} holds half a character (a lone surrogate): {ascii(text)[:80]}."
        ) from None
    return text


def clean_row(row: object) -> int:
    """Return the row as a Python integer that both databases hold."""
    try:
        number = operator.index(row)  # type: ignore[arg-type]
    except TypeError:
        number = -1
    if isinstance(row, bool) or not 0 <= number <= LARGEST_ROW:
        raise ParameterError(f"A row must be a whole number from 0. Got {row!r} instead.")
    return number


def clean_event(event: Event) -> Event:
    """Return the event with plain types, or say which part of it cannot be kept."""
    if event.kind not in ("label", "skip", "undo", "append", "rename"):
        raise ParameterError(
            f"The kind of an event must be label, skip, undo, append or rename. Got {event.kind!r}."
        )
    spoken = event.kind in ("label", "skip")
    if spoken == (event.row is None):
        raise ParameterError(
            f"An event of the kind {event.kind!r} must {'' if spoken else 'not '}name a row. "
            f"Got {event.row!r}."
        )
    if (event.kind == "skip") != (event.value is None):
        words = "must not have a value" if event.kind == "skip" else "must have a value"
        raise ParameterError(f"An event of the kind {event.kind!r} {words}. Got {event.value!r}.")
    value = event.value
    if event.kind == "label":
        value = clean_text("label", value, LONGEST_LABEL)
    elif event.kind == "rename":
        value = clean_rename(value)
    elif value is not None:
        value = clean_text(f"value of an {event.kind}", value, LONGEST_ID)
    return replace(
        event,
        id=clean_text("id of an event", event.id, LONGEST_ID),
        hunt=clean_text("hunt of an event", event.hunt, LONGEST_ID),
        row=None if event.row is None else clean_row(event.row),
        value=value,
        annotator=clean_text("name of an annotator", event.annotator, LONGEST_NAME),
    )


def clean_rename(value: str | None) -> str:
    """Return the value of a rename as it is kept, or say which of its names cannot be."""
    old, new = read_rename(value)
    if old == new:
        raise ParameterError(f"The class {old!r} has that name already: give it another.")
    return rename_value(
        clean_text("old name of a class", old, LONGEST_LABEL),
        clean_text("new name of a class", new, LONGEST_LABEL),
    )


def to_json(what: str, mapping: Mapping[str, Any]) -> str:
    """Write a mapping as JSON in plain ASCII, which every engine keeps unchanged."""
    try:
        return json.dumps(dict(mapping), sort_keys=True)
    except (TypeError, ValueError) as problem:
        raise ParameterError(
            f"The {what} must hold only text, numbers, lists and mappings: {problem}."
        ) from None


def candidate_to_json(candidate: Candidate) -> str:
    """Write down why a row is asked about, for whoever resumes the lease."""
    evidence = {str(name): float(value) for name, value in candidate.evidence.items()}
    neighbours = [clean_row(row) for row in candidate.neighbours]
    return to_json(
        "reason of a question",
        {
            "why": str(candidate.why),
            "evidence": evidence,
            "neighbours": neighbours,
            "asked_by": candidate.asked_by.written(),
        },
    )


def candidate_from_json(row: int, text: str) -> Candidate:
    """Read what ``candidate_to_json`` wrote."""
    document = json.loads(text)
    written = document.get("asked_by")  # which version 1 did not keep
    return Candidate(
        row,
        document["why"],
        document["evidence"],
        tuple(document["neighbours"]),
        UNKNOWN if written is None else AskedBy.read(written),
    )
