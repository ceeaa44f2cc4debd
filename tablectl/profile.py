"""A house's choices where a document leaves one open: which there are, what they mean, what a file may say.

Every key cites the clause that leaves it open and the entry of our register of ambiguities (AMB). The default is our
ruling. Pure: a command reads the file, this module judges what was in it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from enum import StrEnum
from typing import Any, ClassVar, Final, TypeVar

from tablectl.mistakes import Mistake, one_of, one_of_near


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


class SecondBet(StrEnum):
    """What the second bet of `texas-poker` amounts to (AMB-40)."""

    TWICE_THE_ANTE = "twice-the-ante"
    SAME_AS_ANTE = "same-as-ante"


class TxbAces(StrEnum):
    """Which aces make the pair that the TXB asks for (AMB-42)."""

    ANY_OF_FIVE = "any-of-five"
    OWN_CARDS = "own-cards"


class AnteWithoutBank(StrEnum):
    """What the ante gets when the bank does not come into play (AMB-43)."""

    PAY_TABLE = "pay-table"
    EVEN_MONEY = "even-money"
    HIGHER_HANDS = "higher-hands"


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
class Profile:
    """The choices of a house for one rulebook: a field a choice, its default our ruling."""

    rulebook: ClassVar[str]


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


@dataclass(frozen=True, slots=True, kw_only=True)
class TexasPokerProfile(Profile):
    """The choices of a house for `texas-poker` (document 000) that decide who is owed what."""

    rulebook: ClassVar[str] = "texas-poker"

    second_bet: SecondBet = field(
        default=SecondBet.TWICE_THE_ANTE,
        metadata={
            "clause": "TPC-DEV-9",
            "ambiguity": "AMB-40",
            "es": "La 2.ª apuesta es el doble del ante, o igual al ante, de modo que se dobla lo apostado.",
            "en": "The second bet is twice the ante, or as much as the ante, so that the whole stake doubles.",
        },
    )
    txb_aces: TxbAces = field(
        default=TxbAces.ANY_OF_FIVE,
        metadata={
            "clause": "TPC-DEV-16",
            "ambiguity": "AMB-42",
            "es": "La pareja de ases del TXB vale con ases propios o del flop, o solo con los dos ases propios.",
            "en": "The pair of aces of the TXB may use aces of the flop, or both aces must be the player's own.",
        },
    )
    ante_without_bank: AnteWithoutBank = field(
        default=AnteWithoutBank.PAY_TABLE,
        metadata={
            "clause": "TPC-DEV-21",
            "ambiguity": "AMB-43",
            "es": "Si la banca no entra, cobra todo ante según la tabla, o todo a la par, o solo el de mano superior.",
            "en": "If the bank stays out, all antes are paid by the table, or at evens, or those of higher hands only.",
        },
    )


#: The choices there are, by rulebook id.
PROFILES: Final[Mapping[str, type[Profile]]] = {
    "texas-bonus": TexasBonusProfile,
    "texas-poker": TexasPokerProfile,
}

P = TypeVar("P", bound=Profile)


def choices(of: type[Profile] = TexasBonusProfile) -> dict[str, Choice]:
    """Every key of a profile with what it decides, in the order of the profile."""
    return {each.name: _choice(each) for each in fields(of)}


def _choice(key: Field[Any]) -> Choice:
    values = tuple(each.value for each in _values(key))
    return Choice(**key.metadata, values=values, default=str(key.default))


def _values(key: Field[Any]) -> type[StrEnum]:
    if not isinstance(key.default, StrEnum):
        raise TypeError(f"the default of {key.name} is no value of a named choice")
    return type(key.default)


def parse_profile(mapping: Mapping[str, object], where: str) -> TexasBonusProfile | list[Mistake]:
    """The `texas-bonus` profile that a file's top level describes, or everything that is wrong with it."""
    return profile_of(TexasBonusProfile, mapping, where)


def profile_of(kind: type[P], mapping: Mapping[str, object], where: str) -> P | list[Mistake]:
    """The profile that a file's top level describes, or everything that is wrong with it.

    Keys that are not there keep our ruling. `rulebook = "texas-bonus"` (the id of this kind of profile) may stand
    beside them. `where` (a file name, say) goes into each mistake and is not looked at otherwise.
    """
    judged = (_judged(kind, key, value, where) for key, value in mapping.items())
    mistakes = [mistake for mistake in judged if mistake is not None]
    if mistakes:
        return mistakes
    chosen: dict[str, Any] = {
        each.name: _values(each)(str(mapping[each.name])) for each in fields(kind) if each.name in mapping
    }
    return kind(**chosen)


def _judged(kind: type[Profile], key: str, value: object, where: str) -> Mistake | None:
    known = choices(kind)
    if key != "rulebook" and key not in known:
        return Mistake(
            where=where, key=key, found="a key that this profile does not have", right=one_of_near(key, known)
        )
    allowed = (kind.rulebook,) if key == "rulebook" else known[key].values
    if value in allowed:
        return None
    right = one_of_near(value, allowed) if isinstance(value, str) else one_of(allowed)
    return Mistake(where=where, key=key, found=repr(value), right=right)
