"""One touch decides for one seat: what bounces on a page or on a panel is not taken for the next one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from simulators.stage.stage import Scene, config_text
from tablectl.api.client import ask
from tablectl.core.engine.facts import Pressed
from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.vocabulary import Key, Question
from tablectl.core.engine.whose_turn import REPEATED_KEY
from tablectl.core.events.codec import encode_json
from tablectl.core.events.stream import decode_record, encode_record, record_bytes
from tablectl.i18n.describe import describe_fact
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts
from tablectl.table.devices.repeated_keys import RepeatedKeys
from tests.desk import Desk, desk

#: A table for two that asks them in turn, as soon as both have two cards.
ASKED: Final = ("As", "Kd", "Qh", "9c", "3d", "4d")
#: Longer than a machine under load holds back the second of two reports that were sent together.
LONG_MS: Final = 2000


def at_its_question(made: Desk) -> None:
    made.start()
    made.open_hand()
    made.deal(*ASKED)


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        at_its_question(made)
        yield made


@pytest.fixture
def guarded() -> Iterator[Desk]:
    """With its guard against keys that bounce, which tests do without elsewhere."""
    with desk() as made:
        text = made.config.read_text(encoding="utf-8")
        assert text.count("repeat_ms = 0") == 1
        made.config.write_text(text.replace("repeat_ms = 0", f"repeat_ms = {LONG_MS}"), encoding="utf-8")
        at_its_question(made)
        yield made


def prompt_of(table: Desk) -> dict[str, Any]:
    told: dict[str, Any] = table.records(table.newest - 1)[0]["prompt"]
    return told


def press(table: Desk, key: str, since: int, seat: int | None) -> dict[str, Any]:
    return ask(table.socket, {"enter": f"press {key}", "by": "ana", "prompt": {"since": since, "seat": seat}})


# --- pages ----------------------------------------------------------------------------------------------------------


@pytest.mark.system
def test_of_two_presses_at_one_prompt_the_second_is_refused_and_not_on_record(table: Desk) -> None:
    assert prompt_of(table)["about"] == "seat-1"
    since = table.newest
    assert press(table, "fold", since, 1)["refused"] is None
    after = table.newest
    reply = press(table, "fold", since, 1)
    assert (reply["ok"], reply["why"]) == (False, "prompt-changed")
    assert table.newest == after, "nothing was entered, so nothing is on record"
    assert prompt_of(table)["about"] == "seat-2", "who was asked next still is"
    assert press(table, "fold", after, 2)["refused"] is None, "and whoever looks again can press"


@pytest.mark.system
def test_records_that_leave_the_prompt_as_it_is_do_not_matter(table: Desk) -> None:
    since = table.newest
    for text in ("press confirm", "press new-hand"):
        assert table.enter(text)["refused"] is not None, "it changes nothing, and is on record"
    assert table.newest == since + 2
    assert press(table, "bet", since, 1)["refused"] is None


@pytest.mark.system
def test_a_note_after_the_record_that_asks_anew_does_not_matter(table: Desk) -> None:
    """As the first hand that this version closes leaves one: the page names the record before it."""
    table.play_on()
    records = table.records()
    closed = max(record["seq"] for record in records if "carry" in record)
    assert [record["fact"]["kind"] for record in records if record["seq"] > closed] == ["format"]
    assert press(table, "new-hand", closed, None)["refused"] is None


@pytest.mark.system
def test_a_press_for_another_seat_than_the_one_that_is_asked_is_refused(table: Desk) -> None:
    assert press(table, "fold", table.newest, 2)["why"] == "prompt-changed"
    assert press(table, "fold", table.newest, None)["why"] == "prompt-changed"
    assert press(table, "fold", table.newest, 1)["ok"]


@pytest.mark.system
def test_a_press_that_names_a_record_that_there_is_not_yet_is_refused(table: Desk) -> None:
    assert press(table, "fold", table.newest + 1, 1)["why"] == "prompt-changed"


@pytest.mark.system
def test_a_start_begins_the_prompt_anew(table: Desk) -> None:
    before = table.newest
    table.stop()
    table.start()
    assert press(table, "confirm", before, None)["why"] == "prompt-changed"
    opened = next(record["seq"] for record in table.records(before) if record["fact"]["kind"] == "opened")
    assert press(table, "confirm", opened, None)["refused"] is None


@pytest.mark.system
@pytest.mark.parametrize(
    "said", [7, None, {}, {"since": 1}, {"seat": 1}, {"since": "1", "seat": 1}, {"since": True, "seat": 1}]
)
def test_a_prompt_in_no_shape_is_refused(table: Desk, said: object) -> None:
    after = table.newest
    reply = ask(table.socket, {"enter": "press fold", "by": "ana", "prompt": said})
    assert not reply["ok"]
    assert '"prompt"' in reply["error"]
    assert table.newest == after


# --- panels ---------------------------------------------------------------------------------------------------------


@pytest.mark.system
def test_a_key_that_bounces_folds_one_seat_and_the_croupier_is_told(guarded: Desk) -> None:
    after = guarded.newest
    guarded.press(Key.FOLD)
    guarded.press(Key.FOLD)
    said = guarded.await_record("device-said", after)
    number = guarded.scene.panel[Key.FOLD]
    assert said["fact"] == {
        "kind": "device-said",
        "device": "panel",
        "role": "panel",
        "what": REPEATED_KEY,
        "code": number,
    }
    pressed = [record["fact"]["key"] for record in guarded.records(after) if record["fact"]["kind"] == "pressed"]
    assert pressed == ["fold"]
    assert prompt_of(guarded)["about"] == "seat-2"
    guarded.until(lambda: any(what == f"lamp {number} RED_BLINK" for what, _ in guarded.effects), "the key says so")


@pytest.mark.system
def test_without_a_guard_every_press_of_a_panel_is_taken(table: Desk) -> None:
    after = table.newest
    table.press(Key.BET)
    table.press(Key.BET)
    pressed = [table.await_record("pressed", after)]
    pressed.append(table.await_record("pressed", pressed[0]["seq"]))
    assert [entry["fact"]["key"] for entry in pressed] == ["bet", "bet"]


@pytest.mark.system
def test_a_key_of_a_panel_carries_the_device_and_a_key_on_a_page_none(table: Desk) -> None:
    """From the first hand on that this version closed: an older one knows of no such member."""
    after = table.newest
    table.press(Key.BET)
    assert table.await_record("pressed", after)["fact"] == {"kind": "pressed", "key": "bet"}
    table.play_on()
    after = table.newest
    table.press(Key.NEW_HAND)
    on_panel = table.await_record("pressed", after)
    assert on_panel["fact"] == {"kind": "pressed", "key": "new-hand", "panel": "panel"}
    after = table.newest
    table.enter("press confirm")
    assert table.await_record("pressed", after)["fact"] == {"kind": "pressed", "key": "confirm"}

    told = decode_record(on_panel)
    assert record_bytes(told) == encode_json(encode_record(told)), "it is read back as it was written"
    t = TableTexts(language="en", texts=load_texts(), rulebook="circle-holdem")
    assert describe_fact(t, told) == "Key “New hand” (panel)."


def asked(
    seat: int | None, instruction: Instruction = Instruction.ASK_SEAT, question: Question | None = None
) -> Prompt:
    about = "" if seat is None else f"seat-{seat}"
    return Prompt(instruction=instruction, about=about, keys=(), question=question)


def taken(*presses: tuple[int, Key, Prompt], within_ms: int = 300) -> list[bool]:
    """Which of these are taken: when (in milliseconds), which key, and what is asked then."""
    keys = RepeatedKeys(within_ms)
    return [not keys.repeats(Pressed(at_us=at_ms * 1000, key=key), prompt) for at_ms, key, prompt in presses]


def test_the_same_key_is_dropped_for_300_ms_after_the_press_that_changed_the_seat() -> None:
    first, last = (0, Key.FOLD, asked(3)), (300, Key.FOLD, asked(4))
    assert taken(first, (72, Key.FOLD, asked(4))) == [True, False]
    assert taken(first, (299, Key.FOLD, asked(4))) == [True, False]
    assert taken(first, last) == [True, True]
    assert taken(first, (100, Key.FOLD, asked(4)), (290, Key.FOLD, asked(4)), last) == [True, False, False, True], (
        "counted from the press that was taken, so that nobody is shut out for ever"
    )


def test_another_key_and_a_press_that_left_the_seat_as_it_was_are_no_repetition() -> None:
    assert taken((0, Key.FOLD, asked(3)), (72, Key.BET, asked(4))) == [True, True]
    assert taken((0, Key.INCIDENT, asked(3)), (72, Key.INCIDENT, asked(3))) == [True, True]
    assert taken((0, Key.NEW_HAND, asked(None)), (72, Key.NEW_HAND, asked(None))) == [True, True]


def test_a_key_that_means_a_seat_is_guarded_and_one_that_means_a_number_is_exempt() -> None:
    assert taken((0, Key.SEAT_2, asked(3)), (72, Key.SEAT_2, asked(2))) == [True, False]
    cards = Instruction.ASK_CARDS
    assert taken((0, Key.SEAT_2, asked(3, cards)), (72, Key.SEAT_2, asked(4, cards))) == [
        True,
        True,
    ]
    count = asked(None, Instruction.ANSWER, Question.COUNT_CARDS)
    assert taken((0, Key.SEAT_2, asked(3)), (72, Key.SEAT_2, count)) == [True, True]


def test_the_last_seat_in_turn_is_guarded_too() -> None:
    assert taken((0, Key.BET, asked(7)), (72, Key.BET, asked(None))) == [True, False]


def test_the_time_goes_with_the_pace_of_the_demo() -> None:
    for pace, ms in ((None, 0), (1.0, 300), (10.0, 30)):
        assert f"\nrepeat_ms = {ms}\n" in config_text(Scene(pace=pace), Path("/tmp"))
    assert taken((0, Key.FOLD, asked(3)), (29, Key.FOLD, asked(4)), within_ms=30) == [True, False]
    assert taken((0, Key.FOLD, asked(3)), (30, Key.FOLD, asked(4)), within_ms=30) == [True, True]
    assert taken((0, Key.FOLD, asked(3)), (0, Key.FOLD, asked(4)), within_ms=0) == [True, True]
