"""What a choice of the pit boss would do, tried on a copy of the table before anybody presses it.

Money comes from the decisions of the trial, and from pots that were awarded before and are awarded anew. What is
settled in it for the first time is no part of that: it could tell of cards that nobody may know yet.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from tablectl.core.engine.decisions import Asked, BetReversed, BetSettled, Decision, Refund, StubMade, Uncalled
from tablectl.core.engine.facts import Ruled
from tablectl.core.engine.incidents import needs_reason
from tablectl.core.engine.pending import Incident
from tablectl.core.engine.preview import Fate, Preview, SeatMoney
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Question, Remedy
from tablectl.core.settlement.banked import Outcome

#: Two different persons with a reason may choose whatever can be chosen. Nobody of the house has such a name.
_BY: Final = "·1"
_SECOND: Final = "·2"
_REASON: Final = "·"

#: What moves at a seat: of which bet, empty where it is of a pot, and how much, where that is known.
_Moved: TypeAlias = list[tuple[str, int | None]]


class TrialBroke(Exception):
    """A bug in the engine, met in a trial; it is the cause of this. The table itself knows nothing of it."""

    def __init__(self, incident: int, remedy: Remedy) -> None:
        super().__init__(f"incident {incident}: {remedy.value}")
        self.incident = incident
        self.remedy = remedy


def waiting(state: State) -> Iterator[Incident]:
    """The incidents for which the pit boss has a choice."""
    yield from state.ruling.values()
    yield from state.requests.values()


def preview(table: Table, incident: Incident, remedy: Remedy) -> Preview:
    """What would follow if the pit boss chose this now. Raises `TrialBroke`."""
    try:
        return _tried(table, incident, remedy)
    except Exception as bug:
        raise TrialBroke(incident.number, remedy) from bug


def _tried(table: Table, incident: Incident, remedy: Remedy) -> Preview:
    trial, before = table.trial(), table.state
    ruled = Ruled(at_us=before.now_us, incident=incident.number, remedy=remedy, by=_BY, second=_SECOND, reason=_REASON)
    decisions, state = trial.step(ruled), trial.state
    out = tuple(seat for seat in before.staying if seat not in state.staying)
    gained = before.family.awarded_anew(before, state)
    seats = _money(decisions, before.family.settled(before), gained)
    return Preview(
        remedy=remedy,
        fate=_fate(state, decisions, out),
        out=out,
        seats=seats,
        needs_reason=needs_reason(before, incident, remedy),
    )


def _fate(state: State, decisions: tuple[Decision, ...], out: tuple[int, ...]) -> Fate:
    if state.phase.kind is Kind.VOIDED:
        return Fate.VOID
    if any(_shuffles(decision) for decision in decisions):
        return Fate.RESHUFFLED
    return Fate.SEATS_OUT if out else Fate.GOES_ON


def _shuffles(decision: Decision) -> bool:
    is_asked = isinstance(decision, Asked) and decision.question is Question.RESHUFFLED
    return is_asked or isinstance(decision, StubMade)


def _money(
    decisions: Iterable[Decision], settled: Iterable[BetSettled], gained: Mapping[int, int]
) -> tuple[SeatMoney, ...]:
    """Seat by seat. `gained`: how much more or less each gets out of pots that were awarded already."""
    outcomes = {(bet.seat, bet.bettor, bet.bet): bet.outcome for bet in settled}
    paid_back: dict[int, _Moved] = {}
    taken_back: dict[int, _Moved] = {}
    for decision in decisions:
        match decision:
            case Refund(seat=seat, bet=bet, amount=amount):
                paid_back.setdefault(seat, []).append((bet, amount))
            case Uncalled(seat=seat, amount=amount) if not gained:
                paid_back.setdefault(seat, []).append(("", amount))
            case BetReversed(seat=seat, bettor=bettor, bet=bet, pays=pays):
                outcome = outcomes[seat, bettor, bet]
                if outcome is Outcome.WIN:
                    taken_back.setdefault(seat, []).append((bet, pays))
                elif outcome is Outcome.LOSE:
                    paid_back.setdefault(seat, []).append((bet, None if pays is None else -pays))
    for seat, amount in gained.items():
        if amount:
            (paid_back if amount > 0 else taken_back).setdefault(seat, []).append(("", abs(amount)))
    return tuple(
        SeatMoney(
            seat=seat,
            paid_back=_sum(paid_back.get(seat, [])),
            taken_back=_sum(taken_back.get(seat, [])),
            bets_back=_bets(paid_back.get(seat, [])),
            bets_taken=_bets(taken_back.get(seat, [])),
        )
        for seat in sorted({*paid_back, *taken_back})
    )


def _sum(moved: _Moved) -> int | None:
    """None as soon as one of them is not known."""
    known = [amount for _, amount in moved if amount is not None]
    return sum(known) if len(known) == len(moved) else None


def _bets(moved: _Moved) -> tuple[str, ...]:
    """Which bets they are, where one of them is not known; each once."""
    return tuple(dict.fromkeys(bet for bet, _ in moved if bet)) if _sum(moved) is None else ()
