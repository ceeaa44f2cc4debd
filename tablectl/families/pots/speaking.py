"""What a player does in a betting round, once it is known what it is: judged, carried out, and the round closed."""

from __future__ import annotations

from dataclasses import replace

from msgspec import UNSET

from tablectl.core.engine.decisions import Spoke
from tablectl.core.engine.facts import PutIn
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.vocabulary import Action, Refusal, Severity
from tablectl.families.pots import chips_down, flow, legality
from tablectl.families.pots.betting.legal import Done, Wrong
from tablectl.families.pots.chips_in import meaning
from tablectl.families.pots.state import PotGameState


def speak(state: PotGameState, action: Action, to: int | None = None, *, is_all_in: bool = False) -> bool:
    """The seat in turn does this, if it may (THL-RD1-2 to -6, THO-ACT-1 to -6); True where it was done. An action that
    is not legal changes nothing (THO-RND-3)."""
    done = _judged(state, action, to, is_all_in=is_all_in)
    if done is None:
        return False
    _carry_out(state, done, chips_down.down(state) if state.frozen and done.action is Action.FOLD else 0)
    return True


def put_in(state: PotGameState, fact: PutIn) -> bool:
    """Chips of the seat in turn crossed the line (THL-GEN-2): what they amount to is done; True where it was.

    Where the rules make something else of them than what was put in, a notice names the clause and what it does.
    """
    rounds, rules = state.rounds, state.rulebook
    assert rounds is not None
    lying = chips_down.down(state)
    whole = replace(fact, chips=fact.chips + lying) if fact.chips > 0 or fact.said is Action.FOLD else fact
    found = meaning(rounds, rules.house, whole)
    if isinstance(found, Wrong):
        legality.refuse(state, rounds, fact.said or Action.BET, found)
        return False
    done = _judged(state, found.action, found.to, is_all_in=False)
    if done is None:
        return False
    if found.departs is not None:
        carried_out(
            state,
            Outcome(
                clause=found.departs.clause,
                expected=legality.legal_text(chips_down.legal(state)).replace(" ", "|"),
                observed="chips",
                remedies=(found.departs.remedy,),
                severity=Severity.NOTICE,
                seats=(done.seat,),
            ),
        )
    _carry_out(state, done, found.lost)
    return True


def fold(state: PotGameState) -> None:
    """The seat in turn is out, as it must be; chips that it had put in stay (THL-PLE-5)."""
    rounds = state.rounds
    assert rounds is not None
    done = rounds.judged(Action.FOLD)
    assert isinstance(done, Done), "to fold is always legal"
    _carry_out(state, done, chips_down.down(state))


def _judged(state: PotGameState, action: Action, to: int | None, *, is_all_in: bool) -> Done | None:
    """What it comes to; None where it is refused."""
    rounds = state.rounds
    assert rounds is not None
    judged = rounds.judged(action, to, is_all_in=is_all_in)
    if not isinstance(judged, Done):
        legality.refuse(state, rounds, action, judged)
        return None
    if not chips_down.allows(state, judged):
        legal = legality.legal_text(chips_down.legal(state))
        state.refuse(Refusal.ILLEGAL_ACTION, "THL-PLE-7", f"{judged.action} {legal}")
        return None
    return judged if state.family.may_act(state, judged) else None


def _carry_out(state: PotGameState, done: Done, lost: int) -> None:
    rounds = state.rounds
    assert rounds is not None
    # THL-PLE-5, THL-PLE-7, AMB-26: the chips that he had put in stay where they are.
    done = rounds.fold_with(lost) if lost else rounds.carry_out(done, dead=chips_down.dead(state, done))
    said(state, done)


def said(state: PotGameState, done: Done) -> None:
    """The action is done in the round: say so, and close the round where it was the last one (THL-END-1, THL-END-2)."""
    rounds = state.rounds
    assert rounds is not None
    state.chosen, state.is_all_in = None, False
    state.acted_after = ()
    if done.seat in state.frozen:
        state.frozen = {seat: chips for seat, chips in state.frozen.items() if seat != done.seat}
    if state.stored and done.action in (Action.BET, Action.RAISE):
        state.stored = {seat: waiting.after_a_raise() for seat, waiting in state.stored.items()}
    state.out.append(Spoke(seat=done.seat, action=done.action, to=done.to, added=done.added, is_all_in=done.is_all_in))
    if done.action is Action.FOLD:
        state.seats.fold(done.seat)
    state.family.acted(state, done)
    if rounds.turn is None or state.is_one_left:
        flow.close_round(state)


def can(state: PotGameState, action: Action) -> bool:
    """Whether the seat in turn can do this as it is: fold, check, or call; chips that it has put in out of turn stay
    where they are (THL-PLE-7)."""
    rounds = state.rounds
    done = rounds.judged(action) if rounds is not None else None
    return isinstance(done, Done) and chips_down.allows(state, done)


def least_chips(state: PotGameState) -> int:
    """The least chips of the seat in turn that are a call or, where nobody has bet, a bet; beside those that lie there
    already."""
    rounds = state.rounds
    assert rounds is not None
    assert rounds.turn is not None
    legal, lies = chips_down.legal(state), (rounds.stake(rounds.turn) or 0) + chips_down.down(state)
    if legal.call is not None:
        return legal.call or state.setup.chip  # enough lies there
    return max((legal.raise_from or 0) - lies, 0)


def least_of(state: PotGameState, action: Action) -> int | None:
    """What a key without an amount means: the least bet or raise that is legal, or the chips that stand as one
    (THL-PLE-7); the screen lets another be entered."""
    rounds = state.rounds
    if action not in (Action.BET, Action.RAISE) or rounds is None or rounds.turn is None:
        return None
    legal = chips_down.legal(state)
    return legal.raise_from if legal.stands is UNSET else legal.stands
