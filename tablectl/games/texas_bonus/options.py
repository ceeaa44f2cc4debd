"""What a house may choose at `texas-bonus` (document 002, THB-*)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tablectl.config.validation import Mistake
from tablectl.core.options.choices import Profile, profile_of
from tablectl.core.options.shared import AnnulledBets, DeckFault, EarlyCardSeen, Prohibitions, Shuffle


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
        metadata={
            "clause": "THB-BON-9",
            "ambiguity": "AMB-50",
            "es": "La pareja de jotas no figura en el cuadro del bonus: pierde, o se paga 10 a 1 como reyes y damas.",
            "en": "A pair of jacks is in no line of the bonus table: it loses, or it pays 10 to 1 as K-K does.",
        },
    )
    ante_below_straight: AnteBelowStraight = field(
        default=AnteBelowStraight.RETURNED,
        metadata={
            "clause": "THB-SET-5",
            "ambiguity": "AMB-52",
            "es": "El ante de una mano ganadora inferior a escalera se devuelve sin premio, o se pierde.",
            "en": "The ante of a winning hand below a straight is returned without winnings, or it is lost.",
        },
    )
    bank_exposed_until: BankExposedUntil = field(
        default=BankExposedUntil.LAST_DECISION,
        metadata={
            "clause": "THB-ERR-1",
            "ambiguity": "AMB-82",
            "es": "Una carta vista de la banca anula la mano hasta la última decisión, o solo hasta las apuestas flop.",
            "en": "A bank card shown voids the hand until the last decision, or only until the flop bets are made.",
        },
    )
    wrong_count_seat: WrongCountSeat = field(
        default=WrongCountSeat.VOID_SEAT,
        metadata={
            "clause": "THB-ERR-5",
            "ambiguity": "AMB-53",
            "es": "Un número incorrecto anula la mano del jugador, o la de todos, o la suya y se baraja el resto.",
            "en": "A wrong count voids that seat alone, the whole hand, or that seat and the stub is shuffled.",
        },
    )
    early_card_seen: EarlyCardSeen = field(
        default=EarlyCardSeen.VOID_HAND,
        metadata={
            "clause": "THB-ERR-4",
            "ambiguity": "AMB-56",
            "es": "Lo que se propone al jefe de mesa si se vio una carta sacada antes de tiempo: anular o conservarla.",
            "en": "What the pit boss is offered when a card drawn early was seen: void the hand, or keep the card.",
        },
    )
    face_up_scope: FaceUpScope = field(
        default=FaceUpScope.ANY_DRAW,
        metadata={
            "clause": "THB-ERR-2",
            "ambiguity": "AMB-54",
            "es": "Las cartas boca arriba del mazo cuentan en toda extracción de la mano, o solo al dar las propias.",
            "en": "Cards face up in the deck count in every draw of the hand, or only while hole cards are dealt.",
        },
    )
    wrong_order: WrongOrder = field(
        default=WrongOrder.CORRECT_OR_VOID,
        metadata={
            "clause": "THB-DEV-7",
            "ambiguity": "AMB-55",
            "es": "Las cartas dadas en orden equivocado se corrigen si nadie las vio (si no, se anula), o se aceptan.",
            "en": "Hole cards dealt in the wrong order are put right if unseen (else the hand is void), or accepted.",
        },
    )
    deck_fault: DeckFault = field(
        default=DeckFault.PIT_BOSS,
        metadata={
            "clause": "THB-CRD-1",
            "ambiguity": "AMB-13",
            "es": "Si falta, se repite o es ajena una carta de la baraja, decide el jefe de mesa, o se anula la mano.",
            "en": "When a card of the deck is missing, double or foreign, the pit boss decides, or the hand is void.",
        },
    )
    annulled_bets: AnnulledBets = field(
        default=AnnulledBets.RETURNED,
        metadata={
            "clause": "THB-ERR-1",
            "ambiguity": "AMB-46",
            "es": "Las apuestas de una mano anulada se devuelven, o se quedan en la casilla para la mano nueva.",
            "en": "The bets of an annulled hand are returned, or stay in their boxes for the new hand.",
        },
    )
    shuffle: Shuffle = field(
        default=Shuffle.BY_HAND,
        metadata={
            "clause": "THB-SAB-2",
            "ambiguity": "AMB-86",
            "es": "El croupier baraja y corta a mano, o baraja el distribuidor y basta su señal de ciclo terminado.",
            "en": "The croupier shuffles and cuts by hand, or the shoe does and its end-of-cycle signal is enough.",
        },
    )
    tie: Tie = field(
        default=Tie.EQUAL_RANKS,
        metadata={
            "clause": "THB-RNK-11",
            "ambiguity": "AMB-49",
            "es": "Empatan las manos iguales en los cinco valores, o todas las que forman la misma combinación.",
            "en": "Hands tie when all five ranks are equal, or whenever both make the same combination.",
        },
    )
    turned_while_dealt: TurnedWhileDealt = field(
        default=TurnedWhileDealt.AS_FACE_UP,
        metadata={
            "clause": "THB-ERR-2",
            "ambiguity": "AMB-17",
            "es": "Una carta vuelta al darla es como una boca arriba en la baraja, o decide el jefe de mesa.",
            "en": "A card turned while it is dealt is treated as one face up in the deck, or the pit boss decides.",
        },
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS,
        metadata={
            "clause": "THB-PLY-3",
            "ambiguity": "AMB-36",
            "es": "Lo prohibido sin sanción se avisa y, si se repite, decide el jefe de mesa; o solo se anota.",
            "en": "A prohibition without penalty is warned of, then goes to the pit boss; or it is only logged.",
        },
    )


def parse_profile(mapping: Mapping[str, object], where: str) -> TexasBonusProfile | list[Mistake]:
    """The `texas-bonus` profile that a file's top level describes, or everything that is wrong with it."""
    return profile_of(TexasBonusProfile, mapping, where)


def notices(profile: TexasBonusProfile) -> Iterator[str]:
    """What a house should know that has chosen nothing about a pair of jacks."""
    if profile.pair_of_jacks_bonus is PairOfJacksBonus.LOSES:
        yield (
            "profile.pair_of_jacks_bonus = loses: a pair of jacks is in no line of the document's bonus table, so it "
            "loses (THB-BON-9, AMB-50); the house may choose pays-10-to-1"
        )
