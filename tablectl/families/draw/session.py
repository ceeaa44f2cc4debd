"""A session of a game with restos, when the table's rules or its game change between two hands.

While five-card draw is played on, under other choices of the house too, the pot that waits, the ledger and the hour
that was declared stay as they are. With another game the session is over: everybody's account is told (FCD-BNK-1), and
what lies before the players stays theirs. A pot that waits (FCD-WIN-5) is won before that, so none is left there.
"""

from __future__ import annotations

from tablectl.core.engine.decisions import StackNow
from tablectl.core.engine.state import State
from tablectl.families.draw.leaving import left
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.state import PotGameState


def goes_on_or_ends(after: State, before: DrawState) -> None:
    """`after` is under the new rules; `before` is how it was."""
    goes_on = isinstance(after, DrawState)
    assert goes_on or not before.is_pot_waiting, "it is won before another game begins"
    there = {player.seat for player in after.players} if isinstance(after, DrawState) else set()
    for seat in before.kept.keys() & before.stacks.keys() - after.family.kept(after).keys():
        # An ante that goes back (AMB-46) is in its player's account.
        before.stacks[seat] += sum(amount or 0 for amount in before.kept[seat].values())
    for seat in sorted(before.bought.keys() - there):
        left(before, seat)


def refunded(after: State, seat: int, amount: int) -> None:
    """An ante that had stayed on the table (AMB-46) lies before its player again."""
    if isinstance(after, PotGameState) and seat in after.stacks:
        after.stacks[seat] += amount
        after.say(StackNow(seat=seat, amount=after.stacks[seat]))
