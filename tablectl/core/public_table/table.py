"""What a screen can know of a table: frozen values made of public records, and nothing else.

A card's identity is here only after a reveal; `Lying.code` is None for every other card, so no page can show it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from tablectl.core.engine.lifetime import none, seen_of_hand
from tablectl.core.engine.prompt import Prompt
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.engine.whose_turn import asks_a_number, seat_of
from tablectl.core.events.notes import MissingHead
from tablectl.core.events.stream import PublicRecord
from tablectl.core.public_table.aloud import Call
from tablectl.core.public_table.attempts import AttemptsView
from tablectl.core.public_table.device import DeviceView, NoteView
from tablectl.core.public_table.incident import IncidentState, IncidentView, RefusalView
from tablectl.core.public_table.pot_game import CircleView, FeeView
from tablectl.core.public_table.shelf import ShelfView

CARDS_IN_DECK: Final = 52
#: The phase between two hands.
CLOSED: Final = "closed"
#: Number of the bettor who sits at a box; those who stand behind it have 2 and on.
SEATED: Final = 1
#: Where the cards of a seat are that were taken away in the middle of the hand: `taken.3`.
TAKEN: Final = "taken"
#: Where cards are that were changed: among the discards, no device seeing where, and those that went into a new stub.
DISCARDED: Final = "discarded"
GATHERED: Final = "gathered"


class Side(StrEnum):
    """What a person sees of a card that lies somewhere."""

    BACK = "back"
    FACE = "face"
    #: lies open, but no device could read it and nobody has named it yet
    UNREAD = "unread"


@dataclass(frozen=True, kw_only=True, slots=True)
class Span:
    """Least and greatest amount of a bet, in the smallest unit of money."""

    least: int
    most: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Lying:
    """One card that left the shoe in this hand. `slot` is None while nobody knows where it belongs."""

    draw: int
    slot: str | None = None
    up: bool = False
    readable: bool = True
    code: str | None = None

    @property
    def place(self) -> int:
        """Which place of its spot it has, the first one being 0; 0 of a card that has none."""
        position = (self.slot or "").rpartition(".")[2]
        return int(position) - 1 if position.isdigit() else 0

    @property
    def side(self) -> Side:
        """A face is shown only where the card is turned and its identity was revealed."""
        if not self.up:
            return Side.BACK
        return Side.UNREAD if self.code is None else Side.FACE


@dataclass(frozen=True, kw_only=True, slots=True)
class BetView:
    """A bet of the hand, and the phase in which it was made. `lies`: its chips are in the box; they are not once it was
    paid or collected before the hand went on, or its bettor took it back."""

    amount: int | None
    phase: str
    lies: bool = True


@dataclass(frozen=True, kw_only=True, slots=True)
class BettorView:
    """Somebody who bets at a box, by number, and every bet that he made in the hand, by name and in order."""

    bettor: int = SEATED
    made: Mapping[str, BetView] = field(default_factory=dict)

    @property
    def bets(self) -> Mapping[str, int | None]:
        """Those that lie in the box; None where amounts are not entered."""
        return {name: bet.amount for name, bet in self.made.items() if bet.lies}

    @property
    def added(self) -> frozenset[str]:
        """The bets that he made in a later phase than the first one."""
        first = next((bet.phase for bet in self.made.values()), "")
        return frozenset(name for name, bet in self.made.items() if bet.phase != first)


@dataclass(frozen=True, kw_only=True, slots=True)
class StandingView(BettorView):
    """Somebody who stands behind a box, and whether he does not go on with the hand."""

    out: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class SeatView(BettorView):
    """One seat, whoever sits there, and whether it is still in the hand.

    `withdrawn`: its cards were taken away; `expelled`: whoever sits there was sent from the table.
    """

    seat: int
    in_hand: bool = False
    folded: bool = False
    void: bool = False
    withdrawn: bool = False
    expelled: bool = False
    decided: bool = False
    standing: Mapping[int, StandingView] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class RefundView:
    """A bet that goes back to its owner."""

    seat: int
    bet: str
    amount: int | None
    bettor: int = SEATED


@dataclass(frozen=True, kw_only=True, slots=True)
class SettledView:
    """What became of one bet; `pays` beside the stake, negative when lost, None without amounts."""

    seat: int
    bet: str
    outcome: str
    odds: tuple[int, int] | None
    stake: int | None
    pays: int | None
    clause: str
    bettor: int = SEATED
    #: in which phase this was said
    phase: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ClosedHand:
    """A hand that is over, in one line. `house_net` is None without amounts."""

    hand: int
    closed_at: str
    void: str | None
    house_rank: str | None
    house_net: int | None
    drawn: int
    presses: int
    incidents: tuple[int, ...]
    #: of a circle game: who won, and how much altogether (None without amounts)
    winners: tuple[int, ...] = ()
    pot: int | None = None
    #: nobody opened, and the pot stays for the next hand; how much it is (None without amounts)
    is_carried: bool = False
    carried: int | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Before:
    """An action of a circle game, and how everything was before it: it can be taken back. `seq` is its record's: what
    one key entered for several players is taken back as one."""

    seq: int
    seat: int
    action: str
    seats: Mapping[int, SeatView]
    circle: CircleView


@dataclass(frozen=True, kw_only=True, slots=True)
class CorrectionView:
    """An entry that was put right in this hand. `number`: of the fact, by which it is named, and `corrected` that of
    its record, where it was read. `is_undone`: the croupier undid his last one. `shown`: the draws that had been turned
    up meanwhile and lie face down as it is now: everybody knows them."""

    seq: int
    number: int
    corrected: int | None
    by: str
    second: str
    reason: str
    is_undone: bool
    shown: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class Earlier:
    """A record of the hand, the number of its fact in it (of a note that of the fact before), and how the table was
    before."""

    view: PublicTable
    record: PublicRecord
    number: int


@dataclass(frozen=True, kw_only=True, slots=True)
class PublicTable:
    """Everything a page shows, after the record `seq`."""

    seq: int = 0
    at: str = ""
    hand: int = 0
    phase: str = CLOSED
    rulebook: str = ""
    version: str = ""
    #: how this table tracks bets
    tracking: str = Tracking.AMOUNTS
    #: whether the start record names a demonstration's keys; None where the stream began after it
    demo_key: bool | None = None
    cards: Mapping[int, Lying] = field(default_factory=dict)
    slots: Mapping[str, int] = field(default_factory=dict)
    seats: Mapping[int, SeatView] = seen_of_hand(dict)
    #: who deals, and who takes the table after the hand in play; empty where nobody does
    croupier: str = ""
    next_croupier: str = ""
    #: seats of the hand before; at tracking level presence they are in the next one
    carried: tuple[int, ...] = ()
    incidents: Mapping[int, IncidentView] = field(default_factory=dict)
    refunds: tuple[RefundView, ...] = seen_of_hand(tuple)
    settled: tuple[SettledView, ...] = seen_of_hand(tuple)
    #: bets that were settled, paid and collected earlier in the hand
    paid: tuple[SettledView, ...] = seen_of_hand(tuple)
    #: of those, what the pit boss had undone
    reversals: tuple[SettledView, ...] = seen_of_hand(tuple)
    #: the first hand in which a pair of jacks lost a bonus (THB-BON-9, AMB-50)
    jacks_hand: int | None = None
    #: the house's choices, as far as the stream told them
    profile: Mapping[str, str] = field(default_factory=dict)
    #: what reads the cards, as the journal has it
    equipment: str = "shoe"
    #: the smallest chip in play, in the smallest unit of money
    chip: int = 1
    #: the fee of the table; None where it takes none
    fee: FeeView | None = None
    #: players, button and betting of a circle game, and the same before each action of the hand, the last one last
    circle: CircleView = field(default_factory=CircleView)
    before: tuple[Before, ...] = ()
    #: the seat whose bets against the bank were entered last, while they can be taken back
    last_bet: int | None = None
    #: the decisions that the croupier calls aloud, the last ones there were (THL-DEF-5)
    aloud: tuple[Call, ...] = seen_of_hand(tuple)
    ranks: Mapping[str, str] = seen_of_hand(dict)
    #: the cards of the hand that a person named, by draw
    named: Mapping[int, str] = field(default_factory=dict)
    void: str | None = seen_of_hand(none)
    prompt: Prompt | None = None
    #: the record at which that prompt began: those after it left it as it was
    prompt_since: int = 0
    devices: Mapping[str, DeviceView] = field(default_factory=dict)
    #: USB devices that the house does not allow and that are plugged in
    foreign_usb: frozenset[str] = frozenset()
    #: what devices said that is not over yet, oldest first
    notes: tuple[NoteView, ...] = ()
    refusal: RefusalView | None = None
    history: tuple[ClosedHand, ...] = ()
    #: what the table signed and its journal does not have: it was put back to an older state, and nobody accepted that
    missing: MissingHead | None = None
    #: alarms that somebody put aside, by their names (`incident-12`, `device-light`)
    shelved: Mapping[str, ShelfView] = field(default_factory=dict)
    #: until when a real table opens hands with software that nobody approved, RFC 3339; empty where that has no end
    approval_until: str = ""
    #: what somebody tried that he may not, by the names of the alarms (`security-writes`)
    attempts: Mapping[str, AttemptsView] = field(default_factory=dict)
    #: the limits in force, as far as the stream told them, and those that wait for the end of the hand
    limits: Mapping[str, Span] = field(default_factory=dict)
    limits_waiting: Mapping[str, Span] = field(default_factory=dict)
    #: claims on the hand before that were upheld: for each money can be moved until the first card of this one
    upheld: tuple[int, ...] = ()
    #: what was put right in this hand, and the hand as far as it can be
    corrections: tuple[CorrectionView, ...] = seen_of_hand(tuple)
    earlier: Earlier | None = field(default=None, compare=False, repr=False)

    def lying(self, slot: str) -> Lying | None:
        """The card at a slot."""
        draw = self.slots.get(slot)
        return None if draw is None else self.cards[draw]

    def at_spot(self, spot: str) -> tuple[Lying, ...]:
        """The cards of a spot (`seat-3`, `house`, `board`, `burn`, `discard`) in the order of their positions."""
        parted = ((slot.rpartition("."), draw) for slot, draw in self.slots.items())
        found = sorted(
            (int(position) if position.isdigit() else 0, draw) for (at, _, position), draw in parted if at == spot
        )
        return tuple(self.cards[draw] for _, draw in found)

    def discarded(self, seat: int) -> tuple[Lying, ...]:
        """The cards that a seat changed, as long as they lie among the discards."""
        return tuple(self.cards[draw] for draw in self.circle.discards.get(seat, ()))

    @property
    def waiting(self) -> tuple[Lying, ...]:
        """Cards that are out of the shoe and lie nowhere yet."""
        return tuple(card for card in self.cards.values() if card.slot is None)

    @property
    def due(self) -> str | None:
        """The slot the next card must fill, while the table deals."""
        if self.prompt is None or self.prompt.instruction != "deal":
            return None
        return self.prompt.about or None

    @property
    def turn(self) -> int | None:
        """The seat that is asked now; in a circle game whose action or hand the next key is about."""
        return None if self.prompt is None else seat_of(self.prompt.instruction, self.prompt.about)

    @property
    def asks_a_number(self) -> bool:
        """Whether a seat's key says how many now, and not which seat."""
        return self.prompt is not None and asks_a_number(self.prompt.instruction, self.prompt.question)

    @property
    def is_out_of_turn(self) -> bool:
        """Whether the croupier chose another seat than the one whose turn it is to speak."""
        legal = self.prompt.legal if self.prompt is not None else None
        return legal is not None and self.turn != legal.seat

    @property
    def seats_asked(self) -> tuple[int, ...]:
        """The seats that may answer now: who has not decided where any order is taken (TPC-DEV-8), who can claim the
        side bet (TPC-DEV-13)."""
        if self.prompt is None or self.prompt.instruction not in ("ask-seat", "ask-claims"):
            return ()
        return tuple(int(key.removeprefix("seat-")) for key in self.prompt.keys if key.startswith("seat-"))

    @property
    def resuming(self) -> bool:
        """Whether the controller started with this hand open, and the croupier has to confirm the felt."""
        return self.prompt is not None and self.prompt.question == "felt"

    @property
    def ruling(self) -> bool:
        """Whether something waits for the pit boss."""
        return any(
            incident.state is IncidentState.RULING and not incident.is_request for incident in self.incidents.values()
        )

    @property
    def held(self) -> bool:
        """Whether an incident waits for its remedy: nothing is dealt."""
        return self.prompt is not None and self.prompt.held

    @property
    def drawn(self) -> int:
        """Cards that left the shoe in this hand."""
        return len(self.cards)

    @property
    def out(self) -> int:
        """Cards that left the shoe and lie on the table: those of a new stub went back."""
        return sum(card.slot != GATHERED for card in self.cards.values())

    @property
    def remaining(self) -> int:
        """Cards of the deck that are still in the shoe: one deck, shuffled for every hand."""
        if self.prompt is not None and self.prompt.left is not None:
            return self.prompt.left
        return max(0, CARDS_IN_DECK - len(self.cards))

    @property
    def alerts(self) -> tuple[IncidentView, ...]:
        """Incidents, newest first."""
        return tuple(sorted(self.incidents.values(), key=lambda incident: -incident.number))

    @property
    def incident(self) -> IncidentView | None:
        """The incident the croupier has to deal with: the one the prompt is about, or the last one of this hand."""
        number = self.prompt.incident if self.prompt is not None else None
        if number is not None and number in self.incidents:
            return self.incidents[number]
        here = (incident for incident in self.alerts if incident.hand == self.hand and self.phase != CLOSED)
        mine = [incident for incident in here if not incident.is_request]
        return next((incident for incident in mine if incident.open), mine[0] if mine else None)

    def seat(self, number: int) -> SeatView:
        """A seat, an empty one where nobody plays."""
        return self.seats.get(number, SeatView(seat=number))

    def state_of(self, number: int) -> str:
        """What a seat is doing, in one word."""
        seat, player = self.seat(number), self.circle.player(number)
        states = (
            (seat.void, "void"),
            (seat.withdrawn, "withdrawn"),
            (player.has_mucked, "mucked"),
            (seat.folded, "folded"),
            (self.turn == number, "turn"),
            (number in self.seats_asked, "asked"),
            (player.is_all_in, "all-in"),
            (seat.in_hand, "playing"),
            (player.waits, "waits"),
            (player.is_there, "there"),
            (number in self.circle.players, "away"),
        )
        return next((word for applies, word in states if applies), "free")

    @property
    def requests(self) -> tuple[IncidentView, ...]:
        """Standing bets that wait for the pit boss, oldest first."""
        waiting = (incident for incident in self.incidents.values() if incident.open and incident.is_request)
        return tuple(sorted(waiting, key=lambda incident: incident.number))

    @property
    def rejected(self) -> tuple[IncidentView, ...]:
        """Standing bets of this hand that were not taken."""
        own = (incident for incident in self.incidents.values() if incident.is_request and incident.hand == self.hand)
        return tuple(incident for incident in own if incident.remedy == "reject")

    @property
    def notes_jacks(self) -> bool:
        """Whether this is the hand in which the first pair of jacks lost a bonus."""
        return self.jacks_hand is not None and self.jacks_hand == self.hand
