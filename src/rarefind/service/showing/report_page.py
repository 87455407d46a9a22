"""A whole hunt as one page: what the data are, what was found, by whom, and what may be unseen."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from rarefind._version import __version__
from rarefind.evaluation.label_counts import random_labels_needed
from rarefind.evaluation.page import Page
from rarefind.evaluation.plots import draw_found
from rarefind.service.hunts.settings import in_words
from rarefind.service.showing.record import RecordViewer
from rarefind.service.showing.report_ranking import ranking_section
from rarefind.service.showing.views import HuntView, ProgressView, RankingView
from rarefind.store.contract import RankingEntry

_MOST_COLUMNS, _MOST_DISAGREEMENTS, _MOST_RANKINGS = 60, 100, 12
"""Rows of each table at most, so that the page stays one that is read; what is left out is
counted."""


@dataclass(frozen=True)
class ReportParts:
    """All that a report tells.

    Attributes
    ----------
    view, progress
        The hunt, and how far it has come.
    taken_back
        How many answers were taken back.
    viewer, truth
        What shows the records, and the label column; None where the file is gone.
    rankings
        Every ranking in short, and with its rows.
    problem
        Why the file could not be read again, if it could not.
    """

    view: HuntView
    progress: ProgressView
    taken_back: int
    viewer: RecordViewer | None
    truth: Sequence[str | None] | None
    rankings: Sequence[tuple[RankingView, RankingEntry]]
    problem: str | None = None

    def summary(self, row: int) -> str:
        """Tell a record in a line, as far as it is known."""
        if self.viewer is None or row >= self.viewer.table.n_rows:
            return ""
        return self.viewer.summary(row)

    @property
    def sizes(self) -> Counter[str] | None:
        """How many records each class has, where the label column tells it of every record."""
        if self.truth is None or any(label is None for label in self.truth):
            return None
        return Counter(str(label) for label in self.truth)


def hunt_report(parts: ReportParts) -> str:
    """Return the page."""
    progress, view = parts.progress, parts.view
    rare = [each for each in progress.classes if not each.background]
    page = Page(
        f"What was found in {view.title}",
        f"{_counted(len(rare), 'rare class', 'rare classes')} among {view.n_records:,} records of "
        f"{view.dataset}, with {_counted(progress.labels, 'label')}.",
    )
    _discovery(page, parts)
    _outlook(page, progress)
    _people(page, parts)
    for ranking, entry in reversed(parts.rankings[-_MOST_RANKINGS:]):
        ranking_section(page, ranking, entry, parts.truth, parts.summary)
    left = len(parts.rankings) - _MOST_RANKINGS
    if left > 0:
        page.text(f"{_counted(left, 'earlier ranking')} left out here.")
    _data(page, parts)
    _settings(page, view)
    written = time.strftime("%Y-%m-%d %H:%M", time.localtime())
    page.text(f"Written {written} by rarefind {__version__}.")
    return page.html()


def _discovery(page: Page, parts: ReportParts) -> None:
    progress, sizes = parts.progress, parts.sizes
    page.section("Classes found", _against_random(parts))
    if len(progress.curve) > 1:
        # A long curve comes thinned: each step is several labels wide.
        step = progress.labels / (len(progress.curve) - 1)
        page.chart(
            "Rare classes seen after each label.",
            lambda axes: draw_found(axes, progress.curve, progress.random, step),
        )
    header = ["class", "labels", "first seen at label", "first example", "what it is"]
    if sizes is not None:
        header[2:2] = ["records of it", "random sampling first sees it at"]
    rows = []
    for each in progress.classes:
        name = f"{each.name} (ordinary)" if each.background else each.name
        row: list[object] = [name, each.count, each.first_at_label, f"row {each.first_row}"]
        row.append(parts.summary(each.first_row))
        if sizes is not None:
            size = sizes.get(each.name, 0)
            row[2:2] = [size, round((progress.n_records + 1) / (size + 1), 1)]
        rows.append(row)
    if rows:
        page.table(header, rows)


def _against_random(parts: ReportParts) -> str:
    progress, sizes = parts.progress, parts.sizes
    if not progress.labels:
        return "Nobody has answered a question yet."
    if sizes is None:
        return (
            "How many labels random sampling would have needed can be told only where the true "
            "class of every record is known, in a label column."
        )
    rare = {name: size for name, size in sizes.items() if name not in progress.background}
    told = {each.name for each in progress.classes}
    seen = {name: size for name, size in rare.items() if name in told}
    if not seen:
        return f"None of the {len(rare)} rare classes in the label column has been seen yet."
    last = max(each.first_at_label for each in progress.classes if each.name in seen)
    chance = random_labels_needed(list(seen.values()), progress.n_records)
    return (
        f"Of {_counted(len(rare), 'rare class', 'rare classes')} in the label column, {len(seen)} "
        f"seen with {_counted(last, 'label')}; random sampling needs {chance:,.0f} on average for "
        "the same."
    )


def _outlook(page: Page, progress: ProgressView) -> None:
    page.section("When can I stop?", progress.outlook_words)
    ahead = progress.outlook
    if ahead["labels"] < 10:
        return
    page.table(
        ["figure", "so far", "what it supposes"],
        [
            ("labels since the last new class", int(ahead["since_last_new"]), "nothing"),
            (
                "largest share of all classes not seen together, at 95 % for the whole hunt",
                f"{ahead['largest_unseen_share']:.2%}",
                "questions find new classes no worse than random draws would",
            ),
            (
                "chance that the next question shows a new class",
                f"{ahead['chance_of_new']:.1%}",
                "rather too high: questions favour the new, and finds become rarer",
            ),
        ],
    )


def _people(page: Page, parts: ReportParts) -> None:
    progress = parts.progress
    page.section(
        "Labels and people",
        f"{_counted(progress.labels, 'record')} labelled, {progress.skipped:,} left undecided, "
        f"{_counted(parts.taken_back, 'answer')} taken back.",
    )
    if progress.annotators:
        page.table(["who", "labels that stand"], list(progress.annotators.items()))
    if not progress.disagreements:
        several = len(progress.annotators) > 1
        page.text("Nobody disagrees about any record." if several else "")
        return
    page.text(
        f"People disagree about {_counted(len(progress.disagreements), 'record')}. The word of "
        "most counts, of the first among equals."
    )
    page.table(
        ["record", "what everybody said", "counts as", "what it is"],
        [
            (
                f"row {each.row}",
                ", ".join(f"{who}: {label}" for who, label in each.words.items()),
                each.label,
                parts.summary(each.row),
            )
            for each in progress.disagreements[:_MOST_DISAGREEMENTS]
        ],
    )


def _data(page: Page, parts: ReportParts) -> None:
    view = parts.view
    page.section("The data", f"{view.n_records:,} records of {view.dataset}.")
    if parts.viewer is None:
        page.text(f"The file was not read for this page: {parts.problem}")
        return
    kinds = parts.viewer.kinds
    page.table(
        ["column", "holds", "because", "missing"],
        [(each.name, each.kind, each.why, each.missing) for each in kinds[:_MOST_COLUMNS]],
    )
    more = len(kinds) - _MOST_COLUMNS
    if more > 0:
        page.text(f"And {_counted(more, 'more column')}.")


def _settings(page: Page, view: HuntView) -> None:
    page.section("Settings")
    names = {
        "strategy": "how questions are chosen",
        "kernel": "how records are compared",
        "priors": "shares of the rare classes, as believed",
        "background": "ordinary classes",
        "seed": "random seed",
        "label_column": "label column",
        "leave_out": "columns not compared by",
        "overlap": "people asked about each record",
    }
    begun = time.strftime("%Y-%m-%d %H:%M", time.localtime(view.created_at))
    rows = [("begun", begun)]
    rows += [(words, in_words(view.settings.get(name))) for name, words in names.items()]
    page.table(["setting", "chosen"], [row for row in rows if row[1]])


def _counted(number: int, thing: str, things: str | None = None) -> str:
    return f"{number:,} {thing if number == 1 else things or thing + 's'}"
