"""The fold from public records to what a page shows. Records are made by the real engine."""

from __future__ import annotations

import pytest

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.events import codec
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.folding.fold import DECISIONS_SHOWN, fold
from tablectl.core.public_table.folding.hand import HANDS_KEPT
from tablectl.core.public_table.incident import IncidentState
from tablectl.core.public_table.table import PublicTable, Side
from tablectl.web.screens.greeting import table_info
from tests.screens import hands
from tests.screens.controller import Bench, setup


def view_after(lines: str, *, tracking: Tracking = Tracking.AMOUNTS) -> PublicTable:
    bench = Bench(setup(tracking=tracking))
    bench.lines(lines)
    return view_of(bench)


def view_of(bench: Bench, start: int = 0) -> PublicTable:
    view = PublicTable()
    for public_record in bench.stream[start:]:
        view = fold(view, public_record)
    return view


def test_every_kind_of_decision_has_a_place_on_the_screens() -> None:
    assert frozenset(codec.DECISIONS.values()) == DECISIONS_SHOWN


def test_before_any_record_there_is_no_hand_and_nothing_to_do() -> None:
    view = PublicTable()
    assert (view.hand, view.prompt, view.due, view.turn, view.held, view.drawn) == (0, None, None, None, False, 0)


def test_bets_lie_in_their_boxes_until_the_seat_takes_them_back() -> None:
    view = view_after("press new-hand\nbet 1 ante 1000 bonus 500\nbet 3 ante 2000\nremove 3")
    assert view.phase == "betting"
    assert view.seat(1).bets == {"ante": 1000, "bonus": 500}
    assert view.seat(1).in_hand
    assert not view.seat(3).in_hand


def test_a_hole_card_shows_its_back_and_has_no_identity() -> None:
    view = view_after(hands.BETS + "draw As")
    card = view.lying("seat-1.1")
    assert card is not None
    assert (card.side, card.code) == (Side.BACK, None)
    assert view.due == "seat-3.1"
    assert (view.drawn, view.remaining) == (1, 51)


def test_the_board_shows_its_faces_and_burns_stay_backs() -> None:
    view = view_after(hands.BETS + hands.HOLE_CARDS + hands.FLOP)
    assert [card.code for card in view.at_spot("board")] == ["Kd", "Ts", "6h"]
    assert [card.side for card in view.at_spot("burn")] == [Side.BACK]
    assert view.turn == 1


def test_at_the_showdown_the_seats_that_stayed_and_the_bank_are_turned() -> None:
    view = view_after(hands.BETS + hands.HOLE_CARDS + hands.FLOP + hands.TO_THE_RIVER + "press bank")
    assert [card.code for card in view.at_spot("house")] == ["Qd", "Qh"]
    assert [card.code for card in view.at_spot("seat-3")] == ["7d", "7h"]
    assert view.ranks["house"] == "pair"
    assert {settled_view.bet for settled_view in view.settled if settled_view.seat == 1} == {
        "ante",
        "flop",
        "turn",
        "bonus",
    }


def test_a_folded_seat_without_a_bonus_is_never_turned() -> None:
    view = view_after(
        hands.BETS
        + hands.HOLE_CARDS
        + "press bet\npress fold\n"
        + "draw 4d\ndraw Kd\ndraw Ts\ndraw 6h\n"
        + "press check\ndraw 2c\ndraw 2d\npress check\ndraw 8c\ndraw 8h\npress bank"
    )
    assert view.seat(3).folded
    assert [card.code for card in view.at_spot("seat-3")] == [None, None]


def test_a_closed_hand_leaves_an_empty_felt_and_one_line_of_history() -> None:
    view = view_after(hands.WHOLE)
    assert (view.slots, view.seats, view.settled, view.drawn) == ({}, {}, (), 0)
    (closed,) = view.history
    assert (closed.hand, closed.house_rank, closed.drawn, closed.void) == (1, "pair", 14, None)
    assert closed.house_net is not None


def test_what_the_house_won_is_what_the_seats_lost() -> None:
    bench = Bench()
    bench.lines(hands.WHOLE)
    pays = [
        decision["pays"]
        for record in bench.records
        for decision in record["decisions"]
        if decision["kind"] == "bet-settled"
    ]
    assert view_of(bench).history[0].house_net == -sum(pays)


def test_only_the_last_hands_are_listed() -> None:
    view = view_after(hands.WHOLE * (HANDS_KEPT + 2))
    assert [closed_hand.hand for closed_hand in view.history] == list(range(HANDS_KEPT + 2, 2, -1))


def test_a_stream_that_begins_at_a_later_hand_gives_the_same_felt() -> None:
    bench = Bench()
    bench.lines(hands.WHOLE + hands.WHOLE + hands.MID_HAND)
    whole, later = view_of(bench), view_of(bench, bench.since_hand(1))
    assert (later.cards, later.slots, later.seats) == (whole.cards, whole.slots, whole.seats)
    assert later.prompt == whole.prompt


def test_a_card_face_up_goes_to_the_discards_and_its_slot_is_due_again() -> None:
    view = view_after(hands.BETS + "draw As\ndeclare face-up-in-shoe")
    assert view.lying("seat-1.1") is None
    assert [card.side for card in view.at_spot("discard")] == [Side.BACK]
    assert view.due == "seat-1.1"
    (incident,) = view.alerts
    assert (incident.clause, incident.remedy, incident.closed_by) == ("THB-ERR-2", "discard", "rule")
    assert incident.is_event
    assert view.incident == incident


def test_an_early_card_waits_until_the_croupier_has_answered() -> None:
    lines = hands.BETS + hands.HOLE_CARDS + "draw 9c\n"
    view = view_after(lines)
    assert [card.draw for card in view.waiting] == [7]
    assert view.held
    assert view.alerts[0].state is IncidentState.ASKED
    after = view_after(lines + "press not-seen\npress all-bet")
    burn = after.lying("burn.1")
    assert burn is not None
    assert (burn.draw, after.waiting, after.held) == (7, (), False)


def test_what_was_escalated_is_ruled_by_a_person_with_a_reason() -> None:
    lines = hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen\n"
    ruling = view_after(lines).alerts[0]
    assert (ruling.state, ruling.chooser, ruling.remedies) == (
        IncidentState.RULING,
        "pit-boss",
        ("void-hand", "next-card"),
    )
    view = view_after(lines + "rule 1 void-hand by Ana seen by two players")
    closed = view.alerts[0]
    assert (closed.remedy, closed.ruled_by, closed.reason) == ("void-hand", "Ana", "seen by two players")
    assert (closed.is_event, closed.is_done) == (False, True)
    assert view.void == "THB-ERR-4"
    assert [(refund.seat, refund.bet, refund.amount) for refund in view.refunds] == [
        (1, "ante", 1000),
        (1, "bonus", 500),
        (3, "ante", 2000),
    ]


def test_a_void_hand_is_history_without_a_result() -> None:
    view = view_after(hands.VOID)
    assert (view.history[0].void, view.history[0].house_net, view.history[0].incidents) == ("THB-ERR-1", None, (1,))
    assert view.void is None


def test_cards_laid_anew_move_and_leave_no_card_twice() -> None:
    view = view_after(hands.BETS + hands.HOLE_CARDS + "declare wrong-count seat-1 cards=1 lap=1")
    assert view.seat(1).void
    assert sorted(view.slots.values()) == sorted(set(view.slots.values()))
    assert all(view.cards[draw].slot == slot for slot, draw in view.slots.items())
    assert len(view.waiting) + len(view.slots) == view.drawn


def test_an_unread_card_is_a_question_until_somebody_names_it() -> None:
    lines = hands.BETS + hands.HOLE_CARDS + hands.FLOP.replace("draw 6h", "draw ??")
    view = view_after(lines)
    card = view.lying("board.3")
    assert card is not None
    assert (card.side, card.readable) == (Side.UNREAD, False)
    named = view_after(lines + hands.TO_THE_RIVER + "press bank\nname board.3 6h by croupier").lying("board.3")
    assert named is not None
    assert (named.side, named.code) == (Side.FACE, "6h")


def test_a_refusal_stays_until_something_else_is_entered() -> None:
    view = view_after("press new-hand\npress bank")
    assert view.refusal is not None
    assert (view.refusal.why, view.refusal.entry) == ("not-live", "bank")
    assert view_after("press new-hand\npress bank\nback light tower").refusal is not None
    assert view_after("press new-hand\npress bank\nbet 1 ante 1000").refusal is None


def test_a_report_that_the_shoe_repeats_is_no_second_card() -> None:
    view = view_after(hands.BETS + "draw As\nlost shoe angel-eye cable\nback shoe angel-eye\ndraw As")
    assert (view.drawn, view.refusal) == (1, None)


def test_a_card_that_the_shoe_did_not_report_lies_unread_where_it_belongs() -> None:
    view = view_after(hands.BETS + "declare unreported-card")
    card = view.lying("seat-1.1")
    assert card is not None
    assert (view.drawn, card.readable, card.side) == (1, False, Side.BACK)


def test_devices_come_and_go() -> None:
    view = view_after("back shoe angel-eye\nback light tower\nlost shoe angel-eye cable\nsaid light tower dim 3")
    shoe, light = view.devices["angel-eye"], view.devices["tower"]
    assert (shoe.state, shoe.role, shoe.reason) == ("lost", "shoe", "cable")
    assert (light.state, light.said) == ("back", "dim 3")


def test_with_presence_the_seats_of_the_hand_before_are_in_the_next_one() -> None:
    first = "press new-hand\npress seat-1\npress seat-4\npress no-more-bets\n" + "draw As\ndraw 7d\ndraw Qd\n" * 1
    lines = first + "declare bank-card-exposed\npress confirm\npress new-hand"
    view = view_after(lines, tracking=Tracking.PRESENCE)
    assert {number for number, seat in view.seats.items() if seat.in_hand} == {1, 4}
    assert view.seat(1).bets == {"ante": None}


def test_kinds_that_are_not_known_yet_are_passed_over() -> None:
    bench = Bench()
    bench.line("press new-hand")
    newer = {**bench.records[-1], "seq": 3, "decisions": [{"kind": "confetti"}], "fact": {"kind": "rained"}}
    view = fold(view_of(bench), decode_record(newer))
    assert (view.seq, view.phase) == (3, "betting")


def test_the_greeting_says_what_the_table_is() -> None:
    info = table_info(Bench().greeting)
    assert (info.name, info.seats, info.amounts, info.limits["ante"].most) == ("Mesa 1", 7, True, 10_000)
    with pytest.raises(ValueError, match="`name`"):
        table_info({"table": {}})
