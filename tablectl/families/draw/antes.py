"""A hand with antes up to the first card: the nominal dealer, who is dealt in, what everybody puts in (FCD-OPN-2, -4).

The croupier deals in the name of the player with the button, who speaks last and whose turn goes round (AMB-70). An
ante that stayed on the table when the cards are dealt again (AMB-46) is not asked for a second time.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from tablectl.core.engine.decisions import BetTaken, StackNow
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.vocabulary import Posted, Tracking
from tablectl.core.options.draw import AboveResto, DealerAnte
from tablectl.core.options.holdem import Structure
from tablectl.families.draw import resto
from tablectl.families.draw.state import DrawState
from tablectl.families.pots.betting.limits import BettingRules
from tablectl.families.pots.betting.rounds import Rounds
from tablectl.families.pots.places import Markers, Places, Post, clockwise
from tablectl.families.pots.players import MIN_PLAYERS, WhyNot

#: The bet whose limits are the ante: the least is what everybody pays.
ANTE: Final = "ante"
_NO_LIMITS: Final = Limits(least=0, most=0)


def ante(state: DrawState) -> int | None:
    """What everybody puts in before the cards; None where amounts are not entered."""
    return state.setup.limits.get(ANTE, _NO_LIMITS).least if state.amounts else None


def able(state: DrawState) -> tuple[int, ...]:
    """FCD-OPN-2, no ante, no cards: the seats whose player is there with a resto and can put in an ante, or a part of
    it where he may go on with what he has (AMB-69). His last chips may be the ante that stayed."""
    least = 1
    if state.rulebook.house.above_resto is AboveResto.FOLD:
        least = ante(state) or least
    begun = [seat for seat in state.present if resto.has_begun(state, seat)]
    return tuple(seat for seat in begun if seat not in state.stacks or _has(state, seat) >= least)


def positions(state: DrawState, last: Markers, there: tuple[int, ...]) -> Places | WhyNot:
    """The nominal dealer is the next of the players who are dealt in: of those who are `able`."""
    game, amount = state.rulebook.house, ante(state)
    if len(there) < MIN_PLAYERS:
        return WhyNot.TOO_FEW_PLAYERS
    button = clockwise(there, after=last.button if last.moves else last.button - 1)[0]
    order = clockwise(there, after=button)
    posts = [Post(seat=seat, bet=Posted.ANTE, amount=amount) for seat in order]
    if game.dealer_ante is DealerAnte.DOUBLE:
        posts.append(Post(seat=button, bet=Posted.DEALER_ANTE, amount=amount, live=False))
    return Places(
        button=button,
        posts=tuple(posts),
        order=order,
        waits=(),
        first_to_act=order[0],
        first_after=order[0],
        before=last,
    )


def _has(state: DrawState, seat: int) -> int:
    """His chips, with an ante of his that stayed on the table; of a stack that nobody entered, enough."""
    usual = ante(state) or 0
    return state.stacks.get(seat, 2 * usual) + sum(amount or 0 for amount in state.kept.get(seat, {}).values())


def post(state: DrawState) -> None:
    """FCD-OPN-2: everybody's ante lies there before the first card. Who has less is all-in with it."""
    found = state.positions
    assert found is not None
    state.dealt_in = state.players
    stacks = {seat: _has(state, seat) if state.amounts and seat in state.stacks else None for seat in found.order}
    rounds = state.rounds = Rounds(_betting_rules(state), found.order, stacks)
    for due in found.posts:
        if rounds.is_all_in(due.seat):
            continue
        # FCD-OPN-4: nobody has to match the dealer's second ante.
        put_in = rounds.ante if due.live else partial(rounds.post, live=False)
        amount = put_in(due.seat, due.amount)
        state.say(BetTaken(seat=due.seat, bet=due.bet, amount=amount))
    for seat, bets in state.kept.items():
        stayed = sum(amount or 0 for amount in bets.values())
        if seat not in found.order:
            # What stayed of a player who is not dealt in lies in the pot, and waits there if this hand is void too.
            state.carried += stayed
            state.is_pot_waiting = True
        elif seat in state.stacks:
            state.stacks[seat] += stayed
    state.kept = {}


def _betting_rules(state: DrawState) -> BettingRules:
    """FCD-EVT-4: least and greatest bet are settled before the session; FCD-ENV-5: a raise is any greater amount."""
    house, game = state.rulebook.house, state.rulebook.house
    limits = state.setup.limits.get(state.rulebook.limited_bet, _NO_LIMITS)
    return BettingRules(
        structure=Structure.NO_LIMIT,
        minimum_raise=house.minimum_raise,
        short_all_in=house.short_all_in,
        least_bet=limits.least if state.amounts else 0,
        most_bet=limits.most if state.amounts else None,
        calls_for_less=game.above_resto is AboveResto.ALL_IN,
        chip=state.setup.chip,
        amounts=state.setup.tracking is Tracking.AMOUNTS,
    )


def keep(state: DrawState, seat: int) -> None:
    """AMB-46: the cards are dealt again, and the ante of this seat stays on the table for that."""
    kept = antes_in(state, seat)
    state.kept[seat] = {Posted.ANTE.value: kept}
    if kept is not None and seat in state.stacks:
        state.stacks[seat] -= kept
        state.say(StackNow(seat=seat, amount=state.stacks[seat]))


def antes_in(state: DrawState, seat: int) -> int | None:
    """What the seat put in before the cards; None where amounts are not entered."""
    if not state.amounts:
        return None
    rounds = state.rounds
    assert rounds is not None
    put_in = rounds.put_in(seat) or 0
    return min(put_in, sum(due.amount or 0 for due in _posts_of(state, seat)))


def _posts_of(state: DrawState, seat: int) -> tuple[Post, ...]:
    return tuple(due for due in state.positions.posts if due.seat == seat) if state.positions is not None else ()
