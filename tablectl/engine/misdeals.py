"""What a person declares about cards, the answers to the questions that follow, and the pit boss's rulings.

The clause that each function applies stands in the rulebook's `Misdeals`; its docstring names that of texas-bonus.
"""

from __future__ import annotations

from tablectl.engine.betting import after_a_seat_left
from tablectl.engine.deal import Draw
from tablectl.engine.dealing import drawn, put_away, wait
from tablectl.engine.decisions import Asked, CardPlaced
from tablectl.engine.facts import Declared, Drawn, Ruled
from tablectl.engine.incidents import ask, close, escalate, raise_incident, void_hand, void_seat
from tablectl.engine.rulebook import REOPEN, Kind
from tablectl.engine.slots import DISCARD, HOUSE, SEATS, Slot
from tablectl.engine.state import Incident, Pending, State
from tablectl.engine.words import Chooser, Declaration, Question, Refusal, Remedy, Severity

_HOUSE, _DISCARD = HOUSE[0].spot, DISCARD[0].spot
_LIVE_KINDS = frozenset({Kind.DEALING, Kind.DECIDING, Kind.REVEALING})


def declared(state: State, fact: Declared) -> None:
    """Something only a person can see."""
    if fact.what is not Declaration.UNREPORTED_CARD and not can_declare(state):
        state.refuse(Refusal.HELD)
        return
    match fact.what:
        case Declaration.FACE_UP_IN_SHOE:
            face_up(state)
        case Declaration.TURNED_WHILE_DEALT:
            turned_while_dealt(state)
        case Declaration.BANK_CARD_EXPOSED:
            bank_exposed(state)
        case Declaration.WRONG_COUNT:
            wrong_count(state, fact)
        case Declaration.WRONG_ORDER:
            wrong_order(state)
        case Declaration.UNREPORTED_CARD:
            # THB-SAB-1: it came out of the shoe all the same; which one it is shows when it is turned.
            drawn(state, Drawn(at_us=fact.at_us, card=None))


def can_declare(state: State) -> bool:
    """Whether anything may be declared now: not before the pit boss ruled, the shoe is back and the felt confirmed."""
    unsure = any(pending.question in (Question.FELT, Question.NOTHING_DRAWN) for pending in state.asking)
    return not state.ruling and state.shoe_lost is None and not unsure


def bank_exposed(state: State) -> None:
    """THB-ERR-1: a bank card was seen. Void while a decision is pending; after the last one play goes on (AMB-82)."""
    rules = state.rulebook.misdeals
    if not bank_can_show(state):
        state.refuse(Refusal.NO_CARD, rules.bank_exposed)
        return
    voids = state.phase.exposure in rules.voiding
    incident = raise_incident(
        state,
        clause=rules.bank_exposed,
        expected="house-face-down",
        observed="bank-card-exposed",
        remedies=(Remedy.VOID_HAND,) if voids else (Remedy.CONTINUE,),
        chooser=Chooser.RULE,
        severity=Severity.ALERT if voids else Severity.NOTICE,
    )
    close(state, incident, incident.remedies[0], Chooser.RULE)
    if voids:
        void_hand(state, rules.bank_exposed)


def bank_can_show(state: State) -> bool:
    """Whether the bank has a card that should lie face down."""
    return HOUSE[0] in state.deal.at and state.phase.kind in _LIVE_KINDS


def face_up(state: State) -> None:
    """THB-ERR-2: a card that lay face up in the deck is not used, the next one takes its place; THB-ERR-3: the second
    one in a hand voids it."""
    rules, last = state.rulebook.misdeals, state.deal.last
    if last is None or not face_up_applies(state):
        in_scope = rules.face_up_after_hole_cards or _hole_deal(state)
        state.refuse(Refusal.NO_CARD if in_scope else Refusal.NOT_LIVE, rules.face_up)
        return
    if last.slot is not None and not _placed_just_now(state, last):
        again = _count_face_up(state, last)
        _late(state, rules.face_up_again if again else rules.face_up, "face-up-card", last)
        return
    expected = last.slot.name if last.slot is not None else "next-card"
    for incident in [pending.incident for pending in state.asking if pending.incident is not None]:
        if incident.draw is last:
            close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
    again = _count_face_up(state, last)
    incident = raise_incident(
        state,
        clause=rules.face_up_again if again else rules.face_up,
        expected=expected,
        observed="face-up-card",
        remedies=(Remedy.VOID_HAND if again else Remedy.DISCARD,),
        chooser=Chooser.RULE,
        draw=last,
    )
    close(state, incident, incident.remedies[0], Chooser.RULE)
    if again:
        void_hand(state, rules.face_up_again)
        return
    if last.slot is not None:
        state.deal.take_back(last)
        put_away(state, last)
        if state.phase.kind is not Kind.DEALING:
            state.fire(REOPEN)
    else:
        put_away(state, last)


def _count_face_up(state: State, draw: Draw) -> bool:
    """Count this card, once, among those found face up in this hand. Whether another one was before it (THB-ERR-3)."""
    face_up = state.deal.face_up
    face_up.add(draw.number)
    return len(face_up) > 1


def turned_while_dealt(state: State) -> None:
    """Ruling 17: a card turned while being dealt to a player counts as one face up in the deck. One of the bank's is a
    bank card that was shown (THB-ERR-1)."""
    last = state.deal.last
    if last is not None and last.slot is not None and last.slot.spot == _HOUSE:
        bank_exposed(state)
    else:
        face_up(state)


def face_up_applies(state: State) -> bool:
    """Whether the card drawn last can be declared face up, in time or too late: it lies in a slot or is in question."""
    last = state.deal.last
    if last is None or not state.in_play or not (state.rulebook.misdeals.face_up_after_hole_cards or _hole_deal(state)):
        return False
    if last.slot is None:
        return _question_about(state, last) is not None
    return last.slot.spot != _DISCARD and state.phase.kind in _LIVE_KINDS


def wrong_order(state: State) -> None:
    """AMB-55: the document is silent on cards dealt in the wrong order. Unseen they are put right, seen the pit boss
    decides."""
    rules, last = state.rulebook.misdeals, state.deal.last
    if last is None or last.slot is None or not _hole_deal(state):
        state.refuse(Refusal.NO_CARD, rules.wrong_order)
        return
    if rules.wrong_order_accepted:
        state.refuse(Refusal.NOT_LIVE, rules.wrong_order)
        return
    incident = raise_incident(
        state,
        clause=rules.wrong_order,
        expected="order",
        observed="wrong-order",
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.CROUPIER,
    )
    ask(state, Question.SEEN, "moved-cards", incident)


def wrong_count(state: State, fact: Declared) -> None:
    """THB-ERR-5, -6, -7: a seat or the bank has a wrong number of cards. What is not said is asked for."""
    rules = state.rulebook.misdeals
    if not can_count(state):
        state.refuse(Refusal.NOT_LIVE, rules.wrong_count_seat)
    elif fact.spot is None:
        _ask_once(state, Question.COUNT_SPOT, "count")
    elif fact.spot not in countable(state):
        state.refuse(Refusal.UNKNOWN_SEAT, rules.wrong_count_seat, fact.spot)
    elif fact.cards is None:
        _ask_once(state, Question.COUNT_CARDS, fact.spot)
    else:
        _counted(state, fact.spot, max(fact.cards, 0), fact.lap if fact.lap in (1, 2) else None)


def can_count(state: State) -> bool:
    """Whether a wrong count can be declared: cards are out, and no other count is in question."""
    return (
        state.phase.kind in _LIVE_KINDS
        and bool(state.deal.draws)
        and all(
            pending.question is Question.SEEN and (pending.incident is None or pending.incident.spot is None)
            for pending in state.asking
        )
    )


def countable(state: State) -> tuple[str, ...]:
    """The spots whose cards can be counted: the bank and every seat in the hand."""
    return (_HOUSE, *(f"seat-{seat}" for seat in state.order if not state.seats[seat].void))


def answered(state: State, pending: Pending, answer: str | int) -> None:
    """The croupier answered. `answer` is `seen`, `not-seen`, `done`, `right`, a spot or a number, as the question wants
    it."""
    state.asking.remove(pending)
    incident = pending.incident
    match pending.question:
        case Question.COUNT_SPOT | Question.COUNT_CARDS if answer == "right":
            state.refuse(Refusal.COUNT_IS_RIGHT, state.rulebook.misdeals.wrong_count_seat)
        case Question.SEEN if incident is not None:
            if answer == "not-seen":
                _unseen(state, incident)
            else:
                _seen(state, incident)
        case Question.COUNT_SPOT:
            _ask_once(state, Question.COUNT_CARDS, str(answer))
        case Question.COUNT_CARDS:
            _counted(state, pending.about, int(answer), None)
        case Question.COUNT_LAP if pending.cards is not None:
            _counted(state, pending.about, pending.cards, int(answer))
        case Question.PUT_AWAY if incident is not None and incident.draw is not None:
            close(state, incident, Remedy.DISCARD, Chooser.CROUPIER)
            put_away(state, incident.draw)
        case Question.MOVED if incident is not None:
            close(state, incident, Remedy.CORRECT, Chooser.CROUPIER)
        case Question.NOTHING_DRAWN if incident is not None:
            close(state, incident, Remedy.CONTINUE, Chooser.CROUPIER)
        case _:
            pass


def ruled(state: State, fact: Ruled) -> None:
    """THB-STF-1: the pit boss chose among the remedies offered."""
    incident = state.ruling.get(fact.incident)
    if incident is None:
        state.refuse(Refusal.UNKNOWN_INCIDENT, state.rulebook.misdeals.ruling, str(fact.incident))
        return
    if fact.remedy not in incident.remedies:
        state.refuse(Refusal.NOT_A_CHOICE, incident.clause, fact.remedy)
        return
    close(state, incident, fact.remedy, Chooser.PIT_BOSS)
    draw = incident.draw if incident.draw is not None and incident.draw.slot is None else None
    match fact.remedy:
        case Remedy.VOID_HAND:
            void_hand(state, incident.clause)
        case Remedy.NEXT_CARD if draw is not None:
            wait(state, draw)
        case Remedy.DISCARD if draw is not None:
            put_away(state, draw)
        case _:
            pass


def _unseen(state: State, incident: Incident) -> None:
    if incident.draw is not None and incident.draw.slot is None:
        # THB-ERR-4: used as if it were the next card of the deck.
        close(state, incident, Remedy.NEXT_CARD, Chooser.CROUPIER)
        wait(state, incident.draw)
        return
    about = incident.draw.slot.name if incident.draw is not None and incident.draw.slot is not None else "cards"
    state.asking.insert(0, Pending(Question.MOVED, about, incident))
    state.say(Asked(question=Question.MOVED, about=about, incident=incident.number))


def _seen(state: State, incident: Incident) -> None:
    rules = state.rulebook.misdeals
    if incident.spot is not None:
        # A wrong count that could have been put right, had the card not been seen.
        spot, draw = incident.spot, incident.draw
        close(state, incident, _count_remedy(state, spot), Chooser.CROUPIER)
        if draw is None or draw.slot is None:
            _void_for_count(state, spot, observed="card-seen", off=0, lap=None)
            if draw is not None and spot != _HOUSE:
                put_away(state, draw)
            return
        missing = draw.slot in _slots_of(spot)
        lap = draw.slot.position if missing else state.deal.plan[state.deal.next - 2].position
        _void_for_count(state, spot, observed="card-seen", off=-1 if missing else 1, lap=lap)
        return
    if state.machine.refusal("void", state) is None:
        escalate(state, incident, rules.seen_early if incident.draw else (Remedy.VOID_HAND, Remedy.CONTINUE))
    else:
        escalate(state, incident, (Remedy.DISCARD, Remedy.NEXT_CARD))


def _counted(state: State, spot: str, cards: int, lap: int | None) -> None:
    slots = _slots_of(spot)
    have = sum(slot in state.deal.at for slot in slots)
    question = _question_about(state, state.deal.last)
    if cards == have + 1 and question is not None and question.incident is not None:
        # The card in question is the one too many: what follows from it depends on whether it was seen.
        question.incident.spot = spot
        state.say(Asked(question=question.question, about=question.about, incident=question.incident.number))
        return
    if cards == have:
        state.refuse(Refusal.COUNT_IS_RIGHT, state.rulebook.misdeals.wrong_count_seat, f"{spot}={have}")
        return
    if abs(cards - have) == 1 and _last_at_issue(state, slots, extra=cards > have):
        rules = state.rulebook.misdeals
        incident = raise_incident(
            state,
            clause=rules.bank_in_place if spot == _HOUSE else rules.drawn_early,
            expected=f"{spot}={have}",
            observed=f"{spot}={cards}",
            remedies=(Remedy.CORRECT,),
            chooser=Chooser.CROUPIER,
            draw=state.deal.last,
            spot=spot,
        )
        ask(state, Question.SEEN, "last-card", incident)
        return
    if lap is None and spot != _HOUSE and _can_lay_anew(state) and abs(cards - have) == 1:
        if slots[1] in state.deal.at:
            pending = ask(state, Question.COUNT_LAP, spot)
            pending.cards = cards
            return
        lap = 1
    _void_for_count(state, spot, observed=f"{spot}={cards}", off=cards - have, lap=lap)


def _void_for_count(state: State, spot: str, *, observed: str, off: int, lap: int | None) -> None:
    """THB-ERR-5 for a seat, THB-ERR-6 for the bank. `off`: cards too many, or too few where it is negative."""
    rules = state.rulebook.misdeals
    clause = rules.wrong_count_bank if spot == _HOUSE else rules.wrong_count_seat
    have = sum(slot in state.deal.at for slot in _slots_of(spot))
    incident = raise_incident(
        state,
        clause=clause,
        expected=f"{spot}={have}",
        observed=observed,
        remedies=(_count_remedy(state, spot),),
        chooser=Chooser.RULE,
        spot=spot,
    )
    close(state, incident, _count_remedy(state, spot), Chooser.RULE)
    if incident.remedies[0] is Remedy.VOID_HAND:
        void_hand(state, clause)
        return
    seat = _seat(spot)
    void_seat(state, seat, clause)
    if lap is not None and abs(off) == 1 and SEATS[seat - 1][lap - 1] in state.deal.at and _can_lay_anew(state):
        _rewrite(state, seat, lap, extra=off > 0)
    after_a_seat_left(state, clause)


def _rewrite(state: State, seat: int, lap: int, *, extra: bool) -> None:
    """The cards behind the one too many (or missing) lie one place further on (or back) than the plan had them: lay
    them anew in the order in which they were drawn, and enforce that plan from here on."""
    deal, slots = state.deal, SEATS[seat - 1]
    plan = list(deal.plan)
    at = plan.index(slots[lap - 1])
    if extra:
        plan.insert(at + 1, slots[2])
    else:
        del plan[at]
    moved, surplus = deal.rewrite(plan)
    for draw in moved:
        assert draw.slot is not None
        state.say(CardPlaced(draw=draw.number, slot=draw.slot))
    for draw in surplus:
        wait(state, draw)
    if deal.due is not None and state.phase.kind is not Kind.DEALING:
        state.fire(REOPEN)
    elif deal.due is None and state.phase.kind is Kind.DEALING:
        state.fire("dealt")


def _late(state: State, clause: str, observed: str, draw: Draw) -> None:
    """Declared after the deadline: the document does not say what then; the pit boss does."""
    raise_incident(
        state,
        clause=clause,
        expected="declared-at-once",
        observed=observed,
        remedies=(Remedy.VOID_HAND, Remedy.CONTINUE),
        chooser=Chooser.PIT_BOSS,
        draw=draw,
    )


def _placed_just_now(state: State, last: Draw) -> bool:
    """Whether `last` was the latest card of the plan in force and nobody has decided anything since."""
    deal = state.deal
    in_plan = deal.next > 0 and deal.plan[deal.next - 1] is last.slot
    return in_plan and not _decided_since(state) and state.phase.kind in _LIVE_KINDS and not deal.waiting


def _decided_since(state: State) -> bool:
    """Whether somebody has decided since the plan in force was dealt, up to everybody who folded or left."""
    return bool(state.decided) or any(state.seats[seat].folded for seat in state.order if _hole_plan(state))


def _hole_deal(state: State) -> bool:
    """Whether the plan in force is that of the cards face down to the seats, and no decision followed it yet."""
    return _hole_plan(state) and not _decided_since(state)


def _can_lay_anew(state: State) -> bool:
    """Whether the hole cards can still be assigned to other slots: no common card lies on top of them."""
    return _hole_plan(state) and state.phase.kind is not Kind.REVEALING


def _hole_plan(state: State) -> bool:
    plan = state.deal.plan
    return bool(plan) and plan[0].seat is not None


def _last_at_issue(state: State, slots: tuple[Slot, ...], *, extra: bool) -> bool:
    """THB-ERR-7's condition: the sequence is intact, since the card that went wrong is the one drawn last."""
    deal, last = state.deal, state.deal.last
    if last is None or last.slot is None or not _hole_deal(state) or not _placed_just_now(state, last):
        return False
    if not extra:
        return last.slot in slots
    return deal.next > 1 and deal.plan[deal.next - 2] in slots


def _question_about(state: State, draw: Draw | None) -> Pending | None:
    """The open question whether this card was seen, where it is one that belongs nowhere yet."""
    for pending in state.asking:
        incident = pending.incident
        if pending.question is Question.SEEN and incident is not None and draw is not None and incident.draw is draw:
            return pending if draw.slot is None else None
    return None


def _ask_once(state: State, question: Question, about: str) -> None:
    pending = Pending(question, about)
    state.asking.insert(0, pending)
    state.say(Asked(question=question, about=about))


def _slots_of(spot: str) -> tuple[Slot, ...]:
    """Of a spot that is `countable`."""
    return HOUSE if spot == _HOUSE else SEATS[_seat(spot) - 1]


def _seat(spot: str) -> int:
    return int(spot.removeprefix("seat-"))


def _count_remedy(state: State, spot: str) -> Remedy:
    return Remedy.VOID_HAND if spot == _HOUSE else state.rulebook.misdeals.count_remedy
