"""Texas Hold'em Bonus (`texas-bonus`), document 002, clauses THB-*: a game against the bank, dealt from a shoe.

Read from the top: the deal, the bets, the phases, the table of transitions, the error clauses. Everything that a house
may choose differently comes from its profile; everything else is here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.clauses import (
    BankedErrors,
    BankExposed,
    Conduct,
    CountWindow,
    Deck,
    EarlyCard,
    Exposure,
    FaceUp,
    Policy,
    WrongCount,
)
from tablectl.core.engine.limit_rules import LimitRule, OneOf
from tablectl.core.engine.rulebook import REOPEN, Choice, Guard, Kind, Phase, Situation, Transition
from tablectl.core.engine.seats import SeatBets
from tablectl.core.engine.slots import BOARD, BURN, HOUSE, SEATS, Slot
from tablectl.core.engine.vocabulary import Key, Refusal, Remedy
from tablectl.core.options.choices import profile_in_force
from tablectl.core.options.shared import AnnulledBets, DeckFault, EarlyCardSeen, Prohibitions, Shuffle
from tablectl.core.settlement.banked import Settlement
from tablectl.families.banked.family import BANKED
from tablectl.families.banked.rulebook import BankedRulebook, BetRule
from tablectl.games.texas_bonus.options import (
    BankExposedUntil,
    FaceUpScope,
    TexasBonusProfile,
    TurnedWhileDealt,
    WrongCountSeat,
    WrongOrder,
)
from tablectl.games.texas_bonus.payouts import Bet, Bets, Seat, settle

ID: Final = "texas-bonus"
VERSION: Final = "1"
#: AMB-85: the documents differ in their bands, and each is followed.
LIMITS: Final = LimitRule(
    clause="THB-LIM-2",
    band_clause="THB-LIM-3",
    bets={"ante": OneOf(clause="THB-LIM-4", factors=(5, 10, 20, 30)), "bonus": None},  # THB-LIM-5: free of the ante's
)
MAX_SEATS: Final = 9  # THB-TAB-1, THB-PLY-1


# --- the deal -------------------------------------------------------------------------------------------------------


def _hole_cards(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """Two laps from the croupier's left, face down, the bank last in each: first its left slot, then its right one
    (THB-DEV-7 to -10, THB-TAB-4)."""
    return (
        *(SEATS[seat - 1][0] for seat in seats),
        HOUSE[0],
        *(SEATS[seat - 1][1] for seat in seats),
        HOUSE[1],
    )


_FLOP: Final = (BURN[0], BOARD[0], BOARD[1], BOARD[2])  # THB-DEV-13, -14
_TURN: Final = (BURN[1], BOARD[3])  # THB-DEV-17, -18
_RIVER: Final = (BURN[2], BOARD[4])  # THB-DEV-22, -23

# --- the bets -------------------------------------------------------------------------------------------------------

#: The boxes of a player's zone, and no others (THB-TAB-2).
_BETS: Final[Mapping[str, BetRule]] = {
    Bet.ANTE: BetRule(name=Bet.ANTE, clause="THB-DEV-2", limits_clause="THB-LIM-2"),
    Bet.BONUS: BetRule(
        name=Bet.BONUS, clause="THB-DEV-3", needs=Bet.ANTE, needs_clause="THB-DEV-3", limits_clause="THB-LIM-2"
    ),
    Bet.FLOP: BetRule(name=Bet.FLOP, clause="THB-DEV-11", multiple_of=(Bet.ANTE, 2)),
    Bet.TURN: BetRule(name=Bet.TURN, clause="THB-DEV-15", multiple_of=(Bet.ANTE, 1)),
    Bet.RIVER: BetRule(name=Bet.RIVER, clause="THB-DEV-20", multiple_of=(Bet.ANTE, 1)),
}

# --- the phases -----------------------------------------------------------------------------------------------------

_PHASES: Final[Mapping[str, Phase]] = {
    phase.name: phase
    for phase in (
        Phase(name="closed", kind=Kind.IDLE, clauses=("THB-DEV-1",)),
        Phase(name="betting", kind=Kind.BETTING, clauses=("THB-DEV-2", "THB-DEV-3", "THB-LIM-2")),
        Phase(
            name="dealing",
            kind=Kind.DEALING,
            clauses=("THB-DEV-6", "THB-DEV-7", "THB-DEV-8", "THB-DEV-9", "THB-DEV-10"),
            exposure=Exposure.BEFORE_FIRST_DECISIONS,
            plan=_hole_cards,
        ),
        Phase(
            name="flop-decision",
            kind=Kind.DECIDING,
            clauses=("THB-DEV-11", "THB-DEV-12"),
            exposure=Exposure.BEFORE_FIRST_DECISIONS,
            choice=Choice(bet=Bet.FLOP, otherwise=Key.FOLD, clause="THB-DEV-11"),
        ),
        Phase(
            name="flop",
            kind=Kind.DEALING,
            clauses=("THB-DEV-13", "THB-DEV-14", "THB-TAB-3"),
            exposure=Exposure.BEFORE_LAST_DECISION,
            plan=lambda _: _FLOP,
            burns="THB-DEV-13",
        ),
        Phase(
            name="turn-decision",
            kind=Kind.DECIDING,
            clauses=("THB-DEV-15", "THB-DEV-16"),
            exposure=Exposure.BEFORE_LAST_DECISION,
            choice=Choice(bet=Bet.TURN, otherwise=Key.CHECK, clause="THB-DEV-15"),
        ),
        Phase(
            name="turn",
            kind=Kind.DEALING,
            clauses=("THB-DEV-17", "THB-DEV-18"),
            exposure=Exposure.BEFORE_LAST_DECISION,
            plan=lambda _: _TURN,
            burns="THB-DEV-17",
        ),
        Phase(
            name="river-decision",
            kind=Kind.DECIDING,
            clauses=("THB-DEV-19", "THB-DEV-20", "THB-DEV-21"),
            exposure=Exposure.BEFORE_LAST_DECISION,
            choice=Choice(bet=Bet.RIVER, otherwise=Key.CHECK, clause="THB-DEV-20"),
        ),
        Phase(
            name="river",
            kind=Kind.DEALING,
            clauses=("THB-DEV-22", "THB-DEV-23"),
            plan=lambda _: _RIVER,
            burns="THB-DEV-22",
        ),
        Phase(name="showdown", kind=Kind.REVEALING, clauses=("THB-DEV-24", "THB-DEV-25")),
        Phase(name="settlement", kind=Kind.SETTLING, clauses=("THB-DEV-26", "THB-SET-6")),
        Phase(name="voided", kind=Kind.VOIDED, clauses=("THB-ERR-1", "THB-ERR-3", "THB-ERR-6")),
    )
}

# --- the table of transitions: what leads from where to where, and nothing else does ---------------------------------

_AN_ANTE: Final = Guard(
    name="somebody has an ante", holds=lambda state: bool(state.seats), refusal=Refusal.NO_BETS, clause="THB-DEV-2"
)
_SOMEBODY_STAYS: Final = Guard(
    name="somebody stays", holds=lambda state: bool(state.seats.staying), refusal=Refusal.NOT_LIVE, clause="THB-DEV-13"
)
_EVERYBODY_FOLDED: Final = Guard(
    name="everybody folded", holds=lambda state: not state.seats.staying, refusal=Refusal.NOT_LIVE, clause="THB-DEV-4"
)
_NOTHING_TO_COMPARE: Final = Guard(
    name="everybody folded and no bonus stands",
    holds=lambda state: not state.rulebook.shows(state),
    refusal=Refusal.NOT_LIVE,
    clause="THB-DEV-4",
)

_TRANSITIONS: Final = (
    Transition(trigger="new-hand", source="closed", dest="betting"),
    Transition(trigger="no-more-bets", source="betting", dest="dealing", guard=_AN_ANTE),  # THB-DEV-6
    Transition(trigger="dealt", source="dealing", dest="flop-decision"),
    Transition(trigger="decided", source="flop-decision", dest="flop", guard=_SOMEBODY_STAYS),
    Transition(trigger="decided", source="flop-decision", dest="settlement", guard=_NOTHING_TO_COMPARE),
    Transition(trigger="decided", source="flop-decision", dest="showdown", guard=_EVERYBODY_FOLDED),
    Transition(trigger="dealt", source="flop", dest="turn-decision"),
    Transition(trigger="decided", source="turn-decision", dest="turn", guard=_SOMEBODY_STAYS),
    Transition(trigger="decided", source="turn-decision", dest="settlement", guard=_NOTHING_TO_COMPARE),
    Transition(trigger="decided", source="turn-decision", dest="showdown", guard=_EVERYBODY_FOLDED),
    Transition(trigger="dealt", source="turn", dest="river-decision"),
    Transition(trigger="decided", source="river-decision", dest="river", guard=_SOMEBODY_STAYS),
    Transition(trigger="decided", source="river-decision", dest="settlement", guard=_NOTHING_TO_COMPARE),
    Transition(trigger="decided", source="river-decision", dest="showdown", guard=_EVERYBODY_FOLDED),
    Transition(trigger="dealt", source="river", dest="showdown"),
    Transition(trigger="revealed", source="showdown", dest="settlement"),
    Transition(trigger="closed", source="settlement", dest="closed"),  # THB-SET-6
    Transition(trigger="closed", source="voided", dest="closed"),
    # Everybody folded: the bank is turned only where a bonus needs it, which stays alive after a fold (THB-DEV-4).
    # The last seat that stayed was voided (THB-ERR-5): no common card matters any more.
    Transition(trigger="nobody-stays", source="flop", dest="settlement", guard=_NOTHING_TO_COMPARE),
    Transition(trigger="nobody-stays", source="flop", dest="showdown", guard=_EVERYBODY_FOLDED),
    Transition(trigger="nobody-stays", source="turn", dest="settlement", guard=_NOTHING_TO_COMPARE),
    Transition(trigger="nobody-stays", source="turn", dest="showdown", guard=_EVERYBODY_FOLDED),
    Transition(trigger="nobody-stays", source="river", dest="settlement", guard=_NOTHING_TO_COMPARE),
    Transition(trigger="nobody-stays", source="river", dest="showdown", guard=_EVERYBODY_FOLDED),
    # The last bonus of those who folded was rejected before the bank was turned.
    Transition(trigger="nobody-stays", source="showdown", dest="settlement", guard=_NOTHING_TO_COMPARE),
    # A card was taken back, its slot is due again (THB-ERR-2, THB-ERR-5).
    Transition(trigger=REOPEN, source="flop-decision", dest="dealing"),
    Transition(trigger=REOPEN, source="turn-decision", dest="flop"),
    Transition(trigger=REOPEN, source="river-decision", dest="turn"),
    Transition(trigger=REOPEN, source="showdown", dest="river"),
    # The hand is annulled (THB-ERR-1, -3, -6, or the pit boss's ruling).
    *(
        Transition(trigger="void", source=phase.name, dest="voided")
        for phase in _PHASES.values()
        if phase.kind not in (Kind.IDLE, Kind.VOIDED)
    ),
)

# --- errors ---------------------------------------------------------------------------------------------------------


def _errors(profile: TexasBonusProfile) -> BankedErrors:
    keep_first = profile.early_card_seen is EarlyCardSeen.KEEP
    first_only = profile.bank_exposed_until is BankExposedUntil.FLOP_BETS
    accepts = profile.wrong_order is WrongOrder.ACCEPT
    return BankedErrors(
        bank_exposed=BankExposed(
            clause="THB-ERR-1",
            voiding=frozenset({Exposure.BEFORE_FIRST_DECISIONS})
            if first_only
            else frozenset({Exposure.BEFORE_FIRST_DECISIONS, Exposure.BEFORE_LAST_DECISION}),
        ),
        face_up=FaceUp(
            clause="THB-ERR-2",
            beyond="THB-ERR-3",
            tolerated=1,
            everywhere=profile.face_up_scope is FaceUpScope.ANY_DRAW,
            turned=Policy.RULE if profile.turned_while_dealt is TurnedWhileDealt.PIT_BOSS else Policy.ACCEPT,
        ),
        early=EarlyCard(
            clause="THB-ERR-4",
            seen=(Remedy.NEXT_CARD, Remedy.VOID_HAND) if keep_first else (Remedy.VOID_HAND, Remedy.NEXT_CARD),
        ),
        count=WrongCount(
            seat="THB-ERR-5",
            bank="THB-ERR-6",
            in_place="THB-ERR-7",
            extra="THB-ERR-4",
            window=CountWindow.LAST_CARD,
            seat_remedy=Remedy.VOID_HAND if profile.wrong_count_seat is WrongCountSeat.VOID_HAND else Remedy.VOID_SEAT,
            reshuffle=profile.wrong_count_seat is WrongCountSeat.VOID_SEAT_AND_RESHUFFLE,
        ),
        deck=Deck(
            twice="THB-CRD-1",
            missing="THB-CRD-1",
            defective="THB-CRD-1",
            fault=Policy.VOID if profile.deck_fault is DeckFault.VOID_HAND else Policy.RULE,
        ),
        conduct=Conduct(
            showed_cards="THB-PLY-3",
            commented="THB-PLY-4",
            not_chips="THB-LIM-1",
            own_cards_shown=None,
            two_boxes="THB-PLY-2",
            warns=profile.prohibitions is Prohibitions.WARN_THEN_PIT_BOSS,
        ),
        wrong_order="THB-DEV-7",
        wrong_order_policy=Policy.ACCEPT if accepts else Policy.CORRECT_OR_RULE,
        outside_shoe="THB-SAB-1",
        wrong_spot="THB-TAB-3",
        dealt={
            "seat": ("THB-DEV-7", "THB-DEV-9"),
            "house": ("THB-DEV-8", "THB-DEV-10"),
            "burn": ("THB-DEV-13", "THB-DEV-17", "THB-DEV-22"),
            "board": ("THB-DEV-14", "THB-DEV-14", "THB-DEV-14", "THB-DEV-18", "THB-DEV-23"),
            "discard": ("THB-ERR-2",),
        },
        ruling="THB-STF-1",
        out_of_turn="THB-DEV-11",
        too_early_entry="THB-DEV-6",
        no_such_seat="THB-PLY-1",
        no_such_bet="THB-TAB-2",
        contact=None,
        no_standing="THB-PLY-5",
        bank_places="THB-TAB-4",
        cards_stay="THB-DEV-5",
        bets_stay=profile.annulled_bets is AnnulledBets.STAY,
        shuffle_first="THB-SAB-2" if profile.shuffle is Shuffle.IN_SHOE else None,
    )


# --- settlement -----------------------------------------------------------------------------------------------------


def _shows(state: Situation) -> tuple[int, ...]:
    """Whose cards are turned: who stayed, and who has a bonus bet, folded or not (THB-DEV-5, THB-DEV-25)."""
    return tuple(
        seat
        for seat in state.seats.order
        if not state.seats[seat].void and (not state.seats[seat].folded or Bet.BONUS in state.seats[seat].bets)
    )


def _settle(state: Situation, profile: TexasBonusProfile) -> Settlement:
    at = state.deal.at
    board = [card for slot in BOARD[:5] if slot in at and (card := at[slot].card) is not None]
    house = [card for slot in HOUSE[:2] if slot in at and (card := at[slot].card) is not None]
    seats = [_seat(state, seat, state.seats[seat]) for seat in state.seats.order if not state.seats[seat].void]
    # Some common cards and nobody left who stays: they decide nothing.
    return settle(board=board if len(board) == 5 else (), house=house, seats=seats, profile=profile)


def _seat(state: Situation, seat: int, held: SeatBets) -> Seat:
    at, slots, bets = state.deal.at, SEATS[seat - 1], held.bets
    first, second = at[slots[0]].card, at[slots[1]].card
    return Seat(
        seat=seat,
        cards=(first, second) if first is not None and second is not None else None,
        bets=Bets(
            ante=bets[Bet.ANTE],
            flop=bets.get(Bet.FLOP, 0),
            turn=bets.get(Bet.TURN, 0),
            river=bets.get(Bet.RIVER, 0),
            bonus=bets.get(Bet.BONUS, 0),
        ),
        folded=held.folded,
    )


# --- the whole ------------------------------------------------------------------------------------------------------


def rulebook(choices: Mapping[str, str]) -> BankedRulebook:
    """The game under a house's profile. Raises `ValueError` for a profile that `check-config` would have refused."""
    profile = profile_in_force(TexasBonusProfile, choices)
    return BankedRulebook(
        family=BANKED,
        id=ID,
        version=VERSION,
        max_seats=MAX_SEATS,
        limits=LIMITS,
        dwell_us=profile.dwell_us,
        entry_bet=Bet.ANTE,
        bets=_BETS,
        phases=_PHASES,
        transitions=_TRANSITIONS,
        errors=_errors(profile),
        shows=_shows,
        settle=lambda state: _settle(state, profile),
    )
