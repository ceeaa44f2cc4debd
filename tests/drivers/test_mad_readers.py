"""Readers that answer every command in due form and with nonsense in it: no driver raises, none spins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from drivers.facts import DeviceFact, Found, Lost, ReaderNote, Rejected, TagIn, TagOut
from drivers.feig import messages as feig
from drivers.feig.driver import Feig
from drivers.framing import Garbage, Scanner
from drivers.pepper import messages as pepper
from drivers.pepper.driver import Pepper
from drivers.pn532 import messages as pn532
from drivers.pn532.driver import Pn532
from drivers.protocol import DeviceProtocol
from drivers.transport.base import WireLost


@dataclass(frozen=True, kw_only=True)
class Mad:
    """`answers` turns what was asked and some bytes into what the reader says."""

    driver: Callable[[], DeviceProtocol]
    answers: Callable[[bytes, bytes], Sequence[bytes]]


def mad_pn532(asked: bytes, nonsense: bytes) -> Sequence[bytes]:
    said: list[bytes] = []
    for frame in Scanner(pn532.host_grammar()).feed(asked):
        if isinstance(frame, pn532.Data):
            strange = pn532.Data((frame.code + 1) & 0xFF, nonsense)
            said += [pn532.ACK, pn532.encode(strange, tfi=pn532.FROM_CHIP)]
    return said


def mad_feig(asked: bytes, nonsense: bytes) -> Sequence[bytes]:
    status, data = (nonsense[0], nonsense[1:]) if nonsense else (0, b"")
    frames = [frame for frame in Scanner(feig.host_grammar()).feed(asked) if not isinstance(frame, Garbage)]
    return [feig.encode(feig.Frame(address=0, control=frame.control, status=status, data=data)) for frame in frames]


def mad_pepper(asked: bytes, nonsense: bytes) -> Sequence[bytes]:
    commands = [command for command in Scanner(pepper.host_grammar()).feed(asked) if not isinstance(command, Garbage)]
    return [pepper.encode(bytes([pepper.ANSWER, command.opcode]) + nonsense) for command in commands]


MAD = {
    "pn532": Mad(driver=lambda: Pn532("field"), answers=mad_pn532),
    "feig": Mad(driver=lambda: Feig("field"), answers=mad_feig),
    "pepper": Mad(driver=lambda: Pepper("field"), answers=mad_pepper),
}
#: Half of it looks like a list of one tag, so that scripts get beyond its first check.
NONSENSE = st.lists(
    st.one_of(
        st.binary(max_size=30),
        st.binary(min_size=4, max_size=4).map(lambda uid: b"\x01\x01\x00\x04\x08\x04" + uid),
        st.binary(min_size=8, max_size=8).map(lambda uid: b"\x94\x01\x03\x00" + uid),
        st.sampled_from([b"", b"\x00", b"\x01", b"\x02", b"\xff", b"\x00\x01"]),
    ),
    max_size=60,
)


@pytest.mark.parametrize("name", MAD)
@settings(max_examples=60)
@given(nonsense=NONSENSE, junk=st.binary(max_size=10))
def test_no_driver_raises_whatever_a_reader_says(name: str, nonsense: list[bytes], junk: bytes) -> None:
    mad = MAD[name]
    reader = mad.driver()
    facts: list[DeviceFact] = [*reader.opened(now_s=0.0, at_us=0)]
    now_s = 0.0
    for data in nonsense:
        asked = b"".join(reader.take_outgoing())
        for said in [junk, *mad.answers(asked, data)] if asked else []:
            facts += reader.receive(said, now_s=now_s, at_us=0)
        due_s = reader.deadline_s()
        assert due_s is not None
        now_s = max(now_s, due_s)
        try:
            facts += reader.tick(now_s=now_s, at_us=0)
        except WireLost:
            facts += reader.closed(at_us=0, reason="mute")
            facts += reader.opened(now_s=now_s, at_us=0)
    assert all(isinstance(fact, Found | Lost | ReaderNote | Rejected | TagIn | TagOut) for fact in facts)


@pytest.mark.parametrize("name", MAD)
@given(pieces=st.lists(st.binary(max_size=40), max_size=8))
def test_nothing_on_the_wire_raises(name: str, pieces: list[bytes]) -> None:
    reader = MAD[name].driver()
    reader.opened(now_s=0.0, at_us=0)
    for number, piece in enumerate(pieces):
        reader.receive(piece, now_s=0.01 * number, at_us=0)
    reader.tick(now_s=1.0, at_us=0)
    assert [type(fact) for fact in reader.closed(at_us=0, reason="unplugged")][-1] is Lost
