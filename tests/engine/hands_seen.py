"""What the tests of the three kinds of equipment share: a hand's table, and where its cards come to lie."""

from __future__ import annotations

from dataclasses import replace

from tablectl.engine import decisions as d
from tablectl.engine import facts as f
from tablectl.engine.table import Table
from tablectl.engine.words import Equipment
from tablectl.handfile.file import HandFile
from tablectl.handfile.playing import opening
from tablectl.rulebooks.registry import rulebook_of


def spots_of(hand: HandFile) -> dict[int, list[str]]:
    """By step: where the cards drawn there come to lie, as the shoe alone has it."""
    table = table_with(hand, Equipment.SHOE)
    drawn_in: dict[int, int] = {}
    found: dict[int, list[str]] = {}
    for number, step in enumerate(hand.steps):
        before = len(table.state.deal.draws)
        decisions = table.apply(step.fact)
        if len(table.state.deal.draws) > before:
            drawn_in[len(table.state.deal.draws)] = number
            found[number] = []
        for each in decisions:
            if isinstance(each, d.CardPlaced):
                found[drawn_in[each.draw]].append(each.slot.spot)
    return found


def table_with(hand: HandFile, equipment: Equipment) -> Table:
    """A table with this equipment, where the hand begins."""
    table = Table.resume(replace(hand.carry, setup=replace(hand.carry.setup, equipment=equipment)), rulebook_of)
    for fact in opening(hand):
        table.apply(fact)
    return table


def cleared(table: Table) -> None:
    """The croupier collects the cards of a void hand."""
    for number, spot in list(table.state.felt.items()):
        assert table.apply(f.Gone(at_us=0, spot=spot, card=table.state.deal.draws[number - 1].card)) == ()
