"""The wire to the controller: nothing is missed, nothing is shown twice, and a lost controller is known at once."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest

from tablectl.api.client import NoController
from tablectl.core.public_table.table import PublicTable
from tablectl.web.screens.feed import Feed, Picture
from tablectl.web.screens.link import Link, Reply, reply_of
from tests.screens import hands
from tests.screens.controller import Bench, Controller

WITHIN_S = 5.0
NOWHERE = {"kind": "card-placed", "draw": 1, "slot": "moon.1"}


async def until(feed: Feed, true: Callable[[Picture], bool]) -> Picture:
    """The first picture of which this is true."""
    picture = feed.picture
    async with asyncio.timeout(WITHIN_S):
        while not true(picture):
            picture = await feed.after(picture, at_most_s=WITHIN_S)
    return picture


def following(socket_path: Path, play: Callable[[Link, Feed], Awaitable[None]]) -> None:
    async def run() -> None:
        feed = Feed()
        link = Link(socket_path, feed)
        task = asyncio.create_task(link.run())
        try:
            await play(link, feed)
        finally:
            task.cancel()
            await asyncio.wait([task])
            others = asyncio.all_tasks() - {asyncio.current_task()}
            if others:
                await asyncio.wait(others, timeout=WITHIN_S)

    asyncio.run(run())


def test_it_shows_what_is_stored_and_then_what_happens(socket_path: Path, bench: Bench) -> None:
    bench.lines(hands.WHOLE)

    async def play(_link: Link, feed: Feed) -> None:
        picture = await until(feed, lambda now: now.view.seq == len(bench.records))
        assert (picture.connected, picture.view.phase) == (True, "closed")
        await asyncio.to_thread(controller.line, "press new-hand")
        assert (await until(feed, lambda now: now.view.hand == 2)).view.phase == "betting"

    with Controller(socket_path, bench) as controller:
        following(socket_path, play)


def test_after_a_loss_it_goes_on_after_the_last_record(socket_path: Path, bench: Bench) -> None:
    bench.lines(hands.BETS)

    async def play(_link: Link, feed: Feed) -> None:
        await until(feed, lambda now: now.connected and now.view.phase == "dealing")
        await asyncio.to_thread(controller.stop)
        lost = await until(feed, lambda now: not now.connected)
        assert lost.view.phase == "dealing"
        bench.lines(hands.HOLE_CARDS)
        await asyncio.to_thread(controller.start)
        back = await until(feed, lambda now: now.connected and now.view.phase == "flop-decision")
        assert back.view.drawn == 6

    with Controller(socket_path, bench) as controller:
        following(socket_path, play)


def test_it_waits_for_a_controller_that_is_not_there_yet(socket_path: Path, bench: Bench) -> None:
    async def play(link: Link, feed: Feed) -> None:
        with pytest.raises(NoController):
            await link.ask({"enter": "press new-hand", "by": "croupier"})
        await asyncio.to_thread(controller.start)
        await until(feed, lambda now: now.connected)

    controller = Controller(socket_path, bench)
    with controller:
        controller.stop()
        following(socket_path, play)


def test_an_entry_is_answered_with_its_record_or_with_why_not(socket_path: Path, bench: Bench) -> None:
    async def play(link: Link, _feed: Feed) -> None:
        async def entered(line: str) -> Reply:
            return reply_of(await link.ask({"enter": line, "by": "croupier"}))

        assert await entered("press new-hand") == Reply(ok=True, seq=2)
        refused = await entered("press bank")
        assert refused.refused == {"why": "not-live", "clause": None, "detail": "bank"}
        wrong = await entered("press nothing")
        assert not wrong.ok
        assert wrong.error

    with Controller(socket_path, bench) as controller:
        following(socket_path, play)
        assert controller.entered[0] == {"kind": "pressed", "key": "new-hand"}


def test_it_asks_for_the_last_hands_and_after_a_loss_for_its_last_record_again(socket_path: Path, bench: Bench) -> None:
    bench.lines(hands.BETS)
    last = len(bench.records)
    asked: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(json.loads(await reader.readline())["follow"])
        records = bench.records if len(asked) == 1 else bench.records[last - 1 :]
        for line in [bench.greeting, *records]:
            writer.write(json.dumps(line).encode() + b"\n")
        await writer.drain()
        if len(asked) > 1:
            await reader.read()
        writer.close()

    async def play(_link: Link, feed: Feed) -> None:
        server = await asyncio.start_unix_server(serve, socket_path)
        await until(feed, lambda now: now.connected and len(asked) == 2)
        server.close()
        assert asked == [{"hands": 10}, {"after": last - 1}]

    following(socket_path, play)


@pytest.mark.parametrize(
    "broken",
    [
        lambda records: [records[0], records[2]],
        lambda records: [records[0], {"seq": 2}],
        lambda records: [records[0], ["no", "object"]],
        lambda records: [records[0], {**records[1], "decisions": [NOWHERE]}],
    ],
)
def test_a_stream_that_cannot_be_right_is_never_shown_as_connected(
    socket_path: Path, bench: Bench, broken: Callable[[list[Any]], list[Any]]
) -> None:
    """It starts over with the last hands, and shows the whole table as soon as the stream is sound."""
    bench.lines(hands.BETS)
    streams = [broken(bench.records), bench.records]
    asked: list[Any] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(json.loads(await reader.readline())["follow"])
        for line in [bench.greeting, *streams[min(len(asked), 2) - 1]]:
            writer.write(json.dumps(line).encode() + b"\n")
        await writer.drain()
        await reader.read()
        writer.close()

    async def play(_link: Link, feed: Feed) -> None:
        server = await asyncio.start_unix_server(serve, socket_path)
        picture = await until(feed, lambda now: now.connected and now.view.seq == len(bench.records))
        assert picture.view.phase == "dealing"
        server.close()
        assert asked[:2] == [{"hands": 10}, {"hands": 10}]

    following(socket_path, play)


# --- a page that is made once, after an entry -------------------------------------------------------------------------


def _at(seq: int, *, connected: bool = True) -> Picture:
    return Picture(view=PublicTable(seq=seq), connected=connected)


def test_a_page_after_an_entry_shows_the_table_with_its_record() -> None:
    async def run() -> Picture:
        feed = Feed()
        feed.publish(_at(3))
        asked = asyncio.create_task(feed.with_record(5, at_most_s=WITHIN_S))
        for seq in (4, 5):
            await asyncio.sleep(0)
            assert not asked.done()
            feed.publish(_at(seq))
        return await asked

    assert asyncio.run(run()).view.seq == 5


@pytest.mark.parametrize(("picture", "at_most_s"), [(_at(3), 0.0), (_at(3, connected=False), WITHIN_S)])
def test_a_page_does_not_wait_for_a_record_that_never_comes(picture: Picture, at_most_s: float) -> None:
    feed = Feed()
    feed.publish(picture)
    assert asyncio.run(feed.with_record(5, at_most_s=at_most_s)) is picture
