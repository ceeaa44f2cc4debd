"""Which device fact is which table fact, and what each device is told when the table wants something shown."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

import pytest
from pytest_mock import MockerFixture

from drivers import facts as device
from drivers.angel_eye.driver import AngelEye
from drivers.angel_eye.messages import Code, Report, Target, card_payload, encode_report
from drivers.angel_eye.settings import Note
from drivers.patlite.messages import Buzzer, LightState, Pattern
from drivers.port import Port
from drivers.registry import DRIVERS
from drivers.sealed import Sealed
from drivers.topology.identity import UsbIdentity
from drivers.xkeys.messages import Lamp
from simulators.stage.stage import Scene, config_text
from tablectl.config.devices import Device
from tablectl.config.table_file import load
from tablectl.core.cards import card
from tablectl.core.engine import facts as f
from tablectl.core.engine.outputs import DARK, Outputs, Signal, outputs
from tablectl.core.engine.prompt import Instruction, Prompt
from tablectl.core.engine.vocabulary import Key, Plug
from tablectl.table.devices.adapters import ADAPTERS
from tablectl.table.devices.devices import Devices
from tablectl.table.devices.last_report import LastReport
from tablectl.table.devices.translator import NoTags, Translator
from tests.desk import Desk, KeptLog, desk

AT_US = 1_795_219_200_000_000
SHOE = Device(name="sabot", driver="angel-eye", role="shoe", settings={"port": "/dev/null"})
PANEL_KEYS = Scene().panel
PANEL = Device(name="panel", driver="xkeys-xk24", role="panel", settings={}, keys={Key.BET: 0, Key.NEW_HAND: 9})
OTHER_PANEL = Device(name="panel 2", driver="xkeys-xk24", role="panel", settings={}, keys={Key.FOLD: 0})
LIGHT = Device(name="light", driver="patlite-lr6", role="light", settings={})
SHUFFLER = Device(name="mezcladora", driver="shuffler", role="shuffler", settings={"port": "/dev/null"})
TRANSLATOR = Translator((SHOE, PANEL, OTHER_PANEL, LIGHT, SHUFFLER))

MEANINGS: list[tuple[device.DeviceFact, f.Fact | None]] = [
    (
        device.CardOut(device="sabot", at_us=AT_US, card=Sealed("As")),
        f.Drawn(at_us=AT_US, card=card("As")),
    ),
    (device.CardOut(device="sabot", at_us=AT_US, card=None), f.Drawn(at_us=AT_US, card=None)),
    (device.KeyDown(device="panel", at_us=AT_US, key=0), f.Pressed(at_us=AT_US, key=Key.BET)),
    (device.KeyDown(device="panel", at_us=AT_US, key=9), f.Pressed(at_us=AT_US, key=Key.NEW_HAND)),
    (device.KeyDown(device="panel 2", at_us=AT_US, key=0), f.Pressed(at_us=AT_US, key=Key.FOLD)),
    (device.KeyDown(device="panel", at_us=AT_US, key=5), None),
    (device.KeyUp(device="panel", at_us=AT_US, key=0), None),
    (
        device.Found(device="light", at_us=AT_US, identity="1-2"),
        f.DeviceBack(at_us=AT_US, device="light", role="light"),
    ),
    (
        device.Lost(device="sabot", at_us=AT_US, reason="unplugged"),
        f.DeviceLost(at_us=AT_US, device="sabot", role="shoe", reason="unplugged"),
    ),
    (
        device.ShoeNote(device="sabot", at_us=AT_US, kind="error", code=31),
        f.DeviceSaid(at_us=AT_US, device="sabot", role="shoe", what="error", code=31),
    ),
    (
        device.DoubtedCard(device="sabot", at_us=AT_US, kind="card-uncertain", card=Sealed("9s")),
        f.DeviceSaid(at_us=AT_US, device="sabot", role="shoe", what="card-uncertain", card=card("9s")),
    ),
    (device.TagIn(device="sabot", at_us=AT_US, tag=Sealed("E00401"), antenna=1), None),
    (device.TagOut(device="sabot", at_us=AT_US, tag=Sealed("E00401"), antenna=1), None),
    (
        device.ReaderNote(device="sabot", at_us=AT_US, kind="antenna-off", antenna=1, code=13),
        f.DeviceSaid(at_us=AT_US, device="sabot", role="shoe", what="antenna-off", code=13),
    ),
    (
        device.ShufflerNote(device="mezcladora", at_us=AT_US, kind="complete", cards=52),
        f.Shuffled(at_us=AT_US, cards=52),
    ),
    (
        device.ShufflerNote(device="mezcladora", at_us=AT_US, kind="complete", cards=51),
        f.Shuffled(at_us=AT_US, cards=51),
    ),
    (
        device.ShufflerNote(device="mezcladora", at_us=AT_US, kind="complete"),
        f.DeviceSaid(at_us=AT_US, device="mezcladora", role="shuffler", what="complete"),
    ),
    (
        device.ShufflerNote(device="mezcladora", at_us=AT_US, kind="card-missing", cards=51),
        f.DeviceSaid(at_us=AT_US, device="mezcladora", role="shuffler", what="card-missing", code=51),
    ),
    (
        device.ShufflerNote(device="mezcladora", at_us=AT_US, kind="jam"),
        f.DeviceSaid(at_us=AT_US, device="mezcladora", role="shuffler", what="jam"),
    ),
    (
        device.UsbChanged(
            at_us=AT_US,
            change=device.UsbChange.UNPLUGGED,
            identity=UsbIdentity(vendor_id=0x191A, product_id=0x8003, port_path="1-4"),
        ),
        f.TopologyChanged(at_us=AT_US, change=Plug.UNPLUGGED, what="light, 191a:8003 at 1-4", is_allowed=True),
    ),
    (
        device.UsbChanged(
            at_us=AT_US,
            change=device.UsbChange.PRESENT,
            identity=UsbIdentity(vendor_id=0x05F3, product_id=0x0405, port_path="1-3"),
        ),
        None,
    ),
    (
        device.UsbChanged(
            at_us=AT_US,
            change=device.UsbChange.PRESENT,
            identity=UsbIdentity(vendor_id=0x046D, product_id=0xC31C, port_path="1-2.1", serial="K1"),
        ),
        f.TopologyChanged(
            at_us=AT_US, change=Plug.PRESENT, what="046d:c31c at 1-2.1, serial number K1", is_allowed=False
        ),
    ),
    (device.Rejected(device="sabot", at_us=AT_US, reason="bad checksum", n_bytes=9), None),
]


@pytest.mark.parametrize(("said", "meant"), MEANINGS, ids=lambda value: type(value).__name__)
def test_a_device_fact_is_this_table_fact(said: device.DeviceFact, meant: f.Fact | None) -> None:
    assert list(TRANSLATOR.table_facts(said, NoTags())) == ([] if meant is None else [meant])


def test_every_kind_of_device_fact_has_a_meaning() -> None:
    assert {type(said) for said, _ in MEANINGS} == set(get_args(device.DeviceFact))


@pytest.mark.parametrize("code", ["1s", "", "as", "Ass", "10s", "▒▒"])
def test_a_code_that_is_no_card_is_a_card_that_could_not_be_read(code: str) -> None:
    said = device.CardOut(device="sabot", at_us=AT_US, card=Sealed(code))
    assert list(TRANSLATOR.table_facts(said, NoTags())) == [f.Drawn(at_us=AT_US, card=None)]


# --- what must be shown ---------------------------------------------------------------------------------------------

SIGNALS = {
    Instruction.NEW_HAND: Signal.IDLE,
    Instruction.SIGN_ON: Signal.IDLE,
    Instruction.TAKE_BETS: Signal.PLAY,
    Instruction.DEAL: Signal.PLAY,
    Instruction.ASK_SEAT: Signal.PLAY,
    Instruction.ASK_CLAIMS: Signal.PLAY,
    Instruction.PAY_CLAIMS: Signal.PLAY,
    Instruction.DECLARE: Signal.QUESTION,
    Instruction.REVEAL_BANK: Signal.PLAY,
    Instruction.SETTLE: Signal.PLAY,
    Instruction.COLLECT: Signal.QUESTION,
    Instruction.NAME_CARD: Signal.QUESTION,
    Instruction.ANSWER: Signal.QUESTION,
    Instruction.WAIT_PIT_BOSS: Signal.PIT_BOSS,
    Instruction.WAIT_SHOE: Signal.PIT_BOSS,
    Instruction.DRAW_BUTTON: Signal.PLAY,
    Instruction.POST_BLINDS: Signal.PLAY,
    Instruction.OFFER_CUT: Signal.PLAY,
    Instruction.POST_ANTES: Signal.PLAY,
    Instruction.ASK_CARDS: Signal.PLAY,
    Instruction.PUT_AWAY: Signal.PLAY,
    Instruction.SPEAK: Signal.PLAY,
    Instruction.CLOSE_ROUND: Signal.PLAY,
    Instruction.SHOW_HAND: Signal.PLAY,
    Instruction.DELIVER: Signal.PLAY,
}


@pytest.mark.parametrize("instruction", Instruction)
@pytest.mark.parametrize("held", [False, True])
def test_each_instruction_is_a_signal_and_a_card_is_due_in_the_deal_alone(
    instruction: Instruction, *, held: bool
) -> None:
    prompt = Prompt(instruction=instruction, about="", keys=(Key.BET, Key.FOLD), held=held)
    shown = outputs(prompt, refused=Key.BANK)
    assert shown.signal is SIGNALS[instruction]
    assert shown.card_due is (instruction is Instruction.DEAL and not held)
    assert shown.lit == (Key.BET, Key.FOLD)
    assert shown.refused is Key.BANK


READERS_OF_TAGS = {"pn532", "feig", "pepper", "rfid-shoe-pn532", "rfid-shoe-feig"}
DEAL = Outputs(lit=(Key.INCIDENT,), signal=Signal.PLAY, card_due=True)
#: They show nothing: nobody has to tell them anything.
ONLY_READ = {*READERS_OF_TAGS, "line-shoe", "shuffler"}


@pytest.mark.parametrize("driver", sorted(set(DRIVERS) - ONLY_READ))
def test_every_driver_has_a_hand_that_shows_what_the_table_wants(driver: str) -> None:
    settings = {"port": "here"} if DRIVERS[driver].place_defaults else {}
    _, protocol = DRIVERS[driver].make("it", settings, None)
    assert len([kind for kind, _ in ADAPTERS if isinstance(protocol, kind)]) == 1


def test_a_reader_of_tags_is_known_as_one() -> None:
    assert {name for name, driver in DRIVERS.items() if driver.tells_tags} == READERS_OF_TAGS


# --- the last report once more --------------------------------------------------------------------------------------

LAST = f.Drawn(at_us=AT_US, card=card("As"))
AGAIN = f.Drawn(at_us=AT_US + 60_000_000, card=card("As"))
OTHER = f.Drawn(at_us=AT_US + 60_000_000, card=card("Kd"))
BACK = f.DeviceBack(at_us=AGAIN.at_us - 900_000, device="sabot", role="shoe")
LONG_BACK = f.DeviceBack(at_us=AGAIN.at_us - 1_100_000, device="sabot", role="shoe")
PRESSED = f.Pressed(at_us=AT_US, key=Key.NEW_HAND)
STARTED = f.DeviceSaid(at_us=AT_US, device="sabot", role="shoe", what="started")
PANEL_BACK = f.DeviceBack(at_us=AGAIN.at_us, device="panel", role="panel")
UNREAD = f.Drawn(at_us=AT_US, card=None)
UNREAD_AGAIN = f.Drawn(at_us=AGAIN.at_us, card=None)
#: Of all that the driver says of a shoe: what is no report with a number of its own.
BESIDE_A_CARD = {Note.ERROR_MODE, Note.RETRANSMISSION, Note.DRAWN_OUTSIDE, Note.CARD_UNCERTAIN}
OF_OUR_COMMANDS = {
    *(Note.LOCK_ACCEPTED, Note.LOCK_REFUSED, Note.LOCK_UNANSWERED),
    *(Note.CANCEL_ACCEPTED, Note.CANCEL_REFUSED, Note.CANCEL_UNANSWERED),
}


@pytest.mark.parametrize(
    ("last", "same_hand", "facts", "repeats"),
    [
        (LAST, True, [AGAIN], True),
        (LAST, True, [PRESSED, LONG_BACK, AGAIN], True),
        (LAST, True, [OTHER], False),
        (LAST, True, [OTHER, AGAIN], False),
        (LAST, True, [STARTED, AGAIN], False),
        (LAST, True, [LONG_BACK, PRESSED, AGAIN], True),
        (UNREAD, True, [UNREAD], True),
        (UNREAD, True, [PANEL_BACK, UNREAD], True),
        (UNREAD, True, [PRESSED, UNREAD], False),
        (UNREAD, True, [LONG_BACK, PRESSED, UNREAD_AGAIN], False),
        (UNREAD, True, [BACK, PRESSED, UNREAD_AGAIN], True),
        (UNREAD, True, [PRESSED, BACK, UNREAD_AGAIN], True),
        (UNREAD, True, [UNREAD, UNREAD], False),
        (UNREAD, False, [UNREAD], True),
        (UNREAD, False, [PRESSED, UNREAD], False),
        (UNREAD, True, [AGAIN], False),
        (LAST, True, [UNREAD], False),
        (None, False, [AGAIN], False),
        (None, False, [UNREAD], False),
        (LAST, False, [AGAIN], True),
        (LAST, False, [BACK, PRESSED, AGAIN], True),
        (LAST, False, [LONG_BACK, AGAIN], True),
        (LAST, False, [LONG_BACK, PRESSED, AGAIN], False),
        (LAST, False, [PRESSED, PANEL_BACK, AGAIN], False),
        (LAST, False, [AGAIN, AGAIN], False),
    ],
)
def test_the_shoes_last_report_is_told_from_a_card(
    last: f.Drawn | None, *, same_hand: bool, facts: list[f.Fact], repeats: bool
) -> None:
    known = LastReport(last, same_hand=same_hand)
    assert [known.repeats(fact) for fact in facts][-1] is repeats


@pytest.mark.parametrize(
    ("same_hand", "facts", "repeats"),
    [
        # Its other reading, when the line comes back; later on it is another card.
        (True, [BACK, OTHER], True),
        (True, [BACK, PRESSED, OTHER], True),
        (False, [BACK, OTHER], True),
        (True, [OTHER], False),
        (True, [LONG_BACK, OTHER], False),
        # Its first reading may be the face of a card that comes now.
        (True, [AGAIN], True),
        (True, [BACK, PRESSED, AGAIN], True),
        (True, [LONG_BACK, PRESSED, AGAIN], False),
    ],
)
def test_a_report_of_which_the_shoe_was_unsure_is_said_again_with_either_reading(
    *, same_hand: bool, facts: list[f.Fact], repeats: bool
) -> None:
    known = LastReport(LAST, same_hand=same_hand, is_uncertain=True)
    assert [known.repeats(fact) for fact in facts][-1] is repeats


@pytest.mark.parametrize("what", Note)
def test_the_last_report_stays_the_last_until_the_shoe_reports_something_else(what: Note) -> None:
    known = LastReport(LAST, same_hand=True)
    assert not known.repeats(f.DeviceSaid(at_us=AT_US, device="sabot", role="shoe", what=what))
    assert known.repeats(AGAIN) is (what in BESIDE_A_CARD | OF_OUR_COMMANDS)


def test_a_card_that_is_said_again_by_retransmission_is_no_second_one() -> None:
    """A driver without memory of it gives both: the note, and the card."""
    shoe = AngelEye("sabot")
    report = Report(seq=ord("5"), code=Code.RETRANSMISSION, payload=card_payload("As", target=Target.PLAYER, index=1))
    heard = shoe.receive(encode_report(report), now_s=0.0, at_us=AT_US)
    said = [fact for device_fact in heard for fact in TRANSLATOR.table_facts(device_fact, NoTags())]
    assert [type(fact) for fact in said] == [f.DeviceSaid, f.Drawn]
    known = LastReport(LAST, same_hand=True)
    assert [known.repeats(fact) for fact in said] == [False, True]


# --- on real wires --------------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Iterator[Desk]:
    with desk() as made:
        made.start()
        yield made


def lit(table: Desk) -> set[int]:
    return {number for number, lamp in table.panel.lamps.items() if lamp is Lamp.BLUE}


def wanted(table: Desk) -> set[int]:
    return {PANEL_KEYS[Key(key)] for key in table.records(table.newest - 1)[0]["prompt"]["keys"]}


def lit_as(table: Desk, keys: set[int], what: str) -> None:
    table.until(lambda: lit(table) == keys, what)


@pytest.mark.system
def test_the_live_keys_are_lit_and_no_other(table: Desk) -> None:
    for line in (
        "press new-hand",
        "bet 1 ante 1000",
        "press no-more-bets",
        "call by ana",
        "rule 1 void-hand by ana misdeal",
    ):
        assert table.enter(line)["refused"] is None
        keys = wanted(table)
        lit_as(table, keys, f"after {line!r} the keys {keys} are lit")


@pytest.mark.system
def test_a_panel_that_comes_back_is_lit_as_the_table_is_now(table: Desk) -> None:
    before = table.newest
    table.bus.unplug(table.panel)
    table.await_record("device-lost", before)
    table.enter("press new-hand")
    table.bus.plug(table.panel)
    keys = wanted(table)
    assert keys != {PANEL_KEYS[Key.NEW_HAND]}
    table.until(lambda: lit(table) == keys, "the live keys are lit again")


@pytest.mark.system
def test_a_panel_that_comes_back_is_lit_although_the_table_wants_the_same_as_before(table: Desk) -> None:
    keys = wanted(table)
    lit_as(table, keys, "the live keys are lit")
    before = table.newest
    table.bus.unplug(table.panel)
    table.await_record("device-lost", before)
    n_changes = len(table.effects)
    table.bus.plug(table.panel)
    table.until(lambda: len(table.effects) > n_changes and lit(table) == keys, "the live keys are lit again")


def test_what_is_shown_already_is_told_again_after_a_test_of_keys_and_lights_only(
    tmp_path: Path, mocker: MockerFixture
) -> None:
    config = tmp_path / "table.toml"
    config.write_text(config_text(Scene(), tmp_path), encoding="utf-8")
    devices = Devices(load(config), lambda _: None, KeptLog())
    told = mocker.spy(Port, "send")

    def n_told(show: Callable[[Outputs], None], what: Outputs) -> int:
        told.reset_mock()
        show(what)
        return int(told.call_count)

    assert n_told(devices.show, DEAL) > 0
    assert n_told(devices.show, DEAL) == 0, "it is shown already"
    assert n_told(devices.show, replace(DEAL, refused=Key.BANK)) == 1, "the panel; the light shows play already"
    assert n_told(devices.show, DEAL) == 1
    assert n_told(devices.try_out, DARK) > 0
    assert n_told(devices.show, DEAL) > 0, "keys and lights show something else"


@pytest.mark.system
def test_the_light_tells_the_room_who_is_wanted(table: Desk) -> None:
    def shows(state: LightState, what: str) -> None:
        table.until(lambda: table.light.state == state, what)

    shows(LightState(green=Pattern.ON), "between hands it is green")
    table.enter("press new-hand")
    shows(LightState(green=Pattern.ON), "in play it is green")
    table.deal("As")
    shows(LightState(yellow=Pattern.BLINK_1), "for the croupier it blinks yellow")
    table.enter("press seen")
    table.until(lambda: table.light.state.red is Pattern.BLINK_1, "for the pit boss it blinks red")
    assert table.light.state.buzzer is Buzzer.PATTERN_1
    assert table.light.state.repeats == 1
    table.enter("rule 1 void-hand by ana misdeal")
    shows(LightState(yellow=Pattern.BLINK_1), "cards are collected")
    table.enter("press confirm")
    shows(LightState(green=Pattern.ON), "the next hand can begin")
    before = table.newest
    table.shoe.unplug()
    table.await_record("device-lost", before)
    table.until(lambda: table.light.state.red is Pattern.BLINK_1, "without a shoe it blinks red")


def is_locked(table: Desk) -> bool:
    return table.shoe.is_locked


@pytest.mark.system
def test_thb_sab_1_the_shoe_is_locked_while_no_card_is_due_where_that_is_granted() -> None:
    with desk() as table:
        text = table.config.read_text(encoding="utf-8")
        table.config.write_text(text.replace('port = "', 'may_lock = true\nport = "'), encoding="utf-8")
        table.start()

        def said(what: str, after: int) -> None:
            while (record := table.await_record("device-said", after))["fact"]["what"] != what:
                after = record["seq"]

        before = table.newest
        table.enter("press new-hand")
        said("locked", 0)
        assert is_locked(table)
        table.enter("bet 1 ante 1000")
        table.enter("press no-more-bets")
        said("unlocked", before)
        assert not is_locked(table)
        before = table.newest
        table.enter("call by ana")
        said("locked", before)
        assert is_locked(table)


@pytest.mark.system
def test_a_shoe_whose_lock_is_not_granted_is_told_nothing(table: Desk) -> None:
    table.open_hand()
    table.deal("As")
    table.enter("call by ana")
    assert table.stop() == 0
    assert not is_locked(table)
    assert {record["fact"]["what"] for record in _said(table)} == {"started", "stand-by"}


def _said(table: Desk) -> list[dict[str, Any]]:
    table.start()
    return [record for record in table.records() if record["fact"]["kind"] == "device-said"]
