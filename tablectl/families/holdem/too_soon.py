"""Common cards that everybody saw while the round was still open: laid aside, sent back, or for the pit boss
(THL-CRE-5 to -7, THL-GEN-14)."""

from __future__ import annotations

from typing import Final

from tablectl.core.engine.deal import Draw
from tablectl.core.engine.incidents import ask, can_void, close, escalate
from tablectl.core.engine.outcome import carried_out, raised
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import ASIDE
from tablectl.core.engine.vocabulary import Chooser, Question, Remedy
from tablectl.core.options.holdem import EarlyBoard, EarlyRiver, EarlyTurn
from tablectl.families.holdem import streets, stub
from tablectl.families.holdem.state import HoldemState

#: What should have been before the card.
CLOSED: Final = "round-closed"
#: By the street that comes next: the clause on a first card of it that was shown too soon, and what is observed.
SHOWN: Final = (("THL-CRE-7", "early-flop"), ("THL-CRE-5", "early-turn"), ("THL-CRE-6", "early-river"))
_SEVERAL: Final = ("THL-CRE-7", "early-board")


def show(state: HoldemState, draws: list[Draw], incident: Incident | None) -> None:
    """THL-GEN-14: everybody is shown them, and then it goes by the clause. `incident`: what was asked about them."""
    cards = state.early
    for draw in draws:
        slot = next((free for free in ASIDE if free not in state.deal.at), ASIDE[-1])
        streets.lay(state, draw.number, slot)
        state.felt.confirmed.add(draw.number)
    if state.phase.kind is not Kind.DECIDING or round_open(state) > streets.RIVER:
        # The betting ended meanwhile, or the board is complete.
        if incident is not None:
            close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
        return
    if not stub.is_open(state):
        # What went back into the deck is settled.
        cards.shown = [draw for draw in cards.shown if not draw.is_back]
    cards.shown += draws
    if len(cards.shown) > 1:
        _several(state, incident)
    elif draws:
        (_single_of_flop, _turn, _river)[round_open(state)](state, draws[0], incident)
    elif incident is not None:
        close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)


def _single_of_flop(state: HoldemState, draw: Draw, incident: Incident | None) -> None:
    """A single card of the flop: THL-CRE-7 speaks of two or more. The pit boss has it, and as after THL-CRE-6 it is
    proposed to go back (AMB-56); where he lets it stand, it is the first card of the flop."""
    remedies = (Remedy.RETURN_AND_RESHUFFLE, Remedy.CONTINUE, *((Remedy.VOID_HAND,) if can_void(state) else ()))
    state.early.kept.append(draw)
    if incident is not None:
        escalate(state, incident, remedies)
        state.early.single = incident
        return
    clause, observed = SHOWN[streets.FLOP]
    state.early.single = raised(
        state,
        Outcome(
            clause=clause,
            expected=CLOSED,
            observed=observed,
            remedies=remedies,
            chooser=Chooser.PIT_BOSS,
            draw=draw,
        ),
    )


def _turn(state: HoldemState, draw: Draw, incident: Incident | None) -> None:
    """THL-CRE-5: laid aside; the round goes on, another card is burnt, the next one is the turn. Before the river this
    one goes back into the stub (AMB-18)."""
    cards = state.early
    _settled(state, incident, SHOWN[streets.TURN], Remedy.SET_ASIDE, draw)
    cards.later.append(draw)
    cards.burns_again = cards.river_without_burn = True
    if state.rulebook.house.early_turn is EarlyTurn.AT_ONCE:
        streets.deal_now(state, streets.TURN)


def _river(state: HoldemState, draw: Draw, incident: Incident | None) -> None:
    """THL-CRE-6: back into the stub, which is shuffled; after the round another one comes, without a burn
    (AMB-19)."""
    _settled(state, incident, SHOWN[streets.RIVER], Remedy.RETURN_AND_RESHUFFLE, draw)
    state.early.river_without_burn = True
    go_back(state)
    if state.rulebook.house.early_river is EarlyRiver.AT_ONCE:
        streets.deal_now(state, streets.RIVER)


def _several(state: HoldemState, incident: Incident | None) -> None:
    """THL-CRE-7, and it prevails over -5 and -6: two common cards or more are shuffled and come anew when the round is
    closed. What was burnt stands; of turn and river together each has its own burn (AMB-20)."""
    cards = state.early
    _settled(state, incident, _SEVERAL, Remedy.RETURN_AND_RESHUFFLE, cards.shown[-1])
    if cards.single is not None and cards.single.number in state.ruling:
        close(state, cards.single, Remedy.RETURN_AND_RESHUFFLE, Chooser.RULE)
    if round_open(state) == streets.TURN:
        cards.burns_again = cards.river_without_burn = False
    if state.rulebook.house.early_board is EarlyBoard.AMONG_THEMSELVES:
        cards.later = [draw for draw in cards.later if draw not in cards.shown]
        cards.kept = list(cards.shown)
        if not stub.is_open(state):
            ask(state, Question.RESHUFFLED, ASIDE[0].spot)
    else:
        go_back(state)


def go_back(state: HoldemState) -> None:
    """Everything that lies aside goes into the stub."""
    cards = state.early
    back = [draw for draw in dict.fromkeys((*cards.later, *cards.kept, *cards.shown)) if not draw.is_back]
    cards.later, cards.kept = [], []
    stub.give_back(state, back)


def _settled(
    state: HoldemState, incident: Incident | None, what: tuple[str, str], remedy: Remedy, draw: Draw | None
) -> None:
    """The incident of the question is closed, where it was one under this clause; else there is one of its own."""
    clause, observed = what
    if incident is not None:
        close(state, incident, remedy, Chooser.CROUPIER)
    if incident is None or incident.clause != clause:
        carried_out(state, Outcome(clause=clause, expected=CLOSED, observed=observed, remedies=(remedy,), draw=draw))


def round_open(state: HoldemState) -> int:
    """The round that is open, and so the street that comes next."""
    assert state.phase.round is not None, "a round is open"
    return state.phase.round
