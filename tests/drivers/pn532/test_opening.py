"""At which speeds a PN532 is looked for, and what counts as its answer."""

from __future__ import annotations

import pytest

from drivers.pn532.messages import ACK, BAUD_RATES
from drivers.pn532.opening import PROBE, is_answer, speeds


@pytest.mark.parametrize("configured", [9600, 115200, 921600, 57600])
def test_every_speed_is_tried_once_and_the_configured_one_first(configured: int) -> None:
    tried = [*speeds(configured)]
    assert tried[0] == configured
    assert sorted(tried) == sorted(BAUD_RATES.values())


def test_an_answer_counts_however_it_is_surrounded_and_an_acknowledgement_alone_does_not() -> None:
    # Calculated: SAMConfiguration is answered by D5 15.
    answer = bytes.fromhex("00 00 FF 02 FE D5 15 16 00")
    assert is_answer(ACK + answer)
    assert is_answer(b"\xf3\x00\xff" + ACK + answer + b"\x00")
    assert not is_answer(ACK)
    assert not is_answer(answer[:-1])
    assert not is_answer(b"")


def test_the_question_wakes_the_chip_ends_what_it_does_and_asks() -> None:
    # Wake-up as libnfc sends it, ACK, and SAMConfiguration as in its trace.
    assert PROBE.question == bytes.fromhex(
        "55 55 00 00 00 00 00 00 00 00 00 00 00 00 00 00  00 00 ff 00 ff 00  00 00 ff 03 fd d4 14 01 17 00"
    )
