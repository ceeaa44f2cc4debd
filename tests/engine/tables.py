"""What the tests of the engine share: a fingerprint of everything a table remembers, and somebody who plays on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

from tablectl.core.cards import DECK, Card
from tablectl.core.engine import antennas
from tablectl.core.engine import facts as f
from tablectl.core.engine.deal import Deal, Draw
from tablectl.core.engine.equipment import reader
from tablectl.core.engine.felt import Dispute, Felt, Leaving, Passing
from tablectl.core.engine.machine import PhaseMachine
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.prompt import Instruction
from tablectl.core.engine.seats import Bettor, SeatBets, Seats
from tablectl.core.engine.slots import Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Equipment, Key, Tracking
from tablectl.families.draw.card_uncertainty import CardPools, Pool
from tablectl.families.draw.state import DrawHand, Moving, SeatDraw, Turn
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.early_cards import EarlyCards
from tablectl.families.pots.state import Entry
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.decisions import decision_lines
from tablectl.journal.handfile.facts import later, parse_fact
from tests.engine.states import banked
from tests.wide import once

#: Every game; in the wide set those with most hand files, and one of two games against the bank.
IN_TURN: Final = once(RULEBOOKS, "texas-bonus", "open-holdem")
LIMITS: Final = {
    "ante": f.Limits(least=100, most=10_000),
    "bonus": f.Limits(least=100, most=1_000),
    "txb": f.Limits(least=100, most=1_000),
}
SIDE: Final = {"texas-bonus": "bonus", "texas-poker": "txb"}


def setup(
    rulebook: str = "texas-bonus",
    *,
    seats: int = 9,
    tracking: Tracking = Tracking.AMOUNTS,
    profile: dict[str, str] | None = None,
    equipment: Equipment = Equipment.SHOE,
    staff: bool = False,
    bands: dict[str, f.Limits] | None = None,
) -> f.Setup:
    return f.Setup(
        table="t",
        rulebook=rulebook,
        seats=seats,
        tracking=tracking,
        limits=LIMITS,
        profile=profile or {},
        equipment=equipment,
        staff=staff,
        bands=bands or {},
    )


def table_of(chosen: f.Setup) -> Table:
    return Table(chosen, rulebook_of)


def replay(chosen: f.Setup, facts: Iterable[f.Fact]) -> Table:
    table = table_of(chosen)
    for fact in facts:
        table.apply(fact)
    return table


def lines(table: Table, text: str) -> list[str]:
    """Facts in the words of a hand file; the decisions of the last one."""
    found: list[str] = []
    for line in text.strip().splitlines():
        at_us = table.state.now_us + later(line.strip())[0]
        fact = parse_fact(line.strip(), at_us, table.state.setup)
        decisions = table.apply(fact)
        found = decision_lines(fact, decisions, last_draw=len(table.state.deal.draws))
    return found


# --- fingerprint ----------------------------------------------------------------------------------------------------

#: What a state has beside its memory: what was concluded last; every press counted; what the setup and the phase say.
_NO_MEMORY: Final = frozenset({"family", "is_reported", "now_us", "out", "presses", "rulebook"})


_LOOKED_UP: Final = frozenset({"betting_rules", "place_rules"})


def _slots(kind: type) -> list[str]:
    """The names of all that such a part holds, by what it inherits from too; not what it has looked up of its setup."""
    return [name for base in kind.__mro__ for name in getattr(base, "__slots__", ()) if name not in _LOOKED_UP]


_PARTS: Final[dict[type, Callable[[Any], object]]] = {
    Slot: lambda slot: slot.name,
    Card: lambda card: card.code,
    PhaseMachine: lambda machine: machine.phase.name,
    dict: lambda known: sorted(((plain(key), plain(value)) for key, value in known.items()), key=repr),
    set: lambda known: sorted(map(plain, known), key=repr),
    **dict.fromkeys((list, tuple), lambda known: [plain(item) for item in known]),
    **dict.fromkeys(
        (
            *(Bettor, Deal, Draw, EarlyCards, Entry, Incident, Pending, Rounds, SeatBets, Seats),
            *(Dispute, DrawHand, Felt, Leaving, Moving, Passing, Pool, SeatDraw, Turn, CardPools),
        ),
        lambda part: (type(part).__name__, [(name, plain(getattr(part, name))) for name in _slots(type(part))]),
    ),
}


def plain(value: object) -> object:
    """A part of a state as plain values that can be compared. Fails for a kind of part that is not known here."""
    known = _PARTS.get(type(value))
    if known is not None:
        return known(value)
    assert type(value).__eq__ is not object.__eq__ or value is None, f"what is a {type(value).__name__}?"
    return value


def remembered(state: State) -> dict[str, object]:
    """Everything that a table remembers, by name."""
    return {name: plain(getattr(state, name)) for name in _slots(type(state)) if name not in _NO_MEMORY}


def fingerprint(state: State) -> object:
    """Everything that a table remembers, as plain values: but how often a key was pressed, which counts every press."""
    return list(remembered(state).items())


# --- somebody who plays on ------------------------------------------------------------------------------------------

#: Choices are made with a number; 0 is the plain way through a hand.
ANSWER_KEYS: Final[tuple[Key, ...]] = (
    Key.NOT_SEEN,
    Key.SEEN,
    Key.CONFIRM,
    Key.SEAT_1,
    Key.SEAT_2,
    Key.SEAT_3,
    Key.SEAT_4,
    Key.SEAT_5,
    Key.BANK,
)


def fresh_card(state: State, choice: int) -> Card | None:
    """A card that is not out yet; None when all are."""
    left = [card for card in DECK if not state.deal.knows(card)]
    return left[choice % len(left)] if left else None


def on_the_felt(state: State, choice: int) -> f.Fact | None:
    """What the antennas tell before anything else happens: a card that came to its place; of a void hand, one that was
    collected. None where they have nothing to tell."""
    if state.setup.equipment is Equipment.SHOE:
        return None
    if not state.held and antennas.still_there(state) and state.phase.name == "voided":
        number, spot = next((number, spot) for number, spot in state.felt.seen_at.items() if spot != "discard")
        return f.Gone(at_us=0, spot=spot, card=_as_antennas_read_it(state, number))
    if state.setup.equipment is Equipment.BOTH and choice % 7 != 6 and not state.held and state.phase.name != "voided":
        for slot, draw in state.deal.at.items():
            # Of two cards with one face an antenna's word is taken for the newer one.
            is_known = draw.card is not None and state.deal.newest(draw.card) is draw
            if is_known and draw.number not in state.felt.confirmed and draw.number not in state.felt.seen_at:
                return f.Seen(at_us=0, spot=slot.spot, card=draw.card)
    return None


def _as_antennas_read_it(state: State, number: int) -> Card | None:
    """A card that the shoe read as another one is to an antenna the one that it saw there."""
    for face in DECK:
        dispute = state.felt.dispute_of(face)
        if dispute is not None and dispute.draw.number == number and dispute.by_antenna is face:
            return face
    return state.deal.draws[number - 1].card


def _back(table: Table, at_us: int) -> f.Fact:
    """One of the readers that are away, or the one that was before the controller started."""
    role = reader(table.state.setup)
    away = sorted(name for text, name in table.state.lost if text == role)
    return f.DeviceBack(at_us=at_us, device=away[0] if away else "reader", role=role)


def next_fact(table: Table, choice: int, at_us: int = 0) -> f.Fact:
    """What a table would see next where everybody does what the prompt says."""
    state, prompt = table.state, table.prompt()
    if table.wake_us is not None and choice % 3 == 0:
        return f.TimePassed(at_us=table.wake_us)

    def press(key: Key) -> f.Fact:
        return f.Pressed(at_us=at_us, key=key)

    def name() -> f.Fact:
        card = fresh_card(state, choice)
        if card is None:
            return f.Called(at_us=at_us, by="croupier", reason="no card is left to name")
        return f.Named(at_us=at_us, slot=prompt.about, card=card, by="ana")

    def declare() -> f.Fact:
        picks = [key for key in prompt.keys if key is not Key.CANCEL] if choice else []
        return press(picks[choice % len(picks)] if picks else Key.CANCEL)

    def answer() -> f.Fact:
        answers = [key for key in ANSWER_KEYS if key in prompt.keys] or [Key.CANCEL]
        return press(answers[choice % len(answers)])

    def rule() -> f.Fact:
        assert prompt.incident is not None
        remedies = state.ruling[prompt.incident].remedies
        remedy = remedies[choice % len(remedies)]
        return f.Ruled(at_us=at_us, incident=prompt.incident, remedy=remedy, by="ana", second="luis", reason="so it is")

    def decide() -> f.Fact:
        seats = [key for key in prompt.keys if key.startswith("seat-")]
        if choice == 7 and seats and banked(table).chosen is None:
            return press(seats[-1])
        keys = [key for key in (Key.BET, Key.ALL_BET, Key.FOLD, Key.CHECK, Key.ALL_CHECK) if key in prompt.keys]
        return press(keys[choice % len(keys)])

    def open_bets() -> f.Fact:
        ante, side = (1000, 500) if state.amounts else (None, None)
        if state.requests and choice % 2:
            number = min(state.requests)
            remedies = state.requests[number].remedies
            return f.Ruled(at_us=at_us, incident=number, remedy=remedies[choice % 4 == 1], by="ana", reason="seen")
        if state.seats and choice % 3 == 0:
            if table.state.felt.before:
                return f.OnFelt(at_us=at_us, spots=())  # the croupier takes away what lies there
            return press(Key.NO_MORE_BETS)
        bets = {"ante": ante, SIDE[state.rulebook.id]: side} if choice % 2 else {"ante": ante}
        if state.seats and choice % 3 == 2 and banked(table).rulebook.standing is not None:
            return f.StandingBet(at_us=at_us, seat=state.seats.order[0], amounts=bets, consent=True)
        return f.Bets(at_us=at_us, seat=choice % state.setup.seats + 1, amounts=bets)

    def claim() -> f.Fact:
        seats = [key for key in prompt.keys if key.startswith("seat-")]
        return press(seats[0] if choice % 2 and seats else Key.CONFIRM)

    def new_hand() -> f.Fact:
        if state.rulebook.errors.shuffle_first is not None and not state.is_shuffled:
            return f.Shuffled(at_us=at_us, cards=52)
        return press(Key.NEW_HAND)

    def deal() -> f.Fact:
        card = fresh_card(state, choice)
        if state.setup.equipment is Equipment.ANTENNAS:
            due = state.deal.due
            assert due is not None
            return f.Seen(at_us=at_us, spot=due.spot, card=card)
        return f.Drawn(at_us=at_us, card=card)

    doing: dict[Instruction, Callable[[], f.Fact]] = {
        Instruction.WAIT_SHOE: lambda: _back(table, at_us),
        Instruction.SIGN_ON: lambda: f.SignedOn(at_us=at_us, croupier="ana"),
        Instruction.DECLARE: declare,
        Instruction.ANSWER: answer,
        Instruction.WAIT_PIT_BOSS: rule,
        Instruction.NAME_CARD: name,
        Instruction.NEW_HAND: new_hand,
        Instruction.TAKE_BETS: open_bets,
        Instruction.DEAL: deal,
        Instruction.ASK_SEAT: decide,
        Instruction.ASK_CLAIMS: claim,
        Instruction.PAY_CLAIMS: lambda: press(Key.CONFIRM),
        Instruction.REVEAL_BANK: lambda: press(Key.BANK),
        Instruction.SETTLE: lambda: press(Key.CONFIRM),
        Instruction.COLLECT: lambda: press(Key.CONFIRM),
    }
    return on_the_felt(state, choice) or doing[prompt.instruction]()


def play_on(table: Table, tell: Callable[[f.Fact], object] | None = None, *, at_most: int = 250) -> None:
    """Do what the prompt says until the hand is over and nothing waits. Fails where that does not come to an end.

    `tell`: how the table is told a fact, where somebody listens.
    """
    done: list[f.Fact] = []
    for _ in range(at_most):
        if not table.state.in_play and not table.state.held:
            return
        done.append(next_fact(table, 0))
        (tell or table.apply)(done[-1])
    raise AssertionError(f"the hand does not end: {table.prompt()}, after {done[-5:]}")
