"""A hand from its opening to its end: the bank reveals, every bet is settled, the croupier confirms, the next hand may
begin."""

from __future__ import annotations

from collections.abc import Iterator

from tablectl.core.engine import named_cards
from tablectl.core.engine.decisions import BetTaken, CardTurned, HandClosed, HandOpened, Ranked
from tablectl.core.engine.decks import ask_for_deck
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.seats import SEATED
from tablectl.core.engine.slots import SEATS, Face, Slot
from tablectl.core.engine.unread_cards import can_rank, same_card_again, turned_at_reveal, unread
from tablectl.core.engine.vocabulary import Declaration, Refusal, Remedy
from tablectl.core.settlement.ranking import category
from tablectl.families.banked import refunds
from tablectl.families.banked.settlement_report import say_settled
from tablectl.families.banked.state import BankedState


def new_hand(state: BankedState) -> None:
    """Open the next hand. The setup in force is the one journalled last; it never changes within a hand."""
    first = state.rulebook.errors.shuffle_first
    if first is not None and not state.is_shuffled:
        # THB-SAB-2: the shoe shuffles, and gives no card before it is done.
        state.refuse(Refusal.NOT_SHUFFLED, first)
        return
    if not state.fire("new-hand"):
        return
    state.hand += 1
    state.is_shuffled = False
    opened = HandOpened(
        hand=state.hand, rulebook=state.rulebook.id, version=state.rulebook.version, croupier=state.croupier
    )
    state.out.insert(len(state.out) - 1, opened)
    state.presses = 1
    entry = state.rulebook.entry_bet
    there: dict[int, dict[str, int | None]] = {}
    if not state.amounts:
        # THB-DEV-2: players who were here stay in until the croupier takes them out.
        there = {seat: {entry: None} for seat in state.previous}
    for seat, bets in state.kept.items():
        there[seat] = bets
    for seat, bets in sorted(there.items()):
        for name, amount in bets.items():
            state.seats.sit(seat).bets[name] = amount
            state.say(BetTaken(seat=seat, bet=name, amount=amount))
    state.kept = {}


def reveal(state: BankedState) -> None:
    """THB-DEV-24, THB-DEV-25, TPC-DEV-18: the bank's cards, then every seat's that the settlement needs."""
    at, say, shown = state.deal.at, state.out.append, state.shown
    slots = turned_at_reveal(state)
    for slot in slots:
        if slot not in shown:
            shown.add(slot)
            say(CardTurned(draw=at[slot].number, slot=slot))
    places = state.rulebook.places
    up = [slot for slot in places.bank if slot.face is Face.UP]
    state.unnamed = unread(state, [*places.board, *up, *slots] if state.staying else slots)
    state.fire("revealed")


def settle(state: BankedState) -> None:
    """Every bet of every seat, in the order in which the croupier takes and pays. Where the pit boss let two cards with
    one face go on (THB-CRD-1) and both would be in one combination, there is no such combination: the hand is void."""
    at = state.deal.at
    state.is_to_settle = False
    if all(slot in at for slot in state.rulebook.places.board) and not can_rank(state, state.staying, bank=True):
        same_card_again(state, (Remedy.VOID_HAND,))
        return
    settlement, say = state.rulebook.settle(state), state.out.append
    if settlement.house.strength is not None:
        say(Ranked(spot="house", category=category(settlement.house.strength).word))
    for result in settlement.seats:
        if result.strength is not None and result.bettor == SEATED:
            say(Ranked(spot=SEATS[result.seat - 1][0].spot, category=category(result.strength).word))
    for result in settlement.seats:
        state.settled += say_settled(state, result)
    named_cards.confirm(state, _deciding(state))


def _deciding(state: BankedState) -> Iterator[Slot]:
    """The places of the cards that decide money: of the hands that are compared, of bets that stand after a fold, and
    of the bank; the common ones where a hand is compared."""
    places = state.rulebook.places
    seats = sorted({*state.staying, *state.rulebook.shows(state)})
    if state.staying:
        yield from places.board
    if seats:
        yield from places.bank
    for seat in seats:
        yield from places.of_seat(seat)


def names_rejected(state: BankedState) -> None:
    """What was settled by cards that are named anew is taken back line by line, and is settled once they are known."""
    if state.phase.kind is Kind.SETTLING:
        _settle_anew(state)
    else:
        refunds.take_back(state, state.settled_early)
        state.settled_early = []


def board_changed(state: BankedState) -> None:
    """Other common cards than it was settled by: that is taken back line by line, and settled once all are known."""
    lying = set(state.deal.at.values())
    asked = [draw for draw in state.unnamed if draw in lying]
    board = unread(state, state.rulebook.places.board) if state.staying else []
    state.unnamed = [*asked, *(draw for draw in board if draw not in asked)]
    _settle_anew(state)


def _settle_anew(state: BankedState) -> None:
    refunds.take_back(state, state.settled)
    state.settled = []
    state.is_to_settle = True


def confirm(state: BankedState) -> None:
    """THB-SET-6: losing bets are taken, prizes paid; or, of a void hand, bets returned and cards collected."""
    if not state.fire("closed"):
        return
    closed = HandClosed(
        hand=state.hand,
        presses=state.presses,
        drawn=len(state.deal.draws),
        float_change=state.house_won if state.amounts else None,
    )
    state.out.insert(len(state.out) - 1, closed)
    entry = {name for name, rule in state.rulebook.bets.items() if rule.multiple_of is None}
    if state.seats:
        state.previous = {
            seat: {name: amount for name, amount in held.bets.items() if name in entry}
            for seat, held in state.seats.items()
            if seat not in state.expelled
        }
    else:
        state.previous = {seat: bets for seat, bets in state.previous.items() if seat not in state.expelled}
    # A contact is remembered while the seat sits out (TPC-PLE-2); who was sent away is not there any more.
    state.conduct = {
        (seat, what): times
        for (seat, what), times in state.conduct.items()
        if seat not in state.expelled and (seat in state.previous or what is Declaration.CARDS_IN_CONTACT)
    }
    state.forget_hand()
    if state.needs_deck:
        ask_for_deck(state)
