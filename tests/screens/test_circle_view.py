"""The fold of a circle game: players, button, stakes, pots, showdown. Records are made by the real engine."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.pot_game import PotView
from tablectl.core.public_table.table import PublicTable
from tablectl.web.screens import betting
from tests.screens import circle_hands as hands
from tests.screens.controller import Bench


def view_of(bench: Bench) -> PublicTable:
    view = PublicTable()
    for public_record in bench.stream:
        view = fold(view, public_record)
    return view


def after(lines: str, tracking: Tracking = Tracking.AMOUNTS) -> PublicTable:
    return view_of(hands.table(lines, tracking=tracking))


def test_THL_CRE_6_a_card_that_went_back_into_the_deck_lies_nowhere_any_more() -> None:
    """The river was shown too soon: it lay aside, and is shuffled into the stub."""
    turn_bets = "press check\npress check\n"
    early = hands.PRE_FLOP + hands.FLOP + hands.FLOP_BETS + hands.TURN
    lines = hands.BLINDS + hands.CARDS + early + "draw 2h\ndraw Jc\npress seen\n"
    view = after(lines)
    assert view.prompt is not None
    assert view.prompt.question == "reshuffled"
    assert view.at_spot("aside") == ()
    assert view.waiting == ()
    assert view.drawn == 17, "of eighteen cards that were drawn one is in the deck again"
    view = after(lines + "press confirm\n" + turn_bets + "draw Jc\n")
    river = view.lying("board.5")
    assert river is not None
    assert river.draw == 19


def states(view: PublicTable) -> dict[int, str]:
    return {seat: state for seat in range(1, 11) if (state := view.state_of(seat)) != "free"}


def test_between_hands_the_players_are_there_or_away_with_their_chips_and_the_button() -> None:
    view = after("")
    assert states(view) == {**dict.fromkeys((1, 2, 4, 6, 8), "there"), 9: "away"}
    assert {seat: player.stack for seat, player in view.circle.players.items() if player.is_there} == {
        1: 20000, 2: 15000, 4: 30000, 6: 1500, 8: 12000,
    }  # fmt: skip
    assert view.circle.button == 8


def test_players_come_and_go_between_hands() -> None:
    view = after("player 3 takes\nstack 3 5000\nplayer 4 away\nplayer 9 back\nplayer 1 leaves")
    assert states(view) == {2: "there", 3: "there", 4: "away", 6: "there", 8: "there", 9: "there"}
    assert view.circle.player(3).stack == 5000


def test_THL_INI_10_who_would_enter_on_the_button_or_the_small_blind_waits() -> None:
    newcomer = "press confirm\nplayer 10 takes\nstack 10 9000\n"
    view = after(hands.SHOWN + newcomer + hands.BLINDS)
    assert [seat for seat, state in states(view).items() if state == "waits"] == [10], "the button comes to him"
    assert view.circle.player(10).waits


def test_THL_DLG_1_the_blinds_lie_before_their_seats() -> None:
    view = after(hands.BLINDS + "press no-more-bets")
    assert {
        seat: (player.posted, player.stake, player.stack)
        for seat, player in view.circle.players.items()
        if player.posted
    } == {
        1: (("small-blind",), 100, 19900),
        2: (("big-blind",), 200, 14800),
    }
    assert view.prompt is not None
    assert view.prompt.pot == 300


def test_in_a_round_each_seat_shows_its_stake_its_action_and_what_is_left() -> None:
    view = after(hands.BLINDS + hands.CARDS + "press call\npress fold\nact raise 800\n")
    told = {
        seat: (player.action, player.stake, player.stack)
        for seat, player in view.circle.players.items()
        if player.is_there
    }
    assert told == {
        1: ("", 100, 19900),
        2: ("", 200, 14800),
        4: ("call", 200, 29800),
        6: ("fold", None, 1500),
        8: ("raise", 800, 11200),
    }
    assert states(view) == {1: "turn", 2: "playing", 4: "playing", 6: "folded", 8: "playing", 9: "away"}
    assert view.turn == 1


def test_the_last_action_is_taken_back_as_if_it_had_never_been_entered() -> None:
    before = hands.BLINDS + hands.CARDS + "press call\n"
    for action in ("press fold", "act raise 800", "act all-in"):
        view, undone = after(before), after(before + f"{action}\npress cancel")
        assert after(before + action).circle != view.circle
        assert (undone.circle, undone.seats, undone.phase) == (view.circle, view.seats, view.phase)


def test_an_action_that_closed_the_round_is_taken_back_with_its_stakes_and_pots() -> None:
    before = hands.TO_THE_FLOP + "press check\npress check\n"
    view, undone = after(before), after(before + "press check\npress cancel\n")
    assert after(before + "press check").phase == "turn"
    assert (undone.phase, undone.circle, undone.turn) == ("flop-betting", view.circle, 4)


def test_THL_END_4_when_a_round_is_closed_the_stakes_are_pots_with_their_seats() -> None:
    view = after(hands.TO_THE_FLOP)
    assert view.circle.pots == (PotView(pot=1, amount=6000, seats=(1, 2, 4, 6)),)
    assert [player.stake for player in view.circle.players.values() if player.is_there] == [None] * 5
    assert states(view)[6] == "all-in"
    turn = after(hands.TO_THE_FLOP + hands.FLOP_BETS)
    assert turn.circle.pots == (
        PotView(pot=1, amount=6000, seats=(2, 4, 6)),
        PotView(pot=2, amount=8000, seats=(2, 4)),
    )


def test_THL_SDN_1_the_showdown_says_who_is_next_and_who_gave_his_hand_up() -> None:
    assert after(hands.SHOWDOWN).turn == 2
    assert after(hands.SHOWDOWN + "press show").turn == 4
    assert after(hands.SHOWDOWN + "press seat-6").turn == 6
    shown = after(hands.SHOWN)
    assert states(shown) == {1: "folded", 2: "playing", 4: "playing", 6: "mucked", 8: "folded", 9: "away"}
    assert shown.ranks == {"seat-2": "pair", "seat-4": "three-of-a-kind"}


def test_THL_SDN_6_the_list_says_who_gets_how_much_and_afterwards_the_stacks_are_so() -> None:
    view = after(hands.SHOWN)
    assert [(delivery.seat, delivery.total) for delivery in betting.deliveries(view)] == [(4, 18000)]
    closed = after(hands.SHOWN + "press confirm")
    assert {seat: player.stack for seat, player in closed.circle.players.items() if player.is_there} == {
        1: 18500, 2: 7500, 4: 40500, 6: 0, 8: 12000,
    }  # fmt: skip
    assert (closed.history[0].winners, closed.history[0].pot) == ((4,), 18000)
    assert (closed.circle.pots, closed.circle.awards, closed.circle.button) == ((), (), 8)


def test_what_nobody_called_goes_back_beside_the_pot() -> None:
    view = after(
        hands.TO_THE_FLOP
        + "act bet 2000\npress fold\npress fold\n"
        + "draw 5s\ndraw 8d\ndraw 6s\ndraw 2c\npress show-all\n"
    )
    back = {delivery.seat: delivery.back for delivery in betting.deliveries(view) if delivery.back}
    assert back == {1: 2000}


def test_AMB_31_the_odd_chips_of_a_shared_pot_are_marked() -> None:
    board = "draw 3h\ndraw Tc\ndraw Jc\ndraw Qc\npress all-check\ndraw 4h\ndraw Kc\npress all-check\ndraw 5h\ndraw Ac\n"
    in_it = "press call\npress call\npress fold\npress fold\npress check\n"
    view = after(hands.BLINDS + hands.CARDS + in_it + board + "press all-check\npress show-all")
    told = {delivery.seat: (delivery.total, delivery.odd_in) for delivery in betting.deliveries(view)}
    assert sum(total for total, _ in told.values() if total is not None) == 700
    assert sorted(told.values()) == [(200, ()), (250, (1,)), (250, (1,))]


@pytest.mark.parametrize("tracking", [Tracking.ROUNDS, Tracking.ACTIONS])
def test_without_amounts_nothing_is_told_of_them(tracking: Tracking) -> None:
    view = after(hands.BLINDS + hands.CARDS, tracking)
    assert all(player.stack is None and player.stake is None for player in view.circle.players.values())
    assert view.prompt is not None
    assert betting.quick_sizes(view) == ()


def test_the_quick_sizes_are_legal_and_in_whole_chips() -> None:
    view = after(hands.BLINDS + hands.CARDS + "press call\npress fold\nact raise 800\n")
    assert view.prompt is not None
    legal = view.prompt.legal
    assert legal is not None
    # Seat 1 has 1 € in, owes 7 €; 13 € lie there: after the call 20 €, half of it 10 €.
    assert [(size.name, size.to) for size in betting.quick_sizes(view)] == [
        ("least", 1600),
        ("half-pot", 1800),
        ("whole-pot", 2800),
    ]
    assert all(legal.allows(size.to) and size.to % view.chip == 0 for size in betting.quick_sizes(view))


def test_a_size_that_no_chips_make_is_rounded_down() -> None:
    view = after(hands.BLINDS + hands.CARDS + "act raise 850\npress fold\nact raise 1700\n")
    # 44.50 € lie there after the call of 16 €: half of it is 22.25 €, on top of the stake of 17 €.
    assert [(size.name, size.to) for size in betting.quick_sizes(view)][1] == ("half-pot", 3900)


def test_out_of_turn_no_sizes_are_offered() -> None:
    view = after(hands.BLINDS + hands.CARDS + "press seat-8")
    assert (view.turn, view.is_out_of_turn, betting.quick_sizes(view)) == (8, True, ())


def test_a_stored_action_stands_at_its_seat_until_its_turn() -> None:
    record = dict(hands.table(hands.BLINDS + hands.CARDS).records[-1])
    record["decisions"] = [{"kind": "stored", "seat": 8, "action": "raise", "to": 800}]
    view = fold(after(hands.BLINDS + hands.CARDS), decode_record(record))
    assert (view.circle.player(8).stored, view.circle.player(8).stored_to) == ("raise", 800)


def test_a_stream_that_begins_with_the_hand_shows_it_without_the_chips() -> None:
    bench = hands.table(hands.TO_THE_FLOP)
    view = PublicTable()
    for public_record in bench.stream[bench.since_hand(1) :]:
        view = fold(view, public_record)
    assert states(view) == {1: "turn", 2: "playing", 4: "playing", 6: "all-in", 8: "folded"}
    assert all(player.stack is None for player in view.circle.players.values())
