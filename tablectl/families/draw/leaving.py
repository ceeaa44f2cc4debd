"""Who may leave a game with restos, and when (FCD-RST-8, FCD-RST-9); his account then (FCD-BNK-1).

Nobody leaves while he is ahead before the hour that was fixed, and one who is behind only when he has lost more than a
resto: it is told, and the pit boss decides. A player's chips are his own all the same (AMB-80): what is refused is that
his place is free. When the hour has come, a person declares it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.decisions import Account
from tablectl.core.engine.facts import Declared
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.rule import Outcome, Rule, noted
from tablectl.core.engine.vocabulary import Chooser, Declaration, Refusal, Remedy
from tablectl.core.options.draw import LeavingAhead
from tablectl.families.draw.resto import is_agreed
from tablectl.families.draw.state import DrawState

_AHEAD: Final = "FCD-RST-8"
_NOT_LOST: Final = "FCD-RST-9"


def may_leave(state: DrawState, seat: int) -> bool:
    """Whether a player leaves at once; otherwise it is said why not, or the pit boss is asked."""
    against = why_not(state, seat)
    if against is not None:
        state.refuse(*against)
        return False
    if not _is_bound(state, seat):
        return True
    if _lost(state, seat) >= 0:
        _to_the_pit_boss(state, seat, _NOT_LOST, "lost-a-resto", "leaves")
    else:
        _to_the_pit_boss(state, seat, _AHEAD, "closing-time", "leaves-ahead")
    return False


def why_not(state: DrawState, seat: int) -> tuple[Refusal, str | None, str] | None:
    """Why a player cannot leave now, whatever the pit boss would say; None where he can, or the pit boss decides."""
    if is_agreed(state) and seat in state.bought and state.rounds is not None and seat in state.seats:
        # What he wins or loses is not settled; he can be away meanwhile.
        return Refusal.HAND_IN_PLAY, _AHEAD, f"seat-{seat}"
    if not _is_bound(state, seat):
        return None
    if any(seat in incident.seats and incident.clause in (_AHEAD, _NOT_LOST) for incident in state.ruling.values()):
        return Refusal.HELD, None, ""
    is_refused = state.rulebook.house.leaving_ahead is LeavingAhead.REFUSED
    return (Refusal.LEAVES_AHEAD, _AHEAD, f"seat-{seat}") if _lost(state, seat) < 0 and is_refused else None


def _is_bound(state: DrawState, seat: int) -> bool:
    """Whether the rule of the session holds him: whoever has nothing left cannot play on, and nobody has to buy another
    resto."""
    if not is_agreed(state) or seat not in state.bought or state.is_closing:
        return False
    return _lost(state, seat) <= state.setup.resto and state.stacks.get(seat, 0) > 0


def _lost(state: DrawState, seat: int) -> int:
    return state.bought[seat] - state.stacks.get(seat, 0)


def _to_the_pit_boss(state: DrawState, seat: int, clause: str, expected: str, observed: str) -> None:
    carried_out(
        state,
        Outcome(
            clause=clause,
            expected=expected,
            observed=observed,
            remedies=(Remedy.CONTINUE, Remedy.REJECT),
            chooser=Chooser.PIT_BOSS,
            seats=(seat,),
        ),
    )


def asks_to_leave(incident: Incident) -> bool:
    """Whether it is about a player who wants to leave."""
    return incident.clause in (_AHEAD, _NOT_LOST) and Remedy.REJECT in incident.remedies


def left(state: DrawState, seat: int) -> None:
    """The player has gone, with the chips that he had: his account is told (FCD-BNK-1)."""
    if (bought := state.bought.pop(seat, None)) is not None:
        state.say(Account(seat=seat, bought=bought, stack=state.stacks.get(seat, 0)))


def _closing_outcome(_: DrawState) -> Outcome:
    return noted(_AHEAD, expected="play", observed=Declaration.CLOSING_TIME.value)


def _can_close(state: DrawState) -> bool:
    return not state.is_closing


def _closing_time(state: DrawState, fact: Declared) -> None:
    """FCD-RST-8: the hour fixed for the end has come, and from now on whoever wants to may leave."""
    if not _can_close(state):
        state.refuse(Refusal.NOT_OFFERED, _AHEAD, fact.what)
        return
    state.is_closing = True
    carried_out(state, _closing_outcome(state))


RULES: Final[Mapping[Declaration, Rule[DrawState]]] = {
    Declaration.CLOSING_TIME: Rule(applies=_can_close, foretells=_closing_outcome, does=_closing_time),
}
