"""Telling a person how far long work has come, without knowing where it is shown.

The layers below report to whoever listens; the command line listens with a progress bar, the
workbench with events. Nobody listening costs one attribute look-up.

Several pieces of work may be told as one whole, whose share done only grows, with one estimate for
the rest. Whoever begins work that a person waits for makes it a whole; whoever knows its pieces
says which stretch of it each of them is, in proportion to the time they take. What is announced
meanwhile counts within its stretch. Where nobody knows the pieces, each takes half of what is left:
the bar still never stands at its end nor jumps back, but no time is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from time import monotonic


@dataclass(frozen=True)
class Step:
    """How far a piece of work has come: ``done`` of ``total`` units after ``elapsed`` seconds.

    Of work that is a ``whole`` the numbers are those of all its pieces, ``task`` is the piece going
    on, and ``left`` are the seconds it will take, None while nobody can tell.

    >>> Step("counting", 1, 4, elapsed=2.0).remaining
    6.0
    """

    task: str
    done: float
    total: float
    elapsed: float = field(default=0.0, compare=False, repr=False)
    whole: bool = field(default=False, compare=False, repr=False)
    left: float | None = field(default=None, compare=False, repr=False)

    @property
    def remaining(self) -> float | None:
        """Seconds the rest will take if it goes on like this; None if that cannot be told yet."""
        if self.whole:
            return self.left
        if self.done <= 0:
            return None
        return self.elapsed * max(0.0, self.total - self.done) / self.done


Listener = Callable[[Step], None]

_TELLING = 0.5
"""Seconds of work before an estimate is told: after less it is a guess."""


@dataclass
class _Ear:
    """A listener, and since when it has heard of the piece of work going on."""

    listener: Listener
    task: str = ""
    done: float = 0.0
    begun: float = field(default_factory=lambda: monotonic())
    heard: float = field(default_factory=lambda: monotonic())

    def hear(self, task: str, done: float, total: float) -> None:
        now = monotonic()
        if task != self.task:
            # The first report of a task comes after its first part, which began at the last report.
            self.task, self.begun = task, self.heard
        elif done < self.done:
            self.begun = self.heard
        self.done, self.heard = done, now
        self.listener(Step(task, done, total, now - self.begun))


_ear: ContextVar[_Ear | None] = ContextVar("ear", default=None)


@contextmanager
def listen(listener: Listener) -> Iterator[None]:
    """Send the progress of all work done inside the block to ``listener``.

    >>> steps = []
    >>> with listen(steps.append):
    ...     announce("counting", 1, 2)
    >>> steps
    [Step(task='counting', done=1, total=2)]
    """
    token = _ear.set(_Ear(listener))
    try:
        yield
    finally:
        _ear.reset(token)


@contextmanager
def also(listener: Listener) -> Iterator[None]:
    """Send the progress of the work inside to ``listener`` besides whoever listens already.

    >>> steps = []
    >>> with listen(steps.append), also(steps.append):
    ...     announce("counting", 1, 2)
    >>> len(steps)
    2
    """
    before = _ear.get()

    def both(step: Step) -> None:
        listener(step)
        if before is not None:
            before.listener(step)

    with listen(both):
        yield


@dataclass
class _Whole:
    begun: float = field(default_factory=lambda: monotonic())
    reached: float = 0.0
    since: tuple[float, float] = (0.0, 0.0)  # when, and at what share, the speed was measured from

    def measure_anew(self) -> None:
        self.since = monotonic(), self.reached


@dataclass
class _Stretch:
    """A part of the whole, from ``low`` to ``high`` of it; ``open_end`` if its pieces are unknown.

    ``piece`` is the part of such a stretch that the task going on has, and ``done`` its share.
    """

    whole: _Whole
    low: float
    high: float
    open_end: bool
    task: str = ""
    done: float = 0.0
    piece: tuple[float, float] = (0.0, 0.0)

    def place(self, task: str, share: float) -> None:
        begin, end = self.low, self.high
        if self.open_end:
            if task != self.task or share < self.done:
                begun = max(self.low, self.whole.reached)
                self.piece = begun, (begun + self.high) / 2
            self.task, self.done = task, share
            begin, end = self.piece
        self.whole.reached = max(self.whole.reached, begin + share * (end - begin))


_stretch: ContextVar[_Stretch | None] = ContextVar("stretch", default=None)


@contextmanager
def whole_work() -> Iterator[None]:
    """Make one whole of the work inside the block, or a part of the whole it is in.

    >>> heard = []
    >>> with listen(lambda step: heard.append(step.done)), whole_work():
    ...     with part_of_work(0.0, 0.2):
    ...         announce("reading", 1, 2)
    ...     with part_of_work(0.2, 1.0):
    ...         announce("counting", 1, 4)
    >>> heard
    [0.1, 0.4]
    """
    if _stretch.get() is not None:
        yield
        return
    whole = _Whole()
    whole.measure_anew()
    token = _stretch.set(_Stretch(whole, 0.0, 1.0, open_end=True))
    try:
        yield
    finally:
        _stretch.reset(token)


@contextmanager
def part_of_work(low: float, high: float, *, open_end: bool = False) -> Iterator[None]:
    """Count the work inside as the stretch from ``low`` to ``high`` of the work around it.

    With an ``open_end`` the stretch is of pieces that nobody here knows, and how long the rest
    takes is measured from its beginning on.
    """
    around = _stretch.get()
    if around is None:
        yield
        return
    whole, width = around.whole, around.high - around.low
    begin, end = around.low + low * width, around.low + high * width
    whole.reached = max(whole.reached, begin)
    if open_end:
        whole.measure_anew()
    token = _stretch.set(_Stretch(whole, begin, end, open_end))
    try:
        yield
    finally:
        _stretch.reset(token)
        whole.reached = max(whole.reached, end)


def _whole_step(stretch: _Stretch, task: str, share: float) -> Step:
    """Note how far a task is, and tell what that makes of the whole."""
    stretch.place(task, min(1.0, max(0.0, share)))
    whole, now = stretch.whole, monotonic()
    begun, before = whole.since
    gained, spent = whole.reached - before, now - begun
    known = not stretch.open_end and gained > 0 and spent >= _TELLING
    left = spent * (1.0 - whole.reached) / gained if known else None
    return Step(task, whole.reached, 1.0, now - whole.begun, whole=True, left=left)


def announce(task: str, done: float, total: float) -> None:
    """Tell the listener, if there is one, that ``done`` of ``total`` units are finished."""
    ear = _ear.get()
    if ear is None:
        return
    stretch = _stretch.get()
    if stretch is None:
        ear.hear(task, done, total)
    else:
        ear.listener(_whole_step(stretch, task, done / total if total else 1.0))
