"""The draw for seats: whatever places the cards give, each player has afterwards what he had before, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tablectl.core.cards import RANKS, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.slots import Face
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Declaration, Key
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tablectl.journal.record import faces_up
from tests.engine.states import draws
from tests.engine.tables import lines
from tests.families.pots.people import circle_of, played

SEATS: Final = (2, 3, 6, 9)
HEADER: Final = (
    "rulebook draw-poker\nhand 7\nseats 2 3 6 9\nbutton 3\nresto 2000\nlimits bet 100..10000\nlimits ante 50..50\n"
    "conduct 6 looked-at-cards 1\n"
    + "".join(f"stack {seat} {seat * 1000}\nbought {seat} {seat * 100}\nkept {seat} ante {seat}\n" for seat in SEATS)
)


def table_between_hands() -> Table:
    return Table.resume(parse(HEADER + "> player 1 leaves\n").carry, rulebook_of)


def drawn_for(table: Table, places: str, players: str) -> list[str]:
    """The draw with these ranks, in the order of the seats."""
    lines(table, "declare seat-draw")
    return lines(
        table, "\n".join(f"draw {rank}{suit}" for suit, run in (("c", places), ("d", players)) for rank in run)
    )


@given(
    lowest=st.integers(0, 9),
    places=st.permutations(range(4)),
    players=st.permutations(range(4)),
)
def test_fcd_sea_3_each_player_has_what_he_had_whatever_is_drawn(
    lowest: int, places: list[int], players: list[int]
) -> None:
    table = table_between_hands()
    run = RANKS[lowest : lowest + 4]
    said = drawn_for(table, "".join(run[place] for place in places), "".join(run[player] for player in players))
    to = {seat: SEATS[places.index(rank)] for seat, rank in zip(SEATS, players, strict=True)}
    assert [line for line in said if line.startswith("seat-drawn")] == [
        f"seat-drawn {seat} {to[seat]} FCD-SEA-3" for seat in SEATS
    ]
    lines(table, "press confirm")
    carry = table.carry()
    assert carry.stacks == {to[seat]: seat * 1000 for seat in SEATS}
    assert carry.bought == {to[seat]: seat * 100 for seat in SEATS}
    assert carry.kept == {to[seat]: {"ante": seat} for seat in SEATS}
    assert carry.conduct == {f"seat-{to[6]} looked-at-cards": 1}
    assert carry.players == tuple(f"seat={seat} in" for seat in SEATS)
    assert carry.markers == "button=3 stays"
    assert table.state.deal.at == {}
    assert all(draw.is_back for draw in table.state.deal.draws)


def test_fcd_sea_3_who_is_away_keeps_his_seat_and_the_draw_is_among_the_others() -> None:
    table = table_between_hands()
    lines(table, "player 3 away")
    said = drawn_for(table, "789", "978")
    assert "seat-drawn 2 9 FCD-SEA-3" in said
    assert [player.seat for player in circle_of(table).players if not player.is_in] == [3]
    assert circle_of(table).stacks == {2: 6000, 3: 3000, 6: 9000, 9: 2000}


def test_fcd_sea_2_every_card_of_the_draw_lies_face_up_also_one_that_goes_back() -> None:
    table = table_between_hands()
    table.apply(f.Declared(at_us=0, what=Declaration.SEAT_DRAW))
    turned = []
    for code in ("7c", "Kc", "8c", "9c", "6c", "Kd", "6d", "7d", "8d", "9d"):
        fact = f.Drawn(at_us=0, card=card(code))
        turned += faces_up(table.apply(fact))
    assert [number for number, _ in turned] == list(range(1, 11))
    assert {slot.face for _, slot in turned[:5]} == {Face.UP}


def test_fcd_sea_1_a_hand_begins_after_the_cards_of_the_draw_with_a_whole_deck() -> None:
    table = table_between_hands()
    drawn_for(table, "789T", "789T")
    lines(table, "press confirm\npress new-hand\npress confirm\npress no-more-bets")
    assert lines(table, "draw 7c") == ["card seat-6.1"], "it can come again"
    assert table.state.deal.draws[-1].number == 9
    assert lines(table, "draw 7c")[0].startswith("incident FCD-IRR-4"), "and once"


def test_fcd_rst_10_cards_that_seats_were_drawn_for_with_do_not_end_the_time_for_a_refill() -> None:
    table = Table.resume(
        parse(HEADER.replace("stack 2 2000", "stack 2 500") + "> player 1 leaves\n").carry, rulebook_of
    )
    drawn_for(table, "789T", "789T")
    lines(table, "press confirm\npress new-hand\npress confirm\npress no-more-bets")
    assert lines(table, "stack 2 2000")[0] == "bought 2 1548 total=1748"
    lines(table, "draw As")
    assert lines(table, "stack 3 9000") == ["refused hand-in-play FCD-RST-10 seat-3"]


def test_fcd_sea_1_seats_are_drawn_for_between_hands_and_by_two_at_least() -> None:
    assert played(HEADER + "> press new-hand\n> declare seat-draw\n")[1] == ["refused not-offered FCD-SEA-1 seat-draw"]
    away = "".join(f"> player {seat} away\n" for seat in SEATS[:3])
    assert played(HEADER + away + "> declare seat-draw\n")[1] == ["refused not-offered FCD-SEA-1 seat-draw"]
    assert played(HEADER + away + "> player 2 back\n> declare seat-draw\n")[1] == ["asked place-card seat-2"]
    twice = played(HEADER + "> declare seat-draw\n> declare seat-draw\n")
    assert twice[1] == ["refused not-offered FCD-SEA-1 seat-draw"]


def test_fcd_sea_1_another_game_waits_until_everybody_sits() -> None:
    table = table_between_hands()
    lines(table, "declare seat-draw")
    assert lines(table, "game circle-holdem by ana") == ["game-waits circle-holdem FCD-SEA-1"]
    lines(table, "press cancel")
    assert table.state.rulebook.id == "circle-holdem"


def test_fcd_sea_1_it_is_on_the_list_of_the_panel_and_can_be_given_up_there() -> None:
    table = table_between_hands()
    table.apply(f.Pressed(at_us=0, key=Key.INCIDENT))
    assert Declaration.SEAT_DRAW in table.state.menu
    table.apply(f.Pressed(at_us=0, key=Key.CANCEL))
    lines(table, "declare seat-draw")
    assert Key.CANCEL in table.prompt().keys
    assert lines(table, "press cancel") == ["refused taken-back FCD-SEA-1 seat-draw"], "no card was drawn"
    assert Key.NEW_HAND in table.prompt().keys


@pytest.mark.parametrize("after", [1, 5])
def test_fcd_sea_1_a_restart_in_the_middle_goes_on_with_it_and_other_rules_wait(after: int) -> None:
    table = table_between_hands()
    lines(table, "declare seat-draw")
    cards = ["7c", "8c", "9c", "Tc", "Td", "9d", "8d", "7d"]
    for code in cards[:after]:
        lines(table, f"draw {code}")
    changed = replace(table.state.setup, chip=25)
    assert table.apply(f.Opened(at_us=0, setup=changed)) == ()
    assert table.state.setup.chip == 1
    for code in cards[after:]:
        lines(table, f"draw {code}")
    assert table.state.setup.chip == 25
    assert circle_of(table).stacks == {2: 9000, 3: 6000, 6: 3000, 9: 2000}
    assert draws(table).bought == {2: 900, 3: 600, 6: 300, 9: 200}
