"""A house's choices where document 002 leaves one open: which there are, what they mean, what a file may say.

Every key cites the clause that leaves it open and the entry of our register of ambiguities (AMB). The default is our
ruling. Pure: a command reads the file, this module judges what was in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import Any, Final

from tablectl.mistakes import Mistake, one_of, one_of_near

RULEBOOK: Final = "texas-bonus"


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


class EarlyCardSeen(StrEnum):
    """What is proposed to the pit boss when a card drawn early was seen (AMB-56)."""

    VOID_HAND = "void-hand"
    KEEP = "keep"


class FaceUpScope(StrEnum):
    """Which draws count as "during the deal" for a card face up in the deck (AMB-54)."""

    ANY_DRAW = "any-draw"
    HOLE_CARDS = "hole-cards"


class WrongOrder(StrEnum):
    """What to do with hole cards in the wrong order but the right number (AMB-55)."""

    CORRECT_OR_VOID = "correct-or-void"
    ACCEPT = "accept"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a profile key decides: the clause that leaves it open, our register's entry, and a sentence for people."""

    clause: str
    ambiguity: str
    es: str
    en: str
    values: tuple[str, ...]
    default: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TexasBonusProfile:
    """The choices of a house for `texas-bonus` (document 002). `choices()` tells what each key means."""

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
            "es": "Un número incorrecto de cartas de un jugador anula solo su mano, o la de toda la mesa.",
            "en": "A wrong number of cards at a seat voids that seat alone, or the whole table's hand.",
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


def choices() -> dict[str, Choice]:
    """Every profile key of `texas-bonus` with what it decides, in the order of the profile."""
    return {each.name: _choice(each) for each in fields(TexasBonusProfile)}


def _choice(key: Field[Any]) -> Choice:
    values = tuple(each.value for each in _values(key))
    return Choice(**key.metadata, values=values, default=str(key.default))


def _values(key: Field[Any]) -> type[StrEnum]:
    if not isinstance(key.default, StrEnum):
        raise TypeError(f"the default of {key.name} is no value of a named choice")
    return type(key.default)


def parse_profile(mapping: Mapping[str, object], where: str) -> TexasBonusProfile | list[Mistake]:
    """The profile that a file's top level describes, or everything that is wrong with it.

    Keys that are not there keep our ruling. `rulebook = "texas-bonus"` may stand beside them. `where` (a file name,
    say) goes into each mistake and is not looked at otherwise.
    """
    mistakes = [mistake for key, value in mapping.items() if (mistake := _judged(key, value, where)) is not None]
    if mistakes:
        return mistakes
    chosen: dict[str, Any] = {
        each.name: _values(each)(str(mapping[each.name])) for each in fields(TexasBonusProfile) if each.name in mapping
    }
    return TexasBonusProfile(**chosen)


def _judged(key: str, value: object, where: str) -> Mistake | None:
    known = choices()
    if key != "rulebook" and key not in known:
        return Mistake(
            where=where, key=key, found="a key that this profile does not have", right=one_of_near(key, known)
        )
    allowed = (RULEBOOK,) if key == "rulebook" else known[key].values
    if value in allowed:
        return None
    right = one_of_near(value, allowed) if isinstance(value, str) else one_of(allowed)
    return Mistake(where=where, key=key, found=repr(value), right=right)
