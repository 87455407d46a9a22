"""Everybody who listens hears everything, and nobody who has gone is remembered."""

from __future__ import annotations

import asyncio
import json
import threading

import pytest

from rarefind.core.errors import StateError
from rarefind.service.asking.news import Leased, Ready, Subscriptions
from rarefind.web.live import events as module
from rarefind.web.live.events import Hub
from tests.web.running import finished


async def take(stream, count):
    heard = []
    async for text in stream:
        told = [json.loads(line[6:]) for line in text.split("\n\n") if line.startswith("data: ")]
        heard += told
        if told and len(heard) >= count:
            return heard
    return heard


async def started(hub, hunt):
    stream = hub.stream(hunt)
    assert (await anext(stream)).startswith("retry:")
    return stream


def test_listeners_hear_the_service_and_the_jobs_in_order_and_only_of_their_hunt():
    async def story():
        source = Subscriptions()
        hub = Hub(source)
        first, second, other = [await started(hub, hunt) for hunt in ("a", "a", "b")]
        for number in range(5):
            source.publish("a", Leased(number, "anna"))
        both = await asyncio.gather(take(first, 5), take(second, 5))
        assert [event["row"] for event in both[0]] == list(range(5))
        assert both[0] == both[1]
        hub.publish("b", Ready())
        assert await take(other, 1) == [{"type": "ready"}]
        for stream in (first, second, other):
            await stream.aclose()
        assert hub.listeners() == 0
        assert not source.hunts()

    finished(story())


def test_five_hundred_listeners_come_and_go_and_nothing_stays():
    async def story():
        source = Subscriptions()
        hub = Hub(source)
        for _ in range(50):
            streams = [await started(hub, "a") for _ in range(10)]
            for stream in streams:
                await stream.aclose()
        assert hub.listeners() == 0
        assert not source.hunts()

    before = threading.active_count()
    finished(story())
    assert threading.active_count() <= before


def test_a_quiet_line_beats_and_closing_ends_it(monkeypatch):
    monkeypatch.setattr(module, "BEAT_SECONDS", 0.02)

    async def story():
        hub = Hub(Subscriptions())
        stream = await started(hub, "a")
        assert await anext(stream) == ": still here\n\n"
        hub.close()
        assert [text async for text in stream if text.startswith("data")] == []
        assert hub.listeners() == 0
        with pytest.raises(StateError, match="Too many"):
            hub.check_room()

    finished(story())


def test_who_does_not_keep_up_is_let_go(monkeypatch):
    monkeypatch.setattr(module, "BACKLOG", 10)
    monkeypatch.setattr(module, "GATHER_SECONDS", 0.0)

    async def story():
        hub = Hub(Subscriptions())
        stream = await started(hub, "a")
        for number in range(100):
            hub.publish("a", Leased(number, "anna"))
            await asyncio.sleep(0.001)  # long enough to be told by itself
        heard = await take(stream, 1000)
        assert [event["row"] for event in heard] == list(range(10))

    finished(story())


def test_too_many_listeners_are_refused(monkeypatch):
    monkeypatch.setattr(module, "MOST_LISTENERS", 2)

    async def story():
        hub = Hub(Subscriptions())
        streams = [await started(hub, "a") for _ in range(2)]
        with pytest.raises(StateError, match="Too many browsers"):
            hub.check_room()
        late = [text async for text in hub.stream("a")]  # its answer had begun before
        assert late == []
        assert hub.listeners() == 2
        for stream in streams:
            await stream.aclose()
        hub.check_room()

    finished(story())


def test_what_happens_at_once_is_told_together(monkeypatch):
    monkeypatch.setattr(module, "GATHER_SECONDS", 0.2)

    async def story():
        hub = Hub(Subscriptions())
        stream = await started(hub, "a")
        for number in range(50):
            hub.publish("a", Leased(number, "anna"))
        assert (await anext(stream)).count("data: ") == 50
        hub.publish("a", Ready())
        assert (await anext(stream)).count("data: ") == 1
        await stream.aclose()
        hub.publish("a", Ready())  # nobody listens, and nothing is kept
        again = await started(hub, "a")
        hub.publish("a", Leased(7, "anna"))
        assert (await anext(again)).count("data: ") == 1
        await again.aclose()

    finished(story())
