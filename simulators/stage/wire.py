"""A hand file over the wires: cards out of a simulated shoe or under simulated readers, keys on a simulated panel,
entries as from a screen, and the decisions out of the journal of a whole controller.

What a file says of a card on the felt is done with the card itself: it is laid at the spot, or lifted. Readers see all
that happens, also what the file leaves out: that a card is not where it was before, or is seen again after a start.
Nothing may follow from that.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from simulators.devices.world import HAND
from simulators.stage.games import Band, table_of
from simulators.stage.readers import Reading, felt_spots
from simulators.stage.stage import Scene, Stage, temporary_folder
from tablectl.api.client import Subscription
from tablectl.api.stage import StageBroken
from tablectl.core.cards import Card
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.equipment import CARD_UNCERTAIN, STARTED
from tablectl.core.engine.limit_rules import Between, OneOf
from tablectl.core.engine.state import ANTENNAS
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment, Key, SeatChange, Tracking
from tablectl.core.events.stream import PublicRecord, known_decisions
from tablectl.core.options.choices import DWELL_MS, DWELL_MS_MOST
from tablectl.core.records import kind_of
from tablectl.families.pots.places import markers_of
from tablectl.families.pots.players import player_of
from tablectl.games.registry import GAMES, LIMIT_RULES, rulebook_of
from tablectl.journal.clock import now_us
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.facts import fact_line, parse_fact
from tablectl.journal.handfile.file import HandFile, Step
from tablectl.journal.handfile.playing import Difference, begun, compare, opening
from tablectl.journal.journal import Journal
from tablectl.journal.places import Places
from tablectl.journal.writer import format_begun

#: More records than a hand has.
VOLUME_RECORDS: Final = 100_000
#: How long a record may take to come, in seconds.
ANSWER_S: Final = 10.0
#: What readers tell of cards, and in a simulated world only they.
_ON_THE_FELT: Final = (f.Seen, f.Gone)
#: What nobody can bring about with the cards of the deck in play, or what the controller tells by itself.
_NOT_BY_CARDS: Final = (f.StrangeTag, f.Counted, f.OnFelt, f.Shuffled)
#: Where time passes in a hand it passes so many times as slowly, and the dwell time is as much longer: on a busy
#: machine what took a moment too long would be another hand.
_SLOWER: Final = 4
#: So much longer than a line says, in seconds: what the controller wakes up for comes before the next line.
_WAKES_S: Final = 0.1
#: What readers tell beside what was waited for.
_BESIDE: Final = frozenset(map(kind_of, (*_ON_THE_FELT, f.Counted, f.OnFelt, f.TimePassed)))
#: Where the word of a header is another one than the engine's.
_HEADER_WORDS: Final = {
    "n_incidents": "incidents",
    "shoe_lost": "shoe-lost",
    "needs_deck": "needs-deck",
    "is_shuffled": "shuffled",
    "lost": "away",
    "unseen_devices": "unseen-device",
    "is_closing": "closing",
    "is_pot_waiting": "carried",
    "next_setup": "next-game",
    "next_croupier": "next-croupier",
    "limits_set": "limits-set",
}
_OF_PEOPLE: Final = ("croupier", "next_croupier", "limits_set", "shelved", "unseen_devices")
#: What has other decisions at a table with a resto than at one without.
_OF_RESTOS: Final = (f.Stacked, f.Moved, f.GameChosen)


def why_not(hand: HandFile) -> str | None:
    """Why a hand file cannot go over the wire; None where it can."""
    if any(isinstance(step.fact, f.Failed) for step in hand.steps):
        return "a fault of the controller itself cannot be ordered from outside"
    if any(isinstance(step.fact, f.TopologyChanged) for step in hand.steps):
        return "the simulated USB devices are none of the machine's, so udev tells nothing of them"
    if any(isinstance(step.fact, f.DeviceSaid) and step.fact.what == CARD_UNCERTAIN for step in hand.steps):
        return "a line that changes one copy of a report is none of the devices'"
    if hand.setup.equipment is not Equipment.SHOE and any(isinstance(step.fact, f.Corrected) for step in hand.steps):
        return "what readers tell beside is counted too, so that an entry has another number"
    if _starts_twice(hand):
        return "a shoe that starts twice in a row says the same twice, as where it repeats a report"
    if (reason := _why_not_by_readers(hand)) is not None:
        return reason
    if _resto(hand) != hand.setup.resto and any(isinstance(step.fact, _OF_RESTOS) for step in hand.steps):
        return "a table with amounts has a resto, and the hand says of none"
    left_over = ", ".join(dict.fromkeys(_left_over(hand)))
    return f"what was before it cannot be ordered from outside: {left_over}" if left_over else None


def _why_not_by_readers(hand: HandFile) -> str | None:
    """Why what readers tell in this file cannot be brought about with cards."""
    facts = [step.fact for step in hand.steps]
    has_readers = hand.setup.equipment is not Equipment.SHOE
    if any(isinstance(fact, _NOT_BY_CARDS) for fact in facts):
        return "a tag of no card, a count of the deck and what lies on the felt before are told by readers alone"
    if (missing := _missing_reader(hand.setup.equipment, facts)) is not None or not has_readers:
        return missing
    if any(isinstance(fact, f.Seen) and (fact.card is None or fact.position is not None) for fact in facts):
        return "a reader of one spot tells no place in it, and no card that it cannot read"
    if any(isinstance(fact, f.DeviceLost | f.DeviceBack) and fact.role == ANTENNAS for fact in facts):
        return "the readers of this table have names of their own"
    if _follows_from_a_lift(hand):
        return "a reader tells that a card is lifted, from which something follows, and the hand does not"
    drawn = [fact.card for fact in facts if isinstance(fact, f.Drawn) and fact.card is not None]
    if len(set(drawn)) < len(drawn) and not any(isinstance(fact, f.Pressed) for fact in facts[1:]):
        return "two cards with one face would have two tags, and one of them is none of the deck"
    return None


def _missing_reader(equipment: Equipment, facts: list[f.Fact]) -> str | None:
    """Why nobody at this table could tell some of these facts."""
    if equipment is Equipment.SHOE and any(isinstance(fact, _ON_THE_FELT) for fact in facts):
        return "no reader under the felt is at this table"
    if equipment is Equipment.ANTENNAS and any(isinstance(fact, f.Drawn) for fact in facts):
        return "no shoe is at this table"
    return None


def _follows_from_a_lift(hand: HandFile) -> bool:
    """Whether something follows from lifting a card that the file lays elsewhere without a word of its being lifted: a
    discard that was one too many (FCD-DSC-14). A reader tells of it."""
    table = begun(hand, rulebook_of)
    lies: dict[Card, str] = {}
    for fact in (step.fact for step in hand.steps):
        if isinstance(fact, f.Seen) and fact.card is not None:
            before = lies.get(fact.card, fact.spot)
            if before != fact.spot and table.apply(f.Gone(at_us=fact.at_us, spot=before, card=fact.card)):
                return True
            lies[fact.card] = fact.spot
        elif isinstance(fact, f.Gone) and fact.card is not None:
            lies.pop(fact.card, None)
        table.apply(fact)
    return False


def _starts_twice(hand: HandFile) -> bool:
    """Whether nothing else came from the shoe between two starts of it."""
    said = [step.fact for step in hand.steps if isinstance(step.fact, f.Drawn | f.DeviceSaid)]
    starts = [isinstance(fact, f.DeviceSaid) and fact.what == STARTED for fact in said]
    return any(map(all, pairwise(starts)))


def _left_over(hand: HandFile) -> Iterator[str]:
    """What the header says and nobody can enter at a table that has just begun: words of the header."""
    carry, found = hand.carry, _entered(hand)
    for name in ("hand", "n_incidents", "unseen", "shoe_lost", "conduct", "kept", "needs_deck", "is_shuffled", "lost"):
        if getattr(carry, name) != getattr(found, name):
            yield _HEADER_WORDS.get(name, name)
    if any(carry.previous.values()):
        yield "previous"
    if carry.previous and hand.setup.tracking is Tracking.PRESENCE and not opening(hand):
        yield "seats"  # who plays is entered after the hand was opened, which the file does itself
    for line in carry.players:
        if line not in found.players:
            yield f"player {line}"
    if carry.stacks != found.stacks:
        yield "stack"
    for name in ("carried", "is_pot_waiting", "is_closing", "next_setup", *_OF_PEOPLE):
        if getattr(carry, name) != getattr(found, name):
            yield _HEADER_WORDS.get(name, name)
    if hand.setup.resto and carry.bought != found.bought:
        yield "bought"
    if carry.markers != found.markers:
        yield f"markers {carry.markers}"


def _resto(hand: HandFile) -> int:
    """What everybody begins with. A table with amounts has to have it agreed (FCD-RST-2): where a file says nothing of
    it, what lies before the players."""
    setup = hand.setup
    if not GAMES[setup.rulebook].has_resto or setup.tracking is not Tracking.AMOUNTS:
        return 0
    return setup.resto or max(hand.carry.stacks.values(), default=0) or table_of(setup.rulebook).resto


def _entered(hand: HandFile) -> Carry:
    """The table as it would be when everything was entered that can be."""
    table = Table(replace(hand.setup, resto=_resto(hand)), rulebook_of)
    for line in _before(hand):
        table.apply(parse_fact(line, 0, hand.setup))
    return table.carry()


def play_over_the_wire(hand: HandFile) -> list[Difference]:
    """Play a hand file through simulated devices and a controller process of its own."""
    with temporary_folder() as folder, Stage(scene_of(hand), Path(folder)) as stage:
        if any(isinstance(step.fact, f.TimePassed) for step in hand.steps):
            _takes_time(stage)
        with WirePlayer(stage, hand) as player:
            player.bring_about()
            return [difference for step in hand.steps for difference in player.play(step)]


def _takes_time(stage: Stage) -> None:
    """The journal holds that time has passed only from its `format` note on, which follows the first hand that was
    closed (docs/journal.md); here it stands before the hand."""
    stage.stop_controller()
    places = Places(
        journal=stage.journal,
        key=stage.folder / "table.key",
        signing_key=stage.folder / "table.sign",
        copy=stage.copy,
        volume_records=VOLUME_RECORDS,
    )
    with closing(Journal.open(places, software="")) as journal:
        journal.recover(rulebook_of)
        journal.note(format_begun(now_us()))
    stage.start_controller()


def scene_of(hand: HandFile) -> Scene:
    """The table that a hand file needs."""
    return Scene(
        rulebook=hand.setup.rulebook,
        seats=hand.setup.seats,
        tracking=hand.setup.tracking.value,
        limits={bet: _band(hand, bet, width) for bet, width in LIMIT_RULES[hand.setup.rulebook].bets.items()},
        profile={**hand.setup.profile, **_dwell(hand)},
        fee=hand.setup.fee,
        chip=hand.setup.chip,
        agreed_resto=_resto(hand),
        staff=hand.setup.staff,
        equipment=hand.setup.equipment,
        reading=Reading(),
    )


def _dwell(hand: HandFile) -> dict[str, str]:
    """The dwell time of a hand in which time passes."""
    if not any(step.fact.at_us for step in hand.steps):
        return {}
    return {"dwell_ms": str(min(DWELL_MS_MOST, _SLOWER * int(hand.setup.profile.get("dwell_ms", DWELL_MS))))}


def _band(hand: HandFile, bet: str, width: OneOf | Between | None) -> Band:
    """The file's limits; where it has none, limits around the bets in it (a real table always has some)."""
    limits = hand.setup.limits[bet]
    amounts = [
        amount
        for step in hand.steps
        if isinstance(step.fact, f.Bets | f.StandingBet)
        and (amount := step.fact.amounts.get(bet)) is not None
        and amount > 0
    ]
    is_given = limits.least > 0
    least = limits.least if is_given else min(amounts, default=100)
    most = limits.most if is_given else max(amounts, default=least)
    if bet in hand.setup.bands:
        band = hand.setup.bands[bet]
        return Band(least=least, most=most, authorised=(band.least, band.most))
    match width:
        case OneOf():
            # The smallest of the bands that fits.
            high = next(
                (factor * least for factor in width.factors if factor * least >= most), width.factors[-1] * least
            )
            return Band(least=least, most=most, authorised=(least, high))
        case Between():
            # Several bets in a box count together, so the band is as wide as can be.
            most = most if is_given else max(most, width.most_factor * least)
            return Band(least=least, most=most, authorised=(min(least, most // width.least_factor), most))
        case None:
            return Band(least=least, most=most, authorised=(least, most))


def _before(hand: HandFile) -> Iterator[str]:
    """Who dealt; who sat at the table of a circle game, with which chips, and where the button was. Nobody can be
    entered as a newcomer: no hand has been played."""
    if hand.carry.croupier:
        yield fact_line(f.SignedOn(at_us=0, croupier=hand.carry.croupier))
    players = [player_of(line) for line in hand.carry.players]
    for player in players:
        yield f"player {player.seat} {SeatChange.TAKES}"
    for player in players:
        if not player.is_in:
            yield f"player {player.seat} {SeatChange.AWAY}"
    if hand.carry.markers is not None:
        yield f"button {markers_of(hand.carry.markers).button}"
    for seat, amount in hand.carry.stacks.items():
        yield f"stack {seat} {amount}"


def _unread_faces(hand: HandFile) -> list[Card | None]:
    """Of each card that the shoe cannot read, which one it is, where a reader under the felt reads it later."""
    found: list[Card | None] = []
    known: set[Card] = set()
    for fact in (step.fact for step in hand.steps):
        if isinstance(fact, f.Drawn) and fact.card is None:
            found.append(None)
        elif isinstance(fact, f.Seen) and fact.card not in known and None in found:
            found[found.index(None)] = fact.card
        if isinstance(fact, f.Drawn | f.Seen) and fact.card is not None:
            known.add(fact.card)
    return found


class WirePlayer:
    """Whoever plays the facts of a hand file at a stage, one after the other, and hears what the table concludes."""

    def __init__(self, stage: Stage, hand: HandFile) -> None:
        self._stage = stage
        self._hand = hand
        self._draws = 0
        self._at_us = 0
        self._unread = _unread_faces(hand)

    def __enter__(self) -> Self:
        self._connection = self._stage.connection()
        self._reader = self._stage.reader()
        self._skip_to_now()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reader.close()
        self._connection.close()

    def bring_about(self) -> None:
        """What was before the first line: players, chips and button, the new hand, and who plays in it."""
        for line in _before(self._hand):
            self.do(parse_fact(line, 0, self._hand.setup))
        for fact in opening(self._hand):
            self.do(fact)
        if self._hand.setup.tracking is Tracking.PRESENCE:
            for seat in self._hand.seats:
                self.do(f.Bets(at_us=0, seat=seat, amounts={"ante": None}))

    def play(self, step: Step) -> Iterator[Difference]:
        """One line of the file, and where what followed is not what stands there."""
        after_us, self._at_us = step.fact.at_us - self._at_us, step.fact.at_us
        is_time = isinstance(step.fact, f.TimePassed)
        takes_s = _SLOWER * after_us / 1_000_000
        if not is_time:
            time.sleep(takes_s)
        elif not step.expected:  # otherwise the controller says by itself when the time has passed
            time.sleep(takes_s + _WAKES_S)
            return
        record = self.do(step.fact)
        decisions = known_decisions(record)
        while is_time and len(decisions) < len(step.expected):
            # Each card has a moment of its own, and what follows a record of its own.
            later = self._reader.record(_WAKES_S)
            if later is None:
                break
            decisions += known_decisions(later)
        self._draws = self._draws if record.draw is None else record.draw
        yield from compare(step, decision_lines(step.fact, decisions, last_draw=self._draws, with_who=True))

    def do(self, fact: f.Fact) -> PublicRecord:
        """Make it happen, and wait for its record."""
        stage = self._stage
        match fact:
            case f.Drawn():
                self._draw(fact)
                return self._record("drawn")
            case f.Seen() | f.Gone():
                return self._on_the_felt(fact)
            case f.TimePassed():
                return self._record(kind_of(f.TimePassed))  # the controller says so when the dwell time is over
            case f.Pressed() if fact.key in stage.scene.panel:
                self._gather(fact)
                stage.press(fact.key)
                return self._record("pressed")
            case f.DeviceLost(role="shoe") | f.DeviceBack(role="shoe") | f.DeviceSaid():
                return self._shoe(fact)
            case f.DeviceLost() | f.DeviceBack():
                return self._usb(fact)
            case f.Opened():
                return self._restart()
            case _:
                reply = self._connection.enter(fact_line(fact))
                if not reply["ok"]:
                    raise StageBroken(f"{fact_line(fact)}: {reply['error']}")
                return self._record(None)

    def _shoe(self, fact: f.DeviceLost | f.DeviceBack | f.DeviceSaid) -> PublicRecord:
        """Its cable is pulled or put in again; it is switched on anew, or its cut card comes."""
        shoe = self._stage.shoe
        match fact:
            case f.DeviceLost():
                shoe.unplug()
            case f.DeviceBack():
                shoe.replug()
            case f.DeviceSaid() if fact.what == STARTED:
                shoe.reboot()
            case f.DeviceSaid():
                shoe.draw_cut_card()
        return self._record(kind_of(type(fact)))

    def _on_the_felt(self, fact: f.Seen | f.Gone) -> PublicRecord:
        """The card is laid at the spot, or lifted; one that lies there already is lifted first."""
        assert fact.card is not None, "others are left out"
        world, face = self._stage.world, fact.card.code
        card = next(physical_card for physical_card in world.cards() if physical_card.face == face)
        if isinstance(fact, f.Seen) and world.where(card) == fact.spot:
            world.put(card, HAND)
            self._record(kind_of(f.Gone), spot=fact.spot)
        world.put(card, fact.spot if isinstance(fact, f.Seen) else HAND)
        return self._record(kind_of(type(fact)), spot=fact.spot)

    def _gather(self, fact: f.Pressed) -> None:
        """Before another hand the cards are collected and shuffled, and every reader sees that its spot is empty."""
        stage, is_felt_read = self._stage, self._stage.scene.equipment is not Equipment.SHOE
        if fact.key is Key.NEW_HAND and is_felt_read and any(map(stage.world.at, felt_spots(stage.scene.seats))):
            stage.world.shuffle(0)
            time.sleep(Reading().misses_s)

    def _draw(self, fact: f.Drawn) -> None:
        world, shoe = self._stage.world, self._stage.shoe
        if fact.card is None:
            unread = self._unread.pop(0)
            if unread is not None:
                world.stack([unread.code])
            shoe.draw_unread()
            return
        face = fact.card.code
        if face not in [card.face for card in world.at("shoe")]:
            world.bring(face, "shoe")  # a second card with the same face: a deck that is not right
        world.stack([face])
        shoe.draw()

    def _usb(self, fact: f.DeviceLost | f.DeviceBack) -> PublicRecord:
        device = self._stage.panel if fact.role == "panel" else self._stage.light
        if isinstance(fact, f.DeviceLost):
            self._stage.bus.unplug(device)
            return self._record("device-lost")
        self._stage.bus.plug(device)
        return self._record("device-back")

    def _restart(self) -> PublicRecord:
        self._reader.close()
        self._connection.close()
        self._stage.kill_controller()
        after = self._stage.newest
        self._stage.start_controller()
        self._connection = self._stage.connection()
        self._reader = Subscription(self._stage.socket, after=after)
        record = self._record("opened")
        self._skip_to_now()
        return record

    def _record(self, kind: str | None, *, spot: str | None = None) -> PublicRecord:
        """The next record of the table; one of this kind, and at this spot, where devices may speak in between. Notes
        of the journal's own life are none."""
        while (record := self._reader.record(ANSWER_S)) is not None:
            said = record.kind
            if kind == said and spot in (None, getattr(record.event, "spot", None)):
                return record
            if said in _BESIDE and known_decisions(record):
                raise StageBroken(f"{said} was not waited for, and something follows from it: {record.event}")
            if kind is None and not record.is_note and said not in _BESIDE and not said.startswith("device-"):
                return record
        raise StageBroken(f"no record of {kind}; the controller said:\n{self._stage.last_words()}")

    def _skip_to_now(self) -> None:
        """After what the devices said when they were found."""
        newest = self._stage.newest
        seq = 0
        while seq < newest:
            record = self._reader.record(ANSWER_S)
            if record is None:
                raise StageBroken("the stored records did not come")
            seq = record.seq
