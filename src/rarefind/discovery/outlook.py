"""When may a person stop? What the answers so far say about classes not seen yet.

The estimates of ecology (Good and Turing, Chao) suppose that records are drawn at random. Ours are
not: they are chosen to show something new, and what is known is avoided, so classes seen once are
more common than chance would have them. Each figure below says what it supposes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

_TOO_FEW = 10
"""With fewer labels than this nothing is said about what is missing."""


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
    unseen_classes
        Chao's estimate of how many classes are still unseen, from those seen once and twice. It
        is meant for random samples; questions favour classes seen once, so it is rather too high.
    largest_unseen_share
        The largest share of all records that a class not seen so far can have, at 95 % confidence,
        supposing that questions find it no worse than random draws would.
    """

    labels: int
    classes: int
    since_last_new: int
    chance_of_new: float
    unseen_classes: float
    largest_unseen_share: float

    def __str__(self) -> str:
        if self.largest_unseen_share == 0.0:
            return f"All {self.labels} records are labelled: nothing is unseen."
        if self.labels < _TOO_FEW:
            return f"{_labels(self.labels)} so far: too few to say what is still unseen."
        return (
            f"{_labels(self.labels)} showed {self.classes} "
            f"class{'es' if self.classes != 1 else ''}, the last new one {self.since_last_new} "
            f"labels ago. At most 1 in {1 / self.largest_unseen_share:,.0f} records belongs to a "
            "class you have not seen, at 95 %, if the questions are no worse than random draws. "
            f"The next question shows a new class with a chance of about "
            f"{self.chance_of_new:.0%}{self._unseen()}."
        )

    def _unseen(self) -> str:
        number = round(self.unseen_classes)
        if number == 0:
            return ""
        many = "1 class is" if number == 1 else f"{number} classes are"
        return f"; perhaps {many} unseen (a rough estimate: questions are not a random sample)"


def outlook(told: Sequence[Hashable], n_records: int | None = None) -> Outlook:
    """Look ahead from the labels told so far, in their order, about so many records.

    >>> look = outlook(["a"] * 40 + ["b"] + ["a"] * 20)
    >>> look.since_last_new, round(look.chance_of_new, 3), round(look.largest_unseen_share, 3)
    (20, 0.024, 0.048)
    >>> print(outlook(["a", "b"], n_records=2))
    All 2 records are labelled: nothing is unseen.
    """
    counts = Counter(told)
    left = n_records is None or len(told) < n_records
    once = sum(1 for number in counts.values() if number == 1)
    twice = sum(1 for number in counts.values() if number == 2)
    last_new = max((told.index(label) for label in counts), default=-1)
    since = len(told) - 1 - last_new if told else 0
    # Half a label in each keeps the chance above zero when nothing new comes for long.
    chance = min((once + 0.5) / (len(told) + 1.0), 0.5 / (since + 1.0))
    # Chao's estimate in its bias-corrected form, which is defined when no class was seen twice.
    unseen = once * (once - 1) / (2.0 * (twice + 1))
    share = 1.0 - 0.05 ** (1.0 / len(told)) if told else 1.0
    return Outlook(
        labels=len(told),
        classes=len(counts),
        since_last_new=since,
        chance_of_new=chance if left else 0.0,
        unseen_classes=unseen if left else 0.0,
        largest_unseen_share=share if left else 0.0,
    )


def _labels(number: int) -> str:
    return f"{number} label{'s' if number != 1 else ''}"
