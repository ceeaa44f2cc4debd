"""Power cuts: the controller of a demo table is killed at random moments and started again, and the hand goes on.

`python -m simulators.stage.power_cuts --cuts 500 --seed 1 --keep DIR` leaves a journal behind that was cut off so
often.

At each cut the newest part of the journal is checked: the chain, every decision, every record that a reader was told,
and that the second copy, which the controller completed at its last start, ends with a record of it. The whole of both
is checked once, at the end: they grow, and a check of all at each cut would take ever longer.
"""

from __future__ import annotations

import argparse
import json
import random
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from simulators.stage.accounts import NotAsItWas, cards_on_record, check_cards
from simulators.stage.croupier import Croupier
from simulators.stage.endurance import check_at_end, options, run
from simulators.stage.fault_plan import Level, wire_faults
from simulators.stage.games import FIRST
from simulators.stage.stage import Scene, Stage
from simulators.stage.summary import Checked
from tablectl.api.client import NoController
from tablectl.api.stage import StageBroken
from tablectl.core.engine.decisions import Asked
from tablectl.core.engine.facts import Opened
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Question
from tablectl.core.events.stream import PublicRecord, decode_record, known_decisions
from tablectl.core.records import kind_of
from tablectl.games.registry import rulebook_of
from tablectl.journal.copy import CopyDiffers, check_joins, last_of
from tablectl.journal.keys import load_sealing
from tablectl.journal.lines import line
from tablectl.journal.recovery import ChainBroken, ReplayDiffers, recover
from tablectl.journal.seal import Vault
from tablectl.journal.store import Store
from tablectl.journal.tilt import Tilt
from tablectl.journal.verify_full import verify_full
from tablectl.journal.writer import Openings

#: A hand of the demo's croupier without mistakes has about so many records.
HAND_RECORDS: Final = 40
#: The longest time between a record and a random cut, in seconds: a controller has long gone on by then.
AFTER_MOST_S: Final = 0.004
#: Longer than anything takes that comes at all, in seconds.
LONG_S: Final = 20.0


@dataclass(frozen=True, kw_only=True)
class Moment:
    """When the power fails: so long after the `nth` record (of a kind, or of a key) since the start."""

    nth: int
    kind: str = ""
    after_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.nth}th {self.kind or 'record'} + {self.after_s * 1000:.1f} ms"


def matches(record: PublicRecord, kind: str) -> bool:
    """Whether a record is of this kind: by its fact, its key, or a decision in it. Every record is of no kind."""
    decided = {kind_of(type(decision)) for decision in known_decisions(record)}
    return not kind or kind in (record.kind, record.entry) or kind in decided


def random_moments(dice: random.Random, n_moments: int) -> list[Moment]:
    """Moments of one hand."""
    return [
        Moment(nth=dice.randint(1, HAND_RECORDS // 3), after_s=dice.random() * AFTER_MOST_S) for _ in range(n_moments)
    ]


class PowerCut:
    """Watches the records and kills the controller at its moment, from a thread of its own."""

    def __init__(self, stage: Stage, moment: Moment) -> None:
        self._stage = stage
        self._moment = moment
        #: the records that were told to a reader before the power failed
        self.told: list[dict[str, Any]] = []
        self._status: int | None = None
        self._never = threading.Event()
        self._reader = stage.reader(after=stage.newest)
        self._thread = threading.Thread(target=self._watch, name="power-cut")
        self._thread.start()

    def _watch(self) -> None:
        with self._reader:
            left = self._moment.nth
            try:
                while left:
                    record = self._reader.next(LONG_S)
                    if record is None:
                        return  # nothing happens any more: whoever waits for the cut is told
                    self.told.append(record)
                    left -= matches(decode_record(record), self._moment.kind)
            except NoController:
                return  # the power failed before, or the controller ended by itself: its exit status tells
        self._never.wait(self._moment.after_s)
        self._status = self._stage.kill_controller()

    def now(self) -> None:
        """The hand was over before the moment came: cut the power at once."""
        status = self._stage.kill_controller()
        self._thread.join(LONG_S)
        self._must_be_killed(status if status is not None else self._status)

    def join(self) -> None:
        """Somebody noticed that the controller is gone. Raises `NotAsItWas` where no power cut was the reason."""
        self._thread.join(LONG_S + 1.0)
        self._must_be_killed(self._status)

    def _must_be_killed(self, status: int | None) -> None:
        if self._thread.is_alive() or status != -signal.SIGKILL:
            said = self._stage.last_words()
            raise NotAsItWas(
                f"no power cut at the {self._moment}, but exit status {status}; the controller said:\n{said}"
            )


@dataclass(kw_only=True)
class Tally:
    """What a run came to."""

    cuts: int = 0
    #: of the cuts: those that left an unfinished hand
    in_open_hand: int = 0
    hands: int = 0
    #: departures from the rules in these hands
    incidents: int = 0
    #: cards that left the shoe in the hands that were played to their end
    on_felt: int = 0
    #: cards on record for these hands
    on_record: int = 0
    #: of those: without a face, because the shoe could not read the card or a person declared it
    faceless: int = 0
    checked: Checked = field(default_factory=lambda: Checked(good=False, text="not checked"))
    #: how many records journal and copy have, and are the same in
    copied: int = 0

    def __str__(self) -> str:
        return (
            f"{self.cuts} power cuts, {self.in_open_hand} of them in an open hand; "
            f"{self.hands} hands played, {self.incidents} incidents; "
            f"{self.on_felt} cards on the felt = {self.on_record} on record ({self.faceless} without a face); "
            f"journal {self.checked.text}; "
            f"journal and copy are the same, {self.copied} records each"
        )


class Restarts:
    """A table whose power fails. `tally` counts; whatever is not as it was raises `NotAsItWas`."""

    def __init__(self, stage: Stage, croupier: Croupier) -> None:
        self._stage = stage
        self._croupier = croupier
        self.tally = Tally()

    def play(self, moments: list[Moment]) -> None:
        """One hand to its end, with the controller killed at these moments of it."""
        croupier, hand = self._croupier, self.tally.hands + 1
        for moment in moments:
            cut = PowerCut(self._stage, moment)
            try:
                croupier.play(hand)
            except (NoController, StageBroken):
                cut.join()
            else:
                cut.now()
            self.tally.cuts += 1
            self._come_back(cut.told)
            if croupier.felt.hands == hand:
                break
        croupier.play(hand)
        self.tally.hands, self.tally.incidents = hand, sum(croupier.felt.clauses.values())
        self.count_cards(hand)

    def check(self) -> Checked:
        """End the controller in order, then look at the whole journal: verified, replayed, held against its copy."""
        self.tally.checked = check_at_end(self._stage)
        self.tally.copied = self.copied()
        return self.tally.checked

    def copied(self) -> int:
        """How many records journal and copy have, each the same."""
        copy = self._stage.copy
        try:
            end, last = verify_full(self._stage.journal, copy).end, last_of(copy)
        except Tilt as wrong:
            raise NotAsItWas(str(wrong)) from None
        if last != end:
            ends = last.seq if last is not None else "none"
            raise NotAsItWas(f"{copy}: its last record is {ends}, the journal's {end.seq}")
        return end.seq

    def _come_back(self, told: list[dict[str, Any]]) -> None:
        """Start again: the journal is whole, and the croupier is asked about the felt where a hand was open."""
        before = self.recovered(told)
        was_open, newest = before.state.in_play, self._stage.newest
        was_asked = _asks_for_the_felt(before)
        self.tally.in_open_hand += was_open
        self._stage.start_controller()
        with self._stage.reader(after=newest) as reader:
            opened = reader.record(LONG_S)
        if opened is None or opened.seq != newest + 1 or not isinstance(opened.event, Opened):
            raise NotAsItWas(f"record {newest + 1} is no opening of the table: {opened}")
        asked = [decision.question for decision in opened.decisions if isinstance(decision, Asked)]
        if asked != ([Question.FELT] if was_open and not was_asked else []):
            raise NotAsItWas(f"record {newest + 1}: asked {asked}, and a hand was {'open' if was_open else 'not open'}")
        if was_open and not (opened.prompt is not None and opened.prompt.held):
            raise NotAsItWas(f"record {newest + 1}: a hand was open, and the table is not held")

    def recovered(self, told: list[dict[str, Any]]) -> Table:
        """The table out of the newest part of the journal, which holds all that was told about it."""
        last_told = max([self._croupier.felt.seq, *(entry["seq"] for entry in told)])
        with closing(Store.read(self._stage.journal)) as store:
            if store.newest < last_told:
                raise NotAsItWas(f"record {last_told} was told to a reader; {store.newest} is the last one on the disk")
            try:
                recovered = recover(store, Openings(self._vault()), rulebook_of)
                check_joins(self._stage.copy, store)
            except (ReplayDiffers, ChainBroken, CopyDiffers) as wrong:
                raise NotAsItWas(str(wrong)) from None
            on_disk = {record.seq: record for record in store.records(after=told[0]["seq"] - 1)} if told else {}
        for entry in told:
            stored = on_disk[entry["seq"]]
            if json.loads(line(stored)) != entry:
                raise NotAsItWas(f"record {entry['seq']} was told to a reader and is another one on the disk")
        if recovered is None:
            raise NotAsItWas("the journal is empty")
        return recovered.table

    def count_cards(self, hand: int) -> None:
        """Every card that left the shoe in this hand is on record once, in order, with its face or declared."""
        on_record = cards_on_record(self._stage.journal, hand)
        on_felt = [card.face for card in self._stage.world.drawn()]
        check_cards(hand, on_felt, on_record)
        self.tally.on_felt += len(on_felt)
        self.tally.on_record += len(on_record)
        self.tally.faceless += on_record.count(None)

    def _vault(self) -> Vault:
        vault, _ = load_sealing(self._stage.journal.with_suffix(".key"))
        return vault


def _asks_for_the_felt(table: Table) -> bool:
    return any(pending.question is Question.FELT for pending in table.state.asking)


def play_on(folder: Path, *, seed: int, cuts: int, level: Level, rulebook: str = FIRST) -> Iterator[Tally]:
    """Hands with two or three random power cuts each, until there were so many cuts; the tally after each hand.

    Raises `NotAsItWas`, `Stuck`, `StageBroken`.
    """
    dice = random.Random(f"{seed}/power-cuts")
    with Stage(Scene(rulebook=rulebook, seed=seed, shoe_faults=wire_faults(level)), folder) as stage:
        croupier = Croupier(stage, seed=seed, level=level, pause=lambda _: None, pit_boss_waits_s=0.0)
        restarts = Restarts(stage, croupier)
        while (left := cuts - restarts.tally.cuts) > 0:
            restarts.play(random_moments(dice, min(left, dice.choice((2, 3)))))
            yield restarts.tally
        restarts.check()
        yield restarts.tally


def main() -> int:
    """Exit status 0; 1 where anything was not as it was; 2 for wrong usage."""
    parser = options("simulators.stage.power_cuts", __doc__, "cuts", default=500)
    return run(parser, _play, lambda tally: f"{tally.cuts} power cuts, {tally.hands} hands")


def _play(args: argparse.Namespace, folder: Path) -> Iterator[Tally]:
    return play_on(folder, seed=args.seed, cuts=args.count, level=Level(args.faults), rulebook=args.rulebook)


if __name__ == "__main__":
    sys.exit(main())
