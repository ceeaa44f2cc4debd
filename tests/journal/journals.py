"""Journals for tests: hands played by the engine and written by the writer, as the controller does it."""

from __future__ import annotations

import sqlite3
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Self

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.carry import Carry
from tablectl.core.engine.decisions import Decision
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment, SeatChange, Tracking
from tablectl.core.events.codec import to_plain
from tablectl.families.pots.places import markers_of
from tablectl.families.pots.players import players_of
from tablectl.games.registry import rulebook_of
from tablectl.i18n.currency import Currency
from tablectl.journal.format import format_of
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import opening
from tablectl.journal.journal import Journal
from tablectl.journal.keys import Keys
from tablectl.journal.places import Places
from tablectl.journal.recovery import recover
from tablectl.journal.seal import Vault
from tablectl.journal.signing import Signer
from tablectl.journal.store import TRIGGERS, Store, Stored
from tablectl.journal.writer import Openings, RecordWriter
from tests.journal.variety import fewest, various

HANDS: Final = Path(__file__).parents[1] / "hands"
KEY: Final = bytes(range(32))
SIGNER: Final = Signer(Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64))))
KEYS: Final = Keys(Vault(KEY), SIGNER, is_demo=False)
#: 2020-01-01, midnight: a table whose clock is after its journal deals nothing.
START_US: Final = 1_577_836_800_000_000

#: One hand to its end: seat 2 folds, seat 1 wins against the bank, every card is known.
WHOLE_HAND: Final = """
press new-hand
bet 1 ante 1000 bonus 500
bet 2 ante 1000
press no-more-bets
draw As
draw 9c
draw Qh
draw Kd
draw 9d
draw Js
press bet
press fold
draw 2c
draw 3c
draw 4h
draw 5h
press check
draw 6c
draw 7d
press check
draw 8c
draw Th
press bank
press confirm
"""
#: The cards of `WHOLE_HAND` that nobody may ever see: those of the seat that folded, and the burnt ones.
NEVER_SHOWN: Final = ("9c", "9d", "2c", "6c", "8c")


class Player(ABC):
    """One table, and who writes down what happens there."""

    @property
    @abstractmethod
    def book(self) -> RecordWriter | Journal:
        """Takes each fact with its decisions."""

    def __init__(self, setup: f.Setup, table: Table | None) -> None:
        self.table = table if table is not None else Table(setup, rulebook_of)
        self._setup = setup
        self._at_us = START_US

    def __enter__(self) -> Self:
        return self

    def enter(self, fact: f.Fact) -> tuple[Decision, ...]:
        """One fact through the engine into the journal."""
        table = self.table
        drawn, hand = len(table.state.deal.draws), self._hand()
        decisions = table.apply(fact)
        closed = not table.state.in_play and hand == table.state.hand
        self.book.write(
            fact,
            decisions,
            prompt=table.prompt(),
            hand=hand if closed else self._hand(),
            draw=table.draw_of(fact, drawn),
            carry=table.carry() if closed else None,
            lies=table.lying(fact),
        )
        return decisions

    def line(self, text: str) -> tuple[Decision, ...]:
        """One fact in the words of a hand file."""
        self._at_us += 1_000_001
        return self.enter(parse_fact(text, self._at_us, self._setup))

    def lines(self, text: str) -> None:
        for word in filter(None, map(str.strip, text.splitlines())):
            self.line(word)

    def _hand(self) -> int:
        state = self.table.state
        return state.hand if state.in_play else state.hand + 1


class Writer(Player):
    """One table with its journal. Use as a context."""

    def __init__(self, path: Path, setup: f.Setup, *, table: Table | None = None) -> None:
        self.store = Store.open(path)
        self.record_writer = RecordWriter(self.store, KEYS)
        super().__init__(setup, table)

    @property
    def book(self) -> RecordWriter:
        return self.record_writer

    def recover(self, keys: Keys = KEYS, *, software: str = "") -> Table | None:
        """Go on from what is in the file, with this table; None, and with the one as before, where it is empty."""
        openings = Openings(keys.vault)
        found = recover(self.store, openings, rulebook_of)
        prompt = found.prompt if found is not None else None
        self.record_writer = RecordWriter(
            self.store,
            keys,
            software=software,
            openings=openings,
            prompt=prompt,
            format_number=format_of(self.store.newest_first()),
            is_in_hand=found is not None and found.table.state.in_play,
        )
        if found is None:
            return None
        assert found.prompt == self.record_writer.of_this_format(found.table.prompt())
        self.table = found.table
        return found.table

    def __exit__(self, *_: object) -> None:
        self.store.close()


class Sitting(Player):
    """One table from a start of the controller to its end: recovered, and written in volumes. Use as a context."""

    def __init__(self, places: Places, currency: Currency | None = None) -> None:
        self.journal = Journal.open(places, software="a program", currency=currency)
        recovered = self.journal.recover(rulebook_of)
        super().__init__(SETUP, recovered)
        if self.journal.is_between_volumes:
            self.journal.next_volume(START_US, self.table.carry())

    @property
    def book(self) -> Journal:
        return self.journal

    def __exit__(self, *_: object) -> None:
        self.journal.close()


def places(folder: Path, *, volume_records: int = 1_000_000) -> Places:
    """Everything in one folder, as a small table has it."""
    return Places(
        journal=folder / "table.db",
        key=folder / "table.key",
        signing_key=folder / "table.sign",
        copy=folder / "table.copy",
        volume_records=volume_records,
    )


def sat(where: Places, text: str, *, currency: Currency | None = None) -> None:
    """The controller starts, this happens, the controller ends."""
    with Sitting(where, currency) as sitting:
        sitting.line("restart")
        sitting.lines(text)


SETUP: Final = parse("# t\nrulebook texas-bonus\n> press new-hand\n").setup


def written(path: Path, text: str) -> None:
    """A journal of these facts, after the opening of the table."""
    with Writer(path, SETUP) as writer:
        writer.line("restart")
        writer.lines(text)


def facts_of(hand: HandFile) -> list[f.Fact]:
    """Everything that happens in a hand file, from the opening of the table on."""
    seated = [f.Bets(at_us=0, seat=seat, amounts={"ante": None}) for seat in hand.seats]
    first = seated if hand.setup.tracking is Tracking.PRESENCE else []
    facts = (step.fact for step in hand.steps)
    return [f.Opened(at_us=0, setup=hand.setup), *_sat_down(hand.carry), *opening(hand), *first, *facts]


def _sat_down(carry: Carry) -> Iterator[f.Fact]:
    """How the croupier came to the table, and the players of a circle game to sit there with their chips, and the
    button to lie where it does. What an earlier hand left beside (a missed blind, a warning) is not there then."""
    if carry.croupier:
        yield f.SignedOn(at_us=0, croupier=carry.croupier)
    for player in players_of(carry.players):
        yield f.Moved(at_us=0, seat=player.seat, what=SeatChange.TAKES)
        if player.seat in carry.stacks:
            yield f.Stacked(at_us=0, seat=player.seat, amount=carry.stacks[player.seat])
        if not player.is_in:
            yield f.Moved(at_us=0, seat=player.seat, what=SeatChange.AWAY)
    if carry.markers is not None:
        yield f.ButtonPlaced(at_us=0, seat=markers_of(carry.markers).button)


@cache
def _files() -> tuple[tuple[Path, HandFile], ...]:
    return tuple((path, parse(path.read_text(encoding="utf-8"))) for path in sorted(HANDS.rglob("*.hand")))


def hand_files() -> tuple[tuple[str, HandFile], ...]:
    """Every hand file by its name. They are frozen, and read once a process."""
    return tuple((path.stem, hand) for path, hand in _files())


@cache
def _with_choice() -> tuple[tuple[Path, HandFile, bool], ...]:
    chosen = various(hand_files())
    return tuple((path, hand, is_chosen) for (path, hand), is_chosen in zip(_files(), chosen, strict=True))


@cache
def _few() -> frozenset[Path]:
    chosen = fewest(hand_files(), [is_chosen for *_, is_chosen in _with_choice()])
    return frozenset(path for (path, _), is_one in zip(_files(), chosen, strict=True) if is_one)


def each_hand(argument: str = "hand") -> pytest.MarkDecorator:
    """A case for every hand file (`argument="path"`: for where it lies), for a test that costs much for each of them:
    the few that bring together all that happens in any game (`fewest`); those that bring together what happens in
    each game (`various`) are in the wide set, the others in the slow one. Each of them is played by the engine in
    `tests/engine/test_hands.py` all the same."""
    cases = []
    for path, hand, is_chosen in _with_choice():
        marks = () if path in _few() else (pytest.mark.wide,) if is_chosen else (pytest.mark.slow,)
        cases.append(pytest.param(path if argument == "path" else hand, id=path.stem, marks=marks))
    return pytest.mark.parametrize(argument, cases)


#: Whether a test looks at all hand files: in the slow set; otherwise at those that bring something new.
ALL_OR_NEW: Final = (False, pytest.param(True, marks=pytest.mark.slow))


def files_of(rulebook: str, *, with_all: bool) -> list[Path]:
    """The hand files of a game, all of them or the few that bring together all that they bring (`various`)."""
    return [path for path, _, is_chosen in _with_choice() if path.parent.name == rulebook and (is_chosen or with_all)]


def in_memory() -> TemporaryDirectory[str]:
    """A folder in memory, where there is one, for tests in which nobody pulls a plug."""
    shared = Path("/dev/shm")
    return TemporaryDirectory(dir=shared if shared.is_dir() else None)


def named_in(facts: Iterable[object]) -> set[str]:
    """The codes of the cards that people say in these facts: which one it is, or that it is another one."""
    said = list(facts)
    said += [fact.instead for fact in said if isinstance(fact, f.Corrected)]
    cards = (fact.card for fact in said if isinstance(fact, f.Named | f.Corrected))
    return {card.code for card in cards if card is not None}


def felt(hand: HandFile, equipment: Equipment) -> tuple[f.Setup, list[f.Fact]]:
    """The same hand at a table with antennas, alone or beside the shoe: each card is seen where the shoe's table says
    that it belongs (where it says nothing, on the board), one in four is lifted and laid back, and what was seen is
    collected when the hand is over. A card that the shoe could not read is one that nobody else drew."""
    setup = replace(hand.setup, equipment=equipment)
    facts = facts_of(hand)
    table = Table(hand.setup, rulebook_of)
    drawn = {dealt.card for dealt in facts if isinstance(dealt, f.Drawn)}
    named = named_in(facts)
    unused = iter([deck_card for deck_card in DECK if deck_card not in drawn and deck_card.code not in named])
    made: list[f.Fact] = []
    lying: list[tuple[str, Card]] = []
    #: where each fact of the hand, from the one that opened it on, stands among those that are made
    stands: list[int] = []
    for fact in facts:
        due = table.state.deal.due
        decisions = table.apply(fact)
        stands = [] if any(isinstance(said, d.HandOpened) for said in decisions) else stands
        stands.append(len(made))
        if isinstance(fact, f.Corrected) and fact.number <= len(stands):
            made.append(replace(fact, number=stands[fact.number - 1] - stands[0] + 1))
            continue
        if isinstance(fact, f.Opened):
            made.append(replace(fact, setup=setup))
            continue
        if equipment is Equipment.BOTH or not isinstance(fact, f.Drawn):
            made.append(fact)
        # The last card of a draw for the button is gathered again at once: no antenna sees it beside the shoe.
        gathered = equipment is Equipment.BOTH and bool(table.state.deal.draws) and table.state.deal.draws[-1].is_back
        if isinstance(fact, f.Drawn) and not gathered:
            spot = next((decision.slot.spot for decision in decisions if isinstance(decision, d.CardPlaced)), None)
            spot = spot or (due.spot if due is not None else "board")
            card = fact.card or next(unused)
            made.append(f.Seen(at_us=fact.at_us, spot=spot, card=card))
            lying.append((spot, card))
            if len(lying) % 4 == 0:
                made += [f.Gone(at_us=fact.at_us, spot=spot, card=card), made[-1]]
        if lying and not table.state.in_play:
            for spot, card in lying:
                made += [f.Gone(at_us=0, spot=spot, card=card), f.Seen(at_us=0, spot="discard", card=card)]
            lying = []
    return setup, made


#: The name of `WHOLE_HAND` among the hand files.
WHOLE: Final = "whole-hand"


@cache
def hand_facts(name: str) -> tuple[f.Setup, list[f.Fact]]:
    """Setup and facts of a hand file, or of `WHOLE_HAND`, from the opening of the table on."""
    if name != WHOLE:
        hand = dict(hand_files())[name]
        return hand.setup, facts_of(hand)
    lines = ["restart", *filter(None, map(str.strip, WHOLE_HAND.splitlines()))]
    return SETUP, [parse_fact(line, number * 1_000_001, SETUP) for number, line in enumerate(lines, 1)]


def keep_keys(folder: Path) -> None:
    """`KEYS` as files, where a table's configuration has them."""
    private = Ed25519PrivateKey.from_private_bytes(bytes(range(32, 64)))
    pem = private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    for name, text in (("table.key", f"tablectl sealing key {KEY.hex()}\n".encode()), ("table.sign", pem)):
        (folder / name).touch(0o600)
        (folder / name).write_bytes(text)


def records(path: Path) -> list[Stored]:
    store = Store.read(path)
    try:
        return list(store.records())
    finally:
        store.close()


def said(decisions: Iterable[Decision]) -> list[dict[str, Any]]:
    return [to_plain(decision) for decision in decisions]


def without_triggers(path: Path) -> None:
    """Somebody opens the file to change it, and leaves it like that."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")


def changed(path: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Somebody breaks the file on purpose, and puts the triggers back before anybody looks."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        made = [row[0] for row in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
        for trigger in TRIGGERS:
            connection.execute(f"DROP TRIGGER IF EXISTS {trigger}")
        for statement, values in statements:
            connection.execute(statement, values)
        for text in made:
            connection.execute(text)
