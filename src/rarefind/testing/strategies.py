"""What every discovery strategy must satisfy."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from itertools import permutations
from typing import Any

import numpy as np
from sklearn.base import clone

from rarefind.core.errors import NotAvailableError
from rarefind.discovery import Search, Strategy
from rarefind.discovery.contract.strategy import Proposal
from rarefind.kernels import VectorSpace
from rarefind.testing.rules import judge, require, require_equal, shown
from rarefind.testing.trial_hunts import (
    ROWS,
    TrialHunts,
    require_all_asked,
    require_reason,
    require_same,
    rows_asked,
)


def check_strategy(
    strategy: Strategy, *, priors: Mapping[Hashable, float] | Sequence[float] | None = None
) -> None:
    """Raise AssertionError, in words, unless a strategy keeps its promises.

    Its search names an open record with a reason, never one that is barred, and every record in
    the end; what it asks follows from the answers and the seed alone, so that undo, replay and
    several people at once work; it takes any answer about any record, few records, identical
    records, and records that a kernel cannot tell apart.

    Parameters
    ----------
    strategy
        The strategy. One that works feature by feature may refuse kernels with
        NotAvailableError.
    priors
        Shares of the classes ``"rare"`` and ``"odd"``, or a list of shares, for a strategy that
        needs them.

    Examples
    --------
    >>> from rarefind.discovery import FarthestFirst, Malice
    >>> check_strategy(FarthestFirst())
    >>> check_strategy(Malice(), priors=[0.1, 0.2])
    """
    judge(repr(strategy), RULES, TrialHunts(strategy, priors))


def _search(tried: TrialHunts) -> None:
    """A strategy holds parameters that clone can copy, and prepare returns a Search."""
    copy = clone(tried.strategy)
    names = sorted(tried.strategy.get_params())
    require_equal(sorted(copy.get_params()), names, "The parameters of the copy")
    before = repr(tried.strategy)
    kind = type(tried.search())
    require(issubclass(kind, Search), f"prepare returned {kind.__name__}.")
    require_equal(repr(tried.strategy), before, "The strategy after prepare")


def _reason(tried: TrialHunts) -> None:
    """A proposal names a row, says why in a sentence, and gives only finite numbers for it."""
    search = tried.search()
    barred = np.zeros(ROWS, dtype=bool)
    for _ in range(ROWS):
        proposal = search.propose(barred.copy())
        require(isinstance(proposal, Proposal), f"propose returned {shown(proposal)}.")
        row: Any = proposal.row
        whole = isinstance(row, int | np.integer) and not isinstance(row, bool)
        require(whole and 0 <= row < ROWS, f"The row proposed is {shown(row)}.")
        require_reason(proposal)
        barred[proposal.row] = True
        search.observe(tried.answer(proposal.row))


def _barred(tried: TrialHunts) -> None:
    """A row that is barred is never proposed, and the list of barred rows is left as it is."""
    search, random = tried.search(), np.random.default_rng(2)
    only_one = [np.arange(ROWS) != row for row in range(ROWS)]
    drawn = [random.random(ROWS) < share for share in (0.2, 0.5, 0.8) for _ in range(5)]
    for number, barred in enumerate(only_one + drawn):
        given = barred.copy()
        row = search.propose(given).row
        rows = shown(np.flatnonzero(~barred).tolist())
        require(not barred[row], f"Row {row} was proposed when only {rows} were open.")
        require_equal(given, barred, "The rows barred, after propose")
        if number % 3 == 0:
            search.observe(tried.answer(int(row)))


def _same_seed(tried: TrialHunts) -> None:
    """The same seed and the same answers give the same questions."""
    first, second = (rows_asked(tried.hunt(seed=4), tried.label) for _ in range(2))
    require_equal(second, first, "The rows asked in a second hunt like the first")


def _asking(tried: TrialHunts) -> None:
    """Asking changes nothing: without an answer the same question comes again."""
    hunt = tried.hunt()
    for turn in range(6):
        first = hunt.ask()
        hunt.ask(4)
        require_same(hunt.ask(), first, f"Asked again after {turn} answers")
        hunt.tell(first.row, tried.label(first.row))


def _answers_alone(tried: TrialHunts) -> None:
    """What is asked follows from the answers alone: told to a new search, they restore it."""
    hunt = tried.hunt()
    hunt.skip(hunt.ask().row)
    told = next(row for row in range(3, ROWS) if row not in {event.row for event in hunt.events})
    hunt.tell(told, "told unasked")
    for turn in range(4):
        for question in hunt.ask(2):
            hunt.tell(question.row, tried.label(question.row))
        again = tried.hunt()
        again.replay(hunt.events)
        require_same(again.ask(), hunt.ask(), f"Asked in a replay of {3 + 2 * turn} events")


def _undo(tried: TrialHunts) -> None:
    """An answer taken back leaves no trace: reset forgets all that was observed."""
    hunt = tried.hunt()
    for _ in range(6):
        before = hunt.ask()
        for label in ("something else", "common"):
            hunt.tell(before.row, label)
            hunt.ask()
            hunt.undo()
            what = f"Asked after row {before.row} was called {label!r} and that was taken back"
            require_same(hunt.ask(), before, what)
        hunt.tell(before.row, tried.label(before.row))


def _every_record(tried: TrialHunts) -> None:
    """Every record is asked about in the end, and none twice, whatever the answers are."""
    random = np.random.default_rng(3)
    for what, label in {
        "a few are rare": tried.label,
        "everything is common": lambda row: "common",
        "every record has a class of its own": lambda row: f"class {row}",
        "classes are drawn at random": lambda row: str(random.integers(4)),
    }.items():
        require_all_asked(tried.hunt(), label, f"30 records, six of them twice, of which {what}")


def _few(tried: TrialHunts) -> None:
    """Two records are enough, and copies or a feature that never changes do no harm."""
    for X in (
        [[0.0], [1.0]],
        [[0.0], [1.0], [5.0]],
        [[0.0, 7.0], [1.0, 7.0], [1.0, 7.0], [1.0, 7.0], [1.0, 7.0]],
        np.repeat([[0.0, 1.0], [2.0, 0.5], [0.3, 9.0]], 4, axis=0),
        np.array([[x, y] for x in range(3) for y in range(3)], dtype=float),
    ):
        require_all_asked(tried.hunt(X), tried.label, shown(np.asarray(X).tolist()))
    batch = sorted(question.row for question in tried.hunt([[0.0], [1.0]]).ask(5))
    require_equal(batch, [0, 1], "Five questions about two records")


def _rank(tried: TrialHunts) -> None:
    """Among records that nothing tells apart the random ranks decide, not the order of the file."""
    corners = np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    nobody = np.zeros(4, dtype=bool)
    rows = {
        int(tried.search(corners, np.array(rank)).propose(nobody).row)
        for rank in permutations(range(4))
    }
    require(len(rows) > 1, f"Of the corners of a square, row {rows} is asked first by any ranks.")


def _kernel(tried: TrialHunts) -> None:
    """Records are all asked about through a kernel, too, that cannot tell some of them apart."""
    words = ["one two", "two one", "one  two", "two", "three", "three three", "four two", "two two"]
    lengths = np.array([1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, 3.0, 6.0, 1.0])
    try:
        hunts = [
            tried.hunt(words, kernel=VectorSpace()),
            tried.hunt(np.outer(lengths, lengths), kernel="precomputed"),
        ]
    except NotAvailableError:
        return  # it works feature by feature, and says so
    for hunt in hunts:
        require_all_asked(hunt, tried.label, "records some of which a kernel takes for the same")


RULES = (
    _search,
    _reason,
    _barred,
    _same_seed,
    _asking,
    _answers_alone,
    _undo,
    _every_record,
    _few,
    _rank,
    _kernel,
)
"""In the order in which they are tried."""
