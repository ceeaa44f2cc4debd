"""What can be declared when: the whole table of it, and that nothing declared after a void hand moves money again."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.words import Declaration
from tablectl.games.registry import RULEBOOKS
from tablectl.handfile.file import HandFile
from tests.engine.refusals import TABLE, lines, played
from tests.journal.journals import facts_of, hand_files

_MOVES_MONEY = (d.Refund, d.BetReversed, d.BetSettled, d.Awarded, d.HandVoided, d.SeatVoided, d.SeatWithdrawn)


@pytest.mark.wide
@pytest.mark.timeout(600)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_declaration_in_every_phase_leads_to_what_the_table_says(rulebook: str) -> None:
    """Where a rule changed on purpose: `python -m tests.engine.refusals` writes the table anew."""
    written: list[str] = []
    is_its = False
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        is_its = line.startswith(f"{rulebook} ") if not line.startswith(" ") else is_its
        written += [line] if is_its else []
    assert list(lines(rulebook)) == written


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
                assert not [each for each in said if isinstance(each, _MOVES_MONEY)], (name, what, spot, said)
                checked += 1
                if not all(isinstance(each, d.Refused) for each in said):
                    table = played(hand, facts)
    assert checked
