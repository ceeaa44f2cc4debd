"""What the croupier is told, as data: the instruction, the keys that are lit, and what can be declared."""

from __future__ import annotations

from enum import StrEnum

from msgspec import UNSET, UnsetType

from tablectl.core.engine.move import CardOffered
from tablectl.core.engine.vocabulary import Chooser, Declaration, Key, Question, Remedy
from tablectl.core.records import record


class Instruction(StrEnum):
    """One thing to do."""

    SIGN_ON = "sign-on"
    NEW_HAND = "new-hand"
    TAKE_BETS = "take-bets"
    DEAL = "deal"
    ASK_SEAT = "ask-seat"
    ASK_CLAIMS = "ask-claims"
    PAY_CLAIMS = "pay-claims"
    DECLARE = "declare"
    REVEAL_BANK = "reveal-bank"
    DRAW_BUTTON = "draw-button"
    POST_BLINDS = "post-blinds"
    OFFER_CUT = "offer-cut"
    POST_ANTES = "post-antes"
    ASK_CARDS = "ask-cards"
    PUT_AWAY = "put-away"
    SPEAK = "speak"
    CLOSE_ROUND = "close-round"
    SHOW_HAND = "show-hand"
    DELIVER = "deliver"
    SETTLE = "settle"
    COLLECT = "collect"
    NAME_CARD = "name-card"
    ANSWER = "answer"
    WAIT_PIT_BOSS = "wait-pit-boss"
    WAIT_SHOE = "wait-shoe"


@record
class Offer:
    """A declaration that can be made now, and what will happen: under which clause, which remedies, who chooses."""

    what: Declaration
    clause: str
    remedies: tuple[Remedy, ...]
    chooser: Chooser
    #: the key that chooses it
    key: Key
    #: the cards that it can be about; the first one is meant where none is named. Unset where it is about none: so are
    #: those of records that were written before there were any
    cards: tuple[CardOffered, ...] | UnsetType = UNSET


@record
class Legal:
    """What the seat whose turn it is may do. To fold is legal always (THL-RD1-2, THO-ACT-1).

    Amounts are integers of the smallest unit, and None where the table does not enter them. `to` means the whole stake
    of the seat in this round after the action.
    """

    seat: int
    may_check: bool
    may_call: bool
    #: chips to add, all he has if that is less; None where there is nothing to call
    call: int | None
    #: bet or raise: one of them can be made, `is_bet` says which
    may_raise: bool
    #: TO this at least; where his whole stack is below that, both bounds are the stack
    raise_from: int | None
    #: TO this at most; None also where neither a rule nor a known stack bounds it
    raise_to: int | None
    #: nothing is outstanding: it is a bet and not a raise
    is_bet: bool
    #: TO this if all-in; None where his stack is not known
    all_in: int | None
    #: whether that is legal, as a call, a bet or a raise; where his stack is not known, whether some all-in is
    may_go_all_in: bool
    #: chips that he put in out of turn and that stand as his raise: TO this is legal, too, below `raise_from`
    #: (THL-PLE-7). No member of a record where it is unset: version 0.1.0 knows of none
    stands: int | UnsetType = UNSET

    def allows(self, to: int) -> bool:
        """Whether a bet or raise to this whole stake is legal."""
        if not self.may_raise or self.raise_from is None:
            return False
        return to == self.stands or (self.raise_from <= to and (self.raise_to is None or to <= self.raise_to))


@record
class Prompt:
    """The instruction, what it is about (a slot, a seat, a question) and the keys that are live."""

    instruction: Instruction
    about: str
    keys: tuple[Key, ...]
    question: Question | None = None
    incident: int | None = None
    held: bool = False
    #: what can be declared, where the list of it is open; each says the key that chooses it
    offers: tuple[Offer, ...] = ()
    #: in a circle game: what the seat in turn may do, and all the money that was put in
    legal: Legal | None = None
    pot: int | None = None
    #: the draws of this hand that went back into the deck, or are on their way into it
    back: tuple[int, ...] = ()
    #: in a game with discards: how many cards the seat in turn changes, once it has said so
    cards: int | None = None
    #: there: how many cards the stub holds, the last one too, and whose discards go into a new one that is asked for
    left: int | None = None
    gather: tuple[int, ...] = ()
    #: and the clauses of the cases that stand: for each any player can demand a new deal (FCD-IRR-0)
    cases: tuple[str, ...] = ()
    #: which of the hand's facts "cancel" takes back, the one that opened it being 1; unset where it does something else
    undo: int | UnsetType = UNSET
