"""A controller's end of the socket for tests: the real engine, real commitments, the real protocol; no journal.

`Bench` turns facts into public records. `Controller` serves them on a Unix domain socket from a thread of its own, so
that a browser, a page and a controller are three parties as at a table.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import threading
from collections.abc import Coroutine, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from tablectl.engine import facts as f
from tablectl.engine.decisions import Decision
from tablectl.engine.table import Table
from tablectl.engine.words import Tracking
from tablectl.handfile import parse, parse_fact
from tablectl.journal.record import (
    commitment,
    faces_up,
    public_decision,
    public_fact,
    public_prompt,
    time_text,
)
from tablectl.rulebooks.registry import rulebook_of

#: 2026-11-21, a quarter to midnight at the table.
START_US: Final = 1_795_301_100_000_000
STEP_US: Final = 1_700_000


def setup(*, seats: int = 7, tracking: Tracking = Tracking.AMOUNTS) -> f.Setup:
    """A table with ante 5 € to 100 €, bonus 1 € to 50 €."""
    return f.Setup(
        table="Mesa 1",
        rulebook="texas-bonus",
        seats=seats,
        tracking=tracking,
        limits={"ante": f.Limits(least=500, most=10_000), "bonus": f.Limits(least=100, most=5_000)},
    )


class Bench:
    """The engine, with every record it made in public form."""

    def __init__(self, of: f.Setup | None = None) -> None:
        self.setup = setup() if of is None else of
        self.records: list[dict[str, Any]] = []
        self._table = Table(self.setup, rulebook_of)
        self._drawn: dict[int, tuple[str, bytes] | None] = {}
        self._n_drawn = 0
        self.enter(f.Opened(at_us=START_US, setup=self.setup))

    def line(self, text: str) -> list[dict[str, Any]]:
        """Enter one fact in the grammar of hand files; gives the public decisions."""
        return self.enter(parse_fact(text, START_US + len(self.records) * STEP_US, self.setup))

    def lines(self, text: str) -> None:
        """Several facts, one a line."""
        for each in filter(None, map(str.strip, text.splitlines())):
            self.line(each)

    def enter(self, fact: f.Fact) -> list[dict[str, Any]]:
        """Enter one fact; the record follows those before it."""
        before = len(self._table.state.deal.draws)
        decisions = self._table.apply(fact)
        public = public_fact(fact, self._seal(fact, before))
        after = len(self._table.state.deal.draws)
        if after > before:
            public["draw"] = after
        said = [public_decision(each) for each in decisions]
        self.records.append(
            {
                "seq": len(self.records) + 1,
                "at": time_text(fact.at_us),
                "hand": self._table.state.hand,
                "fact": public,
                "decisions": said,
                "prompt": public_prompt(self._table.prompt()),
                "reveals": list(self._reveals(decisions)),
            }
        )
        if any(each["kind"] == "hand-closed" for each in said):
            self._drawn.clear()
        return said

    def refused(self, decisions: list[dict[str, Any]]) -> dict[str, Any] | None:
        """The refusal among public decisions."""
        found = next((each for each in decisions if each["kind"] == "refused"), None)
        return None if found is None else {name: found[name] for name in ("why", "clause", "detail")}

    @property
    def greeting(self) -> dict[str, Any]:
        """What the controller says of itself."""
        return {
            "table": {
                "name": self.setup.table,
                "rulebook": self.setup.rulebook,
                "seats": self.setup.seats,
                "tracking": self.setup.tracking.value,
                "limits": {name: {"least": each.least, "most": each.most} for name, each in self.setup.limits.items()},
                "languages": ["es", "en"],
                "currency_exponent": 2,
                "currency": "EUR",
            }
        }

    def since_hand(self, hands: int) -> int:
        """The index of the record that opened the `hands`-th last hand."""
        opened = [
            index
            for index, record in enumerate(self.records)
            if any(each["kind"] == "hand-opened" for each in record["decisions"])
        ]
        return opened[-hands] if len(opened) >= hands else 0

    def _seal(self, fact: f.Fact, before: int) -> str | None:
        if not isinstance(fact, f.Drawn) or fact.card is None:
            return None
        salt = (before + 1).to_bytes(16, "big")
        self._drawn[before + 1] = (fact.card.code, salt)
        return commitment(fact.card.code, salt)

    def _reveals(self, decisions: tuple[Decision, ...]) -> Iterator[dict[str, Any]]:
        for draw, slot in faces_up(decisions):
            sealed = self._drawn.get(draw)
            if sealed is not None:
                code, salt = sealed
                yield {"draw": draw, "slot": slot.name, "card": code, "salt": salt.hex()}


def records_of(text: str, *, seats: int = 9) -> list[dict[str, Any]]:
    """The public records of a hand file's text, the opening of the hand included."""
    hand = parse(text)
    bench = Bench(setup(seats=seats, tracking=hand.setup.tracking))
    if hand.steps[0].text != "press new-hand":
        bench.line("press new-hand")
    for step in hand.steps:
        bench.line(step.text)
    return bench.records


class Controller:
    """Serves a bench at a socket, in a thread with its own event loop. Use as a context."""

    def __init__(self, path: Path, bench: Bench) -> None:
        self._path = path
        self._bench = bench
        self._loop = asyncio.new_event_loop()
        self._grown = asyncio.Event()
        self._writers: set[asyncio.StreamWriter] = set()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self.entered: list[tuple[str, str]] = []
        self.followed: list[Mapping[str, Any]] = []

    def __enter__(self) -> Controller:
        self._thread.start()
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(5)
        self._loop.close()

    def start(self) -> None:
        """Listen, for the first time or again."""
        self._wait(self._listen())

    def stop(self) -> None:
        """Go away: the socket is gone and every connection broken."""
        self._wait(self._hang_up())

    def line(self, text: str) -> None:
        """Something happens at the table."""

        async def enter() -> None:
            self._bench.line(text)
            self._tell()

        self._wait(enter())

    def lines(self, text: str) -> None:
        """Several things, one a line."""
        for each in filter(None, map(str.strip, text.splitlines())):
            self.line(each)

    def _wait(self, work: Coroutine[Any, Any, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _listen(self) -> None:
        self._path.unlink(missing_ok=True)
        self._server = await asyncio.start_unix_server(self._serve, self._path)

    async def _hang_up(self) -> None:
        if self._server is not None:
            self._server.close()
        self._path.unlink(missing_ok=True)
        for writer in self._writers:
            writer.transport.abort()
        self._tell()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        if others:
            await asyncio.wait(others)

    def _tell(self) -> None:
        self._grown.set()
        self._grown = asyncio.Event()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        with contextlib.suppress(ConnectionError):
            asked = json.loads(await reader.readline() or b"{}")
            if "enter" in asked:
                await self._answer(writer, asked)
            elif "follow" in asked:
                await self._stream(writer, asked["follow"])
        self._writers.discard(writer)
        writer.close()

    async def _answer(self, writer: asyncio.StreamWriter, asked: Mapping[str, Any]) -> None:
        self.entered.append((asked["enter"], asked["by"]))
        try:
            decisions = self._bench.line(asked["enter"])
        except ValueError as wrong:
            await self._send(writer, {"ok": False, "error": str(wrong)})
            return
        self._tell()
        refused = self._bench.refused(decisions)
        await self._send(writer, {"ok": True, "seq": len(self._bench.records), "refused": refused})

    async def _stream(self, writer: asyncio.StreamWriter, follow: Mapping[str, Any]) -> None:
        self.followed.append(follow)
        await self._send(writer, self._bench.greeting)
        at = int(follow["after"]) if "after" in follow else self._bench.since_hand(int(follow["hands"]))
        while not writer.is_closing():
            grown = self._grown
            while at < len(self._bench.records):
                await self._send(writer, self._bench.records[at])
                at += 1
            await grown.wait()

    async def _send(self, writer: asyncio.StreamWriter, said: Mapping[str, Any]) -> None:
        writer.write(json.dumps(said).encode() + b"\n")
        await writer.drain()
