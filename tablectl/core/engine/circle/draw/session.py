"""A session of a game with restos, when the table's rules or its game change between two hands.

While five-card draw is played on, under other choices of the house too, the pot that waits, the ledger and the hour
that was declared stay as they are. With another game the session is over: everybody's account is told (FCD-BNK-1), and
what lies before the players stays theirs. A pot that waits (FCD-WIN-5) is won before that, so none is left behind.
"""

from __future__ import annotations

from tablectl.core.engine.circle.draw.leaving import left
from tablectl.core.engine.decisions import StackNow
from tablectl.core.engine.state import State


def goes_on_or_ends(state: State, old: State) -> None:
    """`state` is under the new rules; `old` is how it was."""
    if not old.is_draw or old.circle is None:
        return
    before = old.circle.draw
    goes_on = state.is_draw and state.circle is not None
    there = {player.seat for player in state.circle.players} if goes_on and state.circle is not None else set()
    for seat in old.kept.keys() & old.circle.stacks.keys() - state.kept.keys():
        # An ante that goes back (AMB-46) is in its player's account.
        old.circle.stacks[seat] += sum(amount or 0 for amount in old.kept[seat].values())
    for seat in sorted(before.bought.keys() - there):
        left(old, old.circle, seat)
    if not goes_on or state.circle is None:
        assert not before.is_pot_waiting, "it is won before another game begins"
        return
    draw = state.circle.draw
    draw.carried, draw.is_pot_waiting, draw.is_closing = before.carried, before.is_pot_waiting, before.is_closing
    draw.bought = dict(before.bought)


def refunded(state: State, old: State, seat: int, amount: int) -> None:
    """An ante that had stayed on the table (AMB-46) lies before its player again."""
    if old.is_draw and state.circle is not None and seat in state.circle.stacks:
        state.circle.stacks[seat] += amount
        state.say(StackNow(seat=seat, amount=state.circle.stacks[seat]))
