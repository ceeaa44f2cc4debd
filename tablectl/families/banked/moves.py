"""What can be entered in a game against the bank, beside keys."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.core.engine.move import Move
from tablectl.core.engine.rulebook import Choice, Kind
from tablectl.families.banked import back_betting, betting
from tablectl.families.banked.state import BankedState


def moves(state: BankedState) -> Iterator[Move]:
    """Bets, and what those who stand behind a seat do."""
    if not state.held:
        choice = state.phase.choice
        if state.phase.kind is Kind.BETTING:
            yield from _bets(state)
        elif choice is not None:
            yield from _second_bets(state, choice)
    if back_betting.may_stand_out(state):
        for seat, held in state.seats.items():
            for number, bettor in held.standing.items():
                if held.stays and not bettor.out:
                    yield Move(entry=f"out {seat}/{number}")


def _bets(state: BankedState) -> Iterator[Move]:
    for seat in range(1, min(state.rulebook.max_seats, state.setup.seats) + 1):
        there = state.seats.get(seat)
        for rule in state.rulebook.bets.values():
            if rule.multiple_of is None and (rule.needs is None or (there is not None and rule.needs in there.bets)):
                yield from _bet(
                    state, f"bet {seat} {rule.name}", rule.name, taken=back_betting.room(state, seat, rule.name)
                )
        if there is not None:
            yield Move(entry=f"remove {seat}")
            yield from (Move(entry=f"remove {seat}/{bettor}") for bettor in there.standing)
            if (taken := back_betting.taken_of_box(state, seat)) is not None:
                entry = f"standing {seat} {state.rulebook.entry_bet}"
                yield from _bet(state, entry, state.rulebook.entry_bet, taken=taken, needs=("consent",))


def _bet(state: BankedState, entry: str, bet: str, *, taken: int, needs: tuple[str, ...] = ()) -> Iterator[Move]:
    """`taken`: how much of the limit others in the box have."""
    if not state.amounts:
        yield Move(entry=entry, needs=needs)
        return
    limits = state.setup.limits[bet]
    if limits.least <= limits.most - taken:
        yield Move(entry=entry, needs=("amount", *needs), least=limits.least, most=limits.most - taken)


def _second_bets(state: BankedState, choice: Choice) -> Iterator[Move]:
    for seat in state.staying:
        if seat not in state.decided and (not choice.in_turn or seat == state.turn):
            due = betting.due(state, state.seats[seat].bets, choice.bet)
            needs = () if due is None else ("amount",)
            yield Move(entry=f"bet {seat} {choice.bet}", needs=needs, least=due, most=due)
