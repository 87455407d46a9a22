"""The harvest: bringing home a class that was found, a few records at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rarefind.core.errors import StateError
from rarefind.core.names import unknown_name
from rarefind.core.params import Integer, Number, check_param
from rarefind.discovery.contract.strategy import Label
from rarefind.hunting.forecast import Forecast
from rarefind.hunting.harvest_round import (
    LOOKS,
    Look,
    Round,
    looked_at,
    new_class,
    next_round,
    other_class,
)
from rarefind.hunting.progress_line import progress_line
from rarefind.hunting.ranking import Ranking

if TYPE_CHECKING:
    from rarefind.hunting.hunt import Hunt

ENOUGH = 0.95
"""The share of a class that is enough, as reviews of documents usually have it."""


class Harvest:
    """Find the records of a class that is known: look, say yes or no, and it ranks again.

    Made by :meth:`Hunt.harvest`. Every answer is one of the hunt, and the strategy that looks for
    unknown classes hears it too. What was said is all there is to a harvest: made again, it goes on
    where it was.

    Parameters
    ----------
    hunt
        The hunt whose answers count.
    target
        The class to find, one of those told.
    model
        The name of the model that ranks, as for :func:`rarefind.detection.make`.
    enough
        The share of the class to find before the harvest says that it has ended.
    progress
        Whether a line tells how far a ranking has come. None: in notebooks only.

    Examples
    --------
    >>> import numpy as np, rarefind as rf
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(300, 2)), rng.normal(4.0, 0.3, size=(20, 2))])
    >>> hunt = rf.Hunt(X, strategy="random", background="ordinary")
    >>> for row in range(10):
    ...     hunt.tell(row, "ordinary")
    >>> hunt.tell(300, "odd")
    >>> harvest = hunt.harvest("odd")
    >>> for _ in range(3):
    ...     for look in harvest.ask():
    ...         harvest.tell(look.row, look.row >= 300)
    >>> harvest.found
    20
    """

    def __init__(
        self,
        hunt: Hunt,
        target: Label,
        model: str = "auto",
        *,
        enough: float = ENOUGH,
        progress: bool | None = None,
    ) -> None:
        check_param("Hunt.harvest", "enough", enough, Number(0.0, 1.0, closed="right"))
        if target not in set(hunt.labels.values()):
            raise unknown_name("class", target, sorted(map(str, set(hunt.labels.values()))))
        self.target = target
        self.model = model
        self.enough = enough
        self._hunt = hunt
        self._progress = progress
        self._round: Round | None = None
        self._said: object = None
        self._looks: dict[int, Look] = {}

    def __repr__(self) -> str:
        return f"<Harvest of {self.target!r}: {self.found} found in {self.looked} looks>"

    @property
    def found(self) -> int:
        """How many records of the class are known, however they were found."""
        return sum(label == self.target for label in self._hunt.labels.values())

    @property
    def looked(self) -> int:
        """How many of the records that a harvest of this class chose were answered."""
        return len(looked_at(self._hunt.events, self.target))

    @property
    def ranking(self) -> Ranking:
        """The ranking of the records without a label, after everything said so far."""
        return self._current().ranking

    def ask(self, count: int = LOOKS) -> list[Look]:
        """Choose the next records to look at: those most likely of the class.

        Asking changes nothing: without an answer the same records come again.
        """
        check_param("Harvest.ask", "count", count, Integer(1))
        looks = list(self._current(count).looks)
        self._looks.update((look.row, look) for look in looks)
        return looks

    def tell(self, row: int, answer: Label) -> None:
        """Say whether a record is of the class: True, False, or the name of what it is.

        False stands for the ordinary class, or for the class told most often beside this one. A
        record of a class that nobody knew ends the round: ``ended`` says so.
        """
        look = self._looks.get(row)
        asked_by = None if look is None else look.asked_by(self.target)
        self._hunt.tell(row, self._label(answer), asked_by=asked_by)

    def skip(self, row: int) -> None:
        """Leave a record undecided: it is not shown again."""
        self._hunt.skip(row)

    def forecast(self) -> Forecast:
        """Tell how many of the class are probably left, and how many looks it takes to find them.

        Both come with intervals, or not at all where they cannot be told.
        """
        return self._current().forecast

    @property
    def ended(self) -> str | None:
        """Why the harvest is over, in a sentence; None while it goes on.

        A class that nobody knew ends a round; ask and tell again to go on after that news.
        Otherwise it is over when the forecast says that enough of the class is found, or when
        nothing is left.
        """
        try:
            return new_class(self._hunt.events, self.target) or self.forecast().over(self.enough)
        except StateError as nothing_left:
            return str(nothing_left)

    def _current(self, count: int = LOOKS) -> Round:
        said = self._hunt.events
        known = self._round
        if known is None or self._said != said or len(known.looks) < count:
            records, kernel = self._hunt.compared()
            looks = max(count, LOOKS)
            with progress_line(self._progress):
                known = next_round(records, kernel, said, self.target, self.model, looks)
            self._round, self._said = known, said
        return Round(known.looks[:count], known.ranking, known.forecast)

    def _label(self, answer: Label) -> Label:
        if answer is True:
            return self.target
        if answer is False:
            return other_class(self._hunt.labels.values(), self._hunt.background, self.target)
        return answer
