"""Alarms: the life of each, in the states of ISA-18.2 and IEC 62682; their order, their list, and the shelf."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tablectl.core.engine.decisions import AlarmShelved, AlarmUnshelved
from tablectl.core.engine.vocabulary import Remedy
from tablectl.core.public_table.folding.fold import fold
from tablectl.core.public_table.shelf import ShelfView
from tablectl.core.public_table.table import PublicTable
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.screens import alarm_texts
from tablectl.web.screens.alarms import STATES, Alarm, AlarmState, Condition, Priority, alarms_of, by_state
from tablectl.web.screens.entries import SCREENS, SHELF_MINUTES, BadEntry, Typed, line_of
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
            "rule 1 continue by ana\nacknowledge 1 by ana",
        )
    ]
    assert states == [UNSEEN, SEEN, NORMAL, RETURNED, NORMAL]


def test_an_incident_the_rule_decides_at_once_is_over_and_still_nobody_has_seen_it() -> None:
    found = alarm(view_of(VOID_AT_ONCE), "incident-1")
    assert (found.state, found.priority, found.is_unacknowledged, found.sounds) == (
        RETURNED,
        Priority.MEDIUM,
        True,
        False,
    )


def test_what_holds_the_table_is_of_high_priority_and_cannot_be_shelved() -> None:
    found = alarm(view_of(CALL), "incident-1")
    assert (found.priority, found.can_shelve, found.sounds) == (Priority.HIGH, False, True)


SEEN_BY_ANA, BACK = "acknowledge device-tower by ana\n", "back light tower\n"


def test_a_lost_device_is_an_alarm_until_it_answers_and_somebody_knows_of_it() -> None:
    lost = hands.DEVICES + "lost light tower cable\n"
    found = alarm(view_of(lost), "device-tower")
    assert (found.state, found.priority, found.sounds, found.can_shelve) == (UNSEEN, Priority.MEDIUM, True, True)
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


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_device_is_acknowledged_on_the_page(language: str) -> None:
    lost = hands.DEVICES + "lost light tower cable\n"
    assert 'data-act="acknowledge" data-alarm="device-tower"' in listed(view_of(lost), language)
    text = plain(listed(view_of(lost + SEEN_BY_ANA), language))
    assert 'data-act="acknowledge"' not in listed(view_of(lost + SEEN_BY_ANA), language)
    for words in ("Activas, acusadas", "Active, acknowledged", "ana"):
        assert words in text
    text = plain(listed(view_of(lost + BACK), language))
    for words in ("no respondía y ha vuelto (tower)", "did not answer, and is back (tower)"):
        assert words in text


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
        ("device-tower", UNSEEN, Priority.MEDIUM),
        ("incident-1", RETURNED, Priority.MEDIUM),
    ]
    assert list(by_state(alarms_of(view, NOW_US))) == [UNSEEN, RETURNED]


# --- the list on the page ---------------------------------------------------------------------------------------------


def listed(view: PublicTable, language: str = "es") -> str:
    picture = Picture(view=view, table=table_info(Bench().greeting), connected=True)
    return " ".join(AT_NOW.parts("pit", language, picture)["alerts"].split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_is_grouped_and_says_in_both_languages_who_and_when(language: str) -> None:
    view = shelved(view_of(hands.DEVICES + VOID_AT_ONCE + "lost light tower cable\n"), "device-tower")
    text = listed(view, language)
    assert re.findall(r'class="group of-(\w+)"', text) == ["returned", "shelved"]
    for words in ("Resueltas, sin acusar", "Over, not acknowledged", "Apartadas", "Shelved", "por ana", "by ana"):
        assert words in plain(text)
    assert "lamp ordered" in text
    assert 'data-unshelve="device-tower"' in text
    assert 'data-unacknowledged="incident-1 " data-sounding=""' in text


def test_a_device_alarm_offers_the_shelf_with_an_end_and_a_reason_that_is_needed() -> None:
    text = listed(view_of(hands.DEVICES + "lost light tower cable\n"))
    assert re.findall(r'<option value="(\d+)">', text) == [str(minutes) for minutes in SHELF_MINUTES]
    assert re.search(r'<input id="why-device-tower" name="reason" required', text)
    assert 'data-sounding="device-tower "' in text


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
            "es": ["propuesto / proposed", "alternativa / alternative"],
            "en": ["proposed / propuesto", "alternative / alternativa"],
        }[language]
    )
    assert "Anula la mano, se devuelven todas las apuestas." in text
    assert "The hand is void; all bets go back." in text
    assert "data-second" not in text
    two = replace(view, incidents={1: replace(view.incidents[1], two_persons=("void-hand",))})
    text = listed(two, language)
    assert re.findall(r'data-remedy="([\w-]+)" data-second="true"', text) == ["void-hand"]
    assert "Dos personas" in text
    assert "Two persons" in text


@pytest.mark.parametrize("language", LANGUAGES)
def test_there_is_a_sentence_for_what_every_remedy_means(language: str) -> None:
    t, incident = Pages().texts(language, Picture()), view_of(CALL).incidents[1]
    told = {remedy: alarm_texts.means(t, incident, remedy) for remedy in Remedy}
    assert t.say("remedy-means", "other") not in told.values()
    assert all(told.values())


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
