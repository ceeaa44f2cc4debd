"""What only antennas can tell, and what they must not say without need: a card is lifted, passes by, is swept away."""

from __future__ import annotations

from tablectl.engine.table import Table
from tablectl.engine.words import Equipment
from tests.engine.tables import lines, setup, table_of

WITH_ANTENNAS = [Equipment.ANTENNAS, Equipment.BOTH]


def in_the_deal(rulebook: str, equipment: Equipment, cards: str = "", *, seats: int = 2) -> Table:
    """Seats 1 to `seats` in, no more bets; `cards` dealt to their places, each seen there."""
    table = table_of(setup(rulebook, equipment=equipment))
    lines(table, "press new-hand")
    for seat in range(1, seats + 1):
        lines(table, f"bet {seat} ante 1000")
    lines(table, "press no-more-bets")
    for code in cards.split():
        dealt(table, code)
    return table


def dealt(table: Table, code: str, spot: str | None = None) -> list[str]:
    """The next card comes out of the shoe, where there is one, and is seen at its spot, or at another one."""
    due = table.state.deal.due
    assert due is not None
    found: list[str] = []
    if table.state.setup.equipment is Equipment.BOTH:
        found = lines(table, f"draw {code}")
    return found + lines(table, f"seen {spot or due.spot} {code}")


def test_tpc_mis_5_of_two_cards_with_one_face_the_one_that_was_lifted_is_gone() -> None:
    table = in_the_deal("texas-poker", Equipment.BOTH, "2c 3c")
    lines(table, "draw 2c")
    lines(table, "seen seat-2 2c\nrule 1 void-hand by ana")
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-1+seat-2"]
    lines(table, "gone seat-1 2c")
    assert lines(table, "press confirm") == ["refused cards-on-felt seat-2"]
    lines(table, "gone seat-2 3c\ngone seat-2 2c")
    assert "phase closed" in lines(table, "press confirm")


def test_tpc_mis_5_a_second_card_with_one_face_where_the_next_one_is_due_is_a_duplicate_without_a_shoe_too() -> None:
    table = in_the_deal("texas-poker", Equipment.ANTENNAS, "2c")
    assert dealt(table, "2c") == [
        "incident TPC-MIS-5 expected=52-different-cards observed=same-card-again remedy=void-hand|next-card"
    ]


def test_tpc_mis_5_a_card_that_was_lifted_before_it_is_seen_elsewhere_is_no_duplicate() -> None:
    table = in_the_deal("texas-poker", Equipment.ANTENNAS, "2c")
    lines(table, "gone seat-1 2c")
    assert "TPC-MIS-5" not in " ".join(dealt(table, "2c"))
