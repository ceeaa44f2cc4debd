"""What an X-keys panel tells and shows, without any wire: reports go in, facts and output reports come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.panels import KeyFace, KeyLook
from drivers.xkeys.driver import XKeys, XKeysSettings
from drivers.xkeys.messages import (
    DescriptorReport,
    KeyReport,
    Lamp,
    Light,
    SetLight,
    ask_descriptor,
    decode_output,
    encode_descriptor,
    encode_keys,
    generate_data,
)
from drivers.xkeys.products import XK24

SETTINGS = XKeysSettings()
#: Any keys that are down at once, drawn as bits.
KEYS = st.integers(0, 2**XK24.n_keys - 1).map(
    lambda bits: frozenset(key for key in range(XK24.n_keys) if bits >> key & 1)
)
QUESTIONS = (ask_descriptor(), generate_data())


def level(*keys: int, unit_id: int = 0, asked_for: bool = False) -> bytes:
    return encode_keys(XK24, KeyReport(unit_id=unit_id, down=frozenset(keys), timestamp_ms=1, asked_for=asked_for))


def who(*, unit_id: int = 0, product_id: int = 0x0405) -> bytes:
    return encode_descriptor(XK24, DescriptorReport(unit_id=unit_id, firmware=38, product_id=product_id))


class Bench:
    """A panel's driver with a clock of its own."""

    def __init__(self, settings: XKeysSettings = SETTINGS) -> None:
        self.driver = XKeys("panel", settings)
        self.now_s = 100.0

    def opened(self) -> Sequence[DeviceFact]:
        return self.driver.opened(now_s=self.now_s, at_us=1)

    def hear(self, *reports: bytes) -> list[DeviceFact]:
        return [fact for data in reports for fact in self.driver.receive(data, now_s=self.now_s, at_us=2)]

    def wait(self, seconds: float) -> list[DeviceFact]:
        """Let time pass, ticking when the driver wants it."""
        until_s = self.now_s + seconds
        facts: list[DeviceFact] = []
        while (due_s := self.driver.deadline_s()) is not None and due_s <= until_s:
            assert due_s > self.now_s, "the driver wants a tick that changes nothing"
            self.now_s = due_s
            facts += self.driver.tick(now_s=self.now_s, at_us=3)
        self.now_s = until_s
        return facts

    def closed(self) -> Sequence[DeviceFact]:
        return self.driver.closed(at_us=4, reason="unplugged")

    def lights(self) -> dict[int, Light]:
        """Every light written since the last look, in order."""
        said = [decode_output(data) for data in self.driver.take_outgoing()]
        return {set_light.led: set_light.light for set_light in said if isinstance(set_light, SetLight)}


@pytest.fixture
def panel() -> Bench:
    bench = Bench()
    bench.opened()
    bench.hear(who(), level(asked_for=True))
    bench.driver.take_outgoing()
    return bench


def down(*keys: int) -> list[DeviceFact]:
    return [KeyDown(device="panel", at_us=2, key=key) for key in keys]


def up(*keys: int, at_us: int = 2) -> list[DeviceFact]:
    return [KeyUp(device="panel", at_us=at_us, key=key) for key in keys]


def test_a_panel_is_found_when_it_has_answered_both_questions() -> None:
    bench = Bench()
    assert bench.opened() == ()
    assert tuple(bench.driver.take_outgoing()) == QUESTIONS
    assert bench.hear(who(unit_id=10)) == []
    assert bench.hear(level(unit_id=10, asked_for=True)) == [
        Found(device="panel", at_us=2, identity="XK-24 05f3:0405, firmware 38, unit 10")
    ]


def test_the_answers_may_come_the_other_way_round() -> None:
    bench = Bench()
    bench.opened()
    assert [type(fact) for fact in bench.hear(level(asked_for=True), who())] == [Found]


def test_questions_are_asked_again_until_they_are_answered() -> None:
    bench = Bench()
    bench.opened()
    bench.driver.take_outgoing()
    assert bench.wait(SETTINGS.retry_s) == []
    assert tuple(bench.driver.take_outgoing()) == QUESTIONS
    assert (bench.driver.tally.frames, bench.driver.tally.retries) == (0, 1)
    bench.hear(who(), level(asked_for=True), bytes(3))
    assert (bench.driver.tally.frames, bench.driver.tally.retries) == (2, 1)


def test_a_panel_that_never_answers_is_lost_once_and_still_asked() -> None:
    bench = Bench()
    bench.opened()
    facts = bench.wait(10 * SETTINGS.mute_after_s)
    assert facts == [Lost(device="panel", at_us=3, reason="XK-24 is plugged in but does not answer")]
    bench.driver.take_outgoing()
    bench.wait(SETTINGS.ask_every_s)
    assert tuple(bench.driver.take_outgoing()) == QUESTIONS
    assert bench.closed() == []


def test_a_key_held_while_the_panel_is_plugged_in_is_told_after_found() -> None:
    bench = Bench()
    bench.opened()
    facts = bench.hear(level(3), who(), level(3, asked_for=True))
    assert [type(fact) for fact in facts] == [Found, KeyDown]


def test_a_press_and_a_release(panel: Bench) -> None:
    assert panel.hear(level(3)) == down(3)
    assert panel.hear(level()) == up(3)


def test_ups_come_before_downs_each_in_order_of_number(panel: Bench) -> None:
    assert panel.hear(level(20, 4, 9)) == down(4, 9, 20)
    assert panel.hear(level(23, 1)) == [*up(4, 9, 20), *down(1, 23)]


def test_a_repeated_report_says_nothing_new(panel: Bench) -> None:
    assert panel.hear(level(3), level(3), level(3, asked_for=True)) == down(3)


def test_a_lost_report_heals_with_the_next_one(panel: Bench) -> None:
    panel.hear(level(3))
    # The release of 3 is lost.
    assert panel.hear(level(5)) == [*up(3), *down(5)]


def test_a_lost_last_report_heals_as_the_state_is_asked_for_now_and_then(panel: Bench) -> None:
    panel.hear(level(3))
    assert panel.wait(SETTINGS.ask_every_s) == []
    assert list(panel.driver.take_outgoing()) == [generate_data()]
    assert panel.hear(level(asked_for=True)) == up(3)


def test_keys_that_are_down_come_up_when_the_panel_is_lost(panel: Bench) -> None:
    panel.hear(level(7, 2))
    assert panel.closed() == [*up(2, 7, at_us=4), Lost(device="panel", at_us=4, reason="unplugged")]


def test_silence_is_no_loss_while_questions_are_answered(panel: Bench) -> None:
    for _ in range(20):
        assert panel.wait(SETTINGS.ask_every_s) == []
        panel.hear(level(asked_for=True))


def test_a_panel_that_answers_no_more_is_lost_and_found_when_it_does(panel: Bench) -> None:
    panel.hear(level(4))
    facts = panel.wait(5 * SETTINGS.mute_after_s)
    assert [type(fact) for fact in facts] == [KeyUp, Lost]
    panel.driver.show({0: Lamp.RED})
    panel.driver.take_outgoing()
    facts = panel.hear(who(), level(asked_for=True))
    assert [type(fact) for fact in facts] == [Found]
    assert panel.lights()[XK24.red_led(0)] is Light.ON


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "a report of 0 bytes, not 32"),
        (level(unit_id=9), "unit 9, not 0"),
        (who(product_id=0x0441), "not an XK-24: product id 0441"),
        (bytes((0, 0xE0)).ljust(32, b"\0"), "a special report that nobody asked for"),
    ],
)
def test_what_is_not_heard_is_rejected_with_its_reason(panel: Bench, data: bytes, reason: str) -> None:
    assert panel.hear(data) == [Rejected(device="panel", at_us=2, reason=reason, n_bytes=len(data))]


def test_another_unit_than_the_configured_one_is_never_found() -> None:
    bench = Bench(XKeysSettings(unit_id=3))
    bench.opened()
    facts = bench.hear(who(unit_id=4), level(unit_id=4, asked_for=True))
    assert [type(fact) for fact in facts] == [Rejected, Rejected]
    assert [type(fact) for fact in bench.hear(who(unit_id=3), level(unit_id=3, asked_for=True))] == [Found]


def test_rejected_reports_do_not_keep_a_panel_alive(panel: Bench) -> None:
    facts: list[DeviceFact] = []
    for _ in range(8):
        facts += panel.wait(1.0)
        facts += panel.hear(b"junk")
    assert [type(fact) for fact in facts if not isinstance(fact, Rejected)] == [Lost]


def test_once_found_only_what_differs_is_written(panel: Bench) -> None:
    panel.driver.show({0: Lamp.BLUE, 1: Lamp.BOTH_BLINK})
    assert panel.lights() == {0: Light.ON, 1: Light.FLASH, 33: Light.FLASH}
    panel.driver.show({0: Lamp.BLUE, 1: Lamp.BOTH_BLINK})
    assert panel.lights() == {}
    panel.driver.show({0: Lamp.RED})
    assert panel.lights() == {0: Light.OFF, 32: Light.ON, 1: Light.OFF, 33: Light.OFF}


def test_after_a_loss_every_light_is_written_lit_ones_first(panel: Bench) -> None:
    panel.driver.show({23: Lamp.RED})
    panel.closed()
    panel.driver.show({23: Lamp.RED, 0: Lamp.BLUE})
    assert panel.lights() == {}
    panel.opened()
    panel.hear(who(), level(asked_for=True))
    written = panel.lights()
    assert len(written) == 2 * XK24.n_keys
    assert dict(list(written.items())[:2]) == {0: Light.ON, 61: Light.ON}


def test_nothing_is_shown_before_the_panel_is_found() -> None:
    bench = Bench()
    bench.opened()
    bench.driver.show({0: Lamp.BLUE})
    assert bench.lights() == {}
    bench.hear(who(), level(asked_for=True))
    assert bench.lights()[0] is Light.ON


@pytest.mark.parametrize("key", [-1, 24])
def test_a_key_that_is_none_cannot_be_lit(panel: Bench, key: int) -> None:
    with pytest.raises(ValueError, match=f"XK-24 has no key {key}"):
        panel.driver.show({key: Lamp.BLUE})


@given(st.lists(st.tuples(KEYS, st.sampled_from(["heard", "lost"]))))
def test_any_states_with_any_of_them_lost_give_matched_events(states: list[tuple[frozenset[int], str]]) -> None:
    bench = Bench()
    bench.opened()
    bench.hear(who(), level(asked_for=True))
    heard = [state for state, fate in states if fate == "heard"]
    facts = bench.hear(*[level(*state) for state in heard])
    assert held_after(facts) == (heard[-1] if heard else frozenset())
    assert held_after([*facts, *bench.closed()]) == frozenset()


@given(st.lists(KEYS.map(lambda keys: level(*keys)) | st.binary(max_size=40) | st.binary(min_size=32, max_size=32)))
def test_junk_between_reports_never_raises_and_events_stay_matched(reports: list[bytes]) -> None:
    bench = Bench()
    bench.opened()
    facts = bench.hear(who(), level(asked_for=True), *reports)
    assert held_after([*facts, *bench.closed()]) == frozenset()


@given(st.lists(st.dictionaries(st.integers(0, XK24.n_keys - 1), st.sampled_from(Lamp)), min_size=1))
def test_whatever_is_shown_one_after_the_other_the_last_is_what_is_seen(shown: list[dict[int, Lamp]]) -> None:
    bench = Bench()
    bench.opened()
    bench.hear(who(), level(asked_for=True))
    seen = bench.lights()
    for lamps in shown:
        bench.driver.show(lamps)
        seen |= bench.lights()
    for key in range(XK24.n_keys):
        lamp = shown[-1].get(key, Lamp.OFF)
        assert (seen[XK24.blue_led(key)], seen[XK24.red_led(key)]) == (lamp.blue, lamp.red)


def held_after(facts: Iterable[DeviceFact]) -> frozenset[int]:
    """The keys that are down in the end; fails when one goes down twice or comes up without having been down."""
    held: set[int] = set()
    for fact in facts:
        if isinstance(fact, KeyDown):
            assert fact.key not in held
            held.add(fact.key)
        elif isinstance(fact, KeyUp):
            assert fact.key in held
            held.remove(fact.key)
    return frozenset(held)


def test_the_words_for_every_panel_are_its_lamps(panel: Bench) -> None:
    panel.driver.face({0: KeyFace(look=KeyLook.LIVE, label="Bet"), 1: KeyFace(look=KeyLook.REFUSED)})
    assert panel.lights() == {0: Light.ON, 33: Light.FLASH}
    panel.driver.face({0: KeyFace(look=KeyLook.DEAD, label="Bet")})
    assert panel.lights() == {0: Light.OFF, 33: Light.OFF}
