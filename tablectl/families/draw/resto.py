"""The resto: what each player has to play with, what he buys and when (FCD-RST, FCD-BNK-1).

The controller is the banker: `bought` of the draw's memory is what each player has taken so far. All of it wants
amounts and a resto that was agreed (FCD-RST-2); without them chips come and go as in hold'em. A stack is entered as
what lies before the player, so that is how every bound is told too.

Readings: below the resto a player may always refill up to it, which is to exactly as much; the average of a newcomer is
taken of everybody else who has a seat and has begun, also of one who has nothing left.
"""

from __future__ import annotations

from tablectl.core.engine.decisions import Bought, StackNow
from tablectl.core.engine.facts import Stacked
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.vocabulary import Refusal
from tablectl.core.options.draw import Refill, RefillUntil
from tablectl.families.draw.state import DrawState
from tablectl.families.pots import attendance


def is_agreed(state: DrawState) -> bool:
    """Whether there is a resto at this table (FCD-RST-2)."""
    return state.amounts and state.setup.resto > 0


def has_begun(state: DrawState, seat: int) -> bool:
    """Whether the player has the resto that he plays with: nobody is dealt in before (FCD-RST-3)."""
    return not is_agreed(state) or seat in state.bought


def stacked(state: DrawState, fact: Stacked) -> None:
    """So many chips lie before a player who has a seat: his first resto, or a new one."""
    seat, amount = fact.seat, fact.amount
    if not can_buy(state, seat):
        state.refuse(Refusal.HAND_IN_PLAY, "FCD-RST-10", f"seat-{seat}")
    elif not has_begun(state, seat):
        _begins(state, seat, amount)
    else:
        _refills(state, seat, amount)


def can_buy(state: DrawState, seat: int) -> bool:
    """FCD-RST-10: between two hands and before the cards are seen: until the first card of the hand, or as the house
    has it until the player is known to have looked at his (AMB-79). His first action says that he has."""
    if not state.in_play or all(draw.is_back for draw in state.deal.draws):
        return True  # cards that seats were drawn for with have gone back
    game = state.rulebook
    if state.phase.kind is Kind.BETTING:
        return True  # cards that showed who is the first nominal dealer
    rounds = state.rounds
    if game.house.refill_until is RefillUntil.FIRST_CARD or rounds is None or seat not in state.staying:
        return False
    if rounds.index is not None and (rounds.index > 0 or rounds.is_all_in(seat)):
        return False
    return seat not in state.draw.looked and seat not in rounds.actors


def bounds(state: DrawState, seat: int) -> tuple[int, int | None]:
    """What can lie before a player at least and at most: his first resto, or what he has and more (FCD-RST-6)."""
    if not has_begun(state, seat):
        first = _first(state, _average(state))
        return first, first
    return attendance.chips_now(state, seat) or 0, None


def _begins(state: DrawState, seat: int, amount: int) -> None:
    """FCD-RST-3: everybody begins with the same; FCD-RST-11: who comes later, with the average of the others."""
    average = _average(state)
    first = _first(state, average)
    if amount == first:
        _bought(state, seat, amount, amount)
    elif average is None:
        state.refuse(Refusal.WRONG_STACK, "FCD-RST-3", f"resto={first}")
    else:
        state.refuse(Refusal.WRONG_STACK, "FCD-RST-11", f"average={first}")


def _first(state: DrawState, average: int | None) -> int:
    return state.setup.resto if average is None else average


def _average(state: DrawState) -> int | None:
    """What the others have on average, rounded down to the smallest chip; None while everybody has his first resto."""
    others = [state.stacks.get(seat, 0) for seat in state.bought]
    if all(stack == state.setup.resto for stack in others):
        return None
    average, chip = sum(others) // len(others), state.setup.chip
    # Where the others have next to nothing, so has he: one chip, with which he can be dealt in.
    return max(average - average % chip, chip)


def _refills(state: DrawState, seat: int, amount: int) -> None:
    has = attendance.chips_now(state, seat) or 0
    if amount < has:
        # FCD-RST-5, FCD-RST-7: nothing is taken from a resto while its owner plays.
        state.refuse(Refusal.WRONG_STACK, "FCD-RST-5", f"has={has}")
    elif amount == has:
        state.say(StackNow(seat=seat, amount=has))
    elif (wrong := _outside(state, has, amount)) is not None:
        state.refuse(Refusal.WRONG_STACK, "FCD-RST-6", wrong)
    else:
        _bought(state, seat, amount - has, amount)


def _outside(state: DrawState, has: int, amount: int) -> str | None:
    """FCD-RST-6, AMB-78: the bound of a refill that this stack is beyond; None where it keeps to them."""
    resto, richest = state.setup.resto, max((attendance.chips_now(state, seat) or 0) for seat in state.bought)
    refill = state.rulebook.house.refill
    least = resto if refill is Refill.STACK else has + resto
    most = has + richest if refill is Refill.AMOUNT else richest
    allowed = [(least, most)] if least <= most else []
    if has < resto:
        allowed.insert(0, (resto, resto))
    if any(low <= amount <= high for low, high in allowed):
        return None
    above = next((low for low, _ in allowed if low > amount), None)
    return f"least={above}" if above is not None else f"most={max((high for _, high in allowed), default=has)}"


def _bought(state: DrawState, seat: int, amount: int, stack: int) -> None:
    ledger = state.bought
    ledger[seat] = ledger.get(seat, 0) + amount
    if state.rounds is not None and seat in state.seats:
        state.stacks[seat] = state.stacks.get(seat, 0) + amount
        state.rounds.begins_with(seat, stack)
    else:
        state.stacks[seat] = stack
    state.say(Bought(seat=seat, amount=amount, total=ledger[seat]))
    state.say(StackNow(seat=seat, amount=stack))
