"""Play a hunt against labels that are known, to count what a strategy would have cost."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rarefind.core.arrays import Records
from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import DataError, ParameterError
from rarefind.core.params import Integer, check_param
from rarefind.core.progress import announce
from rarefind.core.random import generator
from rarefind.discovery.contract.priors import read_priors
from rarefind.discovery.contract.strategy import Answer, Label, Problem, Search, Strategy
from rarefind.discovery.registry import make_strategy
from rarefind.evaluation.known_answers import remembering
from rarefind.geometry import Space
from rarefind.geometry.any_records import make_space
from rarefind.kernels.contract import Kernel


@dataclass(frozen=True)
class Simulation:
    """What a strategy needed on one data set, once for every seed.

    Attributes
    ----------
    strategy
        Which strategy played.
    n
        How many records there are.
    sizes
        How many records each class has.
    background
        The ordinary classes.
    budget
        How many labels were allowed.
    seen
        For every seed, after how many labels each class was first seen; classes that were not
        seen are missing.
    asked
        For every seed, how many labels were asked for.
    seconds
        For every seed, the time it took, set-up included.
    rows
        For every seed, the rows asked about, in order.
    """

    strategy: str
    n: int
    sizes: Mapping[Label, int]
    background: frozenset[Label]
    budget: int
    seen: tuple[Mapping[Label, int], ...]
    asked: tuple[int, ...]
    seconds: tuple[float, ...]
    rows: tuple[tuple[int, ...], ...] = ()

    @property
    def rare(self) -> tuple[Label, ...]:
        """The classes that are not ordinary, smallest first."""
        names = [name for name in self.sizes if name not in self.background]
        return tuple(sorted(names, key=lambda name: self.sizes[name]))

    def labels_needed(self, *, background: bool = False) -> tuple[float, ...]:
        """For every seed, labels until every rare class was seen (infinite if one was not)."""
        wanted = list(self.sizes) if background else list(self.rare)
        return tuple(
            float(max((first.get(name, np.inf) for name in wanted), default=0))
            for first in self.seen
        )

    @property
    def ratio_to_random(self) -> float:
        """Labels at first sight over those of random sampling: mean over rare classes and seeds.

        A class of c among n records is first seen by random sampling after (n + 1) / (c + 1)
        labels on average. A class not seen counts as seen right after the budget.
        """
        ratios = [
            first.get(name, self.budget + 1) * (self.sizes[name] + 1) / (self.n + 1)
            for first in self.seen
            for name in self.rare
        ]
        if not ratios:
            raise DataError("There is no rare class to compare on: every class is ordinary.")
        return float(np.mean(ratios))


def simulate(
    X: Records | Space,
    labels: Sequence[Label],
    strategy: str | Strategy,
    seeds: Iterable[int] = range(10),
    *,
    budget: int | None = None,
    kernel: str | Kernel | None = None,
    priors: Mapping[Hashable, float] | Sequence[float] | None = None,
    background: Label | Collection[Label] | None = None,
    tell_background: bool = True,
    scale: str = "auto",
    spend_all: bool = False,
    answers: Sequence[Label] | None = None,
    at_a_time: int = 1,
) -> Simulation:
    """Hunt once for every seed until all classes are seen or the budget is spent.

    Parameters
    ----------
    X
        The records, or their space; a space given is used for all seeds, and so is one made here.
    labels
        The true class of every record.
    strategy, kernel, priors, scale
        As for :class:`rarefind.discovery.Hunt`.
    seeds
        One hunt for each of these seeds.
    budget
        How many labels to ask for at most; None for all.
    background
        The ordinary class or classes; None for the largest class.
    tell_background
        Whether the strategy is told which class is ordinary. If not, it takes the class told
        most often so far for it, as a hunt does.
    spend_all
        Whether to go on to the end of the budget when all classes have been seen.
    answers
        What the person says of every record, where that differs from the truth; a class counts as
        seen when one of its records is called by its name.
    at_a_time
        How many questions are asked before they are answered.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> played = simulate(X, ["even"] * 4 + ["odd"], "farthest-first", seeds=[0])
    >>> played.seen
    ({'even': 1, 'odd': 2},)
    >>> played.ratio_to_random
    0.6666666666666666
    """
    chosen = make_strategy(strategy)
    wanted = chosen.scale if scale == "auto" else scale
    space = X if isinstance(X, Space) else make_space(X, kernel, wanted)
    n = space.n_rows
    truth = _one_each(labels, n, "label")
    said = truth if answers is None else _one_each(answers, n, "answer")
    if budget is not None:
        check_param("simulate", "budget", budget, Integer(1))
    check_param("simulate", "at_a_time", at_a_time, Integer(1))
    allowed = n if budget is None else min(budget, n)
    sizes = dict(Counter(truth))
    ordinary = _ordinary(background, sizes)
    shared = remembering(space)
    beliefs = read_priors(priors, n)
    seen, asked, seconds, rows = [], [], [], []
    classes = n + 1 if spend_all else len(sizes)
    turns = list(seeds)
    if not turns:
        raise ParameterError("The 'seeds' parameter of simulate must hold at least one seed.")
    for done, seed in enumerate(turns):
        announce("simulating", done, len(turns))
        begun = time.perf_counter()
        priority = generator(seed, "simulate").permutation(n)
        search = chosen.prepare(Problem(shared, beliefs, priority))
        told = ordinary if tell_background else None
        order = _play(search, truth, said, told, allowed, classes, at_a_time)
        seen.append(_first_seen(order, truth, said))
        asked.append(len(order))
        rows.append(tuple(order))
        seconds.append(time.perf_counter() - begun)
    name = strategy if isinstance(strategy, str) else type(chosen).__name__
    return Simulation(
        name,
        n,
        sizes,
        ordinary,
        allowed,
        tuple(seen),
        tuple(asked),
        tuple(seconds),
        tuple(rows),
    )


def _one_each(words: Sequence[Label], n: int, what: str) -> list[Label]:
    found = _plain(words)
    if len(found) != n:
        raise DataError(f"There must be one {what} for each of the {n} records. Got {len(found)}.")
    return found


def _first_seen(
    order: Sequence[int], truth: Sequence[Label], said: Sequence[Label]
) -> dict[Label, int]:
    """Tell with which question each class was first called by its name."""
    first: dict[Label, int] = {}
    for position, row in enumerate(order, start=1):
        if said[row] == truth[row]:
            first.setdefault(truth[row], position)
    return first


def geometric_mean_ratio(simulations: Iterable[Simulation]) -> float:
    """Geometric mean over data sets of the ratio to random sampling; below 1 is better.

    >>> X = [[0.0], [0.1], [0.2], [0.3], [9.0]]
    >>> runs = [simulate(X, ["even"] * 4 + ["odd"], "farthest-first", [0]) for _ in range(2)]
    >>> round(geometric_mean_ratio(runs), 3)
    0.667
    """
    ratios = [simulation.ratio_to_random for simulation in simulations]
    if not ratios:
        raise ParameterError("The 'simulations' parameter must hold at least one simulation.")
    return float(np.exp(np.mean(np.log(ratios))))


def _play(
    search: Search,
    truth: Sequence[Label],
    said: Sequence[Label],
    ordinary: frozenset[Label] | None,
    budget: int,
    classes: int,
    at_a_time: int,
) -> list[int]:
    barred = np.zeros(len(truth), dtype=bool)
    rows: list[int] = []
    often: Counter[Label] = Counter()
    seen: set[Label] = set()
    commonest: Label = None
    asked_by: dict[int, AskedBy] = {}
    while len(rows) < budget and len(seen) < classes:
        out: dict[int, AskedBy] = {}
        while len(out) < min(at_a_time, budget - len(rows)):
            search.hold(out)
            proposal = search.propose(barred)
            out[proposal.row] = proposal.asked_by
            barred[proposal.row] = True
        search.hold({})
        for row in out:
            asked_by[row] = out[row]
            rows.append(row)
            often[said[row]] += 1
            if said[row] == truth[row]:
                seen.add(truth[row])
            if ordinary is not None:
                search.observe(Answer(row, said[row], said[row] in ordinary, asked_by[row]))
                continue
            # As in a hunt, what was learnt depends on which class is ordinary.
            before, commonest = commonest, often.most_common(1)[0][0]
            changed = before != commonest
            if changed:
                search.reset()
            for told in rows if changed else rows[-1:]:
                search.observe(Answer(told, said[told], said[told] == commonest, asked_by[told]))
    return rows


def _plain(labels: Sequence[Label]) -> list[Label]:
    values = list(labels)
    return [value.item() if isinstance(value, np.generic) else value for value in values]


def _ordinary(background: Any, sizes: Mapping[Label, int]) -> frozenset[Label]:
    if background is None:
        return frozenset([max(sizes, key=lambda name: sizes[name])])
    several = isinstance(background, list | tuple | set | frozenset)
    names = frozenset(background if several else [background])
    unknown = names - set(sizes)
    if unknown:
        raise ParameterError(
            f"The 'background' parameter of simulate names {next(iter(unknown))!r}, which no "
            f"record is labelled. Classes are: {', '.join(map(str, sizes))}."
        )
    return names
