"""The end of a hand: the bank reveals, every bet is settled, the croupier confirms, the next hand may begin."""

from __future__ import annotations

from typing import Final

from tablectl.cards import Card
from tablectl.engine.deal import Deal, Draw
from tablectl.engine.decisions import BetSettled, BetTaken, CardTurned, HandClosed, HandOpened, Ranked
from tablectl.engine.facts import Named
from tablectl.engine.incidents import can_void, raise_incident
from tablectl.engine.rulebook import Kind
from tablectl.engine.seats import Seats
from tablectl.engine.slots import BOARD, BY_NAME, HOUSE, SEATS, Face, Slot
from tablectl.engine.state import State
from tablectl.engine.words import Chooser, Refusal, Remedy
from tablectl.settlement.ranking import Category, category

#: Cards that can lie at a spot that is turned: two, and one too many.
_MOST: Final = 3
_HOLE: Final = 2
_COMMON: Final = 5
#: What the croupier announces, as a word of the journal.
_WORDS: Final = {each: each.en.replace(" ", "-") for each in Category}


def new_hand(state: State) -> None:
    """Open the next hand. The setup in force is the one journalled last; it never changes within a hand."""
    if not state.fire("new-hand"):
        return
    state.hand += 1
    opened = HandOpened(hand=state.hand, rulebook=state.rulebook.id, version=state.rulebook.version)
    state.out.insert(len(state.out) - 1, opened)
    state.presses = 1
    if not state.amounts:
        # THB-DEV-2: players who were here stay in until the croupier takes them out.
        entry = state.rulebook.entry_bet
        for seat in state.previous:
            state.seats.sit(seat).bets[entry] = None
            state.say(BetTaken(seat=seat, bet=entry, amount=None))


def reveal(state: State) -> None:
    """THB-DEV-24, THB-DEV-25: the bank's cards, then every seat's that the settlement needs."""
    at, say = state.deal.at, state.out.append
    slots = _turned(state)
    for slot in slots:
        say(CardTurned(draw=at[slot].number, slot=slot))
    needed = [*BOARD[:_COMMON], *slots] if state.staying else slots
    state.naming = [at[slot] for slot in needed if slot in at and at[slot].card is None]
    if not state.fire("revealed"):
        return
    if not state.naming:
        settle(state)


def _turned(state: State) -> list[Slot]:
    """What the bank's reveal turns: its own cards and those of every seat whose cards are shown."""
    spots = (HOUSE, *(SEATS[seat - 1] for seat in state.rulebook.shows(state)))
    return [slot for spot in spots for slot in spot[:_MOST] if slot in state.deal.at]


def named(state: State, fact: Named) -> None:
    """A card that could not be read lies open now: a person says which one it is, and may correct that until the
    settlement. Whether the same face lies hidden elsewhere is not to be found out by trying: such a name is taken, and
    two cards with one face are a defective deck (THB-CRD-1) for the pit boss."""
    slot: Slot | None = BY_NAME.get(fact.slot)
    draw = state.deal.at.get(slot) if slot is not None else None
    if slot is None or draw is None or draw.card is fact.card or not _nameable(state, draw, slot):
        state.refuse(Refusal.CARD_KNOWN, detail=fact.slot)
        return
    others = state.deal.others(draw, fact.card)
    if any(_lies_open(state, other) for other in others):
        state.refuse(Refusal.CARD_ELSEWHERE, state.rulebook.misdeals.defective_deck, fact.slot)
        return
    state.deal.name(draw, fact.card)
    state.say(CardTurned(draw=draw.number, slot=slot))
    if others:
        _same_card_again(state, (Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,))
    if draw in state.naming:
        state.naming.remove(draw)
        if not state.naming:
            settle(state)


def _nameable(state: State, draw: Draw, slot: Slot) -> bool:
    """Whether a person may say which card this is: it lies open and was not read, and is not settled upon."""
    if draw.named:
        return bool(state.naming) or state.phase.kind in (Kind.DEALING, Kind.DECIDING, Kind.REVEALING)
    return draw.card is None and (draw in state.naming or slot.face is Face.UP)


def _lies_open(state: State, draw: Draw) -> bool:
    """Whether everybody can see this card."""
    slot = draw.slot
    revealed = state.phase.kind is Kind.SETTLING
    return slot is not None and (slot.face is Face.UP or (revealed and slot in _turned(state)))


def _same_card_again(state: State, remedies: tuple[Remedy, ...]) -> None:
    raise_incident(
        state,
        clause=state.rulebook.misdeals.defective_deck,
        expected="52-different-cards",
        observed="same-card-again",
        remedies=remedies,
        chooser=Chooser.PIT_BOSS,
    )


def _can_rank(state: State) -> bool:
    """Whether no face comes twice among the common cards and those of the bank, or of one seat that stays."""
    at = state.deal.at

    def known(slots: tuple[Slot, ...]) -> list[Card]:
        return [card for slot in slots if slot in at and (card := at[slot].card) is not None]

    board = known(BOARD[:_COMMON])
    if len(board) < _COMMON:
        return True
    spots = (HOUSE, *(SEATS[seat - 1] for seat in state.staying))
    sevens = [board + known(spot[:_HOLE]) for spot in spots]
    return all(len(set(seven)) == len(seven) for seven in sevens)


def settle(state: State) -> None:
    """Every bet of every seat, in the order in which the croupier takes and pays. Where the pit boss let two cards with
    one face go on (THB-CRD-1) and both would be in one combination, there is no such combination: the hand is void."""
    if not _can_rank(state):
        _same_card_again(state, (Remedy.VOID_HAND,))
        return
    settlement, say = state.rulebook.settle(state), state.out.append
    if settlement.house.strength is not None:
        say(Ranked(spot="house", category=_WORDS[category(settlement.house.strength)]))
    for result in settlement.seats:
        if result.strength is not None:
            say(Ranked(spot=SEATS[result.seat - 1][0].spot, category=_WORDS[category(result.strength)]))
    for result in settlement.seats:
        seat = result.seat
        for verdict, stake in zip(result.verdicts, result.stakes, strict=True):
            if stake != 0:
                say(
                    BetSettled(
                        seat=seat,
                        bet=verdict.bet,
                        outcome=verdict.outcome,
                        odds=verdict.odds,
                        stake=stake,
                        pays=None if stake is None else verdict.pays(stake),
                        clause=verdict.clause,
                    )
                )


def confirm(state: State) -> None:
    """THB-SET-6: losing bets are taken, prizes paid; or, of a void hand, bets returned and cards collected."""
    closed = HandClosed(hand=state.hand, presses=state.presses, drawn=len(state.deal.draws))
    if not state.fire("closed"):
        return
    state.out.insert(len(state.out) - 1, closed)
    entry = {name for name, rule in state.rulebook.bets.items() if rule.multiple_of is None}
    if not state.amounts:
        entry = {state.rulebook.entry_bet}
    if state.seats:
        state.previous = {
            seat: {name: amount for name, amount in held.bets.items() if name in entry}
            for seat, held in state.seats.items()
        }
    state.seats = Seats()
    state.deal = Deal()
    state.naming = []
    state.modifier = False
