"""Which cards can come out of the deck, asked before every card of the hand files: a reader at the shoe's mouth tells a
card that was shuffled in and is drawn once more from a copy by nothing else."""

from __future__ import annotations

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.table import Table
from tablectl.games.registry import RULEBOOKS, rulebook_of
from tablectl.journal.handfile.file import HandFile
from tests.journal.journals import facts_of, hand_files


def refused_although_dealt(hand: HandFile) -> list[str]:
    """Cards that the rules dealt, without any doubt about them, and that could not have come."""
    table, found = Table(hand.setup, rulebook_of), list[str]()
    for fact in facts_of(hand):
        may_come = fact.card is None or table.may_come(fact.card) if isinstance(fact, f.Drawn) else True
        said = table.apply(fact)
        is_dealt = any(isinstance(decision, d.CardPlaced) for decision in said)
        if not may_come and is_dealt and not any(isinstance(decision, d.IncidentRaised) for decision in said):
            found.append(f"{fact}: {said}")
    return found


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_card_that_is_dealt_could_come(rulebook: str) -> None:
    hands = {name: hand for name, hand in hand_files() if hand.setup.rulebook == rulebook}
    found = {name: refused_although_dealt(hand) for name, hand in hands.items()}
    assert {name: said for name, said in found.items() if said} == {}


def test_fcd_dsc_5_discards_of_a_new_stub_can_come_again_and_cards_that_are_held_cannot() -> None:
    hand = dict(hand_files())["FCD-DSC-5-ten-players"]
    table = Table(hand.setup, rulebook_of)
    drawn, again = list[f.Drawn](), set[bool]()
    for fact in facts_of(hand):
        before = [drawing for drawing in drawn if drawing.card is not None and table.may_come(drawing.card)]
        assert not before or again, "nothing that was drawn can come before a new stub is made"
        if any(isinstance(decision, d.StubMade) for decision in table.apply(fact)):
            again = {drawing.card is not None and table.may_come(drawing.card) for drawing in drawn}
        if isinstance(fact, f.Drawn):
            drawn.append(fact)
    assert again == {True, False}
