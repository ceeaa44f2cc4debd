"""Who gets the money of a hand: the pots while it is played, and at the end (THL-END, THL-SDN, THO-ALL, THO-SDN)."""

from __future__ import annotations

from dataclasses import replace

from tablectl.core.cards import Card
from tablectl.core.engine.circle.game import Clauses
from tablectl.core.engine.circle.memory import Memory
from tablectl.core.engine.decisions import Awarded, PotCarried, Ranked, StackNow, Uncalled
from tablectl.core.engine.naming import COMMON, HOLE, same_card_again
from tablectl.core.engine.slots import BOARD, SEATS
from tablectl.core.engine.state import State
from tablectl.core.engine.words import Refusal, Remedy
from tablectl.core.options.pots import LastBet
from tablectl.core.settlement.pots import Amount, Pot, PotResult, divide
from tablectl.core.settlement.pots import settle as settle_pots
from tablectl.core.settlement.ranking import Category, Strength, category, strength

_WORDS = {each: each.en.replace(" ", "-") for each in Category}


def pots_now(state: State, circle: Memory) -> tuple[Pot, ...]:
    """The pots as they stand, the main pot first (THL-END-4, THO-ALL-4, THO-ALL-8)."""
    rounds, carried = circle.rounds, circle.draw.carried if state.is_draw else 0
    if rounds is None or not state.seats.staying:
        return ()
    if rounds.pot and rounds.is_level:
        return (Pot(amount=rounds.pot + carried, eligible=tuple(sorted(rounds.live))),)
    return divide(rounds.stakes(), carried=carried).pots


def settle(state: State) -> None:
    """THL-DEF-8, THL-SDN-2, -3, -4: every pot to the best hand that competes for it. THL-CRE-1: what was announced
    decides nothing, the cards do. With two cards of one face in one hand there is no such hand: it is void."""
    circle, rules = state.circle, state.rulebook.circle
    assert circle is not None
    assert circle.rounds is not None
    assert rules is not None
    state.is_to_settle = False
    if state.is_draw and circle.draw.hand.is_passed_out:
        _carry_over(state, circle)
        return
    staying = state.staying
    contested = len(staying) > 1
    hands = {seat: _cards(state, seat) for seat in staying} if contested else {}
    if any(len(set(cards)) < len(cards) for cards in hands.values()):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    strengths = {seat: strength(cards) for seat, cards in hands.items()}
    for seat in showing_order(state, circle) if contested else ():
        state.say(Ranked(spot=SEATS[seat - 1][0].spot, category=_WORDS[category(strengths[seat])]))
    if not state.amounts:
        _without_amounts(state, strengths)
        return
    assert circle.button is not None, "a hand that is settled has one"
    settled = settle_pots(
        circle.rounds.stakes(strengths),
        button=circle.button,
        last_aggressor=last_bettor(state, circle),
        smallest_chip=state.setup.chip,
        # THL-DEF-7: the table's fee comes out of the pot before it is paid.
        rules=rules.pots if state.setup.fee is None else replace(rules.pots, rake=state.setup.fee),
        carried=circle.draw.carried if state.is_draw else 0,
    )
    for back in settled.returned:
        state.say(Uncalled(seat=back.seat, amount=back.amount))
        circle.won[back.seat] = circle.won.get(back.seat, 0) + back.amount
    for number, pot in enumerate(settled.pots, start=1):
        for award in pot.awards:
            clause = _clause(rules.clauses, pot, award) if contested else rules.clauses.one_left
            state.say(Awarded(pot=number, seat=award.seat, amount=award.amount, clause=clause))
            circle.won[award.seat] = circle.won.get(award.seat, 0) + award.amount
    state.house_won = settled.rake


def _carry_over(state: State, circle: Memory) -> None:
    """FCD-WIN-5: nobody opened, and what lies there stays for the next hand."""
    assert circle.rounds is not None
    pot = circle.rounds.pot
    state.say(PotCarried(amount=None if pot is None else pot + circle.draw.carried))


def _clause(clauses: Clauses, pot: PotResult, award: Amount) -> str:
    """By which clause a seat gets this: THL-SDN-4 where a chip that was left over is in it."""
    if len(pot.winners) == 1 and award.seat in pot.winners:
        return clauses.best_hand
    equal_part = min(each.amount for each in pot.awards if each.seat in pot.winners)
    has_odd_chip = award.seat not in pot.winners or award.amount > equal_part
    return clauses.odd_chip if has_odd_chip else clauses.equal_hands


def _without_amounts(state: State, strengths: dict[int, Strength]) -> None:
    assert state.rulebook.circle is not None
    said = state.rulebook.circle.clauses
    best = max(strengths.values(), default=None)
    winners = [seat for seat in state.staying if best is None or strengths[seat] == best]
    clause = said.one_left if best is None else said.best_hand if len(winners) == 1 else said.equal_hands
    for seat in winners:
        state.say(Awarded(pot=1, seat=seat, amount=None, clause=clause))
    rounds = state.circle.rounds if state.circle is not None else None
    if best is not None and rounds is not None and any(rounds.is_all_in(seat) for seat in state.staying):
        # Which side pots there are is not known here: the croupier shares them out by the ranks that were told.
        state.refuse(Refusal.NO_AMOUNT, said.all_in if state.is_draw else "THL-END-4", "side-pots")


def pay(state: State, circle: Memory) -> None:
    """The pot is delivered (THL-SDN-6, FCD-RST-4): what lies before each player now."""
    rounds = circle.rounds
    assert rounds is not None
    if state.is_draw:
        draw, pot = circle.draw, rounds.pot or 0
        draw.carried = draw.carried + pot if draw.hand.is_passed_out else 0
    for seat in state.order:
        left = rounds.stack(seat)
        if left is not None:
            circle.stacks[seat] = left + circle.won.get(seat, 0)
            state.say(StackNow(seat=seat, amount=circle.stacks[seat]))


def last_bettor(state: State, circle: Memory) -> int | None:
    """Whose bet or raise was the last one (AMB-30): of the whole hand or of the last round, as the house has it."""
    assert circle.rounds is not None
    assert state.rulebook.circle is not None
    if state.rulebook.circle.house.last_bet is LastBet.WHOLE_HAND:
        return circle.rounds.last_aggressor
    return circle.rounds.last_aggressor_of_round


def showing_order(state: State, circle: Memory) -> tuple[int, ...]:
    """THL-SDN-1, AMB-30: from whoever made the last bet, to the left; with none, from the left of the button."""
    order = state.staying
    first = last_bettor(state, circle)
    if first not in order:
        return order
    at = order.index(first)
    return (*order[at:], *order[:at])


def _cards(state: State, seat: int) -> list[Card]:
    """THL-DEF-2, THO-DEF-6: his own and the common cards, of which the best five count; FCD-WIN-4: his five."""
    at = state.deal.at
    slots = SEATS[seat - 1] if state.is_draw else (*SEATS[seat - 1][:HOLE], *BOARD[:COMMON])
    return [card for slot in slots if slot in at and (card := at[slot].card) is not None]
