"""Bytes of the Angel Eye II-EX, held against frames worked out from the published rules, not by our codec."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye import messages
from drivers.angel_eye.messages import (
    Ack,
    Answer,
    BccStart,
    Code,
    Command,
    CommandType,
    Frame,
    LockData,
    Nak,
    Report,
    Target,
    card_payload,
    encode_command,
    encode_report,
    shoe_grammar,
)
from drivers.framing import Garbage, Scanner


def report(seq: str, code: str, payload: bytes = b"") -> Report:
    return Report(seq=ord(seq), code=code, payload=payload)


GOLDEN_REPORTS = {
    "started": ("05 31 53 03 36 31", report("1", "S")),
    "stand-by": ("05 32 50 03 36 31", report("2", "P")),
    "player-1-8s": ("05 33 44 81 B8 03 34 44", report("3", "D", card_payload("8s", target=Target.PLAYER, index=1))),
    "burn-1-Ad": ("05 34 44 A1 91 03 34 33", report("4", "D", card_payload("Ad", target=Target.BURN, index=1))),
    "error-1": ("05 35 45 C1 03 42 32", report("5", "E", messages.error_payload(1, error_mode=True))),
    "cut-card": ("05 36 43 03 37 36", report("6", "C")),
}
GOLDEN_COMMANDS = {
    "lock": ("02 4F 50 4C 4B 30 32 03 31 42", Command(CommandType.LOCK, LockData.LOCK)),
    "unlock": ("02 4F 50 4C 4B 30 31 03 31 38", Command(CommandType.LOCK, LockData.UNLOCK)),
    "clear-error-1": ("02 4F 50 45 43 30 31 03 31 39", Command(CommandType.ERROR_CANCEL, 1)),
    "game-process": ("02 4F 50 47 50 30 30 03 30 39", Command(CommandType.GAME_PROCESS, 0)),
}


def shoe_scanner() -> Scanner[Frame]:
    return Scanner(shoe_grammar(report_start=BccStart.CONTENT, answer_start=BccStart.FRAME))


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_REPORTS.values(), ids=GOLDEN_REPORTS)
def test_a_golden_report_is_read_and_written(golden: str, meant: Report) -> None:
    wire = bytes.fromhex(golden)
    assert shoe_scanner().feed(wire) == [meant]
    assert encode_report(meant) == wire


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_COMMANDS.values(), ids=GOLDEN_COMMANDS)
def test_a_golden_command_is_written_and_read(golden: str, meant: Command) -> None:
    wire = bytes.fromhex(golden)
    assert encode_command(meant) == wire
    assert Scanner(messages.command_grammar(BccStart.FRAME)).feed(wire) == [meant]


def test_a_command_whose_checksum_leaves_stx_out_is_what_the_specification_says_in_words() -> None:
    lock = Command(CommandType.LOCK, LockData.LOCK)
    assert encode_command(lock, start=BccStart.CONTENT).endswith(b"19")
    assert Scanner(messages.command_grammar(BccStart.FRAME)).feed(encode_command(lock, start=BccStart.CONTENT)) == [
        Garbage("bad checksum", 10)
    ]


def test_answers_are_ack_nak_with_its_code_and_data() -> None:
    body = b"\x02OK\x03"
    assert shoe_scanner().feed(b"\x06\x15\x21" + body + messages.bcc(body)) == [Ack(), Nak(0x21), Answer(b"OK")]


@pytest.mark.parametrize("card", [rank + suit for rank in messages.RANKS.values() for suit in "dcsh"])
def test_all_52_cards_go_through_the_two_bytes(card: str) -> None:
    payload = card_payload(card, target=Target.BANKER, index=3)
    assert min(payload) >= messages.BIT_7
    assert messages.card_of(payload) == card
    assert messages.target_of(payload) == Target.BANKER


@pytest.mark.parametrize("byte", [0x80, 0x81, 0x90, 0xD1, 0x9E, 0x9F, 0xF8])
def test_no_suit_or_no_rank_is_no_card(byte: int) -> None:
    assert messages.card_of(bytes([0x81, byte])) is None


def test_a_report_does_not_print_its_payload() -> None:
    shown = repr(report("3", "D", card_payload("8s", target=0, index=1)))
    assert "81" not in shown
    assert "b8" not in shown.lower()


def test_status_bytes() -> None:
    assert messages.error_of(b"\xc7") == (7, True)
    assert messages.error_of(b"\x82") == (2, False)
    assert messages.cancelled_of(b"\x85") == 5
    assert messages.is_locked(messages.lock_payload(locked=True))
    assert not messages.is_locked(messages.lock_payload(locked=False))
    assert messages.winner_of(b"\xc1") == messages.Winner.BANKER


reports = st.builds(
    report,
    st.sampled_from("123456789ABCDEF"),
    st.sampled_from([*Code, "Z"]),
    st.binary(max_size=messages.PAYLOAD_MAX).map(lambda data: bytes(byte | 0x80 for byte in data)),
)


@given(st.lists(reports, max_size=5), st.data())
def test_splitting_the_bytes_anywhere_changes_nothing(sent: list[Report], data: st.DataObject) -> None:
    wire = b"".join(map(encode_report, sent))
    cuts = sorted(data.draw(st.lists(st.integers(0, len(wire)), max_size=8)))
    scanner = shoe_scanner()
    found: list[Frame | Garbage] = []
    for begin, end in zip([0, *cuts], [*cuts, len(wire)], strict=True):
        found += scanner.feed(wire[begin:end])
    assert found == sent


junk = st.one_of(
    st.binary(max_size=40),
    st.lists(st.sampled_from(b"\x02\x03\x05\x06\x15135DSO\x81\xb8"), max_size=20).map(bytes),
    st.tuples(reports, st.integers(0, 9)).map(lambda pair: encode_report(pair[0])[: pair[1]]),
)


@given(junk, reports, junk)
def test_noise_never_costs_the_whole_report_behind_it(before: bytes, sent: Report, behind: bytes) -> None:
    scanner = shoe_scanner()
    wire = before + encode_report(sent) + behind
    found = [*scanner.feed(wire), *scanner.forget()]
    assert sent in found
    assert sum(map(n_bytes, found)) == len(wire)


def n_bytes(item: Frame | Garbage) -> int:
    match item:
        case Garbage():
            return item.n_bytes
        case Report():
            return len(item.payload) + 6
        case Nak():
            return 2
        case Answer():
            return len(item.data) + 4
        case _:
            return 1


@given(reports, st.integers(0, 11), st.integers(1, 255))
def test_one_corrupted_byte_is_never_taken_for_another_report(sent: Report, at: int, flipped: int) -> None:
    wire = bytearray(encode_report(sent))
    wire[at % len(wire)] ^= flipped
    scanner = shoe_scanner()
    found = [*scanner.feed(bytes(wire)), *scanner.forget()]
    assert not [item for item in found if isinstance(item, Report)]
    assert any(isinstance(item, Garbage) for item in found)


@given(junk, st.sampled_from(list(GOLDEN_COMMANDS.values())))
def test_noise_never_costs_the_shoe_a_whole_command(before: bytes, golden: tuple[str, Command]) -> None:
    scanner = Scanner(messages.command_grammar(BccStart.FRAME))
    found = [*scanner.feed(before + bytes.fromhex(golden[0])), *scanner.forget()]
    assert golden[1] in found
