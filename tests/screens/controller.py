"""A table for the tests of the screens: the real engine, real commitments, the real control socket; no devices.

`Bench` turns facts into public records. `Controller` keeps them in a journal and serves them as the controller does, so
that a browser, a page and a controller are three parties as at a table.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, Self

from tablectl.api.commands import AcceptRollback, Command, EnterFact, PreviewCorrection, RecordAccess, RecordFloat
from tablectl.api.server import ApiServer
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import Decision, Refused
from tablectl.core.engine.previews import TrialBroke
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment, Tracking
from tablectl.core.events.codec import encode_fact, encode_json, to_plain
from tablectl.core.events.notes import Access
from tablectl.core.events.stream import PublicRecord, decode_record
from tablectl.core.timestamps import time_text
from tablectl.games.registry import rulebook_of
from tablectl.i18n.languages import LANGUAGES
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import opening
from tablectl.journal.log_head import LogHead
from tablectl.journal.record import commitment, faces_up
from tablectl.journal.store import Store
from tablectl.table.controller.present_choices import PresentChoices
from tablectl.table.controller.present_prompt import PresentPrompt
from tests.api_context import api_context

#: 2026-11-21, a quarter to midnight at the table.
START_US: Final = 1_795_301_100_000_000
STEP_US: Final = 1_700_000
#: What a page shows of a table where nothing was entered yet: asked since its first record, about no seat.
AT_FIRST: Final = {"since": 1, "seat": None}


def setup(
    *,
    seats: int = 7,
    tracking: Tracking = Tracking.AMOUNTS,
    staff: bool = False,
    equipment: Equipment = Equipment.SHOE,
) -> f.Setup:
    """A table with ante 5 € to 100 €, bonus 1 € to 50 €; the house allows ante to 200 €, bonus to 75 €."""
    return f.Setup(
        table="Mesa 1",
        rulebook="texas-bonus",
        seats=seats,
        tracking=tracking,
        equipment=equipment,
        limits={"ante": f.Limits(least=500, most=10_000), "bonus": f.Limits(least=100, most=5_000)},
        bands={"ante": f.Limits(least=200, most=20_000), "bonus": f.Limits(least=100, most=7_500)},
        staff=staff,
    )


def poker(
    *, seats: int = 7, tracking: Tracking = Tracking.AMOUNTS, profile: Mapping[str, str] | None = None
) -> f.Setup:
    """A table of Texas Poker with ante 5 € to 100 €, TXB 1 € to 50 €."""
    return f.Setup(
        table="Mesa 2",
        rulebook="texas-poker",
        seats=seats,
        tracking=tracking,
        limits={"ante": f.Limits(least=500, most=10_000), "txb": f.Limits(least=100, most=5_000)},
        profile=profile or {},
    )


class Bench:
    """The engine, with every record it made in public form. `demo`: the table has a demonstration's keys. `carry`: what
    the hand before left; the stream begins with a volume of the journal that says so."""

    def __init__(
        self,
        of: f.Setup | None = None,
        *,
        demo: bool = False,
        carry: Carry | None = None,
        start_us: int = START_US,
    ) -> None:
        self.setup = (setup() if of is None else of) if carry is None else carry.setup
        self.demo = demo
        self._start_us = start_us
        self.records: list[dict[str, Any]] = []
        self._table = Table(self.setup, rulebook_of) if carry is None else Table.resume(carry, rulebook_of)
        self._drawn: dict[int, tuple[str, bytes]] = {}
        self.present = PresentPrompt()
        #: how long a press that is repeated is no other one, in milliseconds; 0: every press is meant
        self.repeat_ms = 0
        #: what the house chose besides, in the greeting
        self.house: dict[str, Any] = {}
        if carry is not None:
            self.note("volume-opened", volume=2, follows={"seq": 0, "hash": ""})
            self.records[-1]["carry"] = to_plain(carry)
        self.enter(f.Opened(at_us=start_us, setup=self.setup))

    def line(self, text: str) -> list[dict[str, Any]]:
        """Enter one fact in the grammar of hand files; gives the public decisions."""
        self.enter(parse_fact(text, self.now_us, self.setup))
        said: list[dict[str, Any]] = self.records[-1]["decisions"]
        return said

    def lines(self, text: str) -> None:
        """Several facts, one a line."""
        for word in filter(None, map(str.strip, text.splitlines())):
            self.line(word)

    @property
    def stream(self) -> list[PublicRecord]:
        """The records as a reader of the stream has them."""
        return [decode_record(record) for record in self.records]

    @property
    def now_us(self) -> int:
        """The time at the table: every record takes its while."""
        return self._start_us + len(self.records) * STEP_US

    def pass_us(self, us: int) -> None:
        """Nothing happens for so long."""
        self._start_us += us

    def preview(self, fact: f.Corrected) -> tuple[Decision, ...]:
        """What would follow from a correction."""
        return self._table.preview(fact)

    def enter(self, fact: f.Fact) -> tuple[Decision, ...]:
        """Enter one fact; the record follows those before it."""
        before, hand = len(self._table.state.deal.draws), self._hand()
        decisions = self._table.apply(fact)
        public = encode_fact(fact, self._seal(fact, before))
        after = len(self._table.state.deal.draws)
        if after > before:
            public["draw"] = after
        closed = not self._table.state.in_play and hand == self._table.state.hand
        record = {
            "seq": len(self.records) + 1,
            "at": time_text(fact.at_us),
            "hand": hand if closed else self._hand(),
            "fact": public,
            "decisions": [to_plain(decision) for decision in decisions],
            "prompt": to_plain(self._table.prompt()),
            "reveals": list(self._reveals(decisions)),
        }
        if isinstance(fact, f.Opened):
            record["keys"] = {"signing": "", "sealing": "", "demo": self.demo}
        if closed:
            record["carry"] = to_plain(self._table.carry())
            self._drawn.clear()
        self.records.append(record)
        n_records = len(self.records)
        self.present.told(self._table.prompt(), after=n_records - 1, newest=n_records, anew=isinstance(fact, f.Opened))
        return decisions

    def note(self, kind: str, **fields: object) -> None:
        """A fact that the engine never hears of, as a controller records one: no decisions, no prompt."""
        self.records.append(
            {
                "seq": len(self.records) + 1,
                "at": time_text(self.now_us),
                "hand": self._hand(),
                "fact": {"kind": kind, **fields},
                "decisions": [],
            }
        )

    @property
    def state(self) -> State:
        """What the engine remembers after the last record: to be looked at."""
        return self._table.state

    def choices(self) -> dict[str, Any]:
        """What each choice of the pit boss would do now, as the controller says it."""
        return PresentChoices(self._broke).told(self._table)

    def _broke(self, wrong: TrialBroke) -> None:
        raise wrong

    @property
    def greeting(self) -> dict[str, Any]:
        """What the controller says of itself."""
        return {
            "table": {
                "name": self.setup.table,
                "rulebook": self.setup.rulebook,
                "seats": self.setup.seats,
                "tracking": self.setup.tracking.value,
                "limits": _spans(self.setup.limits),
                "bands": _spans(self.setup.bands),
                "staff": self.setup.staff,
                "languages": list(LANGUAGES),
                "currency_exponent": 2,
                "currency": "EUR",
                "demo_key": self.demo,
                "repeat_ms": self.repeat_ms,
                **self.house,
            }
        }

    def since_hand(self, hands: int) -> int:
        """The index of the record that opened the `hands`-th last hand."""
        opened = [
            index
            for index, record in enumerate(self.records)
            if any(decision["kind"] == "hand-opened" for decision in record["decisions"])
        ]
        return opened[-hands] if len(opened) >= hands else 0

    def _hand(self) -> int:
        state = self._table.state
        return state.hand if state.in_play else state.hand + 1

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


def _spans(limits: Mapping[str, f.Limits]) -> dict[str, dict[str, int]]:
    return {bet: {"least": limit.least, "most": limit.most} for bet, limit in limits.items()}


def records_of(text: str) -> list[dict[str, Any]]:
    """The public records of a hand file's text, at the table that it names, the opening of the hand included."""
    hand = parse(text)
    bench = Bench(carry=hand.carry) if hand.carry.players or hand.carry.croupier else Bench(hand.setup)
    if opening(hand):
        bench.line("press new-hand")
    for step in hand.steps:
        bench.line(step.text)
    return bench.records


class Controller:
    """Serves a bench: a journal at `path` with its records, and the real control socket. Use as a context."""

    def __init__(self, path: Path, bench: Bench) -> None:
        self._path = path
        self._bench = bench
        self._journal = path.with_name(f"{path.name}-{id(bench)}.db")
        self._store = Store.open(self._journal)
        self._log_head = LogHead()
        self._server: ApiServer | None = None
        self._lock = threading.Lock()
        #: how the devices are, as the controller says it; nobody knows unless a test says so
        self.report: Mapping[str, Any] = {"ok": False}
        #: facts that people entered at a page
        self.entered: list[Mapping[str, Any]] = []
        #: who signed on or read what, as the screens told it
        self.accesses: list[Access] = []

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()
        self._store.close()

    def start(self) -> None:
        """Listen, for the first time or again, with all that there is by now."""
        self._keep()
        self._log_head = LogHead(self._store.end)
        self._server = ApiServer(
            self._path,
            api_context(
                self._journal,
                log_head=self._log_head,
                greeting=self._bench.greeting,
                setup=self._bench.setup,
                submit=self._enter,
                clock_us=lambda: self._bench.now_us,
                devices=lambda: self.report,
                choices=self._choices,
            ),
        )
        self._server.start()

    def stop(self) -> None:
        """Go away: the socket is gone and every connection broken. May be repeated."""
        if self._server is not None:
            self._server.close()
            self._server = None

    def line(self, text: str) -> None:
        """Something happens at the table."""
        with self._lock:
            self._bench.line(text)
            self._keep()

    def lines(self, text: str) -> None:
        """Several things, one a line."""
        for word in filter(None, map(str.strip, text.splitlines())):
            self.line(word)

    def note(self, kind: str, **fields: object) -> None:
        """The controller records something of its own."""
        with self._lock:
            self._bench.note(kind, **fields)
            self._keep()

    def _choices(self) -> Mapping[str, Any]:
        with self._lock:
            return self._bench.choices()

    def _enter(self, entry: Command) -> None:
        if isinstance(entry, RecordAccess):
            # On record in a place of its own: tests of pages count the records of the table.
            self.accesses.append(entry.access)
            entry.reply({"ok": True, "seq": self._store.newest})
            return
        if isinstance(entry, RecordFloat):
            fact = encode_fact(entry.note)
            self.note(**fact)
            self.entered.append(fact)
            entry.reply({"ok": True, "seq": self._store.newest, "expected": None})
            return
        if isinstance(entry, AcceptRollback):
            fact = encode_fact(entry.note)
            self.note(**fact)
            self.entered.append(fact)
            entry.reply({"ok": True, "seq": self._store.newest})
            return
        if isinstance(entry, PreviewCorrection):
            with self._lock:
                entry.answer(self._bench.preview(entry.fact))
            return
        assert isinstance(entry, EnterFact), "no screen asks for sealed cards"
        with self._lock:
            refusal = None if entry.seen is None else self._bench.present.refusal(entry.seen)
            if refusal is not None:
                entry.reply(refusal)
                return
            decisions = self._bench.enter(entry.fact)
            self.entered.append(self._bench.records[-1]["fact"])
            self._keep()
        entry.answer(
            self._store.newest, next((decision for decision in decisions if isinstance(decision, Refused)), None)
        )

    def _keep(self) -> None:
        """What the bench did is on the disk, and then readers hear of it."""
        for record in self._bench.records[self._store.newest :]:
            closes = "carry" in record
            self._store.append(hand=record["hand"], boundary=closes, public=encode_json(record), sealed=None)
        self._log_head.publish(self._store.end)


def record_of(*decisions: Decision) -> PublicRecord:
    """A record of the stream in which these decisions follow a card that came; nobody is asked anything."""
    return PublicRecord(seq=1, hand=1, at_us=START_US, event=f.Counted(at_us=START_US, cards=52), decisions=decisions)


def record_with(fact: Mapping[str, Any]) -> PublicRecord:
    """A record of the stream in which just this happened, as the JSON of its line has it."""
    return decode_record({"seq": 1, "hand": 1, "at": time_text(START_US), "fact": fact, "decisions": []})
