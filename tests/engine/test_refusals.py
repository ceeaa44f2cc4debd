"""What can be declared when: the whole table of it, and that nothing declared after a void hand moves money again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.declarations import can_declare, offered
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Refusal
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile
from tests.engine.refusals import TABLE, lines, played
from tests.journal.journals import facts_of, hand_files

_OF_DECKS: Final = (Declaration.MISSING_CARD, Declaration.DEFECTIVE_DECK, Declaration.NOT_OF_DECK)
_MOVES_MONEY = (d.Refund, d.BetReversed, d.BetSettled, d.Awarded, d.HandVoided, d.SeatVoided, d.SeatWithdrawn)


@pytest.mark.wide
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_declaration_in_every_phase_leads_to_what_the_table_says(rulebook: str) -> None:
    """Where a rule changed on purpose: `python -m tests.engine.refusals` writes the table anew."""
    written: list[str] = []
    is_its = False
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        is_its = line.startswith(f"{rulebook} ") if not line.startswith(" ") else is_its
        written += [line] if is_its else []
    assert list(lines(rulebook)) == written


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_table_has_every_phase_of_a_game_and_every_declaration_in_it(rulebook: str) -> None:
    """Whatever its house chose: a phase that no hand file comes to would be left out of it without a word."""
    rulebooks = (Table(hand.setup, rulebook_of).state.rulebook for _, hand in hand_files())
    phases = {name for book in rulebooks if book.id == rulebook for name in book.phases}
    written = [line.split() for line in TABLE.read_text(encoding="utf-8").splitlines()]
    begins = [at for at, words in enumerate(written) if words[0] == rulebook]
    assert {written[at][1] for at in begins} == phases
    for at in begins:
        declared = [words[0].rstrip(":") for words in written[at + 1 : at + 1 + len(Declaration)]]
        assert declared == list(Declaration)


#: What has a consequence after a void hand: another deck, one more card to collect, a player who was warned before, the
#: end of the session, the pit boss. Whoever adds one says which.
_FOLLOWS: Final = frozenset(
    {
        Declaration.MISSING_CARD,
        Declaration.DEFECTIVE_DECK,
        Declaration.NOT_OF_DECK,
        Declaration.UNREPORTED_CARD,
        Declaration.COLLUSION,
        Declaration.LOAN,
        Declaration.CHIPS_POCKETED,
        Declaration.LOOKED_AT_CARDS,
        Declaration.SEATS_EXCHANGED,
        Declaration.CHIPS_HIDDEN,
        # What voided the hand may have been the wrong key.
        Declaration.WRONG_KEY,
        # Of the rest of the deck, which is there in a void hand too (THL-GEN-13).
        Declaration.STUB_SHOWN,
        Declaration.CLOSING_TIME,
        Declaration.PIT_BOSS,
    }
)


def void_hands(rulebook: str) -> Iterator[tuple[str, HandFile, int]]:
    """Of each clause that annuls a hand the first hand file in which it does, and after how many facts."""
    clauses: set[str] = set()
    for name, hand in hand_files():
        voids = [step for step in hand.steps if any(line.startswith("void-hand ") for _, line in step.expected)]
        if hand.setup.rulebook != rulebook or not voids:
            continue
        clause = next(line.split()[1] for _, line in voids[0].expected if line.startswith("void-hand "))
        facts = facts_of(hand).index(voids[0].fact) + 1
        if clause not in clauses and played(hand, facts).state.phase.kind is Kind.VOIDED:
            clauses.add(clause)
            yield name, hand, facts


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_nothing_that_is_declared_after_a_void_hand_moves_money_or_annuls_anything_again(rulebook: str) -> None:
    """THL-MIS-3: another player's card was seen, all bets went back, and they go back once."""
    checked = 0
    for name, hand, facts in void_hands(rulebook):
        table = played(hand, facts)
        seats = [f"seat-{seat}" for seat in table.state.order]
        for what in Declaration:
            for spot in (None, *seats):
                said = table.apply(f.Declared(at_us=0, what=what, spot=spot))
                assert not [decision for decision in said if isinstance(decision, _MOVES_MONEY)], (
                    name,
                    what,
                    spot,
                    said,
                )
                checked += 1
                if not all(isinstance(decision, d.Refused) for decision in said):
                    table = played(hand, facts)
    assert checked


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_after_a_void_hand_only_that_is_taken_from_which_something_follows(rulebook: str) -> None:
    """THL-PRO-4, THL-GEN-12, FCD-RST-10: no stake is left, no card is used any more."""
    checked = 0
    for name, hand, facts in void_hands(rulebook):
        table = played(hand, facts)
        if not can_declare(table.state):
            continue
        seats = [f"seat-{seat}" for seat in table.state.order]
        for what in Declaration:
            if what in _FOLLOWS:
                continue
            assert what not in offered(table.state), (name, what)
            for spot in (None, *seats):
                said = table.apply(f.Declared(at_us=0, what=what, spot=spot))
                assert [type(decision) for decision in said] == [d.Refused], (name, what, spot, said)
                checked += 1
    assert checked


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("what", _OF_DECKS)
def test_after_a_void_hand_a_deck_is_withdrawn_once(rulebook: str, what: Declaration) -> None:
    """TPC-MIS-5, THB-CRD-1, THL-SHF-1, FCD-IRR-4: another one takes its place then, whatever else is wrong with it."""
    withdrawn = 0
    for name, hand, facts in void_hands(rulebook):
        table = played(hand, facts)
        if not can_declare(table.state):
            continue
        if not table.state.needs_deck:
            said = table.apply(f.Declared(at_us=0, what=what))
            assert [incident_raised for incident_raised in said if isinstance(incident_raised, d.IncidentRaised)], (
                name,
                said,
            )
            withdrawn += 1
        assert table.state.needs_deck
        for again in _OF_DECKS:
            assert again not in offered(table.state)
            (refused,) = table.apply(f.Declared(at_us=0, what=again))
            assert isinstance(refused, d.Refused), (name, refused)
            assert (refused.why, refused.clause is not None) == (Refusal.NOT_OFFERED, True)
    assert withdrawn


@pytest.mark.parametrize("rulebook", ["circle-holdem", "open-holdem", "draw-poker"])
def test_chips_that_are_added_and_discards_that_are_seen_are_refused_with_their_clause(rulebook: str) -> None:
    clauses = {
        refused.clause
        for _, hand, facts in void_hands(rulebook)
        for what in (Declaration.CHIPS_ADDED, Declaration.DISCARDS_SEEN)
        for refused in played(hand, facts).apply(f.Declared(at_us=0, what=what, spot="seat-1"))
        if isinstance(refused, d.Refused) and refused.why is Refusal.NOT_OFFERED
    }
    assert clauses == ({"FCD-RST-10"} if rulebook == "draw-poker" else {"THL-PRO-4", "THL-GEN-12"})
