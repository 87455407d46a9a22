"""What MALICE needs when its priors are wrong, and what everybody needs when answers are.

The paper tells MALICE the true share of every class. Here the shares are wrong by a factor,
classes are forgotten or made up, or the person errs; each case stands beside auto, which is told
nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from rarefind.bench.contest import Spaces
from rarefind.bench.contests import finite, number
from rarefind.bench.data import open_set
from rarefind.bench.findings import Chart, Findings, Grid
from rarefind.bench.journal import Journal
from rarefind.bench.labelled import LabelledSet
from rarefind.bench.plan import Plan
from rarefind.bench.synthetic import SYNTHETIC, draw_synthetic
from rarefind.core.progress import report
from rarefind.detection import Lago
from rarefind.discovery import make_strategy
from rarefind.evaluation.plots import ACCENT, FAINT, INK
from rarefind.evaluation.simulation import simulate
from rarefind.geometry import Space

_HEADER = ("case", "labels", "best - worst")

FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
NOISE = (0.0, 0.05, 0.1, 0.2)

_LOOKED_AT = 5
"""So many records ranked first for each class are looked at."""

Shares = dict[str, float]


@dataclass(frozen=True)
class Case:
    """One way to go wrong: which strategy, what it is told, how often and how many people err.

    Of several ``people`` asked about each record the word of most counts, of the first among
    equals; every one of their answers is a label. An error names any other class, or, if rare
    records are ``overlooked``, always the ordinary one. With ``rank_after`` so many labels,
    the records ranked first for every class told are looked at, instead of further questions.
    """

    name: str
    strategy: str
    believe: Callable[[Shares, int], Shares | list[float] | None]
    noise: float = 0.0
    people: int = 1
    overlooked: bool = False
    rank_after: int | None = None


@dataclass(frozen=True)
class Outcome:
    """Labels until every rare class was seen, for every draw (infinite if one was not)."""

    case: Case
    labels: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median over the draws."""
        ordered = np.sort(self.labels)
        half = len(ordered) // 2
        return float(ordered[half] if len(ordered) % 2 else ordered[half - 1 : half + 1].mean())


def cases() -> list[Case]:
    """List the cases of the study."""
    wrong = [Case(f"MALICE, shares x {factor:g}", "malice", _times(factor)) for factor in FACTORS]
    number = [
        Case("MALICE, every other share x 4 and x 0.25", "malice", _unevenly),
        Case("MALICE, smallest class forgotten", "malice", _without_smallest),
        Case("MALICE, two classes made up", "malice", _with_two_more),
        Case("MALICE, one share for all: the mean", "malice", _all_the_same),
        Case("MALICE, a guess: one class of 1 %", "malice", lambda shares, n: [0.01]),
        Case("auto, told nothing", "auto", _nothing),
    ]
    noisy = [
        Case(f"{name}, {noise:.0%} of answers wrong", strategy, believe, noise)
        for noise in NOISE[1:]
        for name, strategy, believe in (
            ("MALICE", "malice", _times(1.0)),
            ("auto", "auto", _nothing),
        )
    ]
    together = Case("auto, 20% wrong, three people each", "auto", _nothing, NOISE[-1], people=3)
    overlooked = [
        Case(f"{name}, 20% of rare records overlooked", strategy, believe, 0.2, overlooked=True)
        for name, strategy, believe in (
            ("MALICE", "malice", _times(1.0)),
            ("auto", "auto", _nothing),
        )
    ]
    ranked = Case(
        "auto, 20% wrong, rankings looked at after 40", "auto", _nothing, 0.2, rank_after=40
    )
    return [*wrong, *number, *noisy, together, ranked, *overlooked]


def robustness(plan: Plan) -> Findings:
    """Give MALICE wrong priors, and everybody wrong answers."""
    seeds, budget = range(plan.seeds or 10), plan.budget or 400
    found = Findings(
        "When the priors are wrong, or the answers",
        "Labels until every rare class is seen and called by its name, median over draws. MALICE "
        "as published is told the true share of every class; auto is told nothing.",
    )
    for name in plan.sets or ("shuttle", "set 2", "six balls"):
        draw = partial(draw_synthetic, name) if name in SYNTHETIC else open_set(name).draw
        outcomes = run_robustness(draw, seeds, budget, plan.journal)
        rows = [
            (
                outcome.case.name,
                number(outcome.median, budget),
                f"{number(min(outcome.labels), budget)} - {number(max(outcome.labels), budget)}",
            )
            for outcome in outcomes
        ]
        found.grids.append(Grid(f"{name}: {len(seeds)} draws", _HEADER, rows))
        found.charts.append(
            Chart(
                f"{name}: the median, best to worst; hollow beyond the budget",
                partial(draw_outcomes, outcomes, budget),
                height=6.0,
            )
        )
        found.data[name] = {
            outcome.case.name: [finite(labels) for labels in outcome.labels] for outcome in outcomes
        }
    return found


def run_robustness(
    draw: Callable[[int], LabelledSet],
    seeds: Sequence[int],
    budget: int,
    journal: Journal | None = None,
) -> list[Outcome]:
    """Play every case on every draw."""
    kept = Journal() if journal is None else journal
    labels: dict[str, list[float]] = {case.name: [] for case in cases()}
    for turn, seed in enumerate(seeds):
        drawn = draw(seed)
        spaces = Spaces(drawn)
        for place, case in enumerate(cases()):
            report(
                f"{drawn.name}, {case.name}", turn * len(labels) + place, len(seeds) * len(labels)
            )
            key = ["robustness", drawn.name, case.name, seed, budget]
            needed = kept.result(key, partial(_play, drawn, spaces, case, seed, budget))
            labels[case.name].append(np.inf if needed is None else needed)
    return [Outcome(case, tuple(labels[case.name])) for case in cases()]


def wrong_answers(labels: Sequence[str], noise: float, seed: int) -> list[str]:
    """Return the labels with this share of them replaced by another class at random.

    >>> wrong_answers(["a", "b", "a", "b"], noise=1.0, seed=0)
    ['b', 'a', 'b', 'a']
    """
    rng = np.random.default_rng(seed)
    classes = sorted(set(labels))
    place = {name: number for number, name in enumerate(classes)}
    wrong = rng.random(len(labels)) < noise
    moved = rng.integers(1, max(len(classes), 2), len(labels))
    return [
        classes[(place[label] + int(step)) % len(classes)] if errs else label
        for label, errs, step in zip(labels, wrong, moved, strict=True)
    ]


def agreed_answers(labels: Sequence[str], noise: float, seed: int, people: int) -> list[str]:
    """Return what several people who each err now and then agree on, as a hunt counts it.

    >>> agreed_answers(["a", "b"], noise=0.0, seed=0, people=3)
    ['a', 'b']
    """
    said = [wrong_answers(labels, noise, seed + 1000 * turn) for turn in range(people)]
    return [Counter(words).most_common(1)[0][0] for words in zip(*said, strict=True)]


def _play(drawn: LabelledSet, spaces: Spaces, case: Case, seed: int, budget: int) -> float | None:
    n = len(drawn.labels)
    shares = {str(name): share for name, share in drawn.priors.items()}
    believed = case.believe(shares, n)
    space = spaces.scaled(make_strategy(case.strategy).scale)
    said = _answers(drawn, case, seed) if case.noise else None
    played = simulate(
        space,
        drawn.labels,
        case.strategy,
        [seed],
        budget=budget // case.people,
        priors=believed,  # type: ignore[arg-type]
        background=drawn.background,
        answers=said,
    )
    needed = played.labels_needed()[0]
    if case.rank_after is not None and needed > case.rank_after and said is not None:
        told = played.rows[0][: case.rank_after]
        return look_at_rankings(space, drawn, said, told, budget)
    return finite(case.people * needed)


def look_at_rankings(
    space: Space, drawn: LabelledSet, said: Sequence[str], rows: Sequence[int], budget: int
) -> float | None:
    """Rank for every class told, look at the first records of each, and rank again.

    Returns how many labels there were when the last class was seen; None beyond the budget.
    """
    vectors = np.asarray(space.vectors)[space.folded.point_of]
    told = list(rows)
    truth = np.asarray(drawn.labels)
    unseen = set(drawn.priors) - {truth[row] for row in told if said[row] == truth[row]}
    while len(told) < budget:
        before = len(told)
        for name in sorted({said[row] for row in told} - {drawn.background}):
            wanted = np.array([said[row] == name for row in told])
            scores = Lago(target=True).fit(vectors[told], wanted).decision_function(vectors)
            scores[told] = -np.inf
            for row in np.argsort(-scores, kind="stable")[:_LOOKED_AT]:
                told.append(int(row))
                if said[row] == truth[row]:
                    unseen.discard(truth[row])
                if not unseen:
                    return float(len(told)) if len(told) <= budget else None
        if len(told) == before:
            break
    return None


def _answers(drawn: LabelledSet, case: Case, seed: int) -> list[str]:
    said = agreed_answers(drawn.labels, case.noise, seed, case.people)
    if not case.overlooked:
        return said
    ordinary = drawn.background
    return [
        true if true in (word, ordinary) else ordinary
        for true, word in zip(drawn.labels, said, strict=True)
    ]


def draw_outcomes(outcomes: Sequence[Outcome], budget: int, axes: Any) -> None:
    """Draw the median of every case as a dot and its best to worst draw as a line.

    A dot at the right edge stands for a median beyond the budget.
    """
    for place, outcome in enumerate(outcomes):
        ours = outcome.case.strategy == "auto"
        colour, shape = (ACCENT, "o") if ours else (INK, "s")
        ends = np.minimum([min(outcome.labels), max(outcome.labels)], budget)
        axes.plot(ends, [place, place], color=colour, linewidth=1.5, alpha=0.5)
        inside = np.isfinite(outcome.median)
        axes.plot(
            min(outcome.median, budget),
            place,
            shape,
            color=colour,
            markerfacecolor=colour if inside else "white",
            markersize=7,
            clip_on=False,
        )
    axes.axvline(budget, color=FAINT, linewidth=1, linestyle=":")
    axes.set_yticks(range(len(outcomes)), [outcome.case.name for outcome in outcomes], fontsize=9)
    axes.invert_yaxis()
    axes.set(xlabel="labels until every rare class is seen", xscale="log")
    axes.set_xlim(3, budget)
    axes.xaxis.set_major_formatter("{x:g}")
    axes.xaxis.set_minor_formatter("")
    axes.grid(axis="x", color=FAINT, linewidth=0.5, alpha=0.6)
    axes.set_axisbelow(True)


def _times(factor: float) -> Callable[[Shares, int], Shares]:
    # No share falls below one record, and all of them together leave some ordinary ones.
    def believe(shares: Shares, n: int) -> Shares:
        wrong = {name: max(share * factor, 1.0 / n) for name, share in shares.items()}
        shrink = min(1.0, 0.95 / sum(wrong.values()))
        return {name: max(share * shrink, 1.0 / n) for name, share in wrong.items()}

    return believe


def _nothing(shares: Shares, n: int) -> None:
    return None


def _unevenly(shares: Shares, n: int) -> Shares:
    # The smallest is thought larger and the next smaller, so that even their order is wrong.
    ordered = sorted(shares.items(), key=lambda item: item[1])
    wrong = {
        name: share * (0.25 if place % 2 else 4.0) for place, (name, share) in enumerate(ordered)
    }
    return _times(1.0)(wrong, n)


def _without_smallest(shares: Shares, n: int) -> list[float]:
    return sorted(shares.values())[1:] or list(shares.values())


def _with_two_more(shares: Shares, n: int) -> list[float]:
    return [
        *shares.values(),
        max(min(shares.values()) / 2, 1.0 / n),
        float(np.median([*shares.values()])),
    ]


def _all_the_same(shares: Shares, n: int) -> list[float]:
    return [sum(shares.values()) / len(shares)] * len(shares)
