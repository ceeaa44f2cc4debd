"""What a Stream Deck tells and shows, without any wire.

Bytes: worked out by hand from abcminiuser/python-elgato-streamdeck (`Devices/StreamDeckOriginalV2.py`,
`StreamDeckMini.py`) and from Elgato's own pages on its HID reports.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageChops

from drivers.facts import DeviceFact, Found, KeyDown, KeyUp, Lost, Rejected
from drivers.panels import KeyFace, KeyLook
from drivers.registry import DRIVERS
from drivers.streamdeck.driver import StreamDeck, StreamDeckSettings
from drivers.streamdeck.faces import Painter
from drivers.streamdeck.messages import (
    BadReport,
    Brightness,
    EndOfPages,
    Firmware,
    Keys,
    Page,
    Reset,
    SerialNumber,
    ask_firmware,
    ask_serial_number,
    brightness,
    decode_answer,
    decode_feature,
    decode_input,
    decode_output,
    encode_keys,
    encode_text,
    end_of_pages,
    pages,
    reset,
)
from drivers.streamdeck.products import DECK_15, DECK_MINI, DECK_XL, PEDAL, PRODUCTS, Product
from drivers.transport.base import AskFeature, FeatureAnswer, SetFeature
from simulators.devices.streamdeck.simulator import FIRMWARE, SERIAL, StreamDeckSimulator

SETTINGS = StreamDeckSettings()
ALL = pytest.mark.parametrize("product", PRODUCTS.values(), ids=PRODUCTS)
WITH_PICTURES = pytest.mark.parametrize("product", [DECK_15, DECK_XL, DECK_MINI], ids=lambda product: product.id)
LIVE, DEAD, REFUSED = KeyLook.LIVE, KeyLook.DEAD, KeyLook.REFUSED

#: Product, report, keys that are down.
INPUTS = (
    (DECK_15, "01 00 0f 00 01 00 00 00 00 00 00 00 00 00 00 00 00 00 00", {0}),
    (DECK_15, "01 00 0f 00 00 00 00 00 00 01 00 00 00 00 00 00 00 00 01", {5, 14}),
    (DECK_XL, "01 00 20 00" + " 00" * 31 + " 01", {31}),
    (PEDAL, "01 00 03 00 00 01 00", {1}),
    (DECK_MINI, "01 00 00 01 00 00 01", {2, 5}),
)


@pytest.mark.parametrize(("product", "data", "down"), INPUTS)
def test_an_input_report_has_one_byte_a_key(product: Product, data: str, down: set[int]) -> None:
    report = bytes.fromhex(data)
    assert decode_input(product, report) == Keys(frozenset(down))
    assert decode_input(product, report.ljust(512, b"\0")) == Keys(frozenset(down))
    assert encode_keys(product, frozenset(down)) == report


@pytest.mark.parametrize(
    ("product", "data"),
    [
        (DECK_15, ""),
        (DECK_15, "02 00 0f 00" + " 00" * 15),
        (DECK_15, "01 02 0f 00" + " 00" * 15),
        (DECK_15, "01 00 20 00" + " 00" * 15),
        (DECK_15, "01 00 0f 00" + " 00" * 14),
        (DECK_15, "01 00 0f 00" + " 00" * 14 + " 02"),
        (DECK_MINI, "01 00 00 00"),
    ],
)
def test_what_is_no_report_of_keys_is_none(product: Product, data: str) -> None:
    assert isinstance(decode_input(product, bytes.fromhex(data)), BadReport)


def test_a_picture_is_sent_in_pages_of_1024_bytes() -> None:
    data = bytes(range(256)) * 8
    first, second, third = pages(DECK_15, 4, data)
    assert {len(first), len(second), len(third)} == {1024}
    assert first[:8] == bytes.fromhex("02 07 04 00 f8 03 00 00")
    assert second[:8] == bytes.fromhex("02 07 04 00 f8 03 01 00")
    assert third[:8] == bytes.fromhex("02 07 04 01 10 00 02 00")
    assert first[8:] + second[8:] + third[8 : 8 + 16] == data


def test_the_mini_counts_keys_from_1_and_has_longer_headers() -> None:
    first, second = pages(DECK_MINI, 4, bytes((7,)) * 1009)
    assert first[:16] == bytes.fromhex("02 01 00 00 00 05") + bytes(10)
    assert second[:17] == bytes.fromhex("02 01 01 00 01 05") + bytes(10) + b"\7"


@pytest.mark.parametrize(
    ("command", "start", "length"),
    [
        (reset(DECK_15), "03 02", 32),
        (brightness(DECK_15, 70), "03 08 46", 32),
        (ask_firmware(DECK_15), "05", 32),
        (ask_serial_number(DECK_15), "06", 32),
        (reset(DECK_MINI), "0b 63", 17),
        (brightness(DECK_MINI, 99), "05 55 aa d1 01 63", 17),
        (ask_firmware(DECK_MINI), "04", 17),
        (ask_serial_number(DECK_MINI), "03", 17),
        (end_of_pages(), "02", 1024),
    ],
)
def test_a_command_has_the_bytes_of_public_code(command: bytes, start: str, length: int) -> None:
    assert command == bytes.fromhex(start).ljust(length, b"\0")


def test_answers_are_texts() -> None:
    firmware = bytes.fromhex("05 0c 00 00 00 00") + b"1.01.000\0junk"
    assert decode_answer(DECK_15, firmware) == Firmware("1.01.000")
    assert decode_answer(DECK_15, b"\x06\x0cAL12H1A00001\0\0") == SerialNumber("AL12H1A00001")
    assert decode_answer(DECK_MINI, b"\x04\0\0\0\0" + b"2.0\0") == Firmware("2.0")
    assert decode_answer(DECK_MINI, b"\x03\0\0\0\0" + b"BL1\0") == SerialNumber("BL1")
    assert isinstance(decode_answer(DECK_15, b"\x09"), BadReport)
    assert isinstance(decode_answer(DECK_15, b""), BadReport)


@ALL
@given(data=st.binary(max_size=64) | st.binary(max_size=40).map(lambda rest: (b"\2\7" + rest).ljust(1024, b"\0")))
def test_junk_is_never_more_than_a_report(product: Product, data: bytes) -> None:
    decode_input(product, data)
    decode_answer(product, data)
    decode_output(product, data)
    decode_feature(product, data)


@ALL
@given(data=st.binary(min_size=1, max_size=4000), key=st.integers(0, 2))
def test_pages_put_together_are_the_picture(product: Product, data: bytes, key: int) -> None:
    read = [decode_output(product, page) for page in pages(product, key, data)]
    found = [page for page in read if isinstance(page, Page)]
    # A first page of the Mini may be zeros; it is the deck that has to tell such a page from an end, and pictures
    # begin with letters.
    if len(found) == len(read):
        assert b"".join(page.data for page in found).rstrip(b"\0") == data.rstrip(b"\0")
        assert [page.is_last for page in found] == [False] * (len(found) - 1) + [True]
        assert [page.page for page in found] == list(range(len(found)))


@ALL
def test_features_survive_the_way_there_and_back(product: Product) -> None:
    assert decode_feature(product, reset(product)) == Reset()
    assert decode_feature(product, brightness(product, 33)) == Brightness(33)
    assert decode_output(product, end_of_pages()) == EndOfPages()
    assert decode_answer(product, encode_text(product, Firmware("1.2"))) == Firmware("1.2")


# -- pictures --------------------------------------------------------------------------------------------------------


def draw(product: Product, face: KeyFace, font: str = "") -> Image.Image:
    return Painter(product, font).draw(face)


def difference(one: Image.Image, other: Image.Image) -> float:
    """Mean difference of two pictures' dots, 0 to 255."""
    dots = ImageChops.difference(one.convert("L"), other.convert("L")).tobytes()
    return sum(dots) / len(dots)


@pytest.mark.parametrize("label", ["Nueva mano", "Señal", "Bet", "Retirarse y devolver la apuesta entera", "W" * 30])
@WITH_PICTURES
def test_a_label_is_drawn_on_its_key(product: Product, label: str) -> None:
    drawn = draw(product, KeyFace(look=LIVE, label=label))
    assert drawn.size == (product.pixels, product.pixels)
    assert difference(drawn, draw(product, KeyFace(look=LIVE))) > 5


@WITH_PICTURES
@pytest.mark.parametrize("label", ["Nueva mano", "Señal", "Retirarse", "Banca al descubierto", "Subir la apuesta"])
def test_a_label_of_this_table_fits_inside_its_key(product: Product, label: str) -> None:
    drawn, blank = draw(product, KeyFace(look=LIVE, label=label)), draw(product, KeyFace(look=LIVE))
    inked = ImageChops.difference(drawn, blank).getbbox()
    assert inked is not None
    assert min(inked[:2]) > 0
    assert max(inked[2:]) < product.pixels


@pytest.mark.parametrize("font", ["", "/none.ttf", "/etc/hostname", "/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf"])
def test_a_font_that_is_not_there_is_no_reason_for_an_empty_key(font: str) -> None:
    face = KeyFace(look=LIVE, label="Ñandú")
    assert difference(draw(DECK_15, face, font), draw(DECK_15, KeyFace(look=LIVE))) > 5


def test_a_key_that_is_dead_is_dark_one_that_is_live_is_lit_and_one_that_was_refused_is_red() -> None:
    deck = Deck()
    deck.open()
    deck.show({0: KeyFace(look=LIVE), 1: KeyFace(look=REFUSED)})
    assert (deck.there.is_lit(0), deck.there.is_red(0)) == (True, False)
    assert (deck.there.is_lit(1), deck.there.is_red(1)) == (True, True)
    assert not deck.there.is_lit(2)


def colours_of(face: KeyFace, *, is_dark_half: bool = False) -> tuple[set[tuple[int, ...]], tuple[int, ...]]:
    """All colours of a key, and the one of its corner, which no label reaches."""
    image = Painter(DECK_XL).draw(face, is_dark_half=is_dark_half)
    dots = image.tobytes()
    return {tuple(dots[at : at + 3]) for at in range(0, len(dots), 3)}, tuple(dots[:3])


def test_a_live_key_is_blue_with_its_label_in_white() -> None:
    seen, (red, green, blue) = colours_of(KeyFace(look=LIVE, label="Bet"))
    assert (255, 255, 255) in seen
    assert blue > 2 * green > 2 * red


def test_a_dead_key_is_black_with_its_label_in_dark_grey() -> None:
    seen, ground = colours_of(KeyFace(look=DEAD, label="Bet"))
    assert ground == (0, 0, 0)
    red, green, blue = max(seen)
    assert 0 < red == green == blue < 128


def test_a_refused_key_is_red_with_its_label_in_white_and_dark_in_the_other_half_of_its_flash() -> None:
    seen, (red, *others) = colours_of(KeyFace(look=REFUSED, label="Bet"))
    assert (255, 255, 255) in seen
    assert others == [0, 0]
    _, (dark_red, *dark_others) = colours_of(KeyFace(look=REFUSED, label="Bet"), is_dark_half=True)
    assert dark_others == [0, 0]
    assert red > 4 * dark_red > 0


def test_a_picture_is_turned_for_the_deck() -> None:
    face = KeyFace(look=LIVE, label="L")
    with Image.open(BytesIO(Painter(DECK_15).picture(face))) as sent:
        assert sent.format == "JPEG"
        upright = sent.transpose(Image.Transpose.ROTATE_180)
        assert difference(upright, draw(DECK_15, face)) < difference(sent, draw(DECK_15, face)) / 2
    with Image.open(BytesIO(Painter(DECK_MINI).picture(face))) as sent:
        assert sent.format == "BMP"
        # A quarter turn to the left, then upside down: what was at (x, y) is at (y, x).
        assert difference(sent.transpose(Image.Transpose.TRANSPOSE), draw(DECK_MINI, face)) < 1


# -- the driver, with a simulated deck in place of a wire --------------------------------------------------------------


class Deck:
    """A driver and a deck, with one clock. What one says, the other hears."""

    def __init__(
        self, product: Product = DECK_15, wanted: StreamDeckSettings = SETTINGS, *, answers: bool = True
    ) -> None:
        self.now_s = 100.0
        self.there = StreamDeckSimulator(product=product, answers=answers)
        self.driver = StreamDeck("deck", wanted, product=product)
        self.said: list[bytes] = []

    def open(self) -> list[DeviceFact]:
        return [*self.driver.opened(now_s=self.now_s, at_us=1), *self.exchange()]

    def exchange(self) -> list[DeviceFact]:
        facts: list[DeviceFact] = []
        while outgoing := self.driver.take_outgoing():
            for item in outgoing:
                self.said.append(item)
                if isinstance(item, AskFeature):
                    answer = self.there.feature_asked(item[0])
                    if answer is not None:
                        facts += self.driver.receive(FeatureAnswer(answer), now_s=self.now_s, at_us=2)
                elif isinstance(item, SetFeature):
                    assert self.there.feature_written(item)
                else:
                    self.there.written(item)
        return facts

    def show(self, faces: dict[int, KeyFace]) -> None:
        self.driver.face(faces)
        self.exchange()

    def hear(self, *downs: Iterable[int]) -> list[DeviceFact]:
        product = self.there.product
        reports = [encode_keys(product, frozenset(down)) for down in downs]
        return [fact for data in reports for fact in self.driver.receive(data, now_s=self.now_s, at_us=2)]

    def wait(self, seconds: float) -> list[DeviceFact]:
        until_s = self.now_s + seconds
        facts: list[DeviceFact] = []
        while (due_s := self.driver.deadline_s()) is not None and due_s <= until_s:
            self.now_s = max(due_s, self.now_s)
            facts += [*self.driver.tick(now_s=self.now_s, at_us=3), *self.exchange()]
            next_s = self.driver.deadline_s()
            assert next_s is None or next_s > self.now_s, "the driver wants a tick that changes nothing"
        self.now_s = until_s
        return facts

    def closed(self) -> Sequence[DeviceFact]:
        return self.driver.closed(at_us=4, reason="unplugged")


@ALL
def test_a_deck_is_found_when_it_has_told_its_serial_number_and_firmware(product: Product) -> None:
    found = Deck(product).open()
    assert [type(fact) for fact in found] == [Found]
    assert isinstance(found[0], Found)
    assert found[0].identity.endswith(f"serial number {SERIAL}, firmware {FIRMWARE}")


def test_where_feature_reports_do_not_work_it_is_found_without_asking() -> None:
    deck = Deck(wanted=StreamDeckSettings(needs_answer=False), answers=False)
    assert [type(fact) for fact in deck.open()] == [Found]
    assert deck.driver.deadline_s() is None
    assert not any(isinstance(item, AskFeature) for item in deck.said)


def test_a_deck_that_never_answers_is_lost_once_and_still_asked() -> None:
    deck = Deck(answers=False)
    assert deck.open() == []
    facts = deck.wait(10 * SETTINGS.mute_after_s)
    assert facts == [Lost(device="deck", at_us=3, reason="Stream Deck is plugged in but does not answer")]
    before = len(deck.said)
    retries = deck.driver.tally.retries
    deck.wait(2 * SETTINGS.retry_s)
    assert len(deck.said) > before
    assert deck.driver.tally.retries == retries + 2
    assert deck.driver.tally.frames == 0
    assert list(deck.closed()) == []


def test_a_deck_that_answers_no_more_is_lost_with_its_keys_up_and_found_when_it_does() -> None:
    deck = Deck()
    deck.open()
    deck.show({3: KeyFace(look=LIVE, label="Bet")})
    deck.hear({4})
    deck.there.answers = False
    assert [type(fact) for fact in deck.wait(3 * SETTINGS.mute_after_s)] == [KeyUp, Lost]
    deck.there.plugged_in()
    deck.there.answers = True
    assert [type(fact) for fact in deck.wait(SETTINGS.retry_s)] == [Found]
    assert deck.there.is_lit(3)


def test_silence_of_the_keys_is_no_loss() -> None:
    deck = Deck()
    deck.open()
    assert deck.wait(1000.0) == []


@ALL
def test_every_key_goes_down_and_comes_up(product: Product) -> None:
    deck = Deck(product)
    deck.open()
    for key in range(product.n_keys):
        assert deck.hear({key}, (), ()) == [
            KeyDown(device="deck", at_us=2, key=key),
            KeyUp(device="deck", at_us=2, key=key),
        ]


def test_keys_that_are_down_come_up_when_the_deck_is_lost() -> None:
    deck = Deck()
    deck.open()
    deck.hear({7, 2})
    assert [type(fact) for fact in deck.closed()] == [KeyUp, KeyUp, Lost]


def test_keys_are_not_told_before_the_deck_is_found() -> None:
    deck = Deck(answers=False)
    deck.open()
    assert deck.hear({3}) == []


@WITH_PICTURES
def test_the_keys_show_what_is_wanted_and_all_others_are_dark(product: Product) -> None:
    deck = Deck(product)
    deck.driver.face({0: KeyFace(look=LIVE, label="Bet"), 1: KeyFace(look=DEAD, label="Fold")})
    deck.open()
    assert deck.there.brightness == SETTINGS.brightness
    assert (deck.there.is_lit(0), deck.there.has_ink(0)) == (True, True)
    assert (deck.there.is_lit(1), deck.there.has_ink(1)) == (False, True)
    assert not any(deck.there.is_lit(key) or deck.there.has_ink(key) for key in range(2, product.n_keys))
    assert difference(deck.there.picture(0), draw(product, KeyFace(look=LIVE, label="Bet"))) < 6
    assert deck.there.refused == 0


def test_only_keys_that_change_are_written() -> None:
    deck = Deck()
    deck.open()
    deck.show({0: KeyFace(look=LIVE, label="Bet"), 1: KeyFace(look=LIVE, label="Fold")})
    before = deck.there.taken
    deck.show({0: KeyFace(look=LIVE, label="Bet"), 1: KeyFace(look=DEAD, label="Fold")})
    assert deck.there.taken == before + 1
    deck.show({0: KeyFace(look=LIVE, label="Bet"), 1: KeyFace(look=DEAD, label="Fold")})
    assert deck.there.taken == before + 1


def test_after_a_loss_every_key_is_written_lit_ones_first() -> None:
    deck = Deck()
    deck.driver.face({14: KeyFace(look=LIVE, label="Bet")})
    deck.open()
    deck.closed()
    deck.there.plugged_in()
    deck.said.clear()
    deck.open()
    written = [page.key for item in deck.said if isinstance(page := decode_output(DECK_15, item), Page)]
    assert written[0] == 14
    assert set(written) == set(range(15))
    assert deck.there.is_lit(14)


def test_a_refused_key_flashes_red_until_it_is_refused_no_more() -> None:
    deck = Deck()
    deck.open()
    deck.show({0: KeyFace(look=REFUSED, label="Bet")})
    seen = [deck.there.is_red(0)]
    for _ in range(5):
        deck.wait(SETTINGS.flash_s)
        seen.append(deck.there.is_red(0))
    assert set(seen) == {True, False}
    assert seen[0]
    deck.show({0: KeyFace(look=LIVE, label="Bet")})
    for _ in range(4):
        deck.wait(SETTINGS.flash_s)
        assert (deck.there.is_lit(0), deck.there.is_red(0)) == (True, False)


def test_a_picture_that_was_cut_off_by_a_loss_does_not_spoil_the_next_one() -> None:
    deck = Deck()
    deck.open()
    deck.there.written(next(iter(pages(DECK_15, 3, bytes((1,)) * 3000))))
    deck.closed()
    deck.open()
    deck.show({3: KeyFace(look=LIVE)})
    assert deck.there.is_lit(3)
    assert deck.there.refused == 0


def test_the_pedal_has_no_pictures_and_takes_faces_all_the_same() -> None:
    deck = Deck(PEDAL)
    deck.open()
    deck.show({0: KeyFace(look=REFUSED, label="Bet")})
    deck.wait(5.0)
    assert all(isinstance(item, AskFeature) for item in deck.said)


@pytest.mark.parametrize("key", [-1, 15])
def test_a_key_that_is_none_has_no_face(key: int) -> None:
    with pytest.raises(ValueError, match=f"Stream Deck has no key {key}"):
        StreamDeck("deck").face({key: KeyFace(look=LIVE)})


def test_junk_is_rejected_with_its_reason() -> None:
    deck = Deck()
    deck.open()
    facts = deck.driver.receive(b"\3junk", now_s=0.0, at_us=9)
    assert facts == [Rejected(device="deck", at_us=9, reason="no report of keys", n_bytes=5)]


@ALL
def test_a_model_is_in_the_registry_with_its_keys(product: Product) -> None:
    driver = DRIVERS[product.id]
    assert (driver.n_keys, driver.role) == (product.n_keys, "panel")


@settings(max_examples=20, deadline=None)
@given(
    st.lists(
        st.dictionaries(
            st.integers(0, 5),
            st.builds(KeyFace, look=st.sampled_from(KeyLook), label=st.sampled_from(["", "A", "B c"])),
        ),
        min_size=1,
        max_size=5,
    )
)
def test_whatever_is_shown_one_after_the_other_the_last_is_what_is_seen(shown: list[dict[int, KeyFace]]) -> None:
    deck = Deck(DECK_MINI)
    deck.open()
    for faces in shown:
        deck.show(faces)
    for key in range(DECK_MINI.n_keys):
        face = shown[-1].get(key, KeyFace(look=DEAD))
        if face.look is not REFUSED:
            assert difference(deck.there.picture(key), draw(DECK_MINI, face)) < 1


@given(
    st.lists(st.frozensets(st.integers(0, 14)).map(lambda keys: encode_keys(DECK_15, keys)) | st.binary(max_size=24))
)
def test_junk_between_reports_never_raises_and_events_stay_matched(reports: list[bytes]) -> None:
    deck = Deck(wanted=StreamDeckSettings(needs_answer=False))
    deck.driver.opened(now_s=0.0, at_us=0)
    held: set[int] = set()
    facts = [fact for data in reports for fact in deck.driver.receive(data, now_s=0.0, at_us=2)]
    for fact in [*facts, *deck.closed()]:
        if isinstance(fact, KeyDown):
            assert fact.key not in held
            held.add(fact.key)
        elif isinstance(fact, KeyUp):
            held.remove(fact.key)
    assert not held
