"""What a house may choose at `texas-poker` (document 000, TPC-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tablectl.profile.choices import Profile


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
