"""What a rulebook says of errors, as data: under which clause, until when, and what follows.

The engine's `errors` apply them; a rulebook fills them in, from its document and from what its profile leaves to the
house. The numbers in brackets are entries of our register of what the documents leave open.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from tablectl.core.engine.slots import Slot
from tablectl.core.engine.vocabulary import Remedy


class Exposure(StrEnum):
    """Which deadline an exposed bank card still meets in a phase (AMB-82)."""

    BEFORE_FIRST_DECISIONS = "before-first-decisions"
    BEFORE_LAST_DECISION = "before-last-decision"
    AFTER = "after"


class Policy(StrEnum):
    """What a rulebook (or the house, where the document is silent) does about an error."""

    #: put right in place where nobody saw a card, otherwise the pit boss has it
    CORRECT_OR_RULE = "correct-or-rule"
    #: the hand is void
    VOID = "void"
    #: the pit boss has it
    RULE = "rule"
    #: it stands
    ACCEPT = "accept"


class CountWindow(StrEnum):
    """Until when a wrong number of cards can be put right without voiding anything."""

    #: while the card at issue is the one drawn last (THB-ERR-7)
    LAST_CARD = "last-card"
    #: until the first common card is drawn (TPC-MIS-2, AMB-12)
    FIRST_COMMON_CARD = "first-common-card"
    #: until somebody has decided (TPC-MIS-2 to the letter)
    FIRST_DECISION = "first-decision"


@dataclass(frozen=True, kw_only=True, slots=True)
class BankExposed:
    """A card of the bank was seen before its time; `voiding`: the windows in which that voids the hand (AMB-82)."""

    clause: str
    voiding: frozenset[Exposure]


@dataclass(frozen=True, kw_only=True, slots=True)
class FaceUp:
    """Cards that lie face up in the deck, or are turned over while they are dealt to a player (AMB-17).

    `tolerated`: so many in a hand are put away and replaced; one more voids it, by the clause `beyond`. `everywhere`:
    after the hole cards, too (AMB-54). `turned`: what a card turned while being dealt is: VOID or ACCEPT, "as one face
    up in the deck", or RULE.
    """

    clause: str
    beyond: str
    tolerated: int
    everywhere: bool
    turned: Policy


@dataclass(frozen=True, kw_only=True, slots=True)
class WrongCount:
    """A seat or the bank has a wrong number of cards. `seat_remedy`: what it voids at a seat (AMB-53); at the bank it
    is the hand. `in_place`: the clause under which a card of the bank can be put right, `extra` that for a seat's."""

    seat: str
    bank: str
    in_place: str
    extra: str
    window: CountWindow
    seat_remedy: Remedy
    #: whether the stub is shuffled anew after a seat that was voided, before the next card (AMB-53, reading C)
    reshuffle: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class EarlyCard:
    """A card drawn before one was due. `seen`: proposals to the pit boss, the first is the default (AMB-56)."""

    clause: str
    seen: tuple[Remedy, ...]


@dataclass(frozen=True, kw_only=True, slots=True)
class Deck:
    """A deck that is not as it should be: the clauses on a card that comes twice, that is missing, and on a deck
    defective otherwise; `fault`: VOID, or RULE where the document leaves it to the pit boss (AMB-13)."""

    twice: str
    missing: str
    defective: str
    fault: Policy
    #: the clause on a deck counted before the deal, where it is another one
    counted: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Contact:
    """The cards of two players touched; `again` where it happens once more; `proposed` for their bets (AMB-34)."""

    clause: str
    again: str
    proposed: Remedy


@dataclass(frozen=True, kw_only=True, slots=True)
class Conduct:
    """What players may not do. A clause is None where the document has no such rule. `warns`: a repetition goes to
    the pit boss; otherwise it is put on record (AMB-36)."""

    showed_cards: str
    commented: str
    not_chips: str
    own_cards_shown: str | None
    two_boxes: str | None
    warns: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Standing:
    """Bets of people who stand behind a seat (AMB-41). `most_bettors`: in a box, the seated one too; `sum_of_box`:
    whether they respect the greatest bet together."""

    consent: str
    approval: str
    limits: str
    most: str
    most_bettors: int
    sum_of_box: bool


@dataclass(frozen=True, kw_only=True, slots=True)
class Errors:
    """The clauses on errors that every game has, and what each of them says to do."""

    deck: Deck
    wrong_order: str
    wrong_order_policy: Policy
    #: a card that did not come out of the shoe
    outside_shoe: str
    #: a common card or a burn at a spot of the layout other than its own, or a common card in another's place
    wrong_spot: str
    ruling: str
    out_of_turn: str
    too_early_entry: str
    no_such_seat: str
    no_such_bet: str
    #: the clause under which the hands of two players that touch are dead, where there is one
    contact: Contact | None
    #: the clause under which cards that a settlement needs stay on the table, where there is one
    cards_stay: str | None = None
    #: the clause under which a shuffle in the shoe must be complete before the next hand, where the house has one
    shuffle_first: str | None = None
    #: the clauses by which cards are dealt to a seat, the bank, the board, burnt and put away, in the order of places;
    #: the last one counts for all that follow
    dealt: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def dealt_by(self, slot: Slot) -> str:
        """The clause by which the card of this place is dealt: it is missing there, or lies at another spot."""
        clauses = self.dealt.get("seat" if slot.seat is not None else slot.spot, (self.wrong_spot,))
        return clauses[min(slot.position, len(clauses)) - 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class BankedErrors(Errors):
    """Those of a game against the bank beside."""

    bank_exposed: BankExposed
    face_up: FaceUp
    count: WrongCount
    early: EarlyCard
    conduct: Conduct
    #: what a request to bet standing is refused by, where the game has none
    no_standing: str
    #: the clause that tells the two places of the bank apart, where there is one
    bank_places: str | None = None
    #: whether entry bets of an annulled hand stay in their boxes for the next one (AMB-46)
    bets_stay: bool = False
