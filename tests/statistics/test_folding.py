"""The fold of public records into rows. The records are made by the real engine."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.core.events.notes import FloatFilled
from tablectl.core.events.stream import decode_record
from tablectl.core.public_table.hand_row import hand_rows
from tablectl.i18n.currency import Currency
from tablectl.journal.volumes import VolumeSet
from tablectl.statistics.folding import Changes, Totals, digest_of, fold_all
from tablectl.statistics.rows import HandRow, rfc3339
from tablectl.statistics.store import Store
from tests.journal.journals import HANDS, WHOLE_HAND, Sitting, keep_keys, places
from tests.screens import hands
from tests.screens.controller import START_US, STEP_US, Bench, records_of
from tests.statistics.times import us_of

EURO: Final = Currency(code="EUR", exponent=2)


def at_us(seq: int) -> int:
    """When the record of a number was made at a bench."""
    return START_US + (seq - 1) * STEP_US


def folded(bench: Bench) -> tuple[Totals, Changes]:
    return fold_all(Totals(), bench.records)


def test_a_hand_is_a_row_with_its_times_cards_presses_and_what_the_bank_won() -> None:
    bench = Bench()
    bench.lines(hands.WHOLE)
    totals, changes = folded(bench)
    last = len(bench.records)
    assert changes.hands == {
        1: HandRow(
            hand=1,
            game="texas-bonus",
            opened_us=at_us(2),
            closed_us=at_us(last),
            cards=14,
            presses=8,
            bank_net=-12_000,
        )
    }
    assert changes.hands[1].duration_us == (last - 2) * STEP_US
    assert (totals.seq, totals.hand, totals.digest) == (last, None, digest_of(bench.records[-1]))


def test_a_void_hand_names_its_clause_and_changed_the_float_by_nothing() -> None:
    bench = Bench()
    bench.lines(hands.VOID)
    _, changes = folded(bench)
    row = changes.hands[1]
    assert (row.void, row.float_change, row.bank_net, row.fee) == ("THB-ERR-1", 0, 0, None)


def test_a_game_without_a_bank_has_a_fee_and_no_net() -> None:
    text = (HANDS / "circle-holdem" / "THL-DEF-7-the-fee-comes-out-of-the-pot.hand").read_text(encoding="utf-8")
    records = records_of(text)
    _, changes = fold_all(Totals(seq=records[0]["seq"] - 1), records)
    (change,) = (
        decision["float_change"] for record in records for decision in record["decisions"] if "float_change" in decision
    )
    row = next(hand for hand in changes.hands.values() if hand.closed_us is not None)
    assert change > 0
    assert (row.game, row.bank_net, row.fee, row.float_change) == ("circle-holdem", None, change, change)


def test_an_entry_of_the_float_is_a_row_and_hands_say_what_is_expected_after_them() -> None:
    bench = Bench()
    bench.note("float-counted", amount=100_000, expected=None, by="ana", second="luis")
    bench.lines(hands.WHOLE)
    bench.note("float-counted", amount=87_000, expected=88_000, by="ana", second="luis")
    bench.note("float-credited", amount=7000, by="ana", second="luis")
    totals, changes = folded(bench)
    first, second, credit = changes.floats.values()
    assert (first.counted_on, first.expected, first.difference, first.seq, first.hand) == (None, 100_000, None, 2, 1)
    assert (second.counted_on, second.expected, second.difference) == (88_000, 87_000, -1000)
    assert (credit.act, credit.expected, credit.difference, credit.hand) == ("credit", 80_000, None, 2)
    assert changes.hands[1].float_expected == 88_000
    assert totals.tray.expected == 80_000


def test_hands_and_entries_of_the_float_have_the_currency_that_the_journal_said_then(tmp_path: Path) -> None:
    """Records of a new journal say it from the second hand on; a program that says none may come after one that did."""
    keep_keys(tmp_path)
    where = places(tmp_path)
    for currency in (EURO, Currency(code="JPY", exponent=0), None):
        with Sitting(where, currency) as sitting:
            sitting.line("restart")
            sitting.lines(WHOLE_HAND * (2 if currency is EURO else 1))
            sitting.journal.note(FloatFilled(at_us=START_US, amount=500, by="ana", second="luis"))
    with closing(VolumeSet(where.journal)) as volume_set:
        totals, changes = fold_all(Totals(), [json.loads(record.public) for record in volume_set.records()])
    hands = [(hand.currency, hand.currency_exponent) for hand in changes.hands.values()]
    floats = [(float_row.currency, float_row.currency_exponent) for float_row in changes.floats.values()]
    assert hands == [("", None), ("EUR", 2), ("JPY", 0), ("", None)]
    assert floats == [("EUR", 2), ("JPY", 0), ("", None)]
    assert (totals.currency, totals.currency_exponent) == ("", None)


def test_an_incident_is_a_row_from_raised_to_acknowledged_and_decided() -> None:
    bench = Bench()
    bench.lines(hands.BETS + "call by croupier\nacknowledge 1 by ana\nrule 1 continue by luis")
    totals, changes = folded(bench)
    row = changes.incidents[1]
    assert (row.clause, row.hand, row.acknowledged_by, row.closed_by, row.remedy) == (
        "THB-STF-1",
        1,
        "ana",
        "luis",
        "continue",
    )
    assert (row.until_acknowledged_us, row.until_closed_us) == (STEP_US, 2 * STEP_US)
    assert totals.incidents == {}, "nothing can be added to it"


def test_an_incident_that_turns_out_to_be_another_one_is_one_row_since_it_was_raised() -> None:
    """THB-ERR-4, -5: a card too soon is one too many at a seat, and its player has looked at it."""
    bench = Bench()
    bench.lines(hands.BETS + hands.HOLE_CARDS + "draw 2c\npress seat-3\npress seat-3\npress seen")
    _, changes = folded(bench)
    assert [(row.incident, row.clause) for row in changes.incidents.values()] == [(1, "THB-ERR-5")]
    assert changes.incidents[1].until_closed_us == 3 * STEP_US
    (row,) = hand_rows(decode_record(record) for record in bench.records)
    assert [(incident.incident, incident.clause) for incident in row.incidents] == [(1, "THB-ERR-5")]


def test_two_persons_who_ruled_are_both_named() -> None:
    bench = Bench()
    bench.lines(hands.BETS + "call by croupier\nrule 1 continue by luis")
    bench.records[-1]["fact"]["second"] = "ana"
    _, changes = folded(bench)
    assert changes.incidents[1].closed_by == "luis+ana"


def test_an_incident_the_rule_decides_was_decided_at_once_by_the_rule() -> None:
    bench = Bench()
    bench.lines(hands.BETS + hands.HOLE_CARDS + "press bank-exposed\npress confirm")
    totals, changes = folded(bench)
    row = changes.incidents[1]
    assert (row.closed_by, row.until_closed_us, row.acknowledged_us) == ("rule", 0, None)
    assert totals.incidents == {}, "it is an event: nobody has to acknowledge it"


def test_a_cable_that_came_and_went_is_of_no_clause_and_waits_for_whoever_acknowledges_it() -> None:
    bench = Bench()
    bench.lines(hands.BETS + "usb plugged foreign 1234:abcd at 1-1")
    totals, changes = folded(bench)
    assert (changes.incidents[1].clause, set(totals.incidents)) == ("", {1})
    bench.line("acknowledge 1 by ana")
    totals, changes = folded(bench)
    assert (changes.incidents[1].acknowledged_by, totals.incidents) == ("ana", {})


def test_the_device_of_an_incident_is_the_one_that_its_record_names() -> None:
    bench = Bench()
    bench.lines(hands.DEVICES + hands.BETS + "lost shoe angel-eye cable\nusb plugged foreign 1234:abcd at 1-2")
    _, changes = folded(bench)
    assert [row.device for row in changes.incidents.values()] == ["angel-eye", "1234:abcd at 1-2"]


def signed_on(bench: Bench, kind: str, croupier: str) -> None:
    """A record of a table that knows its people."""
    bench.note("signed-on", croupier=croupier)
    bench.records[-1]["decisions"] = [{"kind": kind, "croupier": croupier}]


def test_a_hand_is_that_of_who_dealt_when_it_began() -> None:
    bench = Bench()
    signed_on(bench, "croupier-at-table", "ana")
    bench.lines(hands.BETS)
    signed_on(bench, "croupier-waits", "luis")
    bench.lines(hands.HOLE_CARDS + "press bank-exposed\npress confirm\npress confirm")
    signed_on(bench, "croupier-at-table", "luis")
    bench.lines(hands.BETS)
    signed_on(bench, "croupier-left", "luis")
    totals, changes = folded(bench)
    assert [row.croupier for row in changes.hands.values()] == ["ana", "luis"]
    assert changes.incidents[1].croupier == "ana"
    assert totals.croupier == ""


@pytest.mark.parametrize("cut", range(1, 30, 4))
def test_it_can_stop_anywhere_and_go_on(cut: int) -> None:
    bench = Bench()
    bench.note("float-counted", amount=100_000, expected=None, by="ana", second="")
    bench.lines(hands.VOID + hands.WHOLE)
    whole_book, whole = folded(bench)
    totals, first = fold_all(Totals(), bench.records[:cut])
    totals, second = fold_all(totals, bench.records[cut:])
    assert totals == whole_book
    assert {**first.hands, **second.hands} == whole.hands
    assert {**first.incidents, **second.incidents} == whole.incidents
    assert {**first.floats, **second.floats} == whole.floats
    assert whole_book.tray.expected == 88_000


def test_a_missing_record_is_no_stream() -> None:
    bench = Bench()
    bench.lines(hands.BETS)
    with pytest.raises(ValueError, match="record 3 after 1"):
        fold_all(Totals(), [bench.records[0], bench.records[2]])


@pytest.mark.parametrize("wrong", [{}, {"seq": 1}, {"seq": 1, "at": "x", "fact": {}}, {"seq": 1, "at": 5, "fact": {}}])
def test_what_is_no_record_is_said(wrong: dict[str, Any]) -> None:
    with pytest.raises((LookupError, TypeError, ValueError)):
        fold_all(Totals(), [wrong])


def test_times_are_exact_to_the_microsecond_in_both_directions() -> None:
    text = "2026-11-21T22:45:01.700001Z"
    assert us_of(text) == START_US + 1_700_001
    assert rfc3339(us_of(text)) == text


# --- phases, and errors of the deal -----------------------------------------------------------------------------------


def test_the_phases_of_a_hand_are_its_whole_time() -> None:
    bench = Bench()
    bench.lines(hands.WHOLE + hands.WHOLE)
    _, changes = folded(bench)
    for number in (1, 2):
        rows = [row for row in changes.phases if row.hand == number]
        assert [row.place for row in rows] == list(range(len(rows)))
        assert [row.phase for row in rows][:2] == ["betting", "dealing"]
        assert sum(row.lasted_us for row in rows) == changes.hands[number].duration_us


def test_a_hand_that_is_cut_by_a_restart_of_the_statistics_has_the_same_phases() -> None:
    bench = Bench()
    bench.lines(hands.WHOLE)
    half, first = fold_all(Totals(), bench.records[:9])
    _, second = fold_all(half, bench.records[9:])
    assert first.phases == ()
    assert second.phases == folded(bench)[1].phases


def test_an_error_of_the_deal_is_the_croupiers_and_a_lost_device_is_not() -> None:
    bench = Bench()
    bench.lines(hands.VOID)
    (row,) = folded(bench)[1].incidents.values()
    assert (row.clause, row.is_croupiers) == ("THB-ERR-1", True)
    bench.lines("press new-hand\nbet 1 ante 1000\npress no-more-bets\nlost shoe sabot timeout\n")
    lost = folded(bench)[1].incidents[2]
    assert (lost.device, lost.is_croupiers) == ("sabot", False)


def test_an_incident_whose_entry_was_put_right_is_nobodys_although_it_was_decided() -> None:
    bench = Bench()
    bench.lines(hands.VOID)
    totals, changes = folded(bench)
    assert changes.incidents[1].is_croupiers
    assert totals.incidents == {}, "it is decided, and nothing is expected of it any more"
    withdrawn = {"kind": "withdrawn", "number": 2, "fallen": [1]}
    fallen = {**bench.records[-1], "seq": totals.seq + 1, "decisions": [withdrawn]}
    del fallen["carry"]
    _, after = fold_all(totals, [fallen])
    assert after.withdrawn == {1}
    with closing(Store(None)) as store:
        store.keep(totals, changes)
        assert store.incidents(0, 1 << 62)[0].is_croupiers
        store.keep(totals, after)
        assert not store.incidents(0, 1 << 62)[0].is_croupiers
