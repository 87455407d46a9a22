"""The story of one hunt on an example whose truth is known, for the demo and its report."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from rarefind.core.arrays import FloatArray
from rarefind.core.precision import average_precision
from rarefind.detection import Lago
from rarefind.discovery import Hunt, Question
from rarefind.evaluation import (
    classes_found,
    hit_curve,
    labels_needed,
    random_classes_found,
    random_labels_needed,
)
from rarefind.evaluation.page import Page
from rarefind.evaluation.plots import (
    as_svg,
    draw_discovery,
    draw_hits,
    draw_map,
    figure,
    picture_uri,
    save_picture,
)
from rarefind.records.examples import Example

_BUDGET = 300
"""Labels until the demo gives up; it needs far fewer."""


@dataclass(frozen=True)
class ExampleHunt:
    """A hunt that is over: what was asked, and how it compares with chance."""

    example: Example
    hunt: Hunt
    needed: Mapping[object, int]
    random_needs: float


@dataclass(frozen=True)
class ExampleRanking:
    """The records nobody looked at, ranked for one class from the labels of a hunt."""

    target: str
    known: int
    rows: np.ndarray
    hits: FloatArray
    average_precision: float
    chance: float

    @property
    def wanted(self) -> int:
        """How many records of the class were left to find."""
        return round(float(self.hits[-1]))


@dataclass(frozen=True)
class Looked:
    """How many records of a class were left, and how many each look at the ranking showed."""

    target: str
    left: int
    hits: tuple[int, ...]


def hunt_in(example: Example, asked: Callable[[Question, str], None], seed: int = 0) -> ExampleHunt:
    """Ask until every rare class of the example is seen, telling each question and answer."""
    sizes = example.sizes()
    hunt = Hunt(example.X, background=example.background, random_state=seed)
    while len(hunt.found) < len(sizes) and len(hunt.labels) < _BUDGET:
        question = hunt.ask()
        answer = example.labels[question.row]
        hunt.tell(question.row, answer)
        asked(question, answer)
    needed = labels_needed(hunt.labels.values(), hunt.background)
    return ExampleHunt(
        example, hunt, needed, random_labels_needed(list(sizes.values()), len(example.labels))
    )


def rank_rest(found: ExampleHunt, target: str, looked_at: Sequence[int] = ()) -> ExampleRanking:
    """Rank all records not yet looked at for one of the classes found.

    The labels are those of the hunt and of further rows that were looked at since.
    """
    told = [*found.hunt.labels, *looked_at]
    rest = np.setdiff1d(np.arange(len(found.example.labels)), told)
    wanted = np.array([label == target for label in found.example.labels])
    model = Lago(target=True, density_correction=True).fit(found.example.X[told], wanted[told])
    scores = model.decision_function(found.example.X[rest])
    order = np.argsort(-scores, kind="stable")
    return ExampleRanking(
        target,
        int(wanted[told].sum()),
        rest[order],
        hit_curve(wanted[rest], scores),
        average_precision(wanted[rest], scores) if wanted[rest].any() else float("nan"),
        float(wanted[rest].mean()),
    )


def look_at_ranking(
    found: ExampleHunt, target: str, *, looks: int = 2, records: int = 10
) -> Looked:
    """Rank for a class, look at the first few records, rank again with what they are, and so on."""
    labels = found.example.labels
    seen: list[int] = []
    hits = []
    for _ in range(looks):
        first = [int(row) for row in rank_rest(found, target, seen).rows[:records]]
        hits.append(sum(labels[row] == target for row in first))
        seen += first
    left = labels.count(target) - sum(label == target for label in found.hunt.labels.values())
    return Looked(target, left, tuple(hits))


def write_report(
    path: Path,
    pictures: ExampleHunt,
    ranked: ExampleRanking,
    looked: Sequence[Looked],
    plane: ExampleHunt,
) -> None:
    """Write the whole story as one self-contained page."""
    page = Page(
        "What rarefind found",
        f"{len(pictures.needed)} rare classes among {len(pictures.example.labels)} "
        f"{pictures.example.title}, seen with {len(pictures.hunt.labels)} labels; random sampling "
        f"needs {pictures.random_needs:,.0f} on average.",
    )
    _discovery_section(page, pictures, "Rare digits")
    page.table(
        ["class", "pictures of it", "first seen at label"],
        [
            (str(name), pictures.example.sizes()[str(name)], at)
            for name, at in pictures.needed.items()
        ],
    )
    _ranking_section(page, pictures.example, ranked, looked)
    _discovery_section(page, plane, "A rare class inside the crowd")
    page.write(path)


def draw_overview(path: Path, found: ExampleHunt) -> None:
    """Draw the map and the discovery curve of a hunt side by side as a picture file."""
    with figure(11, 4.2) as (drawn, axes):
        axes.remove()
        left, right = drawn.subplots(1, 2, width_ratios=[1.25, 1])
        draw_map(left, _plane(found.example.X), found.hunt.labels, found.hunt.background)
        _draw_curve(right, found)
        save_picture(drawn, path)


def _discovery_section(page: Page, found: ExampleHunt, title: str) -> None:
    page.section(
        title,
        f"{len(found.example.labels)} records: {found.example.title}. Nobody has labelled them. "
        f"{_all_seen(len(found.needed))} after {len(found.hunt.labels)} labels; "
        f"random sampling needs {found.random_needs:,.0f} on average.",
    )
    with figure(5.8, 4.2) as (drawn, axes):
        draw_map(axes, _plane(found.example.X), found.hunt.labels, found.hunt.background)
        chart = as_svg(drawn, "All records in the plane, with those asked about marked")
    with figure(5.8, 4.2) as (drawn, axes):
        _draw_curve(axes, found)
        curve = as_svg(drawn, "Rare classes seen against labels given")
    page.charts(
        [
            (chart, "Every record in the plane; the numbers are the order of questions."),
            (curve, "Rare classes seen after each label."),
        ]
    )


def _ranking_section(
    page: Page, example: Example, ranked: ExampleRanking, looked: Sequence[Looked]
) -> None:
    page.section(
        "Every other record, ranked for each class",
        "How many pictures of a class are among the ten ranked first, and, ranked again with those "
        "ten answers, among the next ten.",
    )
    page.table(
        ["class", "left to find", "in the first ten", "in the next ten"],
        [(each.target, each.left, *each.hits) for each in looked],
    )
    examples = "example" if ranked.known == 1 else "examples"
    page.section(
        f"Ranked for {ranked.target}, the class found first",
        f"From {ranked.known} labelled {examples} of the class and the other answers, LAGO ranks "
        f"the {len(ranked.rows)} pictures nobody looked at. {ranked.wanted} of them belong to the "
        f"class. Average precision {ranked.average_precision:.2f}; a random order has "
        f"{ranked.chance:.3f}.",
    )
    with figure(5.4, 3.6) as (drawn, axes):
        draw_hits(axes, ranked.hits, ranked.wanted)
        page.charts([(as_svg(drawn, "Hits among the records ranked first"), "Hits by rank.")])
    if example.picture is not None:
        page.section("Ranked first", "Framed in colour: pictures that do belong to the class.")
        page.pictures(_top_pictures(example, example.picture, ranked))


def _top_pictures(
    example: Example, shape: tuple[int, int], ranked: ExampleRanking
) -> Sequence[tuple[str, str, bool]]:
    return [
        (
            picture_uri(example.X[row], shape),
            f"{place}: a {example.labels[row]}",
            example.labels[row] == ranked.target,
        )
        for place, row in enumerate(ranked.rows[:24], start=1)
    ]


def _draw_curve(axes: object, found: ExampleHunt) -> None:
    told = list(found.hunt.labels.values())
    sizes = list(found.example.sizes().values())
    length = max(len(told), min(round(found.random_needs), 4 * len(told)))
    draw_discovery(
        axes,
        {"rarefind": classes_found(told, found.hunt.background).tolist()},
        len(sizes),
        random_classes_found(sizes, len(found.example.labels), length),
    )


def _all_seen(classes: int) -> str:
    return "The rare class was seen" if classes == 1 else f"All {classes} rare classes were seen"


def _plane(X: FloatArray) -> FloatArray:
    if X.shape[1] == 2:
        return X
    from sklearn.decomposition import PCA

    return PCA(2, random_state=0).fit_transform(X)
