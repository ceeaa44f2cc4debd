"""What a PN532 is told, frame by frame, and what follows from its answers.

Frames: published traces of libnfc, and worked out by hand from the rules of NXP's manual (`test_messages`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import pytest

from drivers.facts import DeviceFact, Found, Lost, ReaderNote, Rejected, TagIn
from drivers.pn532.driver import Pn532
from drivers.sealed import Sealed

ACK: Final = "00 00 ff 00 ff 00"
NACK: Final = "00 00 ff ff 00 00"
#: 55 55 and zeros wake the line; the acknowledgement ends what another program may have left running.
WAKE_UP: Final = "55 55" + " 00" * 14
SAM: Final = f"{WAKE_UP} {ACK} 00 00 ff 03 fd d4 14 01 17 00"
SAM_DONE: Final = "00 00 ff 02 fe d5 15 16 00"
FIRMWARE: Final = "00 00 ff 02 fe d4 02 2a 00"
FIRMWARE_1_6: Final = "00 00 ff 06 fa d5 03 32 01 06 07 e8 00"
RETRIES: Final = "00 00 ff 06 fa d4 32 05 ff 01 02 f3 00"
RF_DONE: Final = "00 00 ff 02 fe d5 33 f8 00"
RELEASE: Final = "00 00 ff 03 fd d4 52 00 da 00"
RELEASED: Final = "00 00 ff 03 fd d5 53 00 d8 00"
FIELD_OFF: Final = "00 00 ff 04 fc d4 32 01 00 f9 00"
FIELD_ON: Final = "00 00 ff 04 fc d4 32 01 01 f8 00"
LIST_ONE: Final = "00 00 ff 04 fc d4 4a 01 00 e1 00"
ONE_CARD: Final = "00 00 ff 0c f4 d5 4b 01 01 04 00 08 04 82 ac b9 5d 8a 00"
NO_CARD: Final = "00 00 ff 03 fd d5 4b 00 e0 00"
DESELECT: Final = "00 00 ff 03 fd d4 44 00 e8 00"
DESELECTED: Final = "00 00 ff 03 fd d5 45 00 e6 00"
SYNTAX_ERROR: Final = "00 00 ff 01 ff 7f 81 00"


class Chip:
    """The driver, and the test in place of a chip."""

    def __init__(self) -> None:
        self.driver = Pn532("antennas")
        self.now_s = 100.0
        self.driver.opened(now_s=self.now_s, at_us=1)

    def heard(self) -> list[str]:
        """What the chip was sent since it was asked last, one write an item."""
        return [item.hex(" ") for item in self.driver.take_outgoing()]

    def says(self, *frames: str) -> Sequence[DeviceFact]:
        return self.driver.receive(bytes.fromhex(" ".join(frames)), now_s=self.now_s, at_us=2)

    def answers(self, answer: str) -> Sequence[DeviceFact]:
        return self.says(ACK, answer)

    def wait(self, seconds: float) -> Sequence[DeviceFact]:
        self.now_s += seconds
        return self.driver.tick(now_s=self.now_s, at_us=3)

    def is_found(self) -> None:
        """Until its first sweep has begun."""
        for answer in (SAM_DONE, FIRMWARE_1_6, RF_DONE):
            self.answers(answer)
        assert self.heard()[-1] == RELEASE


def test_a_chip_is_woken_asked_who_it_is_and_told_how_often_to_look() -> None:
    chip = Chip()
    assert chip.heard() == [SAM]
    assert list(chip.answers(SAM_DONE)) == []
    assert chip.heard() == [FIRMWARE]
    assert list(chip.answers(FIRMWARE_1_6)) == []
    assert chip.heard() == [RETRIES]
    assert list(chip.answers(RF_DONE)) == [Found(device="antennas", at_us=2, identity="PN532 firmware 1.6")]
    assert chip.heard() == [RELEASE]


def sweep(chip: Chip) -> list[DeviceFact]:
    """One card lies there, and no other."""
    facts: list[DeviceFact] = [*chip.answers(RELEASED)]
    assert chip.heard() == [FIELD_OFF]
    chip.answers(RF_DONE)
    assert chip.heard() == [], "the field stays off for a moment"
    chip.wait(0.0051)
    assert chip.heard() == [FIELD_ON]
    for answer, asked in ((RF_DONE, LIST_ONE), (ONE_CARD, DESELECT), (DESELECTED, LIST_ONE)):
        facts += chip.answers(answer)
        assert chip.heard() == [asked]
    facts += chip.answers(NO_CARD)
    assert chip.heard() == [], "the sweep is over"
    facts += chip.wait(0.05)
    assert chip.heard() == [RELEASE]
    return facts


def test_a_sweep_switches_the_field_off_and_on_and_quiets_each_card_that_was_listed() -> None:
    chip = Chip()
    chip.is_found()
    assert sweep(chip) == []
    assert sweep(chip) == [TagIn(device="antennas", at_us=2, tag=Sealed("82ACB95D"), antenna=1)]
    assert sweep(chip) == []


@pytest.mark.parametrize(("stray", "n_bytes"), [(NO_CARD, 10), (ONE_CARD, 19)])
def test_an_answer_to_no_command_is_rejected_with_its_length(stray: str, n_bytes: int) -> None:
    chip = Chip()
    assert list(chip.says(stray)) == [
        Rejected(device="antennas", at_us=2, reason="answer to no command", n_bytes=n_bytes)
    ]


def test_silence_is_asked_again_after_an_acknowledgement_that_ends_what_the_chip_was_doing() -> None:
    chip = Chip()
    chip.answers(SAM_DONE)
    chip.heard()
    assert list(chip.wait(0.24)) == []
    assert chip.heard() == []
    chip.wait(0.01)
    assert chip.heard() == [ACK, FIRMWARE]


def test_a_damaged_answer_is_asked_for_once_more_without_the_command() -> None:
    chip = Chip()
    chip.answers(SAM_DONE)
    chip.heard()
    damaged = FIRMWARE_1_6.replace("e8", "e9")
    assert {type(fact) for fact in chip.answers(damaged)} == {Rejected}
    chip.wait(1.0)
    assert chip.heard() == [NACK]
    chip.says(FIRMWARE_1_6)
    assert chip.heard() == [RETRIES]


def test_a_command_that_the_chip_does_not_understand_is_noted_with_its_code() -> None:
    chip = Chip()
    chip.is_found()
    assert list(chip.answers(SYNTAX_ERROR)) == [
        ReaderNote(device="antennas", at_us=2, kind="syntax-error", antenna=1, code=0x52)
    ]


def test_half_a_frame_is_rejected_when_the_wire_is_lost() -> None:
    chip = Chip()
    chip.says("00 00 ff 06 fa")
    assert list(chip.driver.closed(at_us=4, reason="unplugged")) == [
        Rejected(device="antennas", at_us=4, reason="frame cut short", n_bytes=5),
        Lost(device="antennas", at_us=4, reason="unplugged"),
    ]
