"""What a person can declare: one literal table of when each can be, what will follow from it, and what does it.

The panel's list, the screen's and the rule itself are all made of this table, so they agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.circle import declarations as circle
from tablectl.core.engine.circle.common_cards import unreported
from tablectl.core.engine.circle.draw import declarations as draw
from tablectl.core.engine.dealing import drawn, early_clause, early_remedy, is_due
from tablectl.core.engine.errors import conduct, counting, decks, exposure, order
from tablectl.core.engine.errors.outcome import Outcome
from tablectl.core.engine.errors.rule import Rule
from tablectl.core.engine.facts import Called, Declared, Drawn
from tablectl.core.engine.incidents import called, can_void
from tablectl.core.engine.state import Pending, State
from tablectl.core.engine.words import (
    CIRCLE_PICKS,
    PICKS,
    Chooser,
    Declaration,
    Equipment,
    Key,
    Question,
    Refusal,
    Remedy,
    Severity,
)
from tablectl.core.records import record


def _always_in_play(state: State) -> bool:
    return True


def _deck_applies(state: State) -> bool:
    return _always_in_play(state) and decks.can_be_withdrawn(state)


def _unreported(state: State, fact: Declared) -> None:
    """THB-SAB-1: it came out of the shoe all the same; which one it is shows when it is turned."""
    drawn(state, Drawn(at_us=fact.at_us, card=None))
    if state.circle is not None:
        unreported.noted(state, state.circle)


def _unreported_outcome(state: State) -> Outcome:
    remedy, chooser = (Remedy.NEXT_CARD, Chooser.RULE) if is_due(state) else early_remedy(state)
    return Outcome(
        clause=state.rulebook.errors.outside_shoe if is_due(state) else early_clause(state),
        expected="card-reported",
        observed="unreported-card",
        remedies=(remedy,),
        chooser=chooser,
        severity=Severity.NOTICE,
    )


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


#: In the order in which they are offered: what happens most often while cards are dealt first.
_RULES: Final[Mapping[Declaration, Rule]] = {
    Declaration.BANK_CARD_EXPOSED: Rule(
        applies=exposure.bank_can_show, foretells=exposure.bank_outcome, does=exposure.bank_exposed
    ),
    Declaration.FACE_UP_IN_SHOE: Rule(
        applies=exposure.face_up_applies, foretells=exposure.face_up_outcome, does=exposure.face_up
    ),
    Declaration.TURNED_WHILE_DEALT: Rule(
        applies=exposure.turned_applies, foretells=exposure.turned_outcome, does=exposure.turned_while_dealt
    ),
    Declaration.WRONG_COUNT: Rule(applies=counting.can_count, foretells=counting.foretold, does=counting.wrong_count),
    Declaration.WRONG_ORDER: Rule(
        applies=order.wrong_order_applies, foretells=order.wrong_order_outcome, does=order.wrong_order
    ),
    Declaration.BURNED: Rule(applies=order.burnt_applies, foretells=order.burnt_outcome, does=order.burnt),
    Declaration.CARDS_IN_CONTACT: Rule(
        applies=conduct.contact_applies, foretells=conduct.contact_outcome, does=conduct.contact
    ),
    Declaration.OWN_CARDS_SHOWN: Rule(
        applies=conduct.own_cards_apply, foretells=conduct.own_cards_outcome, does=conduct.own_cards_shown
    ),
    Declaration.SHOWED_CARDS: Rule(
        applies=conduct.talk_applies, foretells=conduct.showed_outcome, does=conduct.showed_cards
    ),
    Declaration.COMMENTED: Rule(
        applies=conduct.talk_applies, foretells=conduct.commented_outcome, does=conduct.commented
    ),
    Declaration.TWO_BOXES: Rule(
        applies=conduct.two_boxes_apply, foretells=conduct.two_boxes_outcome, does=conduct.two_boxes
    ),
    Declaration.NOT_CHIPS: Rule(
        applies=conduct.not_chips_applies, foretells=conduct.not_chips_outcome, does=conduct.not_chips
    ),
    Declaration.MISSING_CARD: Rule(applies=_deck_applies, foretells=decks.missing_outcome, does=decks.missing_card),
    Declaration.DEFECTIVE_DECK: Rule(
        applies=_deck_applies, foretells=decks.defective_outcome, does=decks.defective_deck
    ),
    Declaration.UNREPORTED_CARD: Rule(
        applies=lambda state: state.setup.equipment is not Equipment.ANTENNAS,
        foretells=_unreported_outcome,
        does=_unreported,
    ),
    Declaration.STANDING_BET: Rule(
        applies=conduct.standing_applies, foretells=conduct.standing_outcome, does=conduct.standing_bet
    ),
    Declaration.PIT_BOSS: Rule(applies=_always_in_play, foretells=_call_outcome, does=_call),
}


#: A circle game's list ends as every other one does.
_ALWAYS: Final = (
    Declaration.MISSING_CARD,
    Declaration.DEFECTIVE_DECK,
    Declaration.UNREPORTED_CARD,
    Declaration.PIT_BOSS,
)
_CIRCLE_RULES: Final[Mapping[Declaration, Rule]] = {**circle.RULES, **{what: _RULES[what] for what in _ALWAYS}}
_DRAW_RULES: Final[Mapping[Declaration, Rule]] = {**draw.RULES, **{what: _RULES[what] for what in _ALWAYS}}


def _rules(state: State) -> Mapping[Declaration, Rule]:
    if state.is_draw:
        return _DRAW_RULES
    return _RULES if state.circle is None else _CIRCLE_RULES


@record
class Offer:
    """A declaration that can be made now, and what will happen: under which clause, which remedies, who chooses."""

    what: Declaration
    clause: str
    remedies: tuple[Remedy, ...]
    chooser: Chooser
    #: the key that chooses it
    key: Key


def picks(state: State) -> tuple[Key, ...]:
    """The keys that choose from the list, in its order."""
    return PICKS if state.circle is None else CIRCLE_PICKS


def declared(state: State, fact: Declared) -> None:
    """Something only a person can see. One that cannot be made now changes nothing and says why."""
    if fact.what is not Declaration.UNREPORTED_CARD and not can_declare(state):
        state.refuse(Refusal.HELD)
    elif fact.what not in _rules(state):
        state.refuse(Refusal.NOT_LIVE, detail=fact.what)
    else:
        _rules(state)[fact.what].does(state, fact)


def can_declare(state: State) -> bool:
    """Whether anything may be declared now: not before the pit boss ruled, the shoe is back and the felt confirmed."""
    unsure = any(pending.question in (Question.FELT, Question.NOTHING_DRAWN) for pending in state.asking)
    return not state.ruling and state.shoe_lost is None and not unsure


def asked_now(state: State) -> Pending | None:
    """The question that the croupier answers now, where one can be answered. One about a declaration that he has begun
    waits with all declarations: until the pit boss has ruled, the shoe is back and the felt is confirmed."""
    if not state.asking or state.shoe_lost is not None:
        return None
    able = can_declare(state)
    return next((pending for pending in state.asking if able or pending.what is None), None)


def offered(state: State) -> tuple[Declaration, ...]:
    """What may be declared now."""
    if not can_declare(state):
        return ()
    return tuple(what for what, rule in _rules(state).items() if rule.applies(state))


def is_any_offered(state: State) -> bool:
    """Whether anything may be declared now: looked at with every prompt, so no longer than until the first one."""
    return can_declare(state) and any(rule.applies(state) for rule in _rules(state).values())


def can(state: State, what: Declaration) -> bool:
    """Whether this one may be declared now."""
    rule = _rules(state).get(what)
    return rule is not None and can_declare(state) and rule.applies(state)


def offers(state: State) -> tuple[Offer, ...]:
    """The panel's list as it is open now, each with what will happen. One that has ceased to apply is left out."""
    made = []
    for key, what in zip(picks(state), state.menu, strict=False):
        rule = _rules(state)[what]
        if rule.applies(state):
            outcome = rule.foretells(state)
            made.append(
                Offer(what=what, clause=outcome.clause, remedies=outcome.remedies, chooser=outcome.chooser, key=key)
            )
    return tuple(made)
