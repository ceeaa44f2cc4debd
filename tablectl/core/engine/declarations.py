"""What a person can declare: one literal table of when each can be, what will follow from it, and what does it.

The panel's list, the screen's and the rule itself are all made of this table, so they agree.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

from tablectl.core.engine import antennas, decks, misplaced, unconfirmed_cards
from tablectl.core.engine.deal import STAND_IN, Draw
from tablectl.core.engine.dealing import drawn, early_remedy, is_due
from tablectl.core.engine.declared_cards import lying, meant, newest_first
from tablectl.core.engine.facts import Called, Declared, Drawn
from tablectl.core.engine.incidents import called, can_void, hand_over
from tablectl.core.engine.move import CardOffered
from tablectl.core.engine.outcome import raised
from tablectl.core.engine.pending import Pending, entry_word
from tablectl.core.engine.prompt import Offer
from tablectl.core.engine.rule import Outcome, Rule, names_card
from tablectl.core.engine.rulebook import IN_HAND
from tablectl.core.engine.seat_said import one_seat, seats_in_hand
from tablectl.core.engine.slots import DISCARD, Slot
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Declaration, Key, Question, Refusal, Remedy, Severity


def _always_in_play(state: State) -> bool:
    return True


def _deck_applies(state: State) -> bool:
    return _always_in_play(state) and decks.can_be_withdrawn(state)


def _unreported_cards(state: State) -> tuple[Draw, ...]:
    """Where a card that nobody reported can lie: where the next one is due, or where a card of the plan in force was
    taken to lie, which came after it then. One that was seen at its place lies there."""
    deal, due = state.deal, state.deal.due if is_due(state) else None
    earlier = (
        [deal.at[slot] for slot in deal.plan[: deal.next] if slot in deal.at] if state.phase.kind in IN_HAND else []
    )
    not_seen = newest_first(draw for draw in earlier if draw.number not in state.felt.confirmed)
    return (Draw(len(deal.draws) + 1, None, due), *not_seen)


def _unreported(state: State, fact: Declared) -> None:
    """THB-SAB-1: it came out of the shoe all the same; which one it is shows when it is turned. Of one that came before
    others the pit boss rules (ruling 17)."""
    after = meant(fact, _unreported_cards(state)) if fact.drawn is not None else None
    if fact.drawn is not None and after is None:
        state.refuse(Refusal.NO_CARD, state.rulebook.errors.outside_shoe)
    elif after is None and state.family.is_counted(state):
        pass
    elif after is None or after.number > len(state.deal.draws):
        drawn(state, Drawn(at_us=fact.at_us, card=None))
        antennas.place_held_back(state)
        state.family.unreported(state)
    elif not can_declare(state):
        state.refuse(Refusal.HELD)
    else:
        _unreported_before(state, after)


def _unreported_before(state: State, after: Draw) -> None:
    draw, _ = state.deal.note(None)
    state.deal.came_before[draw.number] = after
    assert after.slot is not None, "it lies at a place of the plan"
    outcome = Outcome(
        clause=state.rulebook.errors.outside_shoe,
        expected=after.slot.name,
        observed="unreported-card",
        remedies=(Remedy.NEXT_CARD, Remedy.VOID_HAND, Remedy.DISCARD),
        chooser=Chooser.PIT_BOSS,
        draw=draw,
    )
    raised(state, outcome)


def _unreported_outcome(state: State) -> Outcome:
    remedy, chooser = (Remedy.NEXT_CARD, Chooser.RULE) if is_due(state) else early_remedy(state)
    return Outcome(
        clause=state.rulebook.errors.outside_shoe if is_due(state) else state.family.early_clause(state),
        expected="card-reported",
        observed="unreported-card",
        remedies=(remedy,),
        chooser=chooser,
        severity=Severity.NOTICE,
    )


def _elsewhere_cards(state: State) -> tuple[Draw, ...]:
    """The cards that can lie at a seat without belonging there."""
    if state.phase.kind not in IN_HAND or not seats_in_hand(state):
        return ()
    put_away = [draw for draw in state.deal.draws if draw.slot is not None and draw.slot.spot == DISCARD[0].spot]
    some_discard = state.family.some_discard(state)
    return (*newest_first((*lying(state), *put_away)), *(() if some_discard is None else (some_discard,)))


def _place_of(draw: Draw) -> Slot:
    """Where such a card belongs: a discard of which nobody knows which one it is has no place of its own."""
    return draw.slot or DISCARD[0]


def _elsewhere_applies(state: State) -> bool:
    return bool(_elsewhere_cards(state))


def _elsewhere_outcome(state: State) -> Outcome:
    slot = _place_of(_elsewhere_cards(state)[0])
    return Outcome(
        clause=state.rulebook.errors.dealt_by(slot),
        expected=slot.name,
        observed=Declaration.CARD_ELSEWHERE,
        remedies=(Remedy.CORRECT,),
        chooser=Chooser.PIT_BOSS if misplaced.is_dead(slot) else Chooser.CROUPIER,
    )


def _elsewhere(state: State, fact: Declared) -> None:
    """Rulings "wrong place", "burn at a seat": what readers say of a card that was carried to a seat, said by a person
    where they do not. `spot`: where it lies."""
    cards = _elsewhere_cards(state)
    draw = meant(replace(fact, spot=None), cards)
    if draw is None:
        state.refuse(Refusal.NO_CARD, detail=fact.what)
        return
    slot = _place_of(draw)
    seat = one_seat(state, fact, seats_in_hand(state), state.rulebook.errors.dealt_by(slot))
    if seat is None:
        return
    if slot.seat == seat or any(_is_about(asked, draw) for asked in state.asking):
        state.refuse(Refusal.CARD_KNOWN, state.rulebook.errors.dealt_by(slot), slot.name)
    else:
        misplaced.judge(state, draw, slot, f"seat-{seat}")


def _is_about(asked: Pending, draw: Draw) -> bool:
    """Whether it is asked about this card already: what was wrong with it, or who gets the one after it."""
    is_next = asked.question is Question.NEXT_SEAT and draw.slot is not None and asked.about == draw.slot.name
    return is_next or (asked.incident is not None and asked.incident.draw is draw)


def _call(state: State, fact: Declared) -> None:
    """THB-STF-1, TPC-MIS-0: a misdeal that is none of the others, or whatever else there is: it is for the pit boss."""
    called(state, Called(at_us=fact.at_us, by="croupier"))


def _call_outcome(state: State) -> Outcome:
    return Outcome(
        clause=state.rulebook.errors.ruling,
        expected="play",
        observed="called",
        remedies=(Remedy.CONTINUE, Remedy.VOID_HAND) if can_void(state) else (Remedy.CONTINUE,),
        chooser=Chooser.PIT_BOSS,
    )


def _is_any_entry(state: State) -> bool:
    return bool(state.entries)


def _wrong_key(state: State, fact: Declared) -> None:
    """Ruling "Who confirms": the croupier says which entry was wrong, without a word the newest; then two persons put
    it right, or the pit boss lets it stand."""
    number = fact.entry if fact.entry is not None else next(iter(state.entries[-1:]), None)
    if number is None or number not in state.entries:
        state.refuse(Refusal.NO_ENTRY, detail="" if number is None else str(number))
        return
    hand_over(state, expected=entry_word(number), observed=Declaration.WRONG_KEY, choices=(Remedy.CONTINUE,))


def _wrong_key_outcome(state: State) -> Outcome:
    return replace(_call_outcome(state), expected=entry_word(state.entries[-1]), observed=Declaration.WRONG_KEY)


#: What can be declared in every game, in the order in which it is offered: at the end of a game's own list.
IN_EVERY_GAME: Final[Mapping[Declaration, Rule[State]]] = {
    Declaration.MISSING_CARD: Rule(applies=_deck_applies, foretells=decks.missing_outcome, does=decks.missing_card),
    Declaration.DEFECTIVE_DECK: Rule(
        applies=_deck_applies, foretells=decks.defective_outcome, does=decks.defective_deck
    ),
    Declaration.UNREPORTED_CARD: Rule(
        applies=_always_in_play,
        foretells=_unreported_outcome,
        does=_unreported,
        cards=_unreported_cards,
    ),
    Declaration.PIT_BOSS: Rule(applies=_always_in_play, foretells=_call_outcome, does=_call),
    Declaration.NOT_OF_DECK: Rule(
        applies=_deck_applies, foretells=decks.not_of_deck_outcome, does=decks.card_not_of_deck
    ),
    Declaration.CARD_ELSEWHERE: Rule(
        applies=_elsewhere_applies, foretells=_elsewhere_outcome, does=_elsewhere, cards=_elsewhere_cards
    ),
}
#: At the very end of the list of every game.
LAST: Final[Mapping[Declaration, Rule[State]]] = {
    Declaration.WRONG_KEY: Rule(applies=_is_any_entry, foretells=_wrong_key_outcome, does=_wrong_key),
}


def picks(state: State) -> tuple[Key, ...]:
    """The keys that choose from the list, in its order."""
    return state.family.picks


def declared(state: State, fact: Declared) -> None:
    """Something only a person can see. One that cannot be made now changes nothing and says why."""
    if fact.what is not Declaration.UNREPORTED_CARD and not can_declare(state):
        state.refuse(Refusal.HELD)
    elif (rule := state.family.declarations.get(fact.what)) is None:
        state.refuse(Refusal.NOT_LIVE, detail=fact.what)
    elif fact.drawn is not None and not names_card(rule):
        state.refuse(Refusal.NO_CARD, detail=fact.what)
    elif fact.entry is not None and fact.what not in LAST:
        state.refuse(Refusal.NO_ENTRY, detail=str(fact.entry))
    else:
        if fact.what is Declaration.WRONG_COUNT:
            unconfirmed_cards.counted(state)
        rule.does(state, fact)


def can_declare(state: State) -> bool:
    """Whether anything may be declared now: not before the pit boss ruled, the shoe is back and the felt confirmed."""
    return not state.ruling and state.shoe_lost is None and not is_felt_uncertain(state)


def is_felt_uncertain(state: State) -> bool:
    """Whether the croupier has yet to say that the cards lie as the table has them."""
    return any(pending.question in (Question.FELT, Question.NOTHING_DRAWN) for pending in state.asking)


def asked_now(state: State) -> Pending | None:
    """The question that the croupier answers now, where one can be answered. One about a declaration that he has begun
    waits with all declarations: until the pit boss has ruled, the shoe is back and the felt is confirmed."""
    if not state.asking or state.shoe_lost is not None:
        return None
    able = can_declare(state)
    return next((pending for pending in state.asking if able or pending.what is None), None)


def offered(state: State) -> tuple[Declaration, ...]:
    """What may be declared now."""
    return offered_of(state, state.family.declarations)


def declarable(state: State) -> tuple[Declaration, ...]:
    """The same, and what may be declared of a card that is named."""
    if not can_declare(state):
        return ()
    return tuple([what for what, rule in state.family.declarations.items() if rule.applies(state) or rule.cards(state)])


def offered_of(state: State, some: Iterable[Declaration]) -> tuple[Declaration, ...]:
    """Which of these may be declared now."""
    if not can_declare(state):
        return ()
    rules = state.family.declarations
    return tuple([what for what in some if what in rules and rules[what].applies(state)])


def is_any_offered(state: State) -> bool:
    """Whether anything may be declared now: looked at with every prompt, so no longer than until the first one."""
    return can_declare(state) and any(rule.applies(state) for rule in state.family.declarations.values())


def can(state: State, what: Declaration) -> bool:
    """Whether this one may be declared now."""
    return bool(offered_of(state, (what,)))


def offers(state: State) -> tuple[Offer, ...]:
    """The panel's list as it is open now, each with what will happen. One that has ceased to apply is left out."""
    made = []
    for key, what in zip(picks(state), state.menu, strict=False):
        rule = state.family.declarations[what]
        if rule.applies(state):
            outcome = rule.foretells(state)
            offer = Offer(what=what, clause=outcome.clause, remedies=outcome.remedies, chooser=outcome.chooser, key=key)
            cards = cards_of(state, what)
            made.append(replace(offer, cards=cards) if cards else offer)
    return tuple(made)


def cards_of(state: State, what: Declaration) -> tuple[CardOffered, ...]:
    """The cards that this declaration can be about, the one that is taken where none is named in front. Never which
    cards these are."""
    return tuple(CardOffered(draw=draw.number, place=_place(state, draw)) for draw in _cards(state, what))


def _cards(state: State, what: Declaration) -> tuple[Draw, ...]:
    return state.family.declarations[what].cards(state)


def _place(state: State, draw: Draw) -> str | None:
    if draw.number == STAND_IN:
        return DISCARD[0].spot
    return draw.slot.name if draw.slot is not None else state.felt.spot_of(draw)
