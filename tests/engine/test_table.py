"""What the table does with facts that no hand file can hold."""

from __future__ import annotations

import pytest

from tablectl.core.engine import decisions as d
from tablectl.core.engine import facts as f
from tablectl.core.engine.incidents import void_hand, void_seat
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import Chooser, Equipment, Key, Question, Refusal, Remedy, Tracking
from tablectl.core.events.stream import decode_record
from tests.engine.tables import fingerprint, fresh_card, lines, next_fact, play_on, setup, table_of


def press(table: Table, key: Key) -> tuple[d.Decision, ...]:
    return table.apply(f.Pressed(at_us=0, key=key))


def exposed(table: Table) -> tuple[d.Decision, ...]:
    """The key opens the list with its one choice, and that is carried out."""
    assert press(table, Key.BANK_EXPOSED) == ()
    return press(table, Key.CONFIRM)


def until_phase(table: Table, phase: str) -> None:
    while table.state.phase.name != phase:
        table.apply(next_fact(table, 0))


def test_thb_dev_2_bets_without_any_bet_seat_nobody() -> None:
    table = table_of(setup())
    press(table, Key.NEW_HAND)
    before = fingerprint(table.state)
    assert table.apply(f.Bets(at_us=0, seat=1, amounts={})) == (d.Refused(why=Refusal.NO_ANTE, clause="THB-DEV-2"),)
    assert fingerprint(table.state) == before


def test_thb_dev_2_one_press_for_the_last_bets_seats_nobody_who_had_none() -> None:
    table = table_of(setup())
    table.seat_players((1, 2))
    press(table, Key.NEW_HAND)
    assert Key.ALL_BET not in table.prompt().keys
    assert press(table, Key.ALL_BET) == (d.Refused(why=Refusal.NO_PREVIOUS_BET),)
    assert table.state.seats.order == ()


def test_thb_crd_1_more_cards_than_a_deck_has_are_for_the_pit_boss() -> None:
    table = table_of(setup())
    until_phase(table, "dealing")
    table.apply(f.Called(at_us=0, by="ana"))
    table.apply(f.Ruled(at_us=0, incident=1, remedy=Remedy.VOID_HAND, by="ana", reason="misdeal"))
    for _ in range(52):
        table.apply(f.Drawn(at_us=0, card=None))
        press(table, Key.CONFIRM)
    for number in range(54, 60):
        (raised,) = table.apply(f.Drawn(at_us=0, card=None))
        assert isinstance(raised, d.IncidentRaised)
        assert (raised.clause, raised.remedies) == ("THB-CRD-1", (Remedy.DISCARD,))
        assert raised.incident == number
        table.apply(f.Ruled(at_us=0, incident=number, remedy=Remedy.DISCARD, by="ana", reason="seen"))
    play_on(table)


def test_thb_err_1_a_new_choice_of_the_house_holds_from_the_next_hand_on() -> None:
    """Opened between hands: the next hand is under it. Opened within a hand: that hand is not."""
    until_flop_bets = setup(profile={"bank_exposed_until": "flop-bets"})
    table = table_of(setup())
    table.apply(f.Opened(at_us=0, setup=until_flop_bets))
    until_phase(table, "turn-decision")
    table.apply(f.Opened(at_us=0, setup=setup()))
    press(table, Key.CONFIRM)
    assert not [hand_voided for hand_voided in exposed(table) if isinstance(hand_voided, d.HandVoided)]
    play_on(table)
    until_phase(table, "turn-decision")
    assert [hand_voided for hand_voided in exposed(table) if isinstance(hand_voided, d.HandVoided)]


def test_thb_dev_2_a_new_level_of_tracking_forgets_the_bets_of_the_last_hand() -> None:
    table = table_of(setup())
    press(table, Key.NEW_HAND)
    table.apply(f.Bets(at_us=0, seat=1, amounts={"ante": 1000}))
    play_on(table)
    table.apply(f.Opened(at_us=0, setup=setup(tracking=Tracking.PRESENCE)))
    press(table, Key.NEW_HAND)
    assert table.state.seats.order == ()
    assert table.state.hand == 2


def test_thb_err_4_a_restart_between_hands_keeps_a_card_that_is_in_question() -> None:
    table = table_of(setup())
    table.apply(f.Drawn(at_us=0, card=None))
    table.apply(f.Opened(at_us=0, setup=setup(seats=5)))
    assert {Key.SEEN, Key.NOT_SEEN} <= set(table.prompt().keys)
    press(table, Key.NOT_SEEN)
    assert [draw.number for draw in table.state.deal.waiting] == [1]
    assert table.state.setup.seats == 5


def test_a_shoe_that_is_lost_twice_leaves_no_incident_open() -> None:
    """THB-SAB-1: the first gap is closed when the second one opens."""
    table = table_of(setup())
    until_phase(table, "dealing")
    lost = f.DeviceLost(at_us=0, device="shoe-1", role="shoe", reason="")
    table.apply(lost)
    table.apply(f.DeviceBack(at_us=0, device="shoe-1", role="shoe"))
    closed = [incident_closed for incident_closed in table.apply(lost) if isinstance(incident_closed, d.IncidentClosed)]
    assert [incident_closed.incident for incident_closed in closed] == [1]
    assert table.prompt().incident == 2


def test_thb_stf_1_a_card_on_which_the_controller_broke_between_hands_is_put_away_or_the_next_one() -> None:
    for remedy, where in ((Remedy.DISCARD, ["card discard.1"]), (Remedy.NEXT_CARD, [])):
        table = table_of(setup())
        offered = "incident THB-STF-1 expected=play observed=controller-fault remedy=discard|next-card"
        assert lines(table, "fault card=As key error") == [offered]
        assert lines(table, f"rule 1 {remedy} by ana") == [f"closed 1 {remedy} by pit-boss", *where]
        assert [draw.number for draw in table.state.deal.waiting] == ([] if where else [1])
        assert lines(table, "press new-hand\nbet 1 ante 1000\ndraw As")[0].startswith("incident THB-CRD-1")


def test_thb_stf_1_a_card_on_which_the_controller_broke_after_the_last_decision_is_put_away() -> None:
    table = table_of(setup())
    until_phase(table, "settlement")
    card = fresh_card(table.state, 0)
    assert card is not None
    (offered,) = lines(table, f"fault card={card.code} key error")
    assert offered.endswith("remedy=discard|void-hand")
    assert lines(table, "rule 1 discard by ana as he saw it")[-1] == "card discard.1"


def test_thb_crd_1_a_card_on_which_the_controller_broke_can_be_a_duplicate() -> None:
    table = table_of(setup())
    raised = lines(table, "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\nfault card=As key error")
    assert [text.split()[1] for text in raised] == ["THB-STF-1", "THB-CRD-1"]
    play_on(table)


def test_thb_sab_1_while_the_shoe_is_lost_no_key_answers_a_question_that_is_not_shown() -> None:
    table = table_of(setup())
    lines(table, "draw ??\nlost shoe shoe-1")
    assert table.prompt().keys == ()
    before = fingerprint(table.state)
    assert lines(table, "press not-seen") == ["refused held"]
    assert fingerprint(table.state) == before
    lines(table, "back shoe shoe-1")
    assert Key.NOT_SEEN in table.prompt().keys


def test_thb_err_5_a_count_is_closed_again_where_nothing_is_wrong() -> None:
    for asked in ("press wrong-count", "press wrong-count\npress bank", "declare wrong-count seat-1"):
        table = table_of(setup())
        lines(table, "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As")
        before = fingerprint(table.state)
        lines(table, asked)
        assert Key.CONFIRM in table.prompt().keys
        assert lines(table, "press confirm") == ["refused count-is-right THB-ERR-5"]
        assert fingerprint(table.state) == before


def test_thb_err_4_a_card_that_is_reported_after_a_restart_says_what_was_due_instead_of_it() -> None:
    """Only where more than the felt is open at the restart, nothing but a remedy was due."""
    lost = f.DeviceLost(at_us=0, device="sabot", role="shoe", reason="unplugged")
    called = f.Called(at_us=0, by="ana")
    for before, expected in (((), "decision-seat-1"), ((called,), "remedy"), ((lost,), "remedy")):
        table = table_of(setup())
        until_phase(table, "flop-decision")
        assert table.state.turn == 1
        for fact in (*before, f.Opened(at_us=0, setup=table.state.setup)):
            table.apply(fact)
        assert [pending.question for pending in table.state.asking] == [Question.FELT]
        raised = table.apply(f.Drawn(at_us=0, card=None))[0]
        assert isinstance(raised, d.IncidentRaised)
        assert (raised.clause, raised.expected) == ("THB-ERR-4", expected)


def test_thb_err_5_up_to_five_cards_are_counted_by_key() -> None:
    for key, cards in (("seat-4", 4), ("seat-5", 5), ("not-seen", 0)):
        table = table_of(setup())
        until_phase(table, "turn-decision")
        found = lines(table, f"press wrong-count\npress seat-1\npress {key}")
        assert found[0] == f"incident THB-ERR-5 expected=seat-1=2 observed=seat-1={cards} remedy=void-seat"


def test_tpc_ple_1_the_other_of_two_seats_is_none_that_was_said_already() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000\nbet 3 ante 1000")
    until_phase(table, "decision")
    assert lines(table, "declare cards-in-contact") == ["asked which-seat cards-in-contact"]
    assert lines(table, "press seat-2") == ["asked other-seat cards-in-contact"]
    seats = [key for key in table.prompt().keys if key.startswith("seat-")]
    assert seats == [Key.SEAT_1, Key.SEAT_3]
    assert lines(table, "press seat-3")[-1] == "withdraw-seat 3 TPC-PLE-1"


def test_tpc_dev_8_only_who_has_not_decided_can_be_next() -> None:
    table = table_of(setup("texas-poker"))
    lines(table, "press new-hand\nbet 1 ante 1000\nbet 2 ante 1000\nbet 3 ante 1000")
    until_phase(table, "decision")
    lines(table, "press seat-2\npress bet")
    assert [key for key in table.prompt().keys if key.startswith("seat-")] == [Key.SEAT_1, Key.SEAT_3]
    assert lines(table, "press seat-2") == ["refused not-live seat-2"]


def test_tpc_mis_5_one_face_twice_in_the_five_cards_of_a_txb_is_no_combination() -> None:
    """TPC-DEV-16: the pit boss let the second card go on; only the seat that would count it twice has none."""
    for cards, ends in (("2c 3d 4d 5d 6d 7d 2c", "remedy=void-hand"), ("2c 3d 4d 5d 6d 7d 4d", "phase txb-payment")):
        table = table_of(setup("texas-poker"))
        lines(table, "press new-hand\nbet 1 ante 1000 txb 500\nbet 2 ante 1000\npress no-more-bets")
        lines(table, "\n".join(f"draw {code}" for code in cards.split()))
        lines(table, "rule 1 next-card by ana as he saw it\ndraw Td\ndraw Jd\npress all-bet")
        assert lines(table, "press confirm")[-1].endswith(ends)
        play_on(table)


def test_thb_sab_1_nobody_waits_for_a_lost_shoe_where_antennas_read_the_cards_from_now_on() -> None:
    table = table_of(setup())
    table.apply(f.DeviceLost(at_us=0, device="shoe-1", role="shoe", reason="unplugged"))
    assert table.state.held
    decisions = table.apply(f.Opened(at_us=0, setup=setup(equipment=Equipment.ANTENNAS)))
    assert decisions == (d.IncidentClosed(incident=1, remedy=Remedy.CONTINUE, by=Chooser.RULE),)
    assert not table.state.held


def test_thb_sab_1_without_a_shoe_it_is_the_antennas_that_hold_the_table() -> None:
    table = table_of(setup(equipment=Equipment.ANTENNAS))
    assert table.apply(f.DeviceLost(at_us=0, device="shoe-1", role="shoe", reason="unplugged")) == ()
    table.apply(f.DeviceLost(at_us=0, device="felt", role="antennas", reason="unplugged"))
    assert table.state.held
    table.apply(f.DeviceBack(at_us=0, device="felt", role="antennas"))
    assert not table.state.held


@pytest.mark.parametrize(("rulebook", "clause"), [("texas-bonus", "THB-PLY-1"), ("texas-poker", "TPC-PLY-1")])
def test_thb_ply_1_tpc_ply_1_nine_play_even_where_the_table_has_ten_places(rulebook: str, clause: str) -> None:
    table = table_of(setup(rulebook, seats=10))
    lines(table, "press new-hand")
    assert lines(table, "bet 9 ante 1000") == []
    assert lines(table, "bet 10 ante 1000") == [f"refused unknown-seat {clause} 10"]


@pytest.mark.parametrize(("rulebook", "extra"), [("texas-bonus", "bonus"), ("texas-poker", "txb")])
def test_thb_tab_2_tpc_tab_1_after_the_extra_key_a_seat_makes_its_extra_bet(rulebook: str, extra: str) -> None:
    table = table_of(setup(rulebook, tracking=Tracking.PRESENCE))
    lines(table, "press new-hand")
    assert lines(table, "press seat-2") == ["bet 2 ante"]
    lines(table, "press bonus")
    assert table.prompt().about == extra
    assert lines(table, "press seat-2") == [f"bet 2 {extra}"]


def test_tpc_mis_0_a_bet_that_was_undone_is_that_of_who_sits_there_where_no_other_is_named() -> None:
    """Records from before others could bet at a seat name nobody."""
    undone = {"kind": "bet-reversed", "seat": 3, "bet": "txb", "stake": 500, "pays": -500}
    fact = {"kind": "counted", "cards": 52}
    record = {"seq": 1, "hand": 1, "at": "2026-11-21T22:45:00.000000Z", "fact": fact, "decisions": [undone]}
    assert decode_record(record).decisions == (d.BetReversed(seat=3, bet="txb", stake=500, pays=-500, bettor=1),)


def test_tpc_mis_0_a_hand_that_is_void_is_not_made_void_again() -> None:
    table = table_of(setup())
    until_phase(table, "flop-decision")
    state = table.state
    state.out = []
    void_hand(state, "THB-ERR-6")
    assert any(isinstance(decision, d.Refund) for decision in state.out)
    state.out = []
    void_hand(state, "THB-ERR-6")
    assert state.out == []


def test_thb_err_5_a_seat_that_is_void_has_its_bets_back_once() -> None:
    """Where two cards too many are in question there, each of them makes it void."""
    table = table_of(setup())
    until_phase(table, "flop-decision")
    state = table.state
    seat, state.out = state.staying[0], []
    void_seat(state, seat, "THB-ERR-5")
    assert any(isinstance(decision, d.Refund) for decision in state.out)
    state.out = []
    void_seat(state, seat, "THB-ERR-5")
    assert state.out == []
