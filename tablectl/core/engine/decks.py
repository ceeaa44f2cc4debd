"""A deck that is not as it should be: cards missing, marked, damaged, double or foreign. It is withdrawn, and another
one is asked for."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tablectl.core.cards import DECK
from tablectl.core.engine.facts import Counted, Declared, Shuffled
from tablectl.core.engine.incidents import ask, can_void, close, raise_incident
from tablectl.core.engine.outcome import carried_out
from tablectl.core.engine.pending import Pending
from tablectl.core.engine.rule import Outcome
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.slots import DECK_SPOT
from tablectl.core.engine.state import State
from tablectl.core.engine.vocabulary import Chooser, Declaration, Question, Refusal, Remedy

#: No hand is annulled: another deck takes the place of this one, now or before the next hand.
_CHANGED: Final = ((Remedy.CONTINUE,), (Remedy.NEW_DECK,))


def missing_outcome(state: State) -> Outcome:
    """TPC-MIS-4: a card is missing."""
    return _outcome(state, state.rulebook.errors.deck.missing, "52-cards", Declaration.MISSING_CARD)


def defective_outcome(state: State) -> Outcome:
    """TPC-MIS-5: the deck is marked, damaged, or not what it should be."""
    return _outcome(state, state.rulebook.errors.deck.defective, "sound-deck", Declaration.DEFECTIVE_DECK)


def not_of_deck(state: State, observed: str) -> Outcome:
    """AMB-13 with its ruling: a card that is double or of another deck, however late. The pit boss decides, void is
    proposed, whoever found it: nobody can trust the result."""
    return Outcome(
        clause=state.rulebook.errors.deck.defective,
        expected="52-different-cards",
        observed=observed,
        remedies=(Remedy.VOID_HAND, Remedy.CONTINUE) if can_void(state) else (Remedy.CONTINUE,),
        chooser=Chooser.PIT_BOSS,
    )


def not_of_deck_outcome(state: State) -> Outcome:
    """The same, said by a person. Where a deck that is marked would simply be changed, this one is, too."""
    of_marked = defective_outcome(state)
    if of_marked.remedies in _CHANGED:
        return replace(of_marked, observed=Declaration.NOT_OF_DECK)
    return not_of_deck(state, Declaration.NOT_OF_DECK)


def missing_card(state: State, fact: Declared) -> None:
    """A card of the deck was found to be missing."""
    _declared(state, missing_outcome(state))


def defective_deck(state: State, fact: Declared) -> None:
    """The deck was found to be defective."""
    _declared(state, defective_outcome(state))


def card_not_of_deck(state: State, fact: Declared) -> None:
    """A card was found to be double, or of another deck."""
    _declared(state, not_of_deck_outcome(state))


def can_be_withdrawn(state: State) -> bool:
    """Whether anything follows from what is wrong with the deck: not where a hand is void and another deck takes its
    place already."""
    return not (state.phase.kind is Kind.VOIDED and state.needs_deck)


def _declared(state: State, outcome: Outcome) -> None:
    if can_be_withdrawn(state):
        _withdraw(state, outcome)
    else:
        state.refuse(Refusal.NOT_OFFERED, outcome.clause)


def _outcome(state: State, clause: str, expected: str, observed: str) -> Outcome:
    """Void while the hand is not closed, or for the pit boss where the document is silent (AMB-13). Between hands the
    deck is changed, and that is all."""
    return state.family.deck_outcome(state, clause, expected, observed)


def _withdraw(state: State, outcome: Outcome) -> None:
    state.needs_deck, state.is_shuffled = True, False
    state.family.deck_withdrawn(state, carried_out(state, outcome))
    if not state.in_play or outcome.remedies == (Remedy.NEW_DECK,):
        ask_for_deck(state)


def ask_for_deck(state: State) -> None:
    """Before the next hand: a deck was withdrawn, another one has to be in its place, counted."""
    if not _is_asked(state, Question.NEW_DECK):
        ask(state, Question.NEW_DECK, DECK_SPOT)


def _is_asked(state: State, question: Question) -> bool:
    return any(pending.question is question for pending in state.asking)


def counted(state: State, fact: Counted) -> None:
    """TPC-MIS-4: before the deal all 52 cards have been seen. Those that were not may only have been read badly, so the
    croupier counts before a deck is withdrawn, and what he says holds until the hand is over."""
    if state.phase.kind not in (Kind.IDLE, Kind.BETTING):
        state.refuse(Refusal.HAND_IN_PLAY)
    elif state.is_deck_whole:
        pass
    elif fact.cards != len(DECK) and not state.needs_deck and not _is_asked(state, Question.DECK_COUNT):
        incident = raise_incident(
            state,
            clause=state.rulebook.errors.deck.counted or state.rulebook.errors.deck.missing,
            expected="52-cards",
            observed=f"deck={fact.cards}",
            remedies=(Remedy.CONTINUE,),
            chooser=Chooser.CROUPIER,
        )
        ask(state, Question.DECK_COUNT, DECK_SPOT, incident)


def count_said(state: State, pending: Pending, answer: str | int) -> None:
    """The croupier has counted the deck."""
    assert pending.incident is not None, "it is asked about a count"
    close(state, pending.incident, Remedy.CONTINUE, Chooser.CROUPIER)
    state.is_deck_whole = answer != "missing"
    if not state.is_deck_whole:
        state.is_reported = True  # the antennas counted as he does
        _withdraw(state, missing_outcome(state))


def shuffled(state: State, fact: Shuffled) -> None:
    """THB-SAB-2: the shuffle inside the shoe is complete. A count other than 52 is a card that is missing, or too
    many."""
    if state.in_play and state.family.shuffled(state, fact.cards):
        return
    if fact.cards == len(DECK):
        state.is_shuffled = True
    elif not state.needs_deck:
        _withdraw(state, missing_outcome(state))
