"""Who may open: at least a pair of jacks, looked at on the sealed cards, and nothing else is told (FCD-OPN-5, AMB-68).

Nobody has to open (FCD-OPN-6). When nobody does the pot stays on the table for the next hand (FCD-WIN-5, AMB-67).
"""

from __future__ import annotations

from typing import Final

from tablectl.core.cards import Card
from tablectl.core.engine.deal import Draw
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.vocabulary import Action, Remedy, Severity, Tracking
from tablectl.core.options.draw import AllPass, FalseOpening
from tablectl.core.settlement.ranking import may_open
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.betting.legal import Done

_CLAUSE: Final = "FCD-OPN-5"
#: So many cards, and all of them known: otherwise nothing can be looked at.
_WHOLE: Final = 5


def stands(state: DrawState, done: Done) -> bool:
    """Whether an action may be carried out as far as openings go. A refused one is told to croupier and pit boss, with
    no card; who may not open passes, or folds."""
    rounds, game = state.rounds, state.rulebook
    assert rounds is not None
    hand = state.draw
    if done.action is not Action.BET or rounds.index != 0 or hand.opener is not None:
        return True
    cards = _hand(state, done.seat)
    if game.house.false_opening is FalseOpening.REFUSED and cards is not None and not may_open(cards):
        carried_out(state, _told(done.seat, "opening", Remedy.REJECT, Severity.ALERT))
        return False
    if game.house.false_opening is FalseOpening.REFUSED and cards is None:
        # A card that nobody could read: the opening stands, and the pit boss knows that it was not looked at.
        carried_out(state, _told(done.seat, "not-checked", Remedy.CONTINUE, Severity.NOTICE))
    return True


def opened(state: DrawState, done: Done) -> None:
    """An action was carried out: the first bet of the first round is the opening."""
    hand, rounds = state.draw, state.rounds
    if done.action is Action.BET and rounds is not None and rounds.index == 0 and hand.opener is None:
        hand.opener = done.seat
        if state.rulebook.house.false_opening is FalseOpening.REFUSED and _hand(state, done.seat) is None:
            hand.unchecked = _draws(state, done.seat)


def taken_back(state: DrawState, done: Done) -> None:
    """The action does not count: with the opening, nobody has opened."""
    rounds = state.rounds
    if done.action is Action.BET and rounds is not None and rounds.index == 0 and state.draw.opener == done.seat:
        state.draw.opener, state.draw.unchecked = None, []


def round_reopened(state: DrawState) -> None:
    """The action that closed a round does not count: the draw has not begun, and the pot is not carried over."""
    state.draw.is_passed_out = False
    state.draw.turn = None


def _told(seat: int, observed: str, remedy: Remedy, severity: Severity) -> Outcome:
    return Outcome(
        clause=_CLAUSE,
        expected="jacks-or-better",
        observed=observed,
        remedies=(remedy,),
        severity=severity,
        seats=(seat,),
    )


def is_found_false(state: DrawState) -> bool:
    """Late evidence, AMB-68: the last card that kept an opening from being looked at is known now, and there is no pair
    of jacks. It is looked at once."""
    cards = _known(state.draw.unchecked)
    if cards is None:
        return False
    state.draw.unchecked = []
    return not may_open(cards)


def _hand(state: DrawState, seat: int) -> list[Card] | None:
    """The five cards of a seat, where all of them are known to lie there."""
    return _known(_draws(state, seat))


def _draws(state: DrawState, seat: int) -> list[Draw]:
    at = state.deal.at
    return [at[slot] for slot in SEATS[seat - 1] if slot in at]


def _known(draws: list[Draw]) -> list[Card] | None:
    cards = [draw.card for draw in draws if draw.card is not None]
    return cards if len(cards) == len(draws) == _WHOLE and len(set(cards)) == _WHOLE else None


def is_passed_out(state: DrawState) -> bool:
    """FCD-WIN-5, AMB-67: the round is over and nobody has bet in it, so that the pot stays: in the first round, or in
    either where the house has it so. Where only rounds are entered, the croupier has said it by his key.

    Whoever is all-in has not passed. A pot that was bet for is not taken from him, nor is any where nobody could bet.
    """
    rounds, game = state.rounds, state.rulebook
    assert rounds is not None
    if state.is_one_left or (rounds.index != 0 and game.house.all_pass is not AllPass.EITHER_ROUND):
        return False
    if state.setup.tracking is Tracking.ROUNDS:
        return state.draw.is_passed_out
    if rounds.no_more_betting or (rounds.index != 0 and any(rounds.is_all_in(seat) for seat in state.staying)):
        return False
    return rounds.last_aggressor_of_round is None
