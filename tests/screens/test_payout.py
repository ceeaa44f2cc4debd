"""What the croupier takes, pays, gives back and collects, as lists of the picture of the table."""

from __future__ import annotations

from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.table import PublicTable
from tablectl.web.screens import payout
from tests.screens import hands
from tests.screens.controller import Bench, poker

PLAYED = hands.POKER_BETS + hands.STANDING + hands.POKER_DEAL


def view_after(lines: str, *, tracking: Tracking = Tracking.AMOUNTS) -> PublicTable:
    bench, view = Bench(poker(tracking=tracking)), PublicTable()
    bench.lines(lines)
    for public_record in bench.stream:
        view = fold(view, public_record)
    return view


def test_TPC_DEV_14_at_the_payment_of_the_txb_only_the_txb_is_listed() -> None:
    view = view_after(PLAYED + hands.POKER_DECISIONS + "press confirm")
    rows = payout.settled_rows(view.settled)
    assert [(row.seat, row.bettor, row.total) for row in rows] == [(1, 1, 3500), (3, 2, -200), (4, 1, -100)]
    assert payout.boxes_of(view.settled, ("ante", "second", "txb")) == ("txb",)
    assert payout.sums(view.settled) == payout.Sums(taken=300, paid=3500, given_back=0)


def test_what_was_paid_before_is_not_listed_again_and_lies_no_more_in_its_box() -> None:
    view = view_after(PLAYED + hands.POKER_DECISIONS + hands.POKER_END)
    assert {settled_view.bet for settled_view in view.settled} == {"ante", "second"}
    assert {settled_view.bet for settled_view in view.paid} == {"txb"}
    assert "txb" not in view.seat(1).bets
    assert "txb" not in view.seat(3).standing[2].bets


def test_the_float_at_the_settlement_is_what_the_closed_hand_says_afterwards() -> None:
    lines = PLAYED + hands.POKER_DECISIONS + hands.POKER_END
    expected = payout.float_change(view_after(lines))
    closed = view_after(lines + "press confirm").history[0]
    assert expected == closed.house_net == -9700


def test_without_amounts_there_is_no_sum_and_no_float() -> None:
    view = view_after(
        "press new-hand\npress seat-1\npress bonus\npress seat-1\npress no-more-bets\n"
        "draw As\ndraw Qh\ndraw Ac\ndraw Js\ndraw 4s\ndraw 8h\ndraw Kc\npress bet\npress confirm",
        tracking=Tracking.PRESENCE,
    )
    assert [row.total for row in payout.settled_rows(view.settled)] == [None]
    assert payout.sums(view.settled).paid is None
    assert payout.float_change(view) is None


def test_TPC_MIS_0_everything_that_left_the_shoe_is_collected_spot_by_spot() -> None:
    view = view_after(PLAYED + "press bet\ndeclare defective-deck")
    found = payout.collected(view)
    assert found == (("seat-1", 2), ("seat-3", 2), ("seat-4", 2), ("seat-6", 2), ("house", 2), ("board", 3))
    assert sum(cards for _, cards in found) == view.drawn == 13


def test_TPC_PLE_1_cards_that_were_taken_away_are_counted_apart() -> None:
    ruled = "rule 3 lose-bets by ana\nrule 4 lose-bets by ana\n"
    view = view_after(PLAYED + "declare cards-in-contact seat-3 seat-4\n" + ruled + "declare defective-deck")
    found = dict(payout.collected(view))
    assert (found["taken"], "seat-3" in found, sum(found.values())) == (4, False, view.drawn)


def test_TPC_MIS_0_refunds_are_listed_seat_by_seat_with_those_who_stand_behind() -> None:
    view = view_after(PLAYED + "press bet\ndeclare defective-deck")
    rows = payout.refund_rows(view.refunds)
    assert [(row.seat, row.bettor, row.total) for row in rows] == [
        (1, 1, 3500),
        (3, 1, 2000),
        (3, 2, 700),
        (3, 3, 1000),
        (4, 1, 600),
        (6, 1, 2500),
    ]
    assert list(rows[0].bets) == ["ante", "txb", "second"]
