"""How far a hunt has come, computed from the log alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple
from typing import Any

from rarefind.core.asked_by import outside_search
from rarefind.discovery.class_keys import KEYS
from rarefind.discovery.contract.labels import Often
from rarefind.discovery.outlook import outlook
from rarefind.evaluation.label_counts import classes_found, random_classes_found
from rarefind.service.asking.log import HuntLog
from rarefind.service.asking.tally import Tally
from rarefind.service.hunts.settings import HuntSettings
from rarefind.service.showing.views import (
    AnswerView,
    ClassView,
    Disagreement,
    LeaseView,
    ProgressView,
)
from rarefind.store.contract import Lease
from rarefind.store.rules.projection import Projection

_LONGEST_CURVE = 2000
"""A discovery curve has at most this many points; of a longer one every n-th is kept."""


def progress_view(
    log: HuntLog,
    settings: HuntSettings,
    n_records: int,
    leases: Iterable[Lease],
    truth: Sequence[str | None] | None,
) -> ProgressView:
    """Sum up a hunt."""
    told = list(log.labels().values())
    classes = class_views(log, settings)
    told_ordinary = tuple(each.name for each in classes if each.background)
    ordinary = tuple(settings.background) or told_ordinary
    ahead = log.view("outlook", lambda _: outlook(told, n_records, _unasked(log)))
    curve = log.view(f"curve {ordinary}", lambda _: _thinned(classes_found(told, ordinary)))
    return ProgressView(
        labels=len(told),
        skipped=len(log.tally(lambda tally: tally.skipped)),
        n_records=n_records,
        classes=classes,
        answers=answer_views(log, settings),
        background=ordinary,
        annotators=log.tally(lambda tally: tally.counts),
        curve=tuple(int(number) for number in curve),
        random=_random_curve(truth, ordinary, len(told), n_records),
        outlook=asdict(ahead),
        outlook_words=str(ahead),
        disagreements=log.tally(_disagreements),
        leases=tuple(
            LeaseView(lease.candidate.row, lease.annotator, lease.expires_at) for lease in leases
        ),
    )


def class_views(log: HuntLog, settings: HuntSettings) -> tuple[ClassView, ...]:
    """List the classes told so far, in the order they were first told."""

    def make(_: Projection) -> tuple[ClassView, ...]:
        agreed = log.labels()
        counts = Counter(agreed.values())
        ordinary = settings.background or _answered_most(log)
        first: dict[str, tuple[int, int]] = {}
        for place, (row, label) in enumerate(agreed.items(), start=1):
            first.setdefault(label, (row, place))
        return tuple(
            ClassView(name, counts[name], row, place, name in ordinary)
            for name, (row, place) in first.items()
        )

    return log.view(f"classes {settings.background}", make)


def _answered_most(log: HuntLog) -> list[str]:
    """Name the class told most often in answer to questions; none before the first answer."""
    often = Often(log.tally(lambda tally: tally.said))
    return [str(name) for name, _ in often.most_common(1)]


def _unasked(log: HuntLog) -> list[bool]:
    said = {each.row: outside_search(each.asked_by) for each in log.tally(lambda tally: tally.said)}
    return [said.get(row, False) for row in log.labels()]


def answer_views(log: HuntLog, settings: HuntSettings) -> tuple[AnswerView, ...]:
    """List the classes one can answer with, in the order of their keys."""

    def make(projection: Projection) -> tuple[AnswerView, ...]:
        held = [word.label for word in projection.statements if word.label is not None]
        known, _ = settings.named_at_first()
        names = dict.fromkeys([*known, *settings.background, *held])
        views = [
            AnswerView(name, *astuple(log.answer(name, settings.keys, settings.colours)))
            for name in names
        ]
        places = {key: place for place, key in enumerate(KEYS)}
        return tuple(sorted(views, key=lambda view: places.get(view.key or "", len(KEYS))))

    return log.view(f"answers {settings.keys} {settings.colours} {settings.background}", make)


def _disagreements(tally: Tally) -> tuple[Disagreement, ...]:
    return tuple(
        Disagreement(row, words, tally.label_of(row) or "")
        for row, words in tally.disagreements.items()
    )


def _random_curve(
    truth: Sequence[str | None] | None, ordinary: Sequence[str], labels: int, n: int
) -> tuple[float, ...] | None:
    if truth is None or None in truth or not labels:
        return None
    sizes = [size for name, size in Counter(truth).items() if name not in ordinary]
    if not sizes:
        return None
    curve = random_classes_found(sizes, n, min(labels, n))
    return tuple(float(value) for value in _thinned(curve))


def _thinned(curve: Any) -> Any:
    step = -(-len(curve) // _LONGEST_CURVE)
    return curve if step <= 1 else curve[::step]
