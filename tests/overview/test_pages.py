"""What the overview shows: every table, in a shape and a word, and one list of alarms; in either language."""

from __future__ import annotations

import re
from dataclasses import replace

import msgspec
import pytest

from tablectl.core.public_table.alarm_kinds import Priority
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.table_state import TableState
from tablectl.core.public_table.waits import Waits
from tablectl.core.timestamps import time_text
from tablectl.fleet.last_values import DeviceNow, DevicesNow, OpenAlarm
from tablectl.fleet.pit.announcer import MOST
from tablectl.fleet.pit.pit_alarms import PitAlarm, PitAlarmKind
from tablectl.fleet.pit.store import Reached
from tablectl.i18n.languages import LANGUAGES
from tablectl.web.overview.pages import size_of
from tablectl.web.overview.tiles import SHAPES, Shown, Tiles
from tests.overview.halls import GAMES, HOUSE, Hall, evening, pages, views
from tests.screens.test_pages import plain
from tests.secrecy import cards_in

_US = 1_000_000


def tile(hall: Hall, number: int, language: str = "en") -> str:
    return plain(pages().parts(language, hall.picture)[f"table-Mesa {number}"])


def alarms(hall: Hall, language: str = "en") -> str:
    return plain(pages().parts(language, hall.picture)["alarms"])


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_moment_of_every_game_is_said_in_every_language(game: str, language: str) -> None:
    hall = Hall(1)
    for view in views(game):
        hall.hear(1, hall.values_of(replace(view, croupier="luis")))
        html = pages().parts(language, hall.picture)["table-Mesa 1"]
        assert "luis" in html
        assert re.search(r'class="waits"><span>[^<]', html), (view.seq, html)
        assert list(cards_in(plain(html).encode())) == []


def test_a_table_at_play_says_all_that_there_is() -> None:
    hall = Hall(1)
    view = next(view for view in views("texas-bonus") if view.prompt is not None and view.prompt.about == "seat-1.1")
    hall.hear(1, msgspec.structs.replace(hall.values_of(replace(view, hand=31, croupier="luis"), 65), pace=48))
    said = tile(hall, 1)
    for words in ("Mesa 1", "Playing", "em Bonus", "Hand 31", "luis", "48/h", "▶", "✓"):
        assert words in said
    (found,) = Tiles().of(hall.picture)
    assert (found.shown, found.waits_us, found.delay_us) == (Shown.PLAYING, hall.now_us - 65 * _US, 0)
    assert f'<time data-since="{found.waits_us // 1000}">' in pages().parts("en", hall.picture)["table-Mesa 1"]


@pytest.mark.parametrize("state", TableState)
def test_each_state_is_a_shape_and_a_word(state: TableState) -> None:
    hall = Hall(1)
    hall.hear(1, msgspec.structs.replace(hall.playing(1), state=state))
    shown = Shown(state)
    said = {language: tile(hall, 1, language) for language in LANGUAGES}
    assert all(SHAPES[shown] in text for text in said.values())
    assert said["es"] != said["en"]
    assert len(set(SHAPES.values())) == len(Shown)


def test_an_unknown_table_is_drawn_over_what_it_said_last() -> None:
    hall = Hall(2)
    hall.hear(1, msgspec.structs.replace(hall.playing(1), hand=77))
    hall.later(20, 1)
    said = tile(hall, 1)
    for words in ("?", "UNKNOWN", "Not heard for 21:20:00", "Hand 77"):
        assert words in said
    assert "DESCONOCIDA" in tile(hall, 1, "es")
    assert "Mesa 1 Not heard of: state unknown" in alarms(hall)
    assert "UNKNOWN" not in tile(hall, 2)


def test_a_table_becomes_unknown_without_a_word_of_it() -> None:
    hall, made = Hall(1), pages()
    assert "UNKNOWN" not in made.parts("en", hall.picture)["table-Mesa 1"]
    hall.wait(16)
    assert "UNKNOWN" in made.parts("en", hall.picture)["table-Mesa 1"]


def test_a_table_that_was_never_heard_of_says_so() -> None:
    hall = Hall(1)
    fresh = Hall(0)
    fresh.tables = hall.tables
    fresh.wait(5)
    assert "Not heard of yet" in tile(fresh, 1)


def test_records_that_are_late_are_told_and_those_on_their_way_are_not() -> None:
    hall = Hall(1)
    values = hall.playing(1)
    hall.hear(1, values)
    came = time_text(hall.now_us)

    def reached(seq: int, ago_s: int) -> None:
        newest_at = time_text(hall.now_us - ago_s * _US)
        hall.reached["Mesa 1"] = Reached(table="Mesa 1", restores=0, seq=seq, newest_at=newest_at, came_at=came)
        hall.wait(3)
        hall.hear(1, msgspec.structs.replace(values, at=time_text(hall.now_us)))

    reached(values.seq, 3_600)
    assert "late" not in tile(hall, 1), "the table has no more, however old that is"
    reached(values.seq - 1, 2)
    assert "late" not in tile(hall, 1)
    reached(values.seq - 1, 86_400)
    assert "Records late by" in tile(hall, 1)


def test_devices_that_are_not_well_are_named() -> None:
    hall = Hall(1)
    unwell = tuple(DeviceNow(role=role, name=role, state="lost") for role in ("light", "panel", "shoe"))
    hall.hear(1, msgspec.structs.replace(hall.playing(1), devices=DevicesNow(well=1, unwell=unwell)))
    said = tile(hall, 1)
    assert said.count("✕") == 2
    assert "Light: Lost" in said
    assert "+1" in said


def test_tables_keep_their_places_and_are_counted_as_people_count() -> None:
    hall = Hall(12)
    names = [found.name for found in Tiles().of(hall.picture)]
    assert names == [f"Mesa {number}" for number in range(1, 13)]
    hall.called(7)
    assert [found.name for found in Tiles().of(hall.picture)] == names


def test_the_counts_say_how_many_tables_are_how_the_worst_first() -> None:
    hall = evening(12)
    said = plain(pages().parts("en", hall.picture)["counts"])
    assert re.sub(r"\s+", " ", said).strip().startswith("12 tables ? 3 UNKNOWN ✕ 1 TILT: no dealing")


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_kind_of_alarm_has_its_words(language: str) -> None:
    html = pages()
    hall = evening(12)
    for kind, why in (
        (PitAlarmKind.SILENT, ""),
        (PitAlarmKind.SILENT_TOGETHER, ""),
        (PitAlarmKind.FORK, "fork"),
        *((PitAlarmKind.NOT_TAKEN, flaw) for flaw in ("shape", "record", "chain", "signature")),
        *((PitAlarmKind.ODD, odd) for odd in ("older", "other-journal")),
    ):
        alarm = PitAlarm(
            name="x",
            kind=kind,
            tables=tuple(f"Mesa {number}" for number in range(12)),
            priority=Priority.HIGH,
            state=AlarmState.UNACKNOWLEDGED,
            since_us=hall.now_us,
            why=why,
            seq=12,
            had=34,
            count=12,
        )
        said = plain(html.parts(language, replace(hall.picture, alarms=(alarm,)))["alarms"])
        assert len(said.split()) > 6


def test_an_alarm_of_a_table_is_said_as_at_the_table() -> None:
    hall = Hall(3)
    hall.called(2, 75)
    said = alarms(hall)
    assert re.search(r"!!! Mesa 2 \S.* THB-STF-1", re.sub(r"\s+", " ", said)), said
    assert f'data-since="{(hall.now_us - 75 * _US) // 1000}"' in pages().parts("en", hall.picture)["alarms"]


def test_an_alarm_that_somebody_saw_and_one_of_an_unknown_table_are_said_to_be_so() -> None:
    hall = Hall(2)
    seen = OpenAlarm(
        name="device-torre",
        priority=Priority.MEDIUM,
        state=AlarmState.ACKNOWLEDGED,
        since=time_text(hall.now_us),
        device="torre",
        role="light",
        is_lost=True,
    )
    hall.hear(1, msgspec.structs.replace(hall.playing(1), alarms=(seen,)))
    assert "acknowledged" in alarms(hall)
    assert "as it was when last heard" not in alarms(hall)
    hall.later(20, 1)
    assert "as it was when last heard" in alarms(hall)


def test_a_table_whose_past_is_another_one_has_an_alarm_on_its_tile() -> None:
    hall, made = evening(12), pages()
    (found,) = [tile for tile in Tiles().of(hall.picture) if tile.name == "Mesa 7"]
    assert (found.shown, found.alarms, found.unacknowledged) == (Shown.PLAYING, 1, 1)
    assert "▲ 1" in plain(made.parts("en", hall.picture)["table-Mesa 7"])
    hall.not_taken = ()
    hall.later(4)
    assert "▲" not in plain(made.parts("en", hall.picture)["table-Mesa 7"])


def test_no_alarm_is_said_so() -> None:
    assert "No alarms" in alarms(Hall(2))


def test_what_is_called_stands_for_a_minute_and_what_was_held_back_in_one_line() -> None:
    hall = Hall(MOST + 8)
    for number in range(1, MOST + 6):
        hall.hear(number, hall.values_of(views("texas-bonus")[0]))
    hall.floor.look()
    for number in range(1, MOST + 6):
        hall.called(number, 1)
        hall.floor.look()
    said = plain(pages().parts("en", hall.picture)["calls"])
    assert said.count("●") == 3
    assert "5 more alarms in ten minutes were not called" in said
    hall.later(65)
    assert "●" not in plain(pages().parts("en", hall.picture)["calls"])


@pytest.mark.parametrize(
    "lie",
    [
        {"game": "no-such-game", "phase": "no-such-phase"},
        {"waits": Waits(instruction="deal", about="seat-x.y")},
        {"waits": Waits(instruction="ask-cards", about="seat-1", question="no-such-question")},
        {"waits": Waits(instruction="name-card", about="{seat}")},
        {"croupier": "<script>alert(1)</script>"},
        {
            "alarms": tuple(
                OpenAlarm(
                    name="x",
                    priority=Priority.HIGH,
                    state=AlarmState.UNACKNOWLEDGED,
                    clause="X-1",
                    expected=word,
                    observed=word,
                    about=word,
                    remedies=(word,),
                    since="",
                )
                for word in ("", "=", "a=b", "seat-", "{0}", "deck=x", "a|b=1..", "+=+", "decision-seat-")
            )
        },
        {
            "alarms": (
                OpenAlarm(name="y", priority=Priority.LOW, state=AlarmState.SHELVED, device="d", said=("never",)),
                OpenAlarm(name="z", priority=Priority.LOW, state=AlarmState.RETURNED, device="d", role="r"),
                OpenAlarm(name="security-x", priority=Priority.LOW, state=AlarmState.RETURNED, cause="never<script>"),
                OpenAlarm(name="disk-x", priority=Priority.LOW, state=AlarmState.RETURNED, disk="soon"),
            )
        },
        {"devices": DevicesNow(unwell=(DeviceNow(role="a", name="b", state="c"),))},
    ],
)
def test_a_table_that_lies_does_not_take_the_page_from_the_others(lie: dict[str, object]) -> None:
    hall = Hall(2)
    hall.hear(1, msgspec.structs.replace(hall.playing(1), **lie))
    for language in LANGUAGES:
        parts = pages().parts(language, hall.picture)
        assert "Mesa 2" in parts["table-Mesa 2"]
        assert "<script>" not in "".join(parts.values())


@pytest.mark.parametrize(("language", "said"), [("es", "quedan 12 días"), ("en", "12 days left")])
def test_software_that_nobody_approved_stands_in_the_list_with_its_days(language: str, said: str) -> None:
    hall = Hall(1)
    asked = OpenAlarm(name="approval", priority=Priority.MEDIUM, state=AlarmState.UNACKNOWLEDGED, days=12)
    hall.hear(1, msgspec.structs.replace(hall.playing(1), alarms=(asked,)))
    assert said in plain(pages().parts(language, hall.picture)["alarms"])


@pytest.mark.parametrize(("language", "said"), [("es", "dar órdenes"), ("en", "tried to enter something")])
def test_attempts_on_a_table_stand_in_the_list_with_what_to_do(language: str, said: str) -> None:
    hall = Hall(1)
    tried = OpenAlarm(name="security-writes", priority=Priority.MEDIUM, state=AlarmState.UNACKNOWLEDGED, cause="writes")
    hall.hear(1, msgspec.structs.replace(hall.playing(1), alarms=(tried,)))
    shown = plain(pages().parts(language, hall.picture)["alarms"])
    assert said in shown
    assert "control.speakers" in shown


def test_a_part_is_made_again_only_when_it_changed() -> None:
    hall, made = Hall(3), pages()
    before = made.parts("en", hall.picture)
    hall.later(4)
    hall.called(2)
    after = made.parts("en", hall.picture)
    assert {name for name in after if after[name] != before[name]} == {"table-Mesa 2", "alarms", "calls", "counts"}


def test_the_page_is_whole_without_any_script() -> None:
    said = plain(pages().page("es", evening(12).picture))
    for words in (HOUSE.casino, "Mesa 12", "Alarmas", "DESCONOCIDA", "Sin JavaScript"):
        assert words in said


@pytest.mark.parametrize(("tables", "size"), [(1, "few"), (6, "few"), (7, "some"), (16, "many"), (31, "most")])
def test_the_fewer_tables_there_are_the_larger_they_are(tables: int, size: str) -> None:
    assert size_of(tables) == size
