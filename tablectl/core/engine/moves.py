"""What people may enter now: the keys that are lit, and every entry that a page, a command or another program can make.

Each entry is the beginning of a line of a hand file (docs/hand-files.md). Whatever is not here is refused, with its
reason, and changes nothing; what devices tell is no entry. A test presses and enters everything, at every point of
every hand file, and holds the answer against this list.
"""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.core.engine import betting, limits_set, shelving, standing
from tablectl.core.engine.circle.betting.moves import Legal
from tablectl.core.engine.circle.draw import exchange
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.circle.seating import attendance
from tablectl.core.engine.circle.speech import speaking
from tablectl.core.engine.errors.declarations import offered
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.keys import live
from tablectl.core.engine.naming import nameable
from tablectl.core.engine.rulebook import Choice, Kind
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Action, Chooser, SeatChange, Tracking
from tablectl.core.records import record


@record
class Move:
    """One entry. `needs`: what is still to be filled in, in the order of the grammar. `least` and `most`: bounds of the
    number that the entry needs or may have, both allowed; amounts are of the smallest unit of money, None is no
    bound."""

    entry: str
    by: Chooser = Chooser.CROUPIER
    needs: tuple[str, ...] = ()
    least: int | None = None
    most: int | None = None


def moves(state: State) -> tuple[Move, ...]:
    """All that can be entered now."""
    return (
        *(Move(entry=f"press {key}") for key in live(state)),
        *(_of_bank_game(state) if state.circle is None else _of_circle(state, state.circle)),
        *(Move(entry=f"declare {what}") for what in offered(state)),
        *_rulings(state),
        *_of_people(state),
    )


# --- games against the bank ---------------------------------------------------------------------------------------


def _of_bank_game(state: State) -> Iterator[Move]:
    if not state.held:
        choice = state.phase.choice
        if state.phase.kind is Kind.BETTING:
            yield from _bets(state)
        elif choice is not None:
            yield from _second_bets(state, choice)
    if standing.may_stand_out(state):
        for seat, held in state.seats.items():
            for number, bettor in held.standing.items():
                if held.stays and not bettor.out:
                    yield Move(entry=f"out {seat}/{number}")


def _bets(state: State) -> Iterator[Move]:
    for seat in range(1, min(state.rulebook.max_seats, state.setup.seats) + 1):
        there = state.seats.get(seat)
        for rule in state.rulebook.bets.values():
            if rule.multiple_of is None and (rule.needs is None or (there is not None and rule.needs in there.bets)):
                yield from _bet(
                    state, f"bet {seat} {rule.name}", rule.name, taken=standing.room(state, seat, rule.name)
                )
        if there is not None:
            yield Move(entry=f"remove {seat}")
            yield from (Move(entry=f"remove {seat}/{bettor}") for bettor in there.standing)
            if (taken := standing.taken_of_box(state, seat)) is not None:
                entry = f"standing {seat} {state.rulebook.entry_bet}"
                yield from _bet(state, entry, state.rulebook.entry_bet, taken=taken, needs=("consent",))


def _bet(state: State, entry: str, bet: str, *, taken: int, needs: tuple[str, ...] = ()) -> Iterator[Move]:
    """`taken`: how much of the limit others in the box have."""
    if not state.amounts:
        yield Move(entry=entry, needs=needs)
        return
    limits = state.setup.limits[bet]
    if limits.least <= limits.most - taken:
        yield Move(entry=entry, needs=("amount", *needs), least=limits.least, most=limits.most - taken)


def _second_bets(state: State, choice: Choice) -> Iterator[Move]:
    for seat in state.staying:
        if seat not in state.decided and (not choice.in_turn or seat == state.turn):
            due = betting.due(state, state.seats[seat].bets, choice.bet)
            needs = () if due is None else ("amount",)
            yield Move(entry=f"bet {seat} {choice.bet}", needs=needs, least=due, most=due)


# --- games between players ------------------------------------------------------------------------------------------


def _of_circle(state: State, circle: Memory) -> Iterator[Move]:
    if state.phase.kind is Kind.DECIDING and not state.held:
        yield from _actions(state, circle)
    if state.phase.kind is Kind.EXCHANGING and not state.held:
        yield Move(entry="asks", needs=("cards",), least=0, most=exchange.most(state))
    for seat in range(1, attendance.places_at(state) + 1):
        yield from (Move(entry=f"player {seat} {what}") for what in SeatChange if attendance.may(state, seat, what))
        if attendance.may_stack(state, circle, seat):
            least, most = attendance.stack_bounds(state, circle, seat)
            yield Move(entry=f"stack {seat}", needs=("amount",), least=least, most=most)
        if attendance.may_place_button(state, circle, seat):
            yield Move(entry=f"button {seat}")


def _actions(state: State, circle: Memory) -> Iterator[Move]:
    rounds = circle.rounds
    if state.setup.tracking is Tracking.ROUNDS:
        yield from (Move(entry=f"act {seat} {Action.FOLD}") for seat in state.staying)
        return
    if rounds is None or rounds.turn is None:
        return
    yield from _in_turn(state, circle, rounds.legal())
    for seat in state.staying:
        can_speak = not rounds.is_all_in(seat) and seat not in circle.stored
        if seat != rounds.turn and can_speak:
            yield Move(entry=f"act {seat}", needs=("action",))
        if state.amounts and (can_speak or seat == rounds.turn):
            least = speaking.least_chips(circle) if seat == rounds.turn else state.setup.chip
            yield Move(entry=f"chips {seat}", needs=("amount",), least=least)


def _in_turn(state: State, circle: Memory, legal: Legal) -> Iterator[Move]:
    for action in (Action.FOLD, Action.CHECK, Action.CALL):
        if speaking.can(state, circle, action):
            yield Move(entry=f"act {action}")
    if legal.may_raise:
        action = Action.BET if legal.is_bet else Action.RAISE
        least = speaking.least_of(circle, action)
        yield Move(entry=f"act {action}", needs=("amount",) if state.amounts else (), least=least, most=legal.raise_to)
    if state.amounts and legal.may_go_all_in and legal.all_in is not None:
        yield Move(entry=f"act {Action.ALL_IN}")


# --- whatever the game is -------------------------------------------------------------------------------------------


def _rulings(state: State) -> Iterator[Move]:
    """THB-STF-1: what waits for the pit boss, each with its remedies; where it takes two persons both are named."""
    waiting = state.ruling | state.requests
    for number in sorted(waiting):
        incident = waiting[number]
        for remedy in incident.remedies:
            who = ("name", "name") if remedy in incident.two_persons else ("name",)
            yield Move(entry=f"rule {number} {remedy} by", by=Chooser.PIT_BOSS, needs=who)
    for slot in nameable(state):
        yield Move(entry=f"name {slot.name}", by=Chooser.PIT_BOSS, needs=("card", "name"))


def _of_people(state: State) -> Iterator[Move]:
    yield Move(entry="call by croupier")
    yield Move(entry="call by", by=Chooser.PIT_BOSS, needs=("name",))
    yield Move(entry="croupier", needs=("name",))
    for croupier in {state.next_croupier, "" if state.in_play else state.croupier} - {""}:
        yield Move(entry=f"croupier-off {croupier}")
    yield Move(entry="game", by=Chooser.PIT_BOSS, needs=("rulebook", "name"))
    for number in sorted(state.unseen):
        yield Move(entry=f"acknowledge {number} by", by=Chooser.PIT_BOSS, needs=("name",))
    for device in sorted({name for _, name in state.unseen_devices}):
        yield Move(entry=f"acknowledge device-{device} by", by=Chooser.PIT_BOSS, needs=("name",))
    for alarm in shelving.can_be_shelved(state):
        needs = ("minutes", "name", "reason")
        yield Move(entry=f"shelve {alarm}", by=Chooser.PIT_BOSS, needs=needs, least=1, most=shelving.MINUTES_MOST)
    for alarm in sorted(state.shelved):
        yield Move(entry=f"unshelve {alarm} by", by=Chooser.PIT_BOSS, needs=("name",))
    for bet, band in limits_set.bands(state).items():
        yield _limits(state, bet, band)


def _limits(state: State, bet: str, band: Limits) -> Move:
    who = ("name", "name") if state.setup.staff else ("name",)
    return Move(
        entry=f"limits {bet}=",
        by=Chooser.PIT_BOSS,
        needs=("least", "most", *who),
        least=band.least,
        most=band.most,
    )
