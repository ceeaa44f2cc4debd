"""What the engine remembers of a game with discards, within a hand and from hand to hand."""

from __future__ import annotations

from dataclasses import dataclass, field

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.lifetime import between_hands, none, of_hand, of_table
from tablectl.core.engine.pending import Pending
from tablectl.families.draw.card_uncertainty import CardPools
from tablectl.families.draw.rulebook import DrawRulebook
from tablectl.families.pots.state import PotGameState


@dataclass(slots=True, eq=False)
class Turn:
    """The seat that changes cards now: how many, and whether they lie among the discards."""

    seat: int
    cards: int | None = None
    is_removed: bool = False


@dataclass(slots=True, eq=False)
class Moving:
    """A card that this seat has too many is being put under the stub, or given to another seat (FCD-IRR-9, -10)."""

    seat: int
    to: int | None
    asked: Pending


@dataclass(slots=True, eq=False)
class DrawHand:
    """Of one hand. Lists hold seats in the order in which things happened."""

    #: the deck was offered to be cut (FCD-IRR-1)
    is_cut: bool = False
    #: the seat that opened (FCD-OPN-5), as far as actions are entered
    opener: int | None = None
    #: the five cards with which he opened, as long as one of them is not known and it could not be looked at (AMB-68)
    unchecked: list[Draw] = field(default_factory=list)
    #: nobody opened: the pot stays (FCD-WIN-5)
    is_passed_out: bool = False
    #: the seats that have changed cards, "servido" too, and the one that does now
    served: list[int] = field(default_factory=list)
    turn: Turn | None = None
    #: the seat that said "servido" last, while nothing has happened since: it can be taken back
    stood: int | None = None
    #: the cards that lie among the discards since their player changed them, by seat; not those of folded hands
    discards: dict[int, list[Draw]] = field(default_factory=dict)
    #: seats that have one card more until they have changed theirs: it came too soon, and they get one less
    came_early: set[int] = field(default_factory=set)
    #: cards that were put under the stub (FCD-IRR-9): its last ones, until a new one is made
    under: list[Draw] = field(default_factory=list)
    #: which cards lie at which of several places, where nobody knows
    card_pools: CardPools = field(default_factory=CardPools)
    #: seats whose player has looked at his cards, as far as anybody said so (FCD-IRR-7)
    looked: set[int] = field(default_factory=set)
    #: the cards of wrong numbers that are on their way now
    moving: list[Moving] = field(default_factory=list)
    #: the round of betting at whose beginning antennas have counted every seat's cards
    counted_in: int | None = None
    #: where antennas saw a card before it was lifted, by the number of its draw
    lifted: dict[int, str] = field(default_factory=dict)
    #: the clauses of what gives any player a right to a new deal, once it was noticed (FCD-IRR-0)
    cases: set[str] = field(default_factory=set)
    #: numbers of the cards that were turned or fell (FCD-IRR-6a)
    exposed: set[int] = field(default_factory=set)


@dataclass(slots=True, eq=False)
class SeatDraw:
    """A draw that goes on: the seats of those who have a part in it, and the cards of places and of players."""

    seats: tuple[int, ...]
    places: dict[int, Draw] = field(default_factory=dict)
    players: dict[int, Draw] = field(default_factory=dict)

    @property
    def next_place(self) -> int | None:
        """The place that has no card yet."""
        return next((seat for seat in self.seats if seat not in self.places), None)

    @property
    def next_player(self) -> int | None:
        """The player who has none."""
        return next((seat for seat in self.seats if seat not in self.players), None)


@dataclass(slots=True, eq=False)
class DrawState(PotGameState):
    """Mutable and private to the engine."""

    rulebook: DrawRulebook
    draw: DrawHand = of_hand(DrawHand)
    #: entry bets of an annulled hand that stay on the table (AMB-46)
    kept: dict[int, dict[str, int | None]] = between_hands(dict)
    #: what is in the pot from hands that nobody opened (FCD-WIN-5), in the smallest unit of money
    carried: int = of_table(int)
    #: whether there is such a pot: known also where no amounts are entered
    is_pot_waiting: bool = of_table(bool)
    #: the draw for seats, while one goes on between two hands (FCD-SEA-1)
    seat_draw: SeatDraw | None = of_table(none)
    #: what each player has bought so far (FCD-BNK-1): the ledger of the session
    bought: dict[int, int] = of_table(dict)
    #: the hour fixed for the end has come: whoever wins may leave (FCD-RST-8)
    is_closing: bool = of_table(bool)
