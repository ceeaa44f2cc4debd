"""What a house may choose at `texas-poker` (document 000, TPC-*)."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import ClassVar

from tablectl.core.options.choices import Profile
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
    bank_exposed_until: BankExposedUntil = field(
        default=BankExposedUntil.REVEAL,
        metadata={
            "clause": "TPC-MIS-3",
            "ambiguity": "AMB-82",
            "es": "Una carta vista de la banca anula la mano hasta que las descubre, o hasta la última decisión.",
            "en": "A bank card shown voids the hand until the bank turns them up, or until the last decision.",
        },
    )
    burn: Burn = field(
        default=Burn.NONE,
        metadata={
            "clause": "TPC-DEV-7",
            "ambiguity": "AMB-81",
            "es": "No se quema carta alguna, o se quema una antes del flop, o una antes de cada calle.",
            "en": "No card is burnt, or one before the flop, or one before every street.",
        },
    )
    bank_card: BankCard = field(
        default=BankCard.LAST,
        metadata={
            "clause": "TPC-DEV-6",
            "ambiguity": "AMB-45",
            "es": "La banca recibe su carta la última en cada vuelta, o la primera.",
            "en": "The bank gets its card last in each round, or first.",
        },
    )
    wrong_count_until: WrongCountUntil = field(
        default=WrongCountUntil.FIRST_FLOP_CARD,
        metadata={
            "clause": "TPC-MIS-2",
            "ambiguity": "AMB-12",
            "es": "El número de cartas se corrige hasta la primera carta del flop, o hasta la primera decisión.",
            "en": "A wrong number of cards is put right until the first card of the flop, or the first decision.",
        },
    )
    deck_fault: DeckFault = field(
        default=DeckFault.VOID_HAND,
        metadata={
            "clause": "TPC-MIS-5",
            "ambiguity": "AMB-13",
            "es": "Una baraja incompleta o defectuosa anula la mano aún no cerrada, o decide el jefe de mesa.",
            "en": "A short or defective deck voids a hand that is not closed yet, or the pit boss decides.",
        },
    )
    contact_bets: ContactBets = field(
        default=ContactBets.LOST,
        metadata={
            "clause": "TPC-PLE-1",
            "ambiguity": "AMB-34",
            "es": "Lo que se propone al jefe de mesa para las apuestas de cartas en contacto: perderlas o devolverlas.",
            "en": "What the pit boss is offered for the bets of cards that touched: they are lost, or returned.",
        },
    )
    standing_bets: StandingBets = field(
        default=StandingBets.THREE_IN_ALL,
        metadata={
            "clause": "TPC-PLY-5",
            "ambiguity": "AMB-41",
            "es": "Tres apuestas por casilla, juntas dentro del máximo; o tres además de la del sentado, cada una.",
            "en": "Three bets a box, together within the maximum; or three besides the seated one's, each within it.",
        },
    )
    tie: Tie = field(
        default=Tie.EQUAL_RANKS,
        metadata={
            "clause": "TPC-DEV-24",
            "ambiguity": "AMB-44",
            "es": "A cinco valores iguales se empata siempre, o solo si ambos juegan la mesa: si no, gana la banca.",
            "en": "Five equal ranks always tie, or only where both play the board: otherwise the bank wins.",
        },
    )
    annulled_bets: AnnulledBets = field(
        default=AnnulledBets.RETURNED,
        metadata={
            "clause": "TPC-MIS-0",
            "ambiguity": "AMB-46",
            "es": "Las apuestas de una mano anulada se devuelven, o se quedan en la casilla para la mano nueva.",
            "en": "The bets of an annulled hand are returned, or stay in their boxes for the new hand.",
        },
    )
    early_card_seen: EarlyCardSeen = field(
        default=EarlyCardSeen.VOID_HAND,
        metadata={
            "clause": "TPC-DEV-17",
            "ambiguity": "AMB-56",
            "es": "Lo que se propone al jefe de mesa si se vio una carta sacada antes de tiempo: anular o conservarla.",
            "en": "What the pit boss is offered when a card drawn early was seen: void the hand, or keep the card.",
        },
    )
    turned_while_dealt: TurnedWhileDealt = field(
        default=TurnedWhileDealt.VOID_HAND,
        metadata={
            "clause": "TPC-MIS-1",
            "ambiguity": "AMB-17",
            "es": "Una carta que el croupier vuelve al darla a un jugador anula la mano, o decide el jefe de mesa.",
            "en": "A card that the croupier turns while dealing it to a player voids the hand, or the pit boss rules.",
        },
    )
    prohibitions: Prohibitions = field(
        default=Prohibitions.WARN_THEN_PIT_BOSS,
        metadata={
            "clause": "TPC-PLY-7",
            "ambiguity": "AMB-36",
            "es": "Lo prohibido sin sanción se avisa y, si se repite, decide el jefe de mesa; o solo se anota.",
            "en": "A prohibition without penalty is warned of, then goes to the pit boss; or it is only logged.",
        },
    )
