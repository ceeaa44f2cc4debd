"""Alarms: the life of each, in the states of ISA-18.2 and IEC 62682; their order, their list, and the shelf."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tablectl.core.engine.decisions import AlarmShelved, AlarmUnshelved, Refused
from tablectl.core.engine.preview import Fate, Preview, SeatMoney
from tablectl.core.engine.vocabulary import Refusal, Remedy
from tablectl.core.public_table.alarm_kinds import RANKS, AlarmKind, Priority, Responder
from tablectl.core.public_table.alarms import STATES, Alarm, AlarmState, Condition, alarms_of, by_state, events_of
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.shelf import ShelfView
from tablectl.core.public_table.table import PublicTable
from tablectl.core.security import AGAIN_US, QUIET_US, SecurityCause, alarm_of
from tablectl.core.timestamps import time_text
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens import alarm_texts
from tablectl.web.screens.entries import (
    ACKNOWLEDGE_GONE,
    SCREENS,
    SHELF_MINUTES,
    BadEntry,
    Typed,
    acknowledgements,
    line_of,
)
from tablectl.web.screens.feed import Picture
from tablectl.web.screens.greeting import table_info
from tablectl.web.screens.render import Pages
from tests.screens import hands
from tests.screens.controller import Bench, record_of
from tests.screens.test_pages import plain

NOW_US = 1_795_302_000_000_000
AT_NOW = Pages(now=lambda: datetime.fromtimestamp(NOW_US / 1_000_000, UTC))
MINUTE_US = 60_000_000
UNSEEN, SEEN, RETURNED, SHELVED, NORMAL = (
    AlarmState.UNACKNOWLEDGED,
    AlarmState.ACKNOWLEDGED,
    AlarmState.RETURNED,
    AlarmState.SHELVED,
    AlarmState.NORMAL,
)
#: A card was seen that nobody was to see yet: the hand is void at once, by the rule.
VOID_AT_ONCE = hands.BETS + hands.HOLE_CARDS + "press bank-exposed\npress confirm\n"
CALL = hands.BETS + "call by croupier\n"
#: A card was drawn before the bets were closed: the croupier is asked whether anybody saw it.
ASKED = hands.BETS.replace("press no-more-bets", "draw 2s")


def view_of(lines: str) -> PublicTable:
    bench = Bench()
    bench.lines(lines)
    return view_after(bench)


def view_after(bench: Bench) -> PublicTable:
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    return view


def alarm(view: PublicTable, name: str, now_us: int = NOW_US) -> Alarm:
    (found,) = (shown for shown in alarms_of(view, now_us) if shown.name == name)
    return found


def shelved(view: PublicTable, name: str, until_us: int = NOW_US + MINUTE_US) -> PublicTable:
    return replace(
        view,
        shelved={**view.shelved, name: ShelfView(alarm=name, until_us=until_us, by="ana", reason="lamp ordered")},
    )


# --- the state table --------------------------------------------------------------------------------------------------

#: What can happen to an alarm: which part of its condition changes, and to what.
HAPPENS = {
    "raised": ("active", True),
    "returned": ("active", False),
    "acknowledged": ("seen", True),
    "raised-anew": ("seen", False),
    "shelved": ("shelved", True),
    "unshelved-or-over": ("shelved", False),
}
#: Every transition: from a condition (active, seen, shelved) and its state, what happens, and the state after it.
TRANSITIONS = {
    ((False, True, False), NORMAL): {
        "raised": SEEN,
        "returned": NORMAL,
        "acknowledged": NORMAL,
        "raised-anew": RETURNED,
        "shelved": NORMAL,
        "unshelved-or-over": NORMAL,
    },
    ((False, False, False), RETURNED): {
        "raised": UNSEEN,
        "returned": RETURNED,
        "acknowledged": NORMAL,
        "raised-anew": RETURNED,
        "shelved": RETURNED,
        "unshelved-or-over": RETURNED,
    },
    ((True, False, False), UNSEEN): {
        "raised": UNSEEN,
        "returned": RETURNED,
        "acknowledged": SEEN,
        "raised-anew": UNSEEN,
        "shelved": SHELVED,
        "unshelved-or-over": UNSEEN,
    },
    ((True, True, False), SEEN): {
        "raised": SEEN,
        "returned": NORMAL,
        "acknowledged": SEEN,
        "raised-anew": UNSEEN,
        "shelved": SHELVED,
        "unshelved-or-over": SEEN,
    },
    ((True, False, True), SHELVED): {
        "raised": SHELVED,
        "returned": RETURNED,
        "acknowledged": SHELVED,
        "raised-anew": SHELVED,
        "shelved": SHELVED,
        "unshelved-or-over": UNSEEN,
    },
    ((True, True, True), SHELVED): {
        "raised": SHELVED,
        "returned": NORMAL,
        "acknowledged": SHELVED,
        "raised-anew": SHELVED,
        "shelved": SHELVED,
        "unshelved-or-over": SEEN,
    },
    ((False, False, True), RETURNED): {
        "raised": SHELVED,
        "returned": RETURNED,
        "acknowledged": NORMAL,
        "raised-anew": RETURNED,
        "shelved": RETURNED,
        "unshelved-or-over": RETURNED,
    },
    ((False, True, True), NORMAL): {
        "raised": SHELVED,
        "returned": NORMAL,
        "acknowledged": NORMAL,
        "raised-anew": RETURNED,
        "shelved": NORMAL,
        "unshelved-or-over": NORMAL,
    },
}


def test_the_state_table_knows_every_condition_and_every_state() -> None:
    assert len(STATES) == len(TRANSITIONS) == 8
    assert set(STATES.values()) == set(AlarmState)
    assert all(set(transition) == set(HAPPENS) for transition in TRANSITIONS.values())


@pytest.mark.parametrize("happens", HAPPENS)
@pytest.mark.parametrize("origin", TRANSITIONS)
def test_every_transition(origin: tuple[tuple[bool, bool, bool], AlarmState], happens: str) -> None:
    (active, seen, is_shelved), state = origin
    before = Condition(active=active, seen=seen, shelved=is_shelved)
    name, value = HAPPENS[happens]
    after = {
        "active": replace(before, active=value),
        "seen": replace(before, seen=value),
        "shelved": replace(before, shelved=value),
    }[name]
    assert STATES[before] is state
    assert STATES[after] is TRANSITIONS[origin][happens]


# --- incidents and devices --------------------------------------------------------------------------------------------


def test_an_incident_that_waits_for_the_pit_boss_lives_from_raised_to_normal() -> None:
    states = [
        alarm(view_of(CALL + more), "incident-1").state
        for more in (
            "",
            "acknowledge 1 by ana",
            "acknowledge 1 by ana\nrule 1 continue by ana",
            "rule 1 continue by ana",
        )
    ]
    assert states == [UNSEEN, SEEN, NORMAL, NORMAL]


def test_THB_ERR_1_what_the_rule_resolves_at_once_is_an_event_and_nobody_has_to_respond() -> None:
    view = view_of(VOID_AT_ONCE)
    assert alarms_of(view, NOW_US) == ()
    assert [(event.number, event.clause, event.is_done) for event in events_of(view)] == [(1, "THB-ERR-1", True)]
    text = listed(view)
    assert 'class="group of-events"' in text
    assert 'data-act="acknowledge"' not in text
    assert "Sucesos: resueltos por las reglas" in plain(text)
    assert "Ninguna alarma" in plain(text)


def test_an_event_is_acknowledged_once_at_most_and_is_not_carried_to_the_next_hand() -> None:
    bench = Bench()
    bench.lines(VOID_AT_ONCE)
    bench.lines("acknowledge 1 by ana\nacknowledge 1 by ana\npress confirm\n")
    refused = [said for record in bench.stream for said in record.decisions if isinstance(said, Refused)]
    assert [said.why for said in refused] == [Refusal.UNKNOWN_INCIDENT]
    carried = [record.carry.unseen for record in bench.stream if record.carry is not None]
    assert carried
    assert set(carried) == {()}


def test_a_question_to_the_croupier_is_his_alarm_and_the_page_of_the_pit_boss_is_silent() -> None:
    found = alarm(view_of(ASKED), "incident-1")
    assert (found.state, found.kind, found.responder) == (UNSEEN, AlarmKind.QUESTION, Responder.CROUPIER)
    assert (found.priority, found.calls, found.sounds) == (Priority.MEDIUM, False, False)
    answered = alarm(view_of(ASKED + "press not-seen\n"), "incident-1")
    assert (answered.state, answered.can_acknowledge) == (NORMAL, False)


def test_every_kind_of_alarm_has_its_rank_and_says_why() -> None:
    texts = Pages().texts("es", Picture()).texts
    assert set(RANKS) == set(AlarmKind)
    assert texts.keys("alarm-why") == {kind.value for kind in AlarmKind}


def test_a_lamp_that_is_away_has_not_the_priority_of_what_holds_the_table() -> None:
    view = view_of(hands.DEVICES + CALL + "lost light tower cable\nlost panel xkeys gone\n")
    assert [(shown.kind, shown.priority, shown.calls) for shown in alarms_of(view, NOW_US)] == [
        (AlarmKind.RULING, Priority.HIGH, True),
        (AlarmKind.KEYS_LOST, Priority.MEDIUM, True),
        (AlarmKind.LAMP_LOST, Priority.LOW, False),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_alarm_names_the_role_that_must_respond_and_why_it_is_so_urgent(language: str) -> None:
    text = listed(view_of(hands.DEVICES + CALL + "lost light tower cable\n"), language)
    assert re.findall(r'data-responder="([\w-]+)"', text) == ["pit-boss", "technician"]
    assert {"es": 'aria-label="Responde: técnico"', "en": 'aria-label="Responds: technician"'}[language] in text
    assert {"es": "DECIDA USTED", "en": "YOU DECIDE"}[language] in text
    why = {"es": "Baja: las pantallas dicen lo mismo", "en": "Low: the screens say the same"}
    assert f'title="{why[language]}"' in text


USB = "usb plugged foreign 1234:abcd at 1-1\n"


def test_a_foreign_usb_device_is_an_alarm_while_it_is_plugged_in_and_cites_no_rule() -> None:
    found = alarm(view_of(hands.BETS + USB), "incident-1")
    assert (found.state, found.kind, found.responder) == (UNSEEN, AlarmKind.FOREIGN_USB, Responder.PIT_BOSS)
    assert (found.can_acknowledge, found.can_shelve) == (True, True)
    assert alarm(view_of(hands.BETS + USB + "acknowledge 1 by ana\n"), "incident-1").state is SEEN
    out = hands.BETS + USB + USB.replace("plugged", "unplugged")
    assert [shown.state for shown in alarms_of(view_of(out), NOW_US)] == [RETURNED, RETURNED]
    text = listed(view_of(hands.BETS + USB))
    assert "THB-STF-1" not in text
    assert "Ninguna regla del juego trata de esto" in plain(text)


def test_a_shoe_that_is_away_cites_no_rule_of_cards_and_stays_in_the_list_until_somebody_knows_of_it() -> None:
    lost = hands.DEVICES + "lost shoe angel-eye cable\n"
    found = alarm(view_of(lost), "incident-1")
    assert (found.state, found.kind, found.priority) == (UNSEEN, AlarmKind.READER_LOST, Priority.HIGH)
    assert "THB-SAB-1" not in listed(view_of(lost))
    back = lost + "back shoe angel-eye\n"
    assert alarm(view_of(back), "incident-1").state is RETURNED
    assert alarm(view_of(back + "acknowledge 1 by ana\n"), "incident-1").state is NORMAL


def test_a_shoe_that_is_back_in_a_hand_leaves_a_question_for_the_croupier() -> None:
    found = alarm(
        view_of(hands.DEVICES + hands.BETS + "lost shoe angel-eye cable\nback shoe angel-eye\n"), "incident-1"
    )
    assert (found.kind, found.state) == (AlarmKind.QUESTION, UNSEEN)


def test_THB_STF_1_the_two_who_decided_stand_there_once() -> None:
    text = plain(listed(view_of(CALL + "rule 1 void-hand by ana+luis no reason to go on\n")))
    assert text.count("Decidido por ana y luis") == 1
    assert "con luis" not in text


def test_what_holds_the_table_is_of_high_priority_and_cannot_be_shelved() -> None:
    found = alarm(view_of(CALL), "incident-1")
    assert (found.priority, found.can_shelve, found.sounds) == (Priority.HIGH, False, True)


SEEN_BY_ANA, BACK = "acknowledge device-tower by ana\n", "back light tower\n"


def test_a_lost_device_is_an_alarm_until_it_answers_and_somebody_knows_of_it() -> None:
    lost = hands.DEVICES + "lost light tower cable\n"
    found = alarm(view_of(lost), "device-tower")
    assert (found.state, found.priority, found.sounds, found.can_shelve) == (UNSEEN, Priority.LOW, False, True)
    found = alarm(view_of(lost + SEEN_BY_ANA), "device-tower")
    assert (found.state, found.sounds, found.can_shelve, found.can_acknowledge) == (SEEN, False, True, False)
    found = alarm(view_of(lost + BACK), "device-tower")
    assert (found.state, found.can_shelve, found.can_acknowledge) == (RETURNED, False, True)
    assert alarms_of(view_of(lost + SEEN_BY_ANA + BACK), NOW_US) == ()
    assert alarms_of(view_of(lost + BACK + SEEN_BY_ANA), NOW_US) == ()
    again = "lost light tower cable\n"
    assert alarm(view_of(lost + SEEN_BY_ANA + BACK + again), "device-tower").state is UNSEEN
    assert alarm(view_of(lost + BACK + again), "device-tower").state is UNSEEN


def test_a_device_that_came_back_unseen_and_notes_something_is_one_alarm() -> None:
    bench = Bench()
    bench.lines(hands.BETS + "back shuffler shuffler\nlost shuffler shuffler cable\nback shuffler shuffler\n")
    assert alarm(view_after(bench), "device-shuffler").state is RETURNED
    bench.note("device-said", device="shuffler", role="shuffler", what="jam", code=None)
    (found,) = alarms_of(view_after(bench), NOW_US)
    assert (found.name, found.state, [note.what for note in found.notes]) == ("device-shuffler", UNSEEN, ["jam"])
    bench.note("device-said", device="shuffler", role="shuffler", what="started", code=None)
    assert alarm(view_after(bench), "device-shuffler").state is RETURNED


@pytest.mark.parametrize(
    ("language", "active", "back"),
    [
        ("es", "Activas, reconocidas", "no respondía y ha vuelto (tower)"),
        ("en", "Active, acknowledged", "did not answer, and is back (tower)"),
    ],
)
def test_a_device_is_acknowledged_on_the_page(language: str, active: str, back: str) -> None:
    lost = hands.DEVICES + "lost light tower cable\n"
    assert 'data-act="acknowledge" data-alarm="device-tower"' in listed(view_of(lost), language)
    text = plain(listed(view_of(lost + SEEN_BY_ANA), language))
    assert 'data-act="acknowledge"' not in listed(view_of(lost + SEEN_BY_ANA), language)
    for words in (active, "ana"):
        assert words in text
    assert back in plain(listed(view_of(lost + BACK), language))


def test_the_reader_of_the_cards_is_one_alarm_and_not_two() -> None:
    lost = view_of(hands.DEVICES + hands.BETS + "lost shoe angel-eye cable\n")
    assert [shown.name for shown in alarms_of(lost, NOW_US)] == ["incident-1"]


def test_what_a_device_notes_is_of_low_priority_and_silent() -> None:
    bench = Bench()
    bench.lines(hands.DEVICES + hands.BETS)
    bench.note("device-said", device="angel-eye", role="shoe", what="scan-failed", code=None)
    view = PublicTable()
    for record in bench.stream:
        view = fold(view, record)
    found = alarm(view, "device-angel-eye")
    assert (found.priority, found.sounds, len(found.notes)) == (Priority.LOW, False, 1)


def test_a_shelved_alarm_comes_back_by_itself_at_its_end() -> None:
    view = shelved(view_of(hands.DEVICES + "lost light tower cable\n"), "device-tower")
    states = [alarm(view, "device-tower", NOW_US + us).state for us in (0, MINUTE_US - 1, MINUTE_US, 2 * MINUTE_US)]
    assert states == [SHELVED, SHELVED, UNSEEN, UNSEEN]
    assert alarm(view, "device-tower").sounds is False
    assert alarm(view, "device-tower").shelved_until == "2026-11-21T23:01:00+00:00"
    assert alarm(view, "device-tower", NOW_US + MINUTE_US).shelved_until == ""


def test_the_records_shelve_and_unshelve() -> None:
    put_aside = AlarmShelved(alarm="device-tower", until_us=NOW_US, by="ana", reason="lamp ordered")
    view = fold(PublicTable(), record_of(put_aside))
    assert view.shelved == {
        "device-tower": ShelfView(alarm="device-tower", until_us=NOW_US, by="ana", reason="lamp ordered")
    }
    assert fold(view, record_of(AlarmUnshelved(alarm="device-tower", by=""))).shelved == {}


def test_alarms_stand_by_state_then_by_priority_then_the_newest_first() -> None:
    lines = hands.DEVICES + VOID_AT_ONCE + "press confirm\n" + CALL.replace("call", "lost light tower gone\ncall")
    view = view_of(lines + "lost panel xkeys gone\n")
    assert [(shown.name, shown.state, shown.priority) for shown in alarms_of(view, NOW_US)] == [
        ("incident-2", UNSEEN, Priority.HIGH),
        ("device-xkeys", UNSEEN, Priority.MEDIUM),
        ("device-tower", UNSEEN, Priority.LOW),
    ]
    assert list(by_state(alarms_of(view, NOW_US))) == [UNSEEN]


# --- what chatters ----------------------------------------------------------------------------------------------------

GONE_AND_BACK = "lost panel xkeys cable\nback panel xkeys\n"
KEYS = "device-xkeys"


def at_minutes(*events: tuple[int, str]) -> tuple[Bench, PublicTable]:
    """A table at which these lines were entered so many minutes after its start."""
    bench = Bench()
    bench.lines(hands.DEVICES)
    start_us = bench.now_us
    for minute, lines in events:
        bench.pass_us(max(0, start_us + minute * MINUTE_US - bench.now_us))
        bench.lines(lines)
    return bench, view_after(bench)


def test_three_losses_within_ten_minutes_are_one_alarm_with_a_count_until_it_is_quiet_for_so_long() -> None:
    bench, view = at_minutes((0, GONE_AND_BACK), (4, GONE_AND_BACK), (8, GONE_AND_BACK))
    found = alarm(view, KEYS, bench.now_us)
    assert (found.losses, found.state) == (3, UNSEEN), "it is back, and may be gone again at once"
    found = alarm(view, KEYS, bench.now_us + 11 * MINUTE_US)
    assert (found.losses, found.state) == (3, RETURNED)


@pytest.mark.parametrize("minutes", [(0, 8), (0, 6, 12)])
def test_fewer_losses_or_slower_ones_are_no_burst(minutes: tuple[int, ...]) -> None:
    bench, view = at_minutes(*((minute, GONE_AND_BACK) for minute in minutes))
    assert (alarm(view, KEYS, bench.now_us).losses, alarm(view, KEYS, bench.now_us).state) == (0, RETURNED)


def test_a_device_that_is_told_as_lost_again_by_a_controller_that_starts_is_lost_once() -> None:
    bench, view = at_minutes(*((minute, "lost panel xkeys cable\n") for minute in (0, 1, 2)))
    assert alarm(view, KEYS, bench.now_us).losses == 0


def test_whoever_acknowledged_what_chatters_is_not_called_again_while_it_does() -> None:
    burst = tuple((minute, GONE_AND_BACK) for minute in (0, 2, 4))
    known = (*burst, (5, f"acknowledge {KEYS} by ana\n"))
    bench, view = at_minutes(*known, (6, GONE_AND_BACK))
    found = alarm(view, KEYS, bench.now_us)
    assert (found.losses, found.state, found.sounds) == (4, SEEN, False)
    assert [shown.name for shown in alarms_of(view, bench.now_us + 11 * MINUTE_US)] == []
    bench, view = at_minutes(*known, (30, "lost panel xkeys cable\n"))
    assert (alarm(view, KEYS, bench.now_us).losses, alarm(view, KEYS, bench.now_us).state) == (0, UNSEEN)


def test_what_was_acknowledged_as_chattering_stays_so_in_the_next_hand() -> None:
    burst = tuple((minute, GONE_AND_BACK) for minute in (0, 2, 4))
    hand = hands.BETS + hands.HOLE_CARDS + "press bank-exposed\npress confirm\npress confirm\npress new-hand\n"
    bench, view = at_minutes(*burst, (5, f"acknowledge {KEYS} by ana\n"), (6, GONE_AND_BACK), (7, hand))
    assert view.hand == 2
    assert alarm(view, KEYS, bench.now_us).state is SEEN


SHOE_GONE_AND_BACK = "lost shoe angel-eye cable\nback shoe angel-eye\n"


def test_a_shoe_that_is_lost_three_times_is_one_alarm_and_is_acknowledged_as_one() -> None:
    bench, view = at_minutes((0, SHOE_GONE_AND_BACK), (3, SHOE_GONE_AND_BACK), (6, SHOE_GONE_AND_BACK))
    (found,) = alarms_of(view, bench.now_us)
    assert (found.name, found.losses, found.state) == ("incident-3", 3, RETURNED)
    entry = {"act": "acknowledge", "incident": 3}
    lines = acknowledgements(entry, (found,), by="ana")
    assert lines == ("acknowledge 1 by ana", "acknowledge 2 by ana", "acknowledge 3 by ana")
    bench.lines("\n".join(lines))
    (found,) = alarms_of(view_after(bench), bench.now_us)
    assert (found.state, found.losses, found.others) == (NORMAL, 3, ())


def test_the_newest_of_a_burst_alone_does_not_answer_for_the_others() -> None:
    bench, _ = at_minutes((0, SHOE_GONE_AND_BACK), (3, SHOE_GONE_AND_BACK), (6, SHOE_GONE_AND_BACK))
    bench.lines("acknowledge 3 by ana\n")
    (found,) = alarms_of(view_after(bench), bench.now_us)
    assert (found.state, found.unanswered) == (RETURNED, ("incident-1", "incident-2"))
    assert 'data-act="acknowledge" data-incident="3"' in listed(view_after(bench))


def test_a_foreign_device_that_is_plugged_in_and_out_is_one_alarm_that_lasts_while_it_is_there() -> None:
    out = USB.replace("plugged", "unplugged")
    bench, view = at_minutes((0, USB + out), (1, USB + out), (2, USB + out + USB))
    (found,) = alarms_of(view, bench.now_us)
    assert (found.losses, found.state, len(found.unanswered)) == (3, UNSEEN, 7)


@pytest.mark.parametrize("language", LANGUAGES)
def test_how_often_it_was_lost_stands_on_the_alarm(language: str) -> None:
    _, view = at_minutes((0, GONE_AND_BACK), (1, GONE_AND_BACK), (2, "lost panel xkeys cable\n"))
    text = listed(view, language)
    assert 'data-losses="3"' in text
    assert {"es": "pérdidas del mismo aparato", "en": "losses of the same device"}[language] in plain(text)


# --- one action for all that is over ----------------------------------------------------------------------------------


def test_one_action_acknowledges_what_is_over_and_nothing_that_lasts() -> None:
    bench, view = at_minutes((0, GONE_AND_BACK + "lost shuffler mixer cable\n" + SHOE_GONE_AND_BACK))
    text = listed(view)
    (shown,) = re.findall(r'data-acknowledge-gone="([^"]+)"', text)
    assert shown == "incident-1 device-xkeys"
    entry = {"act": ACKNOWLEDGE_GONE, "alarms": [*shown.split(), "device-mixer"]}
    lines = acknowledgements(entry, alarms_of(view, bench.now_us), by="ana")
    assert lines == ("acknowledge 1 by ana", "acknowledge device-xkeys by ana")
    bench.lines("\n".join(lines))
    left = [shown for shown in alarms_of(view_after(bench), bench.now_us) if shown.state is not NORMAL]
    assert [shown.name for shown in left] == ["device-mixer"]


def test_what_the_page_did_not_show_is_not_acknowledged() -> None:
    bench, view = at_minutes((0, GONE_AND_BACK))
    entry = {"act": ACKNOWLEDGE_GONE, "alarms": []}
    assert acknowledgements(entry, alarms_of(view, bench.now_us), by="ana") == ()


@pytest.mark.parametrize("alarms", [None, "device-xkeys", ["lamp"], [5], ["device-xkeys"] * 201])
def test_what_is_no_list_of_alarms_is_refused(alarms: object) -> None:
    with pytest.raises(BadEntry):
        acknowledgements({"act": ACKNOWLEDGE_GONE, "alarms": alarms}, (), by="ana")


# --- the list on the page ---------------------------------------------------------------------------------------------


def listed(view: PublicTable, language: str = "es") -> str:
    picture = Picture(view=view, table=table_info(Bench().greeting), connected=True)
    return " ".join(AT_NOW.parts("pit", language, picture)["alerts"].split())


@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("es", ("Resueltas, sin reconocer", "Apartadas", "por ana")),
        ("en", ("Over, not acknowledged", "Shelved", "by ana")),
    ],
)
def test_the_list_is_grouped_and_says_who_and_when(language: str, said: tuple[str, ...]) -> None:
    gone = "lost panel xkeys gone\nback panel xkeys\n"
    view = shelved(view_of(hands.DEVICES + VOID_AT_ONCE + gone + "lost light tower cable\n"), "device-tower")
    text = listed(view, language)
    assert re.findall(r'class="group of-(\w+)"', text) == ["returned", "shelved", "events"]
    assert all(words in plain(text) for words in said)
    assert "lamp ordered" in text
    assert 'data-unshelve="device-tower"' in text
    assert 'data-unacknowledged="device-xkeys " data-sounding=""' in text


def test_a_device_alarm_offers_the_shelf_with_an_end_and_a_reason_that_is_needed() -> None:
    text = listed(view_of(hands.DEVICES + "lost light tower cable\n"))
    assert re.findall(r'<option value="(\d+)">', text) == [str(minutes) for minutes in SHELF_MINUTES]
    assert re.search(r'<input id="why-device-tower" name="reason" required', text)
    assert 'data-sounding=""' in text, "a lamp calls nobody"


def test_an_incident_that_waits_is_not_offered_the_shelf() -> None:
    assert "data-shelve" not in listed(view_of(CALL))


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_remedy_says_what_it_means_and_which_needs_two(language: str) -> None:
    view = view_of(CALL)
    text = listed(view, language)
    kinds = [plain(match) for match in re.findall(r'<small class="kind">(.*?)</small>', text)]
    assert (
        kinds
        == {
            "es": ["propuesto", "alternativa"],
            "en": ["proposed", "alternative"],
        }[language]
    )
    means = {"es": "Anula la mano, se devuelven todas las apuestas.", "en": "The hand is void; all bets go back."}
    assert means[language] in text
    assert "data-second" not in text
    two = replace(view, incidents={1: replace(view.incidents[1], two_persons=("void-hand",))})
    text = listed(two, language)
    assert re.findall(r'data-remedy="([\w-]+)" data-second="true"', text) == ["void-hand"]
    assert {"es": "Dos personas", "en": "Two people"}[language] in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_sentence_for_what_every_remedy_means(language: str) -> None:
    t, incident = Pages().texts(language, Picture()), view_of(CALL).incidents[1]
    told = {remedy: alarm_texts.means(t, incident, remedy) for remedy in Remedy}
    assert t.say("remedy-means", "other") not in told.values()
    assert all(told.values())


# --- what decides, and what it pays -----------------------------------------------------------------------------------

SEEN_EARLY = hands.BETS + hands.HOLE_CARDS + "draw 9c\npress seen\n"


@pytest.mark.parametrize("language", LANGUAGES)
def test_THB_ERR_4_a_card_that_was_seen_is_decided_by_the_houses_option_with_its_key(language: str) -> None:
    text = plain(listed(view_of(SEEN_EARLY), language))
    said = {"es": "opción de la casa early_card_seen = void-hand", "en": "option early_card_seen = void-hand"}
    assert said[language] in text


def test_THB_ERR_4_a_card_that_nobody_saw_is_decided_by_the_clause_alone() -> None:
    text = plain(listed(view_of(SEEN_EARLY.replace("press seen", "press not-seen"))))
    assert "THB-ERR-4" in text
    assert "opción de la casa" not in text


def test_THB_ERR_1_a_void_hand_says_which_options_decide_and_what_goes_back_to_each_seat() -> None:
    text = plain(listed(view_of(VOID_AT_ONCE)))
    for key in ("bank_exposed_until", "annulled_bets"):
        assert f"opción de la casa {key} = " in text
    assert "Se devuelve Puesto 1: 15 €, Puesto 3: 20 €" in text


def test_THB_LIM_1_where_the_text_names_no_remedy_the_page_says_that_it_is_a_suggestion() -> None:
    chips = hands.BETS + hands.HOLE_CARDS + "declare not-chips seat-1\n"
    view = view_of(chips)
    assert view.incidents[1].remedies[0] == "continue"
    assert "El texto no dice qué se hace entonces" in plain(listed(view))
    assert "El texto no dice" not in plain(listed(view_of(CALL)))


def test_a_cable_is_decided_by_no_option() -> None:
    t = Pages().texts("es", Picture())
    view = view_of(hands.BETS + USB)
    assert alarm_texts.decides(t, view, view.incidents[1]) == ()


def test_without_amounts_a_remedy_names_the_bets_that_move() -> None:
    money = (
        SeatMoney(seat=1, paid_back=None, taken_back=0, bets_back=("ante", "bonus")),
        SeatMoney(seat=3, paid_back=0, taken_back=None, bets_taken=("flop",)),
    )
    void = Preview(remedy=Remedy.VOID_HAND, fate=Fate.VOID, out=(), seats=money, needs_reason=True)
    picture = Picture(view=view_of(CALL), table=table_info(Bench().greeting), connected=True)
    picture = replace(picture, previews={1: {Remedy.VOID_HAND.value: void}})
    text = plain(AT_NOW.parts("pit", "es", picture)["alerts"])
    assert "Se devuelve Puesto 1 Ante, Bonus" in text
    assert "Se recupera Puesto 3 Flop" in text


# --- entries ----------------------------------------------------------------------------------------------------------

TABLE = table_info(Bench().greeting)
TYPED = Typed(table=TABLE, language="es")


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        (
            {"act": "shelve", "alarm": "device-tower", "minutes": 60, "reason": " lamp # ordered\n"},
            "shelve device-tower 60 by ana lamp ordered",
        ),
        (
            {"act": "shelve", "alarm": "incident-12", "minutes": 10, "reason": "x"},
            "shelve incident-12 10 by ana x",
        ),
        ({"act": "unshelve", "alarm": "device-tower"}, "unshelve device-tower by ana"),
        ({"act": "acknowledge", "alarm": "device-tower"}, "acknowledge device-tower by ana"),
        ({"act": "acknowledge", "incident": 3}, "acknowledge 3 by ana"),
    ],
)
def test_the_shelf_in_the_grammar_of_hand_files(entry: dict[str, object], line: str) -> None:
    assert line_of(SCREENS["pit"], entry, TYPED, by="ana") == line


@pytest.mark.parametrize(
    "entry",
    [
        {"act": "shelve", "alarm": "device-tower", "minutes": 60, "reason": " # "},
        {"act": "shelve", "alarm": "device-tower", "minutes": 60},
        {"act": "shelve", "alarm": "device-tower", "minutes": 61, "reason": "x"},
        {"act": "shelve", "alarm": "device-tower", "minutes": "60", "reason": "x"},
        {"act": "shelve", "alarm": "device-to wer", "minutes": 60, "reason": "x"},
        {"act": "shelve", "alarm": "incident-0", "minutes": 60, "reason": "x"},
        {"act": "unshelve", "alarm": 5},
        {"act": "unshelve"},
    ],
)
def test_what_is_no_shelf_is_refused(entry: dict[str, object]) -> None:
    with pytest.raises(BadEntry):
        line_of(SCREENS["pit"], entry, TYPED, by="ana")


def test_the_croupier_shelves_nothing() -> None:
    with pytest.raises(BadEntry):
        line_of(SCREENS["croupier"], {"act": "unshelve", "alarm": "device-tower"}, TYPED, by="ana")


# --- attempts on the table --------------------------------------------------------------------------------------------


def tried(bench: Bench, cause: SecurityCause, count: int = 1) -> None:
    at = time_text(bench.now_us)
    bench.note("security", cause=cause.value, count=count, first=at, last=at, source="ana: /people")


@pytest.mark.parametrize(
    ("cause", "responder"),
    [
        (SecurityCause.SIGN_ONS, Responder.PIT_BOSS),
        (SecurityCause.PAGES, Responder.PIT_BOSS),
        (SecurityCause.WRITES, Responder.TECHNICIAN),
        (SecurityCause.SECOND_CONTROLLER, Responder.TECHNICIAN),
        (SecurityCause.USB, Responder.TECHNICIAN),
    ],
)
def test_each_kind_of_attempt_has_somebody_who_responds_and_says_what_to_do(
    cause: SecurityCause, responder: Responder
) -> None:
    bench = Bench()
    tried(bench, cause, 12)
    found = alarm(view_after(bench), f"security-{cause}", bench.now_us)
    assert (found.state, found.responder, found.can_acknowledge, found.can_shelve) == (UNSEEN, responder, True, False)
    for language in LANGUAGES:
        t = Pages().texts(language, Picture())
        assert alarm_texts.wrong(t, found)
        assert len(alarm_texts.to_do(t, found)) > len(alarm_texts.wrong(t, found))


def test_attempts_that_go_on_are_one_alarm_and_call_nobody_again_who_knows() -> None:
    bench, name = Bench(), alarm_of(SecurityCause.WRITES)
    for _ in range(3):
        tried(bench, SecurityCause.WRITES, 4)
        bench.pass_us(AGAIN_US)
    found = alarm(view_after(bench), name, bench.now_us)
    assert (found.state, found.attempts and found.attempts.count) == (UNSEEN, 12)
    assert found.calls
    bench.line(f"acknowledge {name} by luis")
    tried(bench, SecurityCause.WRITES, 1)
    found = alarm(view_after(bench), name, bench.now_us)
    assert (found.state, found.attempts and found.attempts.count, found.calls) == (SEEN, 13, False)


def test_attempts_nobody_knows_of_stay_until_somebody_does() -> None:
    bench, name = Bench(), alarm_of(SecurityCause.SIGN_ONS)
    tried(bench, SecurityCause.SIGN_ONS, 10)
    bench.pass_us(2 * QUIET_US)
    assert alarm(view_after(bench), name, bench.now_us).state is RETURNED
    bench.line(f"acknowledge {name} by luis")
    assert alarms_of(view_after(bench), bench.now_us) == ()
    bench.pass_us(QUIET_US)
    tried(bench, SecurityCause.SIGN_ONS, 10)
    found = alarm(view_after(bench), name, bench.now_us)
    assert (found.state, found.attempts and found.attempts.count) == (UNSEEN, 10)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_says_how_often_who_and_who_knows_of_it(language: str) -> None:
    bench = Bench(start_us=NOW_US - MINUTE_US)
    tried(bench, SecurityCause.PAGES, 5)
    shown = plain(listed(view_after(bench), language))
    assert "×5" in shown
    assert "ana: /people" in shown
    bench.line("acknowledge security-pages by luis")
    assert " luis, " in plain(listed(view_after(bench), language))


def test_only_an_alarm_that_there_is_can_be_acknowledged_at_the_page() -> None:
    bench = Bench()
    tried(bench, SecurityCause.PAGES, 5)
    entry = {"act": "acknowledge", "alarm": "security-pages"}
    shown = alarms_of(view_after(bench), bench.now_us)
    assert acknowledgements(entry, shown, by="luis") == ("acknowledge security-pages by luis",)
    with pytest.raises(BadEntry):
        acknowledgements({"act": "acknowledge", "alarm": "security-<b>"}, shown, by="luis")


# --- software that nobody approved ------------------------------------------------------------------------------------

DAY_US = 24 * 60 * MINUTE_US


def asked(bench: Bench, until_us: int | None) -> None:
    until = "" if until_us is None else time_text(until_us)
    bench.note("software-approval", approved=until_us is None, until=until)


@pytest.mark.parametrize(
    ("left_us", "es", "en"),
    [
        (30 * DAY_US, "quedan 30 días", "30 days left"),
        (DAY_US + 1, "quedan 2 días", "2 days left"),
        (DAY_US, "queda 1 día", "1 day left"),
        (-5 * DAY_US, "quedan 0 días", "0 days left"),
    ],
)
def test_software_that_nobody_approved_is_an_alarm_that_counts_the_days(left_us: int, es: str, en: str) -> None:
    bench = Bench(start_us=NOW_US - MINUTE_US)
    asked(bench, NOW_US + left_us)
    view = view_after(bench)
    found = alarm(view, "approval")
    assert (found.state, found.responder, found.can_acknowledge, found.can_shelve) == (
        UNSEEN,
        Responder.TECHNICIAN,
        False,
        False,
    )
    assert (found.calls, found.sounds) == (True, False), "once, and not for a month"
    assert es in plain(listed(view, "es"))
    assert en in plain(listed(view, "en"))


def test_the_alarm_is_over_when_somebody_approved() -> None:
    bench = Bench()
    asked(bench, NOW_US + DAY_US)
    asked(bench, None)
    assert alarms_of(view_after(bench), NOW_US) == ()
