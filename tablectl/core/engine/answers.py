"""The croupier's answers to the questions that an error leaves open, and the pit boss's rulings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from tablectl.core.engine import antennas, decks, named_cards
from tablectl.core.engine.deal import Deal
from tablectl.core.engine.dealing import came_before, put_away, use_next
from tablectl.core.engine.decisions import SeatExpelled
from tablectl.core.engine.declarations import declared
from tablectl.core.engine.facts import Declared, Ruled
from tablectl.core.engine.felt import Felt
from tablectl.core.engine.incidents import (
    ask,
    ask_first,
    close,
    escalate,
    needs_reason,
    void_hand,
    void_seat,
)
from tablectl.core.engine.outcome import is_it_so_said
from tablectl.core.engine.pending import Incident, Pending
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import HOUSE, SEATS
from tablectl.core.engine.state import State
from tablectl.core.engine.two_persons import READERS_ALONE, are_two
from tablectl.core.engine.vocabulary import Chooser, Question, Refusal, Remedy


def answered(state: State, pending: Pending, answer: str | int) -> None:
    """The croupier answered. `answer` is `seen`, `not-seen`, `done`, `right`, a spot or a number, as the question wants
    it."""
    state.asking.remove(pending)
    if answer == "right" and pending.incident is None:
        state.refuse(Refusal.COUNT_IS_RIGHT, state.family.clause_on_counts(state))
    elif answer == "cancelled":
        state.refuse(Refusal.TAKEN_BACK, detail=pending.about)
        if pending.incident is not None:
            close(state, pending.incident, Remedy.CONTINUE, Chooser.CROUPIER)
    elif pending.question in _DONE:
        if pending.incident is not None:
            close(state, pending.incident, _DONE[pending.question], Chooser.CROUPIER)
        if pending.question is Question.FELT:
            antennas.looked_at(state)
        elif pending.question is Question.MOVED:
            state.family.moved(state, pending)
    else:
        of_family = state.family.answer(state, pending)
        (of_family or _ANSWERED[pending.question])(state, pending, answer)


def places_asked(state: State, pending: Pending) -> tuple[str, ...]:
    """Ruling "early burn": where a card may lie that came when none was due, if only the croupier can say it. He says
    it instead of the other answers: whether it was seen, or that it was put away."""
    incident = pending.incident
    if pending.question not in (Question.SEEN, Question.PUT_AWAY) or incident is None:
        return ()
    draw = incident.draw
    if draw is None or draw.slot is not None or incident.spot is not None:
        return ()
    places = state.family.early_places(state, incident)
    if pending.question is Question.PUT_AWAY:
        # "Bank" is what is pressed next: out of habit it must say nothing of a card.
        return tuple(spot for spot in places if spot != HOUSE[0].spot)
    return places


def _is_it_seen(state: State, pending: Pending, answer: str | int) -> None:
    assert pending.incident is not None, "only an incident leaves it open"
    if answer in places_asked(state, pending):
        state.family.lies_at(state, pending.incident, str(answer))
        return
    if state.family.seen(state, pending.incident, is_seen=answer == "seen"):
        return
    if answer == "not-seen":
        _unseen(state, pending.incident)
    else:
        _seen(state, pending.incident)


def _put_away(state: State, pending: Pending, answer: str | int) -> None:
    incident = pending.incident
    if incident is None:
        draw = state.deal.numbered(pending.drawn)
        assert draw is not None, "it is about a card"
        put_away(state, draw)
        return
    assert incident.draw is not None, "it is about a card"
    if answer in places_asked(state, pending):
        state.family.lies_at(state, incident, str(answer))
        return
    close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
    put_away(state, incident.draw)


def _deck_is_there(state: State, pending: Pending, answer: str | int) -> None:
    state.needs_deck = False
    if not state.in_play:
        # A card drawn meanwhile went away with the deck it came from.
        for incident in [asked.incident for asked in state.asking if asked.incident is not None]:
            if incident.draw is not None:
                close(state, incident, Remedy.DISCARD, Chooser.RULE)
                put_away(state, incident.draw)
        for draw in state.deal.waiting:
            put_away(state, draw)
        state.deal = Deal()
        state.felt = Felt()


def _seat_said(state: State, pending: Pending, answer: str | int) -> None:
    """One of the seats that a declaration is about."""
    assert pending.what is not None, "it is asked about a declaration"
    first, other = (str(answer), None) if pending.question is Question.WHICH_SEAT else (pending.spot, str(answer))
    declared(state, Declared(at_us=0, what=pending.what, spot=first, other=other, drawn=pending.drawn))


#: Questions that are answered by doing what is asked for, with what that closes an incident.
_DONE: Final[Mapping[Question, Remedy]] = {
    Question.MOVED: Remedy.CORRECT,
    Question.NOTHING_DRAWN: Remedy.CONTINUE,
    Question.AT_ITS_SPOT: Remedy.CONTINUE,
    Question.CARDS_THERE: Remedy.CONTINUE,
    Question.FELT: Remedy.CONTINUE,
    Question.RESHUFFLED: Remedy.RESHUFFLE,
}
_ANSWERED: Final[Mapping[Question, Callable[[State, Pending, str | int], None]]] = {
    Question.SEEN: _is_it_seen,
    Question.PUT_AWAY: _put_away,
    Question.WHICH_SEAT: _seat_said,
    Question.OTHER_SEAT: _seat_said,
    Question.NEW_DECK: _deck_is_there,
    Question.LIES_THERE: is_it_so_said,
    Question.UNREAD_THERE: antennas.unread_there_said,
    Question.DECK_COUNT: decks.count_said,
}


def _takes_two(state: State, incident: Incident, fact: Ruled) -> bool:
    """Whether this remedy takes two persons; or this person would confirm what he said himself."""
    is_own = state.setup.staff and fact.remedy is Remedy.APPROVE and named_cards.is_namer(incident, fact.by)
    return is_own or fact.remedy in incident.two_persons


def ruled(state: State, fact: Ruled) -> None:
    """THB-STF-1, TPC-PLY-3: the pit boss chose among the remedies offered."""
    incident = state.ruling.get(fact.incident) or state.requests.get(fact.incident)
    if incident is None:
        state.refuse(Refusal.UNKNOWN_INCIDENT, state.rulebook.errors.ruling, str(fact.incident))
    elif fact.remedy not in incident.remedies:
        state.refuse(Refusal.NOT_A_CHOICE, incident.clause, fact.remedy)
    elif _takes_two(state, incident, fact) and not are_two(fact.by, fact.second):
        state.refuse(Refusal.SECOND_PERSON, incident.clause, fact.remedy)
    elif needs_reason(state, incident, fact.remedy) and not fact.reason:
        state.refuse(Refusal.NO_REASON, incident.clause, fact.remedy)
    else:
        close(state, incident, fact.remedy, Chooser.PIT_BOSS)
        if incident.clause == state.rulebook.errors.deck.twice and incident.draw is not None:
            # Whatever becomes of the hand, such a deck is not dealt from again.
            state.needs_deck = state.needs_deck or fact.remedy is not Remedy.CONTINUE
        if not incident.named and state.family.ruled(state, incident, fact.remedy):
            return  # which card lies somewhere is the same matter in every game
        carry_out = _RULED.get(fact.remedy)
        if carry_out is not None:
            carry_out(state, incident)


def _void_hand(state: State, incident: Incident) -> None:
    deck = state.rulebook.errors.deck
    if incident.clause in (deck.twice, deck.missing, deck.defective):
        state.needs_deck = True
    void_hand(state, incident.clause)


def _next_card(state: State, incident: Incident) -> None:
    if incident.draw is not None and incident.draw.number in state.deal.came_before:
        came_before(state, incident.draw)
    elif incident.draw is not None and incident.draw.slot is None:
        use_next(state, incident.draw)
    elif incident.draw is not None and incident.draw.slot is not None:
        ask(state, Question.MOVED, incident.draw.slot.name)


def _discard(state: State, incident: Incident) -> None:
    if incident.draw is not None and incident.draw.slot is None:
        put_away(state, incident.draw)


def _refund_bets(state: State, incident: Incident) -> None:
    seats = _with_a_hand(state, incident)
    for seat in seats:
        state.seats.annul(seat)
        state.family.refund(state, seat, keeps_entry=False)
    _left(state, incident, seats)


def _void_seats(state: State, incident: Incident) -> None:
    seats = _with_a_hand(state, incident)
    for seat in seats:
        void_seat(state, seat, incident.clause)
        state.deal.drop(SEATS[seat - 1])
    _left(state, incident, seats)


def _left(state: State, incident: Incident, seats: list[int]) -> None:
    """These seats have their bets back; of what was settled before the pit boss rules (TPC-MIS-0)."""
    state.family.seat_left(state, incident.clause)
    if state.in_play and not state.seats.all_void:
        state.family.settled_already(state, tuple(seats))


def _with_a_hand(state: State, incident: Incident) -> list[int]:
    return [seat for seat in incident.seats if (held := state.seats.get(seat)) is not None and not held.void]


def _correct(state: State, incident: Incident) -> None:
    slot = None if incident.draw is None else incident.draw.slot
    if slot is not None and slot.seat is not None:
        ask(state, Question.MOVED, slot.name)


def _continue(state: State, incident: Incident) -> None:
    """Called to a void hand: whatever the antennas still see, a person has looked, and the cards are collected. What
    readers alone said is overruled, and they are not asked about it again."""
    if incident.report is READERS_ALONE:
        for draw, spot in incident.elsewhere:
            state.felt.overrules(draw, spot)
        if incident.draw is not None and incident.spot is not None:
            state.felt.overrules(incident.draw, incident.spot)
    if state.phase.kind is Kind.VOIDED and incident.remedies == (Remedy.CONTINUE,):
        state.felt.clear()


def _approve(state: State, incident: Incident) -> None:
    if incident.named:
        named_cards.approved(state, incident)
    else:
        state.family.approved(state, incident)


def _expel(state: State, incident: Incident) -> None:
    for seat in incident.seats:
        state.expelled.add(seat)
        state.say(SeatExpelled(seat=seat, clause=incident.clause))


_RULED: Final[Mapping[Remedy, Callable[[State, Incident], None]]] = {
    Remedy.VOID_HAND: _void_hand,
    Remedy.NEXT_CARD: _next_card,
    Remedy.DISCARD: _discard,
    Remedy.CORRECT: _correct,
    Remedy.APPROVE: _approve,
    Remedy.REJECT: named_cards.rejected,
    Remedy.REFUND_BETS: _refund_bets,
    Remedy.VOID_SEAT: _void_seats,
    Remedy.CONTINUE: _continue,
    Remedy.EXPEL: _expel,
    Remedy.REVERSE: lambda state, incident: state.family.reverse(state, incident),
}


def _unseen(state: State, incident: Incident) -> None:
    draw = incident.draw
    if draw is not None and draw.slot is None:
        # THB-ERR-4: used as if it were the next card of the deck. Not where antennas see that a seat has it as well.
        close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
        spot = state.felt.spot_of(draw)
        if spot is None or not state.family.one_too_many(state, draw, spot):
            use_next(state, draw)
        return
    if incident.remedies[0] is Remedy.NEXT_CARD and draw is not None and draw.slot is not None:
        # A burn that nobody asked for: it goes to where the next card belongs, which it is.
        close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
        ask(state, Question.MOVED, draw.slot.name)
        return
    about = draw.slot.name if draw is not None and draw.slot is not None else incident.spot or "cards"
    ask_first(state, Question.MOVED, about, incident)


def _seen(state: State, incident: Incident) -> None:
    if state.family.seen_elsewhere(state, incident):
        return
    if state.machine.refusal("void", state) is None:
        escalate(state, incident, state.family.remedies_of_seen(state, incident))
    else:
        escalate(state, incident, (Remedy.DISCARD, Remedy.NEXT_CARD))
