"""What a game with discards remembers beside a circle game's betting: within a hand, and from hand to hand."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from tablectl.core.engine.circle.draw.unsure import Unsure
from tablectl.core.engine.deal import Draw

if TYPE_CHECKING:
    from tablectl.core.engine.circle.draw.seat_draw import SeatDraw
    from tablectl.core.engine.state import Pending


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
class HandMemory:
    """Of one hand. Lists hold seats in the order in which things happened."""

    #: the deck was offered to be cut (FCD-IRR-1)
    is_cut: bool = False
    #: the seat that opened (FCD-OPN-5), as far as actions are entered
    opener: int | None = None
    #: nobody opened: the pot stays (FCD-WIN-5)
    is_passed_out: bool = False
    #: the seats that have changed cards, "servido" too, and the one that does now
    served: list[int] = field(default_factory=list)
    turn: Turn | None = None
    #: the seat that said "servido" last, while nothing has happened since: it can be taken back
    stood: int | None = None
    #: the cards that lie among the discards since their player changed them, by seat; not those of folded hands
    discards: dict[int, list[Draw]] = field(default_factory=dict)
    #: cards that were put under the stub (FCD-IRR-9): its last ones, until a new one is made
    under: list[Draw] = field(default_factory=list)
    #: which cards lie at which of several places, where nobody knows
    unsure: Unsure = field(default_factory=Unsure)
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


class DrawMemory:
    """Mutable and private to the engine; made of nothing but facts, so a replay makes the same one."""

    __slots__ = ("bought", "carried", "hand", "is_closing", "is_pot_waiting", "seat_draw")

    def __init__(self) -> None:
        self.hand = HandMemory()
        #: what is in the pot from hands that nobody opened (FCD-WIN-5), in the smallest unit of money
        self.carried = 0
        #: whether there is such a pot: known also where no amounts are entered
        self.is_pot_waiting = False
        #: the draw for seats, while one goes on between two hands (FCD-SEA-1)
        self.seat_draw: SeatDraw | None = None
        #: what each player has bought so far (FCD-BNK-1): the ledger of the session
        self.bought: dict[int, int] = {}
        #: the hour fixed for the end has come: whoever wins may leave (FCD-RST-8)
        self.is_closing = False

    def keep(self, before: DrawMemory) -> None:
        """Another house's choices at the same table: the session goes on."""
        self.carried, self.bought, self.is_closing = before.carried, dict(before.bought), before.is_closing

    def forget_hand(self) -> None:
        """Nothing of the hand is there any more."""
        self.hand = HandMemory()
