"""A hunt at work: the strategy thinks in a thread of its own, people are answered from a pool."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress

import numpy as np

from rarefind.core.asked_by import AskedBy
from rarefind.core.errors import RarefindError, StateError
from rarefind.core.progress import part_of_work
from rarefind.service.asking import patience
from rarefind.service.asking.candidates import candidate, second_opinion, stand_ins
from rarefind.service.asking.handed_out import HandedOut
from rarefind.service.asking.hearing import HearingHunt
from rarefind.service.asking.log import HuntLog
from rarefind.service.asking.pool import QuestionPool, all_answered, broken
from rarefind.service.asking.who_has import WhoHas
from rarefind.service.hunts.records import HuntData
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.contract import Candidate, Event, Lease, Store


class LiveHunt:
    """The strategy of one hunt, and the questions it has worked out ahead.

    Nobody who asks or tells waits for a lock held during heavy work. Somebody alone gets the
    question that follows from every answer so far; several at once get questions chosen without
    the answers the others still give. What somebody holds ahead is chosen anew until it is seen.
    """

    def __init__(
        self,
        store: Store,
        log: HuntLog,
        settings: HuntSettings,
        records: Callable[[], HuntData],
    ) -> None:
        self.log = log
        self.settings = settings
        self.pool = QuestionPool()
        self._spare = WhoHas[AskedBy]()
        data = records()
        with part_of_work(patience.RECORDS_TAKE, patience.SET_UP_TAKES, open_end=True):
            self.hunt = data.hunt(settings, store.beside and store.beside / log.hunt)
        self._store = store
        self._hearing = HearingHunt(self.hunt, records)
        self._out = HandedOut()
        self._out.give(store.leases(log.hunt, time.time()))
        self._alone = True
        self._heavy, self.wake = threading.Lock(), threading.Event()
        self._closed = False
        self._pace = patience.Pace()
        self._random = np.random.default_rng(settings.seed)
        with part_of_work(patience.SET_UP_TAKES, 1.0):
            self._think()
        self._thread = threading.Thread(
            target=self._work, name=f"rarefind hunt {log.hunt}", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End the thread at its next step."""
        self._closed = True
        self._hearing.work.cancel()
        self.wake.set()

    def close(self, seconds: float = patience.GOODBYE_SECONDS) -> None:
        """End the thread; one in a long step ends after it, and keeps nobody waiting longer."""
        self.stop()
        self._thread.join(seconds)

    def nudge(self) -> None:
        """Let the strategy think: something was said, or questions run out."""
        self.wake.set()

    def change(self, settings: HuntSettings) -> None:
        """Go on with other settings; another background is heard by the strategy at once."""
        before, self.settings = self.settings, settings
        if settings.background != before.background:
            with self._heavy:
                self.hunt.set_background(settings.background or None)
            self.pool.renew(self._hearing.heard)
            self.nudge()

    def wait_until_heard(self, seconds: float = patience.ALONE_SECONDS) -> None:
        """Wait until the strategy has heard all that was said so far."""
        self.log.catch_up()
        self.nudge()
        self.pool.wait(self.log.length, 0, seconds)

    def ask(self, annotator: str, count: int, seen: Collection[str] | None = None) -> list[Lease]:
        """Lease the next questions to somebody.

        If the leases whose questions they have ``seen`` are named, their others are given back.
        """
        self.log.catch_up()
        self.log.notice(annotator)
        others = self.log.others(annotator)
        self._alone = not others
        if seen is not None:
            self._out.take_back(annotator, seen)
        self._pace.depth = min(
            patience.MOST_AHEAD, count if not others else max(count, others + patience.CROWD)
        )
        for attempt in range(patience.TRIES):
            opinions = self._second_opinions(annotator, count)
            chosen = self._chosen(count, others)
            if attempt == patience.TRIES - 1 and self.pool.nothing_left is None:
                chosen += self._stand_ins(patience.CROWD * count)
            leases = self._store.take_leases(
                self.log.hunt,
                annotator,
                opinions + chosen,
                count=count,
                seconds=self.settings.lease_seconds,
                now=time.time(),
                overlap=self.settings.overlap,
                seen=seen,
            )
            self._out.give(leases, seen)
            self._out.let_go(chosen)
            if leases:
                got = {lease.candidate.row for lease in leases}
                if len(leases) >= count:  # otherwise all the rest was tried and held by others
                    self.pool.put_back(each for each in chosen if each.row not in got)
                if others:
                    self.nudge()
                return leases
        raise StateError(
            self.pool.nothing_left
            or "Every record that is left is being looked at by somebody else. Ask again later."
        )

    def spares(self, annotator: str, count: int) -> list[Candidate]:
        """Choose questions to answer while the server is out of reach.

        Nobody holds them, so that no question waits for somebody who may never need it. Only
        others' spares are chosen clear of, for as long as a lease lasts.
        """
        self.log.catch_up()
        if self.log.others(annotator) >= patience.CROWD:
            return self._stand_ins(count)[:count]
        chosen: list[Candidate] = []
        taken = self._spare.others(annotator)
        with suppress(StateError):  # nothing else is left
            while len(chosen) < count:
                # A few at a time: meanwhile others may ask.
                chosen += self._more(min(patience.CROWD, count - len(chosen)), taken)
                taken.update((each.row, each.asked_by) for each in chosen)
        given = {each.row: each.asked_by for each in chosen}
        self._spare.give(annotator, given, self.settings.lease_seconds)
        return chosen

    def _more(self, count: int, taken: Mapping[int, AskedBy]) -> list[Candidate]:
        leases = self._store.leases(self.log.hunt, time.time())
        with self._heavy:
            out = self._out.askers(self._hearing.rows, leases)
            return [candidate(each) for each in self.hunt.ask(count, exclude={**out, **taken})]

    def asked_ahead(self, annotator: str, row: int) -> AskedBy | None:
        """Tell who asked the spare question about a row, unless it is held as any other."""
        held = self._out.holds(annotator, row)
        return None if held else self._spare.given(row, annotator)

    def note(self, event: Event) -> None:
        """Let the strategy hear of an event soon; whoever held its record holds it no more."""
        spoken = self.log.known(event.value) if event.kind == "undo" else event
        if spoken is not None and spoken.row is not None:
            self._out.forget(spoken.row)
        self.nudge()

    def given_back(self, row: int) -> None:
        """Note that nobody has the question about this row any more: it can be asked again."""
        self._out.forget(row)

    def _chosen(self, count: int, others: int) -> list[Candidate]:
        """Take the strategy's questions out of the pool, best first."""
        self._wait(count, others)
        chosen = self._taken(count)
        if not chosen and 0 < others < patience.CROWD:
            self.pool.wait(0, 1, patience.STAND_IN_SECONDS)
            chosen = self._taken(count)
        stand_in = not chosen and self.pool.nothing_left is None
        return self._stand_ins(count) if stand_in else chosen

    def _wait(self, count: int, others: int) -> None:
        """Wait for choices that heed every answer, and that keep clear of nothing given back.

        Where many answer at once, whatever was chosen last is as good.
        """
        crowded = others >= patience.CROWD
        seconds = (
            patience.CROWDED_SECONDS
            if crowded
            else patience.TOGETHER_SECONDS
            if others
            else patience.ALONE_SECONDS
        )
        for _ in range(patience.TRIES):
            if len(self.pool) < count:
                self.pool.reopen()
                self.nudge()
            elif self.pool.length < self.log.length:
                self.nudge()
            self.pool.wait(0 if crowded else self.log.length, count, seconds)
            if crowded or self._still_out(self.pool.clear_of):
                break
            self.pool.renew(self._hearing.heard)  # without those the choice may be another

    def _taken(self, count: int) -> list[Candidate]:
        """Take candidates that are not chosen again until it is clear whether they are leased."""
        taken = self.pool.take(count)
        self._out.reserve(taken)
        return taken

    def _second_opinions(self, annotator: str, count: int) -> list[Candidate]:
        wanted = self.settings.overlap
        if wanted < 2:
            return []
        out = self._out.askers(self._hearing.rows)
        return [
            second_opinion(row, answers, wanted, self.log, self.hunt.space)
            for row, answers in self.log.half_answered(annotator, count, out)
        ]

    def _still_out(self, rows: frozenset[int]) -> bool:
        """Say whether nobody gave back, or lost, one of the questions about these rows."""
        if not rows:
            return True
        heard, leases = self._hearing.rows, self._store.leases(self.log.hunt, time.time())
        out = self._out.askers(heard, leases)
        return all(row in out or row in heard for row in rows)

    def _stand_ins(self, count: int) -> list[Candidate]:
        return stand_ins(self._random, self.hunt.n_records, self.log, count)

    def _work(self) -> None:
        while True:
            woken = self.wake.wait(patience.LOOK_SECONDS)
            if woken:  # or a nudge that came just after the wait would be lost
                self.wake.clear()
            if self._closed:
                return
            try:
                if not woken:  # look for what other processes wrote
                    self.log.catch_up()
                if woken or self.log.length > self._hearing.heard:
                    self._think()
            except RarefindError as problem:
                self.pool.settle(str(problem))
            except Exception as problem:  # or everybody would wait for a thread that is dead
                self.pool.settle(broken(self.settings.strategy, problem))

    def _think(self) -> None:
        """Hear what is new, then choose questions until there are enough."""
        if self._pace.good_for_now(len(self.pool)):
            return
        with self._heavy:
            self.log.catch_up()
            if self._hearing.hear(self.log) or self.pool.length < 0:
                self.pool.renew(self._hearing.heard)
                self._pace.renewed()
        held: list[Lease] | None = None
        generation = self.pool.generation
        while len(self.pool) < self._pace.depth and not self._closed:
            if not self._pace.crowded and self.log.length > self._hearing.heard:
                self.wake.set()  # few wait for a question: let them have the one that is best now
                return
            if held is None or generation != self.pool.generation:
                generation = self.pool.generation
                held = self._store.leases(self.log.hunt, time.time())
            began = time.monotonic()
            try:
                self._choose(held, generation)
            except StateError:
                self.pool.settle(self._nothing(held), generation)
                return
            self._pace.breathe(began, len(self.pool))
        self.pool.settle(generation=generation)

    def _choose(self, held: Sequence[Lease], generation: int) -> None:
        """Put further questions into the pool."""
        ahead = len(self.pool)
        count = 1 if not ahead else min(patience.CROWD, self._pace.depth - ahead)
        with self._heavy:
            out = self._out.askers(self._hearing.rows, held)
            # Somebody alone gives back what waits ahead before they ask for more.
            for row in self._out.ahead() if self._alone else ():
                out.pop(row, None)
            questions = self.hunt.ask(count, exclude={**out, **self.pool.askers()})
        self.pool.add([candidate(question) for question in questions], generation, clear_of=out)

    def _nothing(self, held: Sequence[Lease]) -> str | None:
        if held or self._out.askers(self._hearing.rows) or len(self.pool):
            return None
        return all_answered(self.hunt.n_records)
