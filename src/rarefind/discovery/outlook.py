"""When may a person stop? What the answers so far say about classes not seen yet.

Records are not drawn at random: they are chosen to show something new, and what is known is
avoided. Each figure below says what it supposes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

from rarefind.core.asked_by import outside_search
from rarefind.core.html_card import html_card
from rarefind.discovery.contract.event import Event

_TOO_FEW = 10
"""With fewer labels than this nothing is said about what is missing."""

_TOO_MUCH = 0.5
"""A bound above this share says nothing; it is told as one: nothing is known."""

_MISTRUST = 0.05
"""The chance that the bound on what is unseen fails at any moment of a whole hunt."""


@dataclass(frozen=True)
class Outlook:
    """What may still be hidden.

    Attributes
    ----------
    labels
        How many records have been labelled.
    classes
        How many different classes they showed, the ordinary one included.
    since_last_new
        How many labels have been given since the last new class.
    chance_of_new
        The chance that the next question shows a new class: the smaller of two estimates. One is
        Good and Turing's, the share of the labels that are of classes seen once. The other goes by
        how long the last new class is ago: with no find in g labels, (1/2) / (g + 1) (Jeffreys).
        Each alone is too high, the first since questions favour what is new, the second since
        finds become rarer.
    brought
        How many labels were brought along, told of records that nobody was asked about, or given
        in a harvest, which looks where one class is: they show classes, and say nothing about what
        questions find.
    largest_unseen_share
        The largest share of all records that the classes not seen so far can have together, at
        95 % confidence for all moments of a hunt at once, supposing that questions find new
        classes no worse than random draws would. One where nothing is known: with fewer than ten
        labels, or so soon after a new class that it would be more than a half.
    """

    labels: int
    classes: int
    since_last_new: int
    chance_of_new: float
    largest_unseen_share: float
    brought: int = 0

    def __str__(self) -> str:
        if self.largest_unseen_share == 0.0:
            return f"All {self.labels + self.brought} records are labelled: nothing is unseen."
        along = f" (and {self.brought:,} brought along or harvested)" if self.brought else ""
        if self.labels < _TOO_FEW:
            return f"{_labels(self.labels)} so far{along}: too few to say what is still unseen."
        seen = f"{self.classes} class{'es' if self.classes != 1 else ''}"
        ago = (
            f"{_labels(self.since_last_new)} ago" if self.since_last_new else "with the last label"
        )
        return (
            f"{_labels(self.labels)}{along} showed {seen}, the last new one {ago}. "
            f"{self._bound()} The next question shows a new class with a chance of "
            f"about {self.chance_of_new:.0%}."
        )

    def _repr_html_(self) -> str:
        return html_card("What may still be unseen", str(self), {})

    def _bound(self) -> str:
        if self.largest_unseen_share == 1.0:
            return "That is too recent to say how much is still unseen."
        return (
            f"All classes you have not seen hold at most 1 in {1 / self.largest_unseen_share:,.0f} "
            "records together, at 95 %, if the questions are no worse than random draws."
        )


def outlook(
    told: Sequence[Hashable],
    n_records: int | None = None,
    unasked: Sequence[bool] | None = None,
) -> Outlook:
    """Look ahead from the labels told so far, in their order, about so many records.

    ``unasked`` says of each whether it was brought along or harvested: a class seen there is not
    new when a question shows it, and only questions are counted.

    >>> look = outlook(["a"] * 40 + ["b"] + ["a"] * 20)
    >>> look.since_last_new, round(look.chance_of_new, 3), round(look.largest_unseen_share, 3)
    (20, 0.024, 0.213)
    >>> print(outlook(["a", "b"], n_records=2))
    All 2 records are labelled: nothing is unseen.
    """
    counts = Counter(told)
    left = n_records is None or len(told) < n_records
    seen, last_new, asked = set(), -1, 0
    for place, label in enumerate(told):
        brought = unasked is not None and unasked[place]
        if label not in seen and not brought:
            last_new = asked
        seen.add(label)
        asked += not brought
    once = sum(1 for number in counts.values() if number == 1)
    since = asked - 1 - last_new if asked else 0
    # Half a label in each keeps the chance above zero when nothing new comes for long.
    chance = min((once + 0.5) / (asked + 1.0), 0.5 / (since + 1.0))
    # Between two new classes the unseen share u stays as it is, and g random draws in a row miss
    # it with a chance of (1 - u)^g. So the bound fails, at whatever moment of the wait for the next
    # class, with the mistrust of that wait alone, and these add up to the mistrust of the hunt.
    waits = len(counts)
    share = 1.0 - (_MISTRUST / (waits * (waits + 1))) ** (1.0 / since) if since else 1.0
    if share > _TOO_MUCH or asked < _TOO_FEW:
        share = 1.0  # the first questions go to what lies apart, and may well miss the crowd
    return Outlook(
        labels=asked,
        classes=len(counts),
        since_last_new=since,
        chance_of_new=chance if left else 0.0,
        largest_unseen_share=share if left else 0.0,
        brought=len(told) - asked,
    )


def outlook_of(said: Iterable[Event], n_records: int) -> Outlook:
    """Look ahead from what was said; where nobody was asked, all of it counts as asked for."""
    told = [event for event in said if event.label is not None]
    nobody_was = all(event.asked_by is None for event in told)
    unasked = None if nobody_was else [outside_search(event.asked_by) for event in told]
    return outlook([event.label for event in told], n_records, unasked)


def _labels(number: int) -> str:
    return f"{number} label{'s' if number != 1 else ''}"
