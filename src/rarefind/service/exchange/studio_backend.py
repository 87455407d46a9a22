"""Label Studio driven by a hunt: rarefind as its machine-learning backend.

Label Studio asks for a prediction of each task and can put the task with the lowest score first.
So the tasks that the strategy would ask about get the lowest scores, in its order, and what people
annotate there is told to the hunt.
"""

from __future__ import annotations

import re
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rarefind.core.errors import RarefindError
from rarefind.service.exchange.label_studio import task_label, task_row, task_who

if TYPE_CHECKING:
    from rarefind.service.facade import Service

WHO = "label-studio"
"""Who holds the questions that Label Studio shows."""

_AHEAD = 50
"""Questions held for Label Studio: more than a team annotates before it asks again."""

_UNASKED, _DONE = 0.9, 1.0
"""Scores of tasks that nobody needs to look at now, and of those with a label."""

_CONTROL = re.compile(r"<\s*(Choices|Labels|Taxonomy)\b([^>]{0,2000})>")
"""What of a labelling interface people answer with; read as text, since it may hold anything."""

_ATTRIBUTE = re.compile(r"\b(name|toName)\s*=\s*[\"']([^\"']{1,200})[\"']")
"""Its name, and that of what it speaks of."""


@dataclass(frozen=True)
class Predicted:
    """The prediction for one task, as Label Studio reads it."""

    result: tuple[Mapping[str, Any], ...]
    score: float
    model_version: str


def version(service: Service, hunt: str) -> str:
    """Name the state of a hunt: Label Studio asks again once it has changed."""
    return f"rarefind {service.hunt(hunt).labels} labels"


def predictions(
    service: Service, hunt: str, tasks: Sequence[Mapping[str, Any]], interface: str
) -> list[Predicted]:
    """Predict tasks: those to be looked at next have the lowest scores.

    A task names its record by ``rarefind_row``, or ``row``, in its data; others are never first.
    """
    service.prepare(hunt)
    labels = service.labels(hunt)
    named = version(service, hunt)
    asked = [question.row for question in service.ask(hunt, WHO, _AHEAD)]
    scores = {row: (place + 1) / (2 * _AHEAD) for place, row in enumerate(asked)}
    control = _control(interface)
    found = []
    for task in tasks:
        row = task_row(task)
        label = None if row is None else labels.get(row)
        score = _DONE if label is not None else scores.get(-1 if row is None else row, _UNASKED)
        result = () if label is None or control is None else (_result(control, label),)
        found.append(Predicted(result, score, named))
    return found


def hear(service: Service, hunt: str, action: str, sent: Mapping[str, Any]) -> bool:
    """Tell the hunt what was annotated; the same news heard twice counts once.

    Returns whether it was about an answer.
    """
    if action in ("ANNOTATION_CREATED", "ANNOTATION_UPDATED"):
        annotation, task = sent.get("annotation"), sent.get("task")
        if not isinstance(annotation, Mapping) or not isinstance(task, Mapping):
            return False
        row = task_row(task)
        if row is None:
            return False
        changed = annotation.get("updated_at") if action == "ANNOTATION_UPDATED" else ""
        event = _event(hunt, annotation.get("id"), changed)
        who = f"{WHO} {task_who(annotation) or ''}".strip()[:80]
        label = task_label(annotation, row, "Label Studio")
        if label is None:
            service.skip(hunt, row, who, event)
        else:
            service.tell(hunt, row, label, who, event)
        return True
    if action == "ANNOTATIONS_DELETED":
        gone = sent.get("annotations")
        ids = [each.get("id") for each in gone if isinstance(each, Mapping)] if gone else []
        taken = [_take_back(service, hunt, id) for id in ids]
        return any(taken)
    return False


def _take_back(service: Service, hunt: str, annotation: Any) -> bool:
    target = _event(hunt, annotation, "")
    try:
        service.undo(hunt, WHO, _event(hunt, annotation, "deleted"), target=target)
    except RarefindError:
        return False  # made before the hunt listened, or taken back here already
    return True


def _event(hunt: str, annotation: Any, changed: Any) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_URL, f"label-studio/{hunt}/{annotation}/{changed}"))


def _control(interface: str) -> tuple[str, str, str] | None:
    """Find the kind and the names of what people answer with, in a labelling interface."""
    match = _CONTROL.search(interface[:100_000])
    if match is None:
        return None
    names = dict(_ATTRIBUTE.findall(match[2]))
    return match[1].lower(), names.get("name", "label"), names.get("toName", "record")


def _result(control: tuple[str, str, str], label: str) -> dict[str, Any]:
    kind, name, to = control
    return {"from_name": name, "to_name": to, "type": kind, "value": {kind: [label]}}
