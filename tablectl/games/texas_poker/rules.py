"""Texas Póker de contrapartida (`texas-poker`), document 000, clauses TPC-*: a game against the bank.

Read from the top: the deal, the bets, the phases, the table of transitions, the error clauses, the settlement.
Everything that a house may choose differently comes from its profile; everything else is here. What is peculiar to this
game: the flop lies there before anybody decides, nobody burns, decisions come in any order, and the TXB is decided and
paid before turn and river.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.clauses import (
    BankedErrors,
    BankExposed,
    Conduct,
    Contact,
    CountWindow,
    Deck,
    EarlyCard,
    Exposure,
    FaceUp,
    Policy,
    Standing,
    WrongCount,
)
from tablectl.core.engine.limit_rules import Between, LimitRule
from tablectl.core.engine.rulebook import Choice, Guard, Kind, Phase, Situation, Transition
from tablectl.core.engine.seats import SEATED, SeatBets
from tablectl.core.engine.slots import BOARD, BURN, HOUSE, SEATS, Slot
from tablectl.core.engine.vocabulary import Key, Refusal, Remedy
from tablectl.core.options.choices import profile_in_force
from tablectl.core.options.shared import AnnulledBets, Burn, ContactBets, DeckFault, EarlyCardSeen, Prohibitions
from tablectl.core.settlement.banked import SeatResult, Settlement
from tablectl.families.banked.family import BANKED
from tablectl.families.banked.rulebook import BankedRulebook, BetRule, SideBet
from tablectl.games.texas_poker.options import (
    BankCard,
    BankExposedUntil,
    StandingBets,
    TexasPokerProfile,
    TurnedWhileDealt,
    WrongCountUntil,
)
from tablectl.games.texas_poker.payouts import SECOND_IN_ANTES, Bet, Bets, Seat, settle, settle_txb

ID: Final = "texas-poker"
VERSION: Final = "1"
#: AMB-85: the documents differ in their bands, and each is followed.
LIMITS: Final = LimitRule(
    clause="TPC-LIM-2",
    band_clause="TPC-LIM-3",
    # TPC-LIM-4 is of all bets; each has a band of its own (TPC-LIM-5).
    bets=dict.fromkeys(("ante", "txb"), Between(clause="TPC-LIM-4", least_factor=5, most_factor=50)),
)
MAX_SEATS: Final = 9  # TPC-PLY-1


# --- the deal -------------------------------------------------------------------------------------------------------


def _bank_last(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """Two laps, one card at a time, face down (TPC-DEV-4), from the croupier's left (TPC-DEV-5), the bank last in each
    (TPC-DEV-6, AMB-45)."""
    return (
        *(SEATS[seat - 1][0] for seat in seats),
        HOUSE[0],
        *(SEATS[seat - 1][1] for seat in seats),
        HOUSE[1],
    )


def _bank_first(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """The same with the bank first in each lap: the other reading of AMB-45."""
    return (
        HOUSE[0],
        *(SEATS[seat - 1][0] for seat in seats),
        HOUSE[1],
        *(SEATS[seat - 1][1] for seat in seats),
    )


_FLOP: Final = (BOARD[0], BOARD[1], BOARD[2])  # TPC-DEV-7
_TURN_RIVER: Final = (BOARD[3], BOARD[4])  # TPC-DEV-17
# The document burns nothing; a house may (AMB-81).
_FLOP_PLANS: Final[Mapping[Burn, tuple[Slot, ...]]] = {
    Burn.NONE: _FLOP,
    Burn.FLOP: (BURN[0], *_FLOP),
    Burn.EVERY_STREET: (BURN[0], *_FLOP),
}
_TURN_RIVER_PLANS: Final[Mapping[Burn, tuple[Slot, ...]]] = {
    Burn.NONE: _TURN_RIVER,
    Burn.FLOP: _TURN_RIVER,
    Burn.EVERY_STREET: (BURN[1], BOARD[3], BURN[2], BOARD[4]),
}

# --- the bets -------------------------------------------------------------------------------------------------------


def _bets(profile: TexasPokerProfile) -> Mapping[str, BetRule]:
    """The three spaces of a box, and no others (TPC-TAB-1)."""
    return {
        Bet.ANTE: BetRule(name=Bet.ANTE, clause="TPC-DEV-1", limits_clause="TPC-LIM-2"),
        Bet.SECOND: BetRule(
            name=Bet.SECOND, clause="TPC-DEV-9", multiple_of=(Bet.ANTE, SECOND_IN_ANTES[profile.second_bet])
        ),
        Bet.TXB: BetRule(
            name=Bet.TXB, clause="TPC-DEV-2", needs=Bet.ANTE, needs_clause="TPC-DEV-2", limits_clause="TPC-LIM-2"
        ),
    }


# --- the phases -----------------------------------------------------------------------------------------------------


def _phases(profile: TexasPokerProfile) -> Mapping[str, Phase]:
    flop, turn_river = _FLOP_PLANS[profile.burn], _TURN_RIVER_PLANS[profile.burn]
    phases = (
        Phase(name="closed", kind=Kind.IDLE, clauses=("TPC-TAB-3",), early="TPC-DEV-3"),
        Phase(
            name="betting",
            kind=Kind.BETTING,
            clauses=("TPC-DEV-1", "TPC-DEV-2", "TPC-DEV-3", "TPC-LIM-2", "TPC-PLY-2"),
            early="TPC-DEV-3",
        ),
        Phase(
            name="dealing",
            kind=Kind.DEALING,
            clauses=("TPC-DEV-4", "TPC-DEV-5", "TPC-DEV-6"),
            exposure=Exposure.BEFORE_FIRST_DECISIONS,
            plan=_bank_first if profile.bank_card is BankCard.FIRST else _bank_last,
            early="TPC-DEV-4",
        ),
        Phase(
            name="flop",
            kind=Kind.DEALING,
            clauses=("TPC-DEV-7",),
            exposure=Exposure.BEFORE_FIRST_DECISIONS,
            plan=lambda _: flop,
            early="TPC-DEV-7",
            burnt="TPC-DEV-7" if flop is _FLOP else None,
        ),
        Phase(
            name="decision",
            kind=Kind.DECIDING,
            clauses=("TPC-DEV-8", "TPC-DEV-9", "TPC-DEV-10", "TPC-PLY-6"),
            exposure=Exposure.BEFORE_LAST_DECISION,
            choice=Choice(bet=Bet.SECOND, otherwise=Key.FOLD, clause="TPC-DEV-9", in_turn=False),
        ),
        Phase(name="txb", kind=Kind.CLAIMING, clauses=("TPC-DEV-12", "TPC-DEV-13", "TPC-DEV-16")),
        Phase(name="txb-payment", kind=Kind.PAYING, clauses=("TPC-DEV-14", "TPC-DEV-15")),
        Phase(
            name="turn-river",
            kind=Kind.DEALING,
            clauses=("TPC-DEV-17",),
            plan=lambda _: turn_river,
            burnt="TPC-DEV-17" if turn_river is _TURN_RIVER else None,
        ),
        Phase(name="showdown", kind=Kind.REVEALING, clauses=("TPC-DEV-18", "TPC-DEV-19", "TPC-DEV-20")),
        Phase(name="settlement", kind=Kind.SETTLING, clauses=("TPC-DEV-21", "TPC-DEV-23", "TPC-CRE-1")),
        Phase(name="voided", kind=Kind.VOIDED, clauses=("TPC-MIS-0",)),
    )
    return {phase.name: phase for phase in phases}


# --- the table of transitions: what leads from where to where, and nothing else does ---------------------------------


def _txb_was_bet(state: Situation) -> bool:
    return any(name == Bet.TXB for _, _, name, _ in state.seats.bets())


_AN_ANTE: Final = Guard(
    name="somebody has an ante", holds=lambda state: bool(state.seats), refusal=Refusal.NO_BETS, clause="TPC-DEV-1"
)
_TXB_BET: Final = Guard(name="somebody bet TXB", holds=_txb_was_bet, refusal=Refusal.NOT_LIVE, clause="TPC-DEV-12")
_SOMEBODY_STAYS: Final = Guard(
    name="somebody stays", holds=lambda state: bool(state.seats.staying), refusal=Refusal.NOT_LIVE, clause="TPC-DEV-17"
)
_NOBODY_STAYS: Final = Guard(
    name="nobody stays", holds=lambda state: not state.seats.staying, refusal=Refusal.NOT_LIVE, clause="TPC-DEV-10"
)

_TRANSITIONS: Final = (
    Transition(trigger="new-hand", source="closed", dest="betting"),
    Transition(trigger="no-more-bets", source="betting", dest="dealing", guard=_AN_ANTE),  # TPC-DEV-3
    Transition(trigger="dealt", source="dealing", dest="flop"),  # TPC-DEV-7: before any decision
    Transition(trigger="dealt", source="flop", dest="decision"),
    # TPC-DEV-12: the question is asked whenever somebody bet TXB, folded or not.
    Transition(trigger="decided", source="decision", dest="txb", guard=_TXB_BET),
    Transition(trigger="decided", source="decision", dest="turn-river", guard=_SOMEBODY_STAYS),
    Transition(trigger="decided", source="decision", dest="settlement", guard=_NOBODY_STAYS),
    Transition(trigger="asked", source="txb", dest="txb-payment"),  # TPC-DEV-14
    Transition(trigger="paid", source="txb-payment", dest="turn-river", guard=_SOMEBODY_STAYS),
    Transition(trigger="paid", source="txb-payment", dest="settlement", guard=_NOBODY_STAYS),
    Transition(trigger="dealt", source="turn-river", dest="showdown"),
    Transition(trigger="revealed", source="showdown", dest="settlement"),  # TPC-DEV-18
    Transition(trigger="closed", source="settlement", dest="closed"),
    Transition(trigger="closed", source="voided", dest="closed"),
    # The last hands in play were taken away (TPC-PLE-1): no further card matters.
    *(
        Transition(trigger="nobody-stays", source=source, dest="settlement", guard=_NOBODY_STAYS)
        for source in ("dealing", "flop", "turn-river", "showdown")
    ),
    # The hand is annulled (TPC-MIS-0, or the pit boss's ruling).
    *(
        Transition(trigger="void", source=phase.name, dest="voided")
        for phase in _phases(TexasPokerProfile()).values()
        if phase.kind not in (Kind.IDLE, Kind.VOIDED)
    ),
)

# --- errors ---------------------------------------------------------------------------------------------------------


def _errors(profile: TexasPokerProfile) -> BankedErrors:
    up_to_reveal = profile.bank_exposed_until is BankExposedUntil.REVEAL
    keep_first = profile.early_card_seen is EarlyCardSeen.KEEP
    first_decision = profile.wrong_count_until is WrongCountUntil.FIRST_DECISION
    return BankedErrors(
        # AMB-82: the document states no deadline, so it counts up to the reveal.
        bank_exposed=BankExposed(
            clause="TPC-MIS-3",
            voiding=frozenset(Exposure) if up_to_reveal else frozenset(Exposure) - {Exposure.AFTER},
        ),
        # AMB-17: a card that is not dealt face down was not dealt in due form.
        face_up=FaceUp(
            clause="TPC-MIS-1",
            beyond="TPC-MIS-1",
            tolerated=0,
            everywhere=False,
            turned=Policy.RULE if profile.turned_while_dealt is TurnedWhileDealt.PIT_BOSS else Policy.VOID,
        ),
        early=EarlyCard(
            clause="TPC-DEV-17",
            seen=(Remedy.NEXT_CARD, Remedy.VOID_HAND) if keep_first else (Remedy.VOID_HAND, Remedy.NEXT_CARD),
        ),
        count=WrongCount(
            seat="TPC-MIS-2",
            bank="TPC-MIS-2",
            in_place="TPC-MIS-2",
            extra="TPC-MIS-2",
            window=CountWindow.FIRST_DECISION if first_decision else CountWindow.FIRST_COMMON_CARD,
            seat_remedy=Remedy.VOID_HAND,
        ),
        deck=Deck(
            twice="TPC-MIS-5",
            missing="TPC-MIS-4",
            defective="TPC-MIS-5",
            fault=Policy.RULE if profile.deck_fault is DeckFault.PIT_BOSS else Policy.VOID,
        ),
        conduct=Conduct(
            showed_cards="TPC-PLY-7",
            commented="TPC-PLY-8",
            not_chips="TPC-LIM-1",
            own_cards_shown="TPC-PLE-3",
            two_boxes=None,
            warns=profile.prohibitions is Prohibitions.WARN_THEN_PIT_BOSS,
        ),
        contact=Contact(
            clause="TPC-PLE-1",
            again="TPC-PLE-2",
            proposed=Remedy.REFUND_BETS if profile.contact_bets is ContactBets.RETURNED else Remedy.LOSE_BETS,
        ),
        wrong_order="TPC-MIS-1",
        wrong_order_policy=Policy.VOID,
        outside_shoe="TPC-DEV-4",
        wrong_spot="TPC-DEV-7",
        dealt={
            "seat": ("TPC-DEV-4",),
            "house": ("TPC-DEV-6",),
            "board": ("TPC-DEV-7", "TPC-DEV-7", "TPC-DEV-7", "TPC-DEV-17"),
            "discard": ("TPC-DEV-17",),
        },
        ruling="TPC-MIS-0",
        out_of_turn="TPC-DEV-8",
        too_early_entry="TPC-DEV-3",
        no_such_seat="TPC-PLY-1",
        no_such_bet="TPC-TAB-1",
        no_standing="TPC-PLY-2",
        bets_stay=profile.annulled_bets is AnnulledBets.STAY,
    )


def _standing(profile: TexasPokerProfile) -> Standing:
    """TPC-PLY-2 to -5, AMB-41: three bets in a box, the seated player's among them, together within the greatest bet;
    or three beside his, each within it."""
    in_all = profile.standing_bets is StandingBets.THREE_IN_ALL
    return Standing(
        consent="TPC-PLY-2",
        approval="TPC-PLY-3",
        limits="TPC-PLY-4",
        most="TPC-PLY-5",
        most_bettors=3 if in_all else 4,
        sum_of_box=in_all,
    )


# --- settlement -----------------------------------------------------------------------------------------------------


def _shows(state: Situation) -> tuple[int, ...]:
    """Whose cards are turned at the end: those of everybody who stayed."""
    return state.seats.staying


def _settle(state: Situation, profile: TexasPokerProfile) -> Settlement:
    at = state.deal.at
    board = [card for slot in BOARD[:5] if slot in at and (card := at[slot].card) is not None]
    house = [card for slot in HOUSE[:2] if slot in at and (card := at[slot].card) is not None]
    seats = _seats(state)
    # Some common cards and nobody left who stays: they decide nothing but the TXB, and that is settled.
    whole = len(board) == 5 and bool(state.seats.staying)
    return settle(board=board if whole else board[:3], house=house if whole else (), seats=seats, profile=profile)


def _settle_txb(state: Situation, profile: TexasPokerProfile) -> tuple[SeatResult, ...]:
    at = state.deal.at
    flop = [card for slot in _FLOP if slot in at and (card := at[slot].card) is not None]
    return settle_txb(flop=flop, seats=_seats(state), profile=profile)


def _seats(state: Situation) -> list[Seat]:
    """Every bettor of every box that is not void: the same cards, his own bets (TPC-PLY-6). Who stands there no more
    has none: they went back to him."""
    return [
        _seat(state, seat, held, bettor, bets)
        for seat, held in state.seats.items()
        if not held.void
        for bettor, bets in held.everybody()
        if Bet.ANTE in bets
    ]


def _seat(state: Situation, seat: int, held: SeatBets, bettor: int, bets: Mapping[str, int | None]) -> Seat:
    at, slots = state.deal.at, SEATS[seat - 1]
    two = [card for slot in slots[:2] if slot in at and (card := at[slot].card) is not None]
    out = bettor != SEATED and held.standing[bettor].out
    return Seat(
        seat=seat,
        bettor=bettor,
        cards=(two[0], two[1]) if len(two) == 2 else None,
        bets=Bets(ante=bets[Bet.ANTE], second=bets.get(Bet.SECOND, 0), txb=bets.get(Bet.TXB, 0)),
        folded=held.folded or out,
        withdrawn=held.withdrawn,
    )


# --- the whole ------------------------------------------------------------------------------------------------------


def rulebook(choices: Mapping[str, str]) -> BankedRulebook:
    """The game under a house's profile. Raises `ValueError` for a profile that `check-config` would have refused."""
    profile = profile_in_force(TexasPokerProfile, choices)
    return BankedRulebook(
        family=BANKED,
        id=ID,
        version=VERSION,
        max_seats=MAX_SEATS,
        limits=LIMITS,
        dwell_us=profile.dwell_us,
        entry_bet=Bet.ANTE,
        bets=_bets(profile),
        phases=_phases(profile),
        transitions=_TRANSITIONS,
        errors=_errors(profile),
        shows=_shows,
        settle=lambda state: _settle(state, profile),
        standing=_standing(profile),
        side_bet=SideBet(bet=Bet.TXB, void="TPC-MIS-0", settle=lambda state: _settle_txb(state, profile)),
    )
