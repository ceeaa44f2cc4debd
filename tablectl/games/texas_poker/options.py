"""What a house may choose at `texas-poker` (document 000, TPC-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tablectl.core.options.choices import Profile, left_open
from tablectl.core.options.shared import AnnulledBets, Burn, ContactBets, DeckFault, EarlyCardSeen, Prohibitions


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


class BankExposedUntil(StrEnum):
    """Until when a bank card shown voids the hand (AMB-82)."""

    REVEAL = "reveal"
    LAST_DECISION = "last-decision"


class BankCard(StrEnum):
    """When the bank gets its card in each of the two rounds (AMB-45)."""

    LAST = "last"
    FIRST = "first"


class WrongCountUntil(StrEnum):
    """Until when a wrong number of cards at a seat is put right (AMB-12)."""

    FIRST_FLOP_CARD = "first-flop-card"
    FIRST_DECISION = "first-decision"


class StandingBets(StrEnum):
    """How many bets a box takes where players stand behind the seated one, and what they may amount to (AMB-41)."""

    #: that of the seated player is one of the three, and their sum respects the maximum
    THREE_IN_ALL = "three-in-all"
    #: three besides that of the seated player, and each may be as high as the maximum
    THREE_BESIDES = "three-besides"


class Tie(StrEnum):
    """Which hands have "the same cards" as the bank's (AMB-44)."""

    EQUAL_RANKS = "equal-ranks"
    #: the very same five cards: nothing but the board is common to both, so both play it
    SAME_CARDS = "same-cards"


class TurnedWhileDealt(StrEnum):
    """What follows when the croupier turns a card over while dealing it to a player (AMB-17)."""

    VOID_HAND = "void-hand"
    PIT_BOSS = "pit-boss"


@dataclass(frozen=True, slots=True, kw_only=True)
class TexasPokerProfile(Profile):
    """The choices of a house for `texas-poker` (document 000). `choices()` tells what each key means."""

    rulebook: ClassVar[str] = "texas-poker"

    second_bet: SecondBet = field(
        default=SecondBet.TWICE_THE_ANTE,
        metadata=left_open("AMB-40", at="TPC-DEV-9"),
    )
    txb_aces: TxbAces = field(
        default=TxbAces.ANY_OF_FIVE,
        metadata=left_open("AMB-42", at="TPC-DEV-16"),
    )
    ante_without_bank: AnteWithoutBank = field(
        default=AnteWithoutBank.PAY_TABLE,
        metadata=left_open("AMB-43", at="TPC-DEV-21"),
    )
    bank_exposed_until: BankExposedUntil = field(
        default=BankExposedUntil.REVEAL,
        metadata=left_open("AMB-82", at="TPC-MIS-3"),
    )
    burn: Burn = field(
        default=Burn.NONE,
        metadata=left_open("AMB-81", at="TPC-DEV-7"),
    )
    bank_card: BankCard = field(
        default=BankCard.LAST,
        metadata=left_open("AMB-45", at="TPC-DEV-6"),
    )
    wrong_count_until: WrongCountUntil = field(
        default=WrongCountUntil.FIRST_FLOP_CARD,
        metadata=left_open("AMB-12", at="TPC-MIS-2"),
    )
    deck_fault: DeckFault = field(
        default=DeckFault.VOID_HAND,
        metadata=left_open("AMB-13", at="TPC-MIS-5"),
    )
    contact_bets: ContactBets = field(
        default=ContactBets.LOST,
        metadata=left_open("AMB-34", at="TPC-PLE-1"),
    )
    standing_bets: StandingBets = field(
        default=StandingBets.THREE_IN_ALL,
        metadata=left_open("AMB-41", at="TPC-PLY-5"),
    )
    tie: Tie = field(
        default=Tie.EQUAL_RANKS,
        metadata=left_open("AMB-44", at="TPC-DEV-24"),
    )
    annulled_bets: AnnulledBets = field(
        default=AnnulledBets.RETURNED,
        metadata=left_open("AMB-46", at="TPC-MIS-0"),
    )
    early_card_seen: EarlyCardSeen = field(
        default=EarlyCardSeen.VOID_HAND,
        metadata=left_open("AMB-56", at="TPC-DEV-17"),
    )
    turned_while_dealt: TurnedWhileDealt = field(
        default=TurnedWhileDealt.VOID_HAND,
        metadata=left_open("AMB-17", at="TPC-MIS-1"),
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS,
        metadata=left_open("AMB-36", at="TPC-PLY-7"),
    )
