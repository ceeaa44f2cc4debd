"""Whoever reads the public stream says the same of the table: at every record of every hand file, as far as each of
them says anything, and as the rules themselves remember it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from simulators.stage.felt import Felt as Robot
from tablectl.core.engine.state import State
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold, fold_uncollected
from tablectl.core.public_table.table import PublicTable
from tablectl.games.registry import CIRCLE_GAMES, RULEBOOKS
from tablectl.journal.evidence.result import Result
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening
from tablectl.notifications.alerts import Alert, alerts_of
from tablectl.statistics.folding import Totals
from tablectl.statistics.folding import fold as fold_statistics
from tablectl.statistics.rows import IncidentRow
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.recall import recalled
from tests.journal.journals import files_of
from tests.readers import pictures as p
from tests.screens.controller import Bench


def bench_of(hand: HandFile) -> Bench:
    """A table that knows what it knew before the hand."""
    carry = hand.carry
    return Bench(carry=carry) if carry.players or carry.croupier or carry.previous else Bench(hand.setup)


def steps_of(hand: HandFile) -> Iterator[str]:
    """Everything that happens in a hand file, a fact a line."""
    if opening(hand):
        yield "press new-hand"
    yield from (step.text for step in hand.steps)


class Readers:
    """Everybody who reads the stream, each with what he has read so far."""

    def __init__(self, bench: Bench) -> None:
        self._is_for_pots = bench.setup.rulebook in CIRCLE_GAMES
        self._table = table_info(bench.greeting)
        self._live, self._robot = PublicTable(), Robot()
        self._uncollected = PublicTable()
        self._hand: list[Mapping[str, Any]] = []
        self._carried: tuple[int, ...] = ()
        self._totals, self._rows = Totals(), dict[int, IncidentRow]()
        self._told: list[Alert] = []

    def take(self, record: Mapping[str, Any]) -> None:
        """One record more."""
        if self._hand and _closes(self._hand[-1]):
            self._hand, self._uncollected = [], self._live
            self._carried = self._live.carried
        self._hand.append(record)
        public = decode_record(record)
        self._live = fold(self._live, public)
        self._uncollected = fold_uncollected(self._uncollected, public)
        self._totals, changes = fold_statistics(self._totals, public)
        self._rows.update(changes.incidents)
        self._told += alerts_of(public)
        self._robot.see(public)

    def pictures(self, state: State) -> Mapping[str, p.Picture]:
        """What each of them says of the hand that is open."""
        engine = p.of_engine(state)
        said = {
            "croupier and pit": self._page(self._live),
            "evidence": self._evidence(),
            "statistics": p.of_statistics(self._totals, self._rows),
            "notifications": p.of_notifications(self._told),
            "the demo's croupier": p.of_robot(self._robot),
        }
        if engine.out is None:  # cards may lie at seats all the same: those of a draw for the button
            said = {name: replace(picture, seats=None, out=None, why_out=None) for name, picture in said.items()}
        return {"the engine": engine, **said}

    def endings(self) -> Mapping[str, p.Picture]:
        """What is said of a hand that is over, by those who show it as it lay before its cards were collected."""
        again = recalled(self._hand[0]["hand"], self._table, [*map(decode_record, self._hand)], carried=self._carried)
        return {
            "a hand again": self._page(again.steps[-1].view),
            "evidence": self._evidence(),
        }

    def _evidence(self) -> p.Picture:
        end = Result(table=self._uncollected, codes={}, float_change=None)
        return p.of_evidence(end, is_for_pots=self._is_for_pots)

    def _page(self, view: PublicTable) -> p.Picture:
        return p.of_page(view, is_for_pots=self._is_for_pots)


def _closes(record: Mapping[str, Any]) -> bool:
    return any(decision["kind"] == "hand-closed" for decision in record["decisions"])


def disagreements(hand: HandFile) -> list[str]:
    """Who says something else than whom, after what, about what."""
    bench = bench_of(hand)
    readers, found, read = Readers(bench), list[str](), 0
    for text in (None, *steps_of(hand)):
        if text is not None:
            bench.line(text)
        for record in bench.records[read:]:
            readers.take(record)
        read = len(bench.records)
        over = _closes(bench.records[-1])
        said = readers.endings() if over else readers.pictures(bench.state)
        for (first, picture), (second, other) in combinations(said.items(), 2):
            found += [
                f"after {text!r}: {first} / {second}: {difference}" for difference in p.differences(picture, other)
            ]
    return found


@pytest.mark.parametrize("with_all", [False, pytest.param(True, marks=pytest.mark.wide)], ids=["various", "all"])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_reader_says_the_same_at_each_record_of_every_hand(rulebook: str, *, with_all: bool) -> None:
    hands = {path.stem: parse(path.read_text(encoding="utf-8")) for path in files_of(rulebook, with_all=with_all)}
    found = {name: disagreements(hand) for name, hand in hands.items()}
    assert {name: said for name, said in found.items() if said} == {}
