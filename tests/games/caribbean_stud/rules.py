"""Caribbean stud as data: the deal, the bets, the phases, the table of transitions, the error clauses, the settlement.

What is peculiar to this game: no common cards, so nothing is dealt after the decisions; and the last card of the bank
lies face up.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.cards import Card
from tablectl.core.engine.card_places import CardPlaces
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
from tablectl.core.engine.limit_rules import LimitRule
from tablectl.core.engine.rulebook import Choice, Guard, Kind, Phase, Situation, Transition
from tablectl.core.engine.slots import HOUSE, HOUSE_UP, SEATS, Slot
from tablectl.core.engine.vocabulary import Key, Refusal, Remedy
from tablectl.core.options.choices import profile_in_force
from tablectl.core.settlement.banked import Settlement
from tablectl.families.banked.family import BANKED
from tablectl.families.banked.rulebook import BankedRulebook, BetRule
from tests.games.caribbean_stud.options import BankExposedUntil, CaribbeanStudProfile
from tests.games.caribbean_stud.payouts import HAND_CARDS, RAISE_IN_ANTES, Bet, Bets, Seat, settle

ID: Final = "caribbean-stud"
VERSION: Final = "1"
LIMITS: Final = LimitRule(clause="CST-LIM-1", band_clause="CST-LIM-2", bets={Bet.ANTE: None})
MAX_SEATS: Final = 7  # CST-PLY-1
#: CST-DEV-4: the last card of the bank lies face up.
PLACES: Final = CardPlaces(player=HAND_CARDS, bank=(*HOUSE[: HAND_CARDS - 1], HOUSE_UP))


def _five_laps(seats: tuple[int, ...]) -> tuple[Slot, ...]:
    """One card at a time from the croupier's left, the bank last in each lap (CST-DEV-3)."""
    return tuple(
        slot for lap, banks in enumerate(PLACES.bank) for slot in (*(SEATS[seat - 1][lap] for seat in seats), banks)
    )


_BETS: Final[Mapping[str, BetRule]] = {
    Bet.ANTE: BetRule(name=Bet.ANTE, clause="CST-DEV-1", limits_clause="CST-LIM-1"),
    Bet.RAISE: BetRule(name=Bet.RAISE, clause="CST-DEV-5", multiple_of=(Bet.ANTE, RAISE_IN_ANTES)),
}

_PHASES: Final = {
    phase.name: phase
    for phase in (
        Phase(name="closed", kind=Kind.IDLE, clauses=("CST-TAB-1",), early="CST-DEV-2"),
        Phase(
            name="betting",
            kind=Kind.BETTING,
            clauses=("CST-DEV-1", "CST-DEV-2", "CST-LIM-1", "CST-LIM-3"),
            early="CST-DEV-2",
        ),
        Phase(
            name="dealing",
            kind=Kind.DEALING,
            clauses=("CST-DEV-3", "CST-DEV-4"),
            exposure=Exposure.BEFORE_FIRST_DECISIONS,
            plan=_five_laps,
        ),
        Phase(
            name="decision",
            kind=Kind.DECIDING,
            clauses=("CST-DEV-5", "CST-DEV-6"),
            exposure=Exposure.BEFORE_LAST_DECISION,
            choice=Choice(bet=Bet.RAISE, otherwise=Key.FOLD, clause="CST-DEV-5"),
        ),
        Phase(name="showdown", kind=Kind.REVEALING, clauses=("CST-DEV-7", "CST-DEV-8")),
        Phase(name="settlement", kind=Kind.SETTLING, clauses=("CST-DEV-9", "CST-DEV-10", "CST-DEV-11", "CST-DEV-12")),
        Phase(name="voided", kind=Kind.VOIDED, clauses=("CST-STF-1",)),
    )
}

_AN_ANTE: Final = Guard(
    name="somebody has an ante", holds=lambda state: bool(state.seats), refusal=Refusal.NO_BETS, clause="CST-DEV-1"
)
_SOMEBODY_STAYS: Final = Guard(
    name="somebody stays", holds=lambda state: bool(state.seats.staying), refusal=Refusal.NOT_LIVE, clause="CST-DEV-7"
)
_NOBODY_STAYS: Final = Guard(
    name="nobody stays", holds=lambda state: not state.seats.staying, refusal=Refusal.NOT_LIVE, clause="CST-DEV-6"
)
_TRANSITIONS: Final = (
    Transition(trigger="new-hand", source="closed", dest="betting"),
    Transition(trigger="no-more-bets", source="betting", dest="dealing", guard=_AN_ANTE),
    Transition(trigger="dealt", source="dealing", dest="decision"),
    Transition(trigger="decided", source="decision", dest="showdown", guard=_SOMEBODY_STAYS),
    Transition(trigger="decided", source="decision", dest="settlement", guard=_NOBODY_STAYS),
    Transition(trigger="revealed", source="showdown", dest="settlement"),
    Transition(trigger="closed", source="settlement", dest="closed"),
    Transition(trigger="closed", source="voided", dest="closed"),
    *(
        Transition(trigger="nobody-stays", source=source, dest="settlement", guard=_NOBODY_STAYS)
        for source in ("dealing", "showdown")
    ),
    *(
        Transition(trigger="void", source=phase.name, dest="voided")
        for phase in _PHASES.values()
        if phase.kind not in (Kind.IDLE, Kind.VOIDED)
    ),
)


def _errors(profile: CaribbeanStudProfile) -> BankedErrors:
    up_to_reveal = profile.bank_hidden_until is BankExposedUntil.REVEAL
    return BankedErrors(
        bank_exposed=BankExposed(
            clause="CST-ERR-1",
            voiding=frozenset(Exposure) if up_to_reveal else frozenset(Exposure) - {Exposure.AFTER},
        ),
        face_up=FaceUp(clause="CST-ERR-2", beyond="CST-ERR-3", tolerated=1, everywhere=False, turned=Policy.VOID),
        early=EarlyCard(clause="CST-ERR-5", seen=(Remedy.VOID_HAND, Remedy.NEXT_CARD)),
        count=WrongCount(
            seat="CST-ERR-4",
            bank="CST-ERR-4",
            in_place="CST-ERR-4",
            extra="CST-ERR-4",
            window=CountWindow.FIRST_DECISION,
            seat_remedy=Remedy.VOID_HAND,
        ),
        deck=Deck(twice="CST-CRD-1", missing="CST-CRD-1", defective="CST-CRD-1", fault=Policy.VOID),
        conduct=Conduct(
            showed_cards="CST-PLY-2",
            commented="CST-PLY-2",
            not_chips="CST-LIM-3",
            own_cards_shown=None,
            two_boxes=None,
            warns=True,
        ),
        contact=None,
        wrong_order="CST-ERR-6",
        wrong_order_policy=Policy.VOID,
        outside_shoe="CST-DEV-3",
        wrong_spot="CST-DEV-3",
        ruling="CST-STF-1",
        out_of_turn="CST-DEV-5",
        too_early_entry="CST-DEV-2",
        no_such_seat="CST-PLY-1",
        no_such_bet="CST-TAB-1",
        no_standing="CST-PLY-1",
    )


def _shows(state: Situation) -> tuple[int, ...]:
    """Whose cards are turned at the end: those of everybody who stayed."""
    return state.seats.staying


def _settle(state: Situation) -> Settlement:
    seats = [
        Seat(
            seat=number,
            cards=_known(state, PLACES.of_seat(number)),
            bets=Bets(ante=held.bets[Bet.ANTE], more=held.bets.get(Bet.RAISE, 0)),
            folded=held.folded,
        )
        for number, held in state.seats.items()
        if not held.void
    ]
    return settle(house=_known(state, PLACES.bank) or () if state.seats.staying else (), seats=seats)


def _known(state: Situation, slots: tuple[Slot, ...]) -> tuple[Card, ...] | None:
    """The cards at these places; None where one of them is not there or not known."""
    at = state.deal.at
    found = tuple(card for slot in slots if slot in at and (card := at[slot].card) is not None)
    return found if len(found) == len(slots) else None


def rulebook(choices: Mapping[str, str]) -> BankedRulebook:
    """The game under a house's profile. Raises `ValueError` for a profile that `check-config` would have refused."""
    profile = profile_in_force(CaribbeanStudProfile, choices)
    return BankedRulebook(
        family=BANKED,
        id=ID,
        version=VERSION,
        max_seats=MAX_SEATS,
        limits=LIMITS,
        places=PLACES,
        entry_bet=Bet.ANTE,
        bets=_BETS,
        phases=_PHASES,
        transitions=_TRANSITIONS,
        errors=_errors(profile),
        shows=_shows,
        settle=_settle,
    )
