"""What a house may choose at `texas-bonus` (document 002, THB-*)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tablectl.core.options.choices import Profile, left_open, profile_of
from tablectl.core.options.shared import AnnulledBets, DeckFault, EarlyCardSeen, Prohibitions, Shuffle
from tablectl.core.validation import Mistake


class PairOfJacksBonus(StrEnum):
    """What the bonus bet does with J-J (AMB-50)."""

    LOSES = "loses"
    PAYS_10_TO_1 = "pays-10-to-1"


class AnteBelowStraight(StrEnum):
    """What becomes of the ante of a winning hand below a straight (AMB-52)."""

    RETURNED = "returned"
    LOST = "lost"


class BankExposedUntil(StrEnum):
    """Until when a bank card shown voids the hand (AMB-82)."""

    LAST_DECISION = "last-decision"
    FLOP_BETS = "flop-bets"


class WrongCountSeat(StrEnum):
    """What a wrong number of cards at a seat voids (AMB-53)."""

    VOID_SEAT = "void-seat"
    VOID_HAND = "void-hand"
    #: the stub is shuffled before the next card of the hand
    VOID_SEAT_AND_RESHUFFLE = "void-seat-and-reshuffle"


class FaceUpScope(StrEnum):
    """Which draws count as "during the deal" for a card face up in the deck (AMB-54)."""

    ANY_DRAW = "any-draw"
    HOLE_CARDS = "hole-cards"


class WrongOrder(StrEnum):
    """What to do with hole cards in the wrong order but the right number (AMB-55)."""

    CORRECT_OR_VOID = "correct-or-void"
    ACCEPT = "accept"


class Tie(StrEnum):
    """Which hands tie with the bank's (AMB-49)."""

    EQUAL_RANKS = "equal-ranks"
    SAME_CATEGORY = "same-category"


class TurnedWhileDealt(StrEnum):
    """What a card is that was turned over while it was dealt to a player (AMB-17)."""

    AS_FACE_UP = "as-face-up"
    PIT_BOSS = "pit-boss"


@dataclass(frozen=True, slots=True, kw_only=True)
class TexasBonusProfile(Profile):
    """The choices of a house for `texas-bonus` (document 002). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "texas-bonus"

    pair_of_jacks_bonus: PairOfJacksBonus = field(
        default=PairOfJacksBonus.LOSES,
        metadata=left_open("AMB-50", at="THB-BON-9"),
    )
    ante_below_straight: AnteBelowStraight = field(
        default=AnteBelowStraight.RETURNED,
        metadata=left_open("AMB-52", at="THB-SET-5"),
    )
    bank_exposed_until: BankExposedUntil = field(
        default=BankExposedUntil.LAST_DECISION,
        metadata=left_open("AMB-82", at="THB-ERR-1"),
    )
    wrong_count_seat: WrongCountSeat = field(
        default=WrongCountSeat.VOID_SEAT,
        metadata=left_open("AMB-53", at="THB-ERR-5"),
    )
    early_card_seen: EarlyCardSeen = field(
        default=EarlyCardSeen.VOID_HAND,
        metadata=left_open("AMB-56", at="THB-ERR-4"),
    )
    face_up_scope: FaceUpScope = field(
        default=FaceUpScope.ANY_DRAW,
        metadata=left_open("AMB-54", at="THB-ERR-2"),
    )
    wrong_order: WrongOrder = field(
        default=WrongOrder.CORRECT_OR_VOID,
        metadata=left_open("AMB-55", at="THB-DEV-7"),
    )
    deck_fault: DeckFault = field(
        default=DeckFault.PIT_BOSS,
        metadata=left_open("AMB-13", at="THB-CRD-1"),
    )
    annulled_bets: AnnulledBets = field(
        default=AnnulledBets.RETURNED,
        metadata=left_open("AMB-46", at="THB-ERR-1"),
    )
    shuffle: Shuffle = field(
        default=Shuffle.BY_HAND,
        metadata=left_open("AMB-86", at="THB-SAB-2"),
    )
    tie: Tie = field(
        default=Tie.EQUAL_RANKS,
        metadata=left_open("AMB-49", at="THB-RNK-11"),
    )
    turned_while_dealt: TurnedWhileDealt = field(
        default=TurnedWhileDealt.AS_FACE_UP,
        metadata=left_open("AMB-17", at="THB-ERR-2"),
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS,
        metadata=left_open("AMB-36", at="THB-PLY-3"),
    )


def parse_profile(mapping: Mapping[str, object], where: str) -> TexasBonusProfile | list[Mistake]:
    """The `texas-bonus` profile that a file's top level describes, or everything that is wrong with it."""
    return profile_of(TexasBonusProfile, mapping, where)
