"""What lies before each player by the picture of the screens is what the engine says, whatever was taken back."""

from __future__ import annotations

from typing import Final

import pytest

from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.journal.handfile.file import parse
from tablectl.web.screens import betting
from tests.families.pots.people import DEAL, THREE, circle_of, played
from tests.screens.controller import Bench

FLOP: Final = "> act call\n> act call\n> act check\n> draw 2c\n> draw 3c\n> draw 4c\n> draw 5c\n"
REST: Final = "> press all-check\n> draw 6c\n> draw 7h\n> press all-check\n> draw 8h\n> draw 9h\n> press all-check\n"
TOLD_WRONG: Final = "> act call\n> declare wrong-amount seat-1\n> rule 1 choose-again by ana\n"


def picture(text: str) -> PublicTable:
    hand = parse(text)
    bench = Bench(carry=hand.carry)
    bench.line("press new-hand")
    for step in hand.steps:
        bench.line(step.text)
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return view


@pytest.mark.parametrize(
    "said",
    [
        # THL-PLE-7: an action out of turn that does not bind any more is taken back, and the raise before it stands
        "> act 1 raise 600\n> press confirm\n> act raise 5000\n",
        # THL-PLE-16: the pit boss lets somebody choose again, and three actions are taken back
        "> act raise 600\n> act raise 1200\n> act raise 2400\n" + TOLD_WRONG,
        # THL-PLE-13: what was entered for the one who was passed over
        "> act call\n> act raise 600\n> declare skipped seat-3\n",
        # THL-PLE-1c: a fold is taken back after which others have bet
        FLOP
        + "> act fold\n> act bet 500\n> act raise 1000\n> declare retrieve-misled seat-1\n"
        + "> press cancel\n> rule 1 revive by ana as he saw it\n",
        # THL-CRE-4: everything goes back to one seat
        "> act raise 600\n> act call\n> declare protected-taken seat-3\n",
        FLOP + "> press all-check\n> press cancel\n",
    ],
)
def test_what_was_taken_back_lies_where_the_engine_has_it(said: str) -> None:
    view, (table, _) = picture(THREE + DEAL + said), played(THREE + DEAL + said)
    rounds = circle_of(table).rounds
    assert rounds is not None
    for seat in rounds.order:
        player = view.circle.player(seat)
        assert (player.stack, player.stake or 0, player.put_in or 0) == (
            rounds.stack(seat),
            rounds.stake(seat),
            rounds.put_in(seat),
        )
    out = {seat for seat, seat_view in view.seats.items() if seat_view.folded or seat_view.void or seat_view.withdrawn}
    assert out == set(rounds.order) - set(table.state.staying)


def test_thl_ple_12_a_pot_that_is_awarded_anew_is_delivered_once() -> None:
    text = THREE + DEAL + FLOP + REST + "> press show-all\n"
    assert [(delivery.seat, delivery.total) for delivery in betting.deliveries(picture(text))] == [(1, 600)]
    view = picture(text + "> declare wrong-count seat-1 cards=3\n> rule 1 lose-bets by ana three\n")
    assert [(delivery.seat, delivery.total) for delivery in betting.deliveries(view)] == [(2, 600)]


def test_thl_sdn_6_nobody_has_won_a_hand_that_was_annulled_before_the_pot_was_delivered() -> None:
    text = THREE + DEAL + FLOP + REST + "> press show-all\n> declare objection\n> rule 1 void-hand by ana upheld\n"
    view = picture(text)
    assert betting.deliveries(view) == ()
    assert {player.stack for player in view.circle.players.values()} == {20000}
    closed = picture(text + "> press confirm\n").history[0]
    assert (closed.winners, closed.pot) == ((), None)


def test_thl_rd1_5_a_blind_with_the_last_chips_is_all_in() -> None:
    view = picture(THREE.replace("stack 2 20000", "stack 2 150") + "> press no-more-bets\n")
    assert view.circle.player(2).is_all_in
    assert not view.circle.player(1).is_all_in
