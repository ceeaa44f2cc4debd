"""Who gets the money of a hand: the pots while it is played, and at the end (THL-END, THL-SDN, THO-ALL, THO-SDN)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tablectl.core.cards import Card
from tablectl.core.engine import named_cards
from tablectl.core.engine.decisions import Awarded, PotCarried, PotMade, Ranked, StackNow, Uncalled
from tablectl.core.engine.rulebook import IN_HAND, Kind
from tablectl.core.engine.slots import SEATS
from tablectl.core.engine.unread_cards import same_card_again
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.core.options.pots import LastBet
from tablectl.core.settlement.pots import Amount, Pot, PotResult, divide
from tablectl.core.settlement.pots import settle as settle_pots
from tablectl.core.settlement.ranking import Strength, category, strength
from tablectl.families.pots.rulebook import Clauses
from tablectl.families.pots.state import PotGameState


def pots_now(state: PotGameState) -> tuple[Pot, ...]:
    """The pots as they stand, the main pot first (THL-END-4, THO-ALL-4, THO-ALL-8)."""
    rounds, carried = state.rounds, state.family.carried(state)
    if rounds is None or not state.seats.staying:
        return ()
    if rounds.pot and rounds.is_level:
        return (Pot(amount=rounds.pot + carried, eligible=tuple(sorted(rounds.live))),)
    return divide(rounds.stakes(), carried=carried).pots


def announce_again(state: PotGameState) -> None:
    """A hand died or has its chips back: for which pots the others compete now, as far as they were told (THL-END-4).
    What was put in since the last round lies before the players still; where the round ended, all was told with it."""
    rounds, kind = state.rounds, state.phase.kind
    if not state.amounts or rounds is None or state.is_one_left or rounds.index is None:
        return
    is_round_open = kind is Kind.DECIDING
    told = any(isinstance(said, PotMade) for said in state.out)
    if told or kind not in IN_HAND or (is_round_open and rounds.index == 0):
        return
    stakes = rounds.stakes(is_round_open=is_round_open)
    for number, pot in enumerate(divide(stakes, carried=state.family.carried(state)).pots, start=1):
        state.say(PotMade(pot=number, amount=pot.amount, seats=pot.eligible))


def settle(state: PotGameState) -> None:
    """THL-DEF-8, THL-SDN-2, -3, -4: every pot to the best hand that competes for it. THL-CRE-1: what was announced
    decides nothing, the cards do. With two cards of one face in one hand there is no such hand: it is void."""
    assert state.rounds is not None
    state.is_to_settle = False
    if state.family.is_carried_over(state):
        _carry_over(state)
        return
    staying = state.staying
    contested = len(staying) > 1
    hands = {seat: _cards(state, seat) for seat in staying} if contested else {}
    if any(len(set(cards)) < len(cards) for cards in hands.values()):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    strengths = {seat: strength(cards) for seat, cards in hands.items()}
    _award(state, strengths, contested=contested)
    state.was_awarded = True
    named_cards.confirm(state, (slot for seat in hands for slot in state.family.hand_slots(seat)))


def names_rejected(state: PotGameState) -> None:
    """Cards that decide the pot are named anew: it is not delivered yet, and is awarded once they are known."""
    anew(state)
    state.is_to_settle = state.phase.kind is Kind.SETTLING


def anew(state: PotGameState) -> None:
    """The pots are not delivered, and are awarded once more."""
    _take_back(state)
    state.is_to_settle = True


def forget(state: PotGameState) -> None:
    """The hand goes on as if nothing had been said of who gets the pots."""
    _take_back(state)
    state.is_to_settle = state.was_awarded = False


def _take_back(state: PotGameState) -> None:
    state.won.clear()
    state.house_won = 0


def change(state: PotGameState, after: PotGameState) -> Mapping[int, int]:
    """How much more or less each seat gets of what was awarded, after something else was decided. Hands that are not
    turned up tell nothing."""
    if not state.won or after.phase.kind is Kind.VOIDED:
        return {seat: -amount for seat, amount in state.won.items()}
    compared = after.staying if len(after.staying) > 1 else ()
    if any(slot not in state.shown for seat in compared for slot in SEATS[seat - 1] if slot in after.deal.at):
        return {}
    return {seat: after.won.get(seat, 0) - state.won.get(seat, 0) for seat in {*state.won, *after.won}}


def _award(state: PotGameState, strengths: dict[int, Strength], *, contested: bool) -> None:
    """Say who gets which pot. `strengths`: of the hands that are compared."""
    rules = state.rulebook
    assert state.rounds is not None
    for seat in showing_order(state) if contested else ():
        state.say(Ranked(spot=SEATS[seat - 1][0].spot, category=category(strengths[seat]).word))
    if not state.amounts:
        _without_amounts(state, strengths)
        return
    assert state.button is not None, "a hand that is settled has one"
    settled = settle_pots(
        state.rounds.stakes(strengths),
        button=state.button,
        last_aggressor=last_bettor(state),
        smallest_chip=state.setup.chip,
        # THL-DEF-7: the table's fee comes out of the pot before it is paid.
        rules=rules.pots if state.setup.fee is None else replace(rules.pots, rake=state.setup.fee),
        carried=state.family.carried(state),
    )
    for back in settled.returned:
        state.say(Uncalled(seat=back.seat, amount=back.amount))
        state.won[back.seat] = state.won.get(back.seat, 0) + back.amount
    for number, pot in enumerate(settled.pots, start=1):
        for award in pot.awards:
            clause = _clause(rules.clauses, pot, award) if contested else rules.clauses.one_left
            state.say(Awarded(pot=number, seat=award.seat, amount=award.amount, clause=clause))
            state.won[award.seat] = state.won.get(award.seat, 0) + award.amount
    state.house_won = settled.rake


def _carry_over(state: PotGameState) -> None:
    """FCD-WIN-5: nobody opened, and what lies there stays for the next hand."""
    assert state.rounds is not None
    pot = state.rounds.pot
    state.say(PotCarried(amount=None if pot is None else pot + state.family.carried(state)))


def _clause(clauses: Clauses, pot: PotResult, award: Amount) -> str:
    """By which clause a seat gets this: THL-SDN-4 where a chip that was left over is in it."""
    if len(pot.winners) == 1 and award.seat in pot.winners:
        return clauses.best_hand
    equal_part = min(part.amount for part in pot.awards if part.seat in pot.winners)
    has_odd_chip = award.seat not in pot.winners or award.amount > equal_part
    return clauses.odd_chip if has_odd_chip else clauses.equal_hands


def _without_amounts(state: PotGameState, strengths: dict[int, Strength]) -> None:
    said = state.rulebook.clauses
    best = max(strengths.values(), default=None)
    winners = [seat for seat in state.staying if best is None or strengths[seat] == best]
    clause = said.one_left if best is None else said.best_hand if len(winners) == 1 else said.equal_hands
    for seat in winners:
        state.say(Awarded(pot=1, seat=seat, amount=None, clause=clause))
    rounds = state.rounds
    if best is not None and rounds is not None and any(rounds.is_all_in(seat) for seat in state.staying):
        # Which side pots there are is not known here: the croupier shares them out by the ranks that were told.
        state.refuse(Refusal.NO_AMOUNT, state.family.clause_on_side_pots(state), "side-pots")


def pay(state: PotGameState) -> None:
    """The pot is delivered (THL-SDN-6, FCD-RST-4): what lies before each player now."""
    rounds = state.rounds
    assert rounds is not None
    state.family.paid(state)
    for seat in state.order:
        left = rounds.stack(seat)
        if left is not None:
            state.stacks[seat] = left + state.won.get(seat, 0)
            state.say(StackNow(seat=seat, amount=state.stacks[seat]))


def last_bettor(state: PotGameState) -> int | None:
    """Whose bet or raise was the last one (AMB-30): of the whole hand or of the last round, as the house has it."""
    assert state.rounds is not None
    if state.rulebook.house.last_bet is LastBet.WHOLE_HAND:
        return state.rounds.last_aggressor
    return state.rounds.last_aggressor_of_round


def showing_order(state: PotGameState) -> tuple[int, ...]:
    """THL-SDN-1, AMB-30: from whoever made the last bet, to the left; with none, from the left of the button."""
    order = state.staying
    first = last_bettor(state)
    if first not in order:
        return order
    at = order.index(first)
    return (*order[at:], *order[:at])


def _cards(state: PotGameState, seat: int) -> list[Card]:
    """THL-DEF-2, THO-DEF-6: his own and the common cards, of which the best five count; FCD-WIN-4: his five."""
    at = state.deal.at
    slots = state.family.hand_slots(seat)
    return [card for slot in slots if slot in at and (card := at[slot].card) is not None]
