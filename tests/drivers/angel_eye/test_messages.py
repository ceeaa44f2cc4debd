"""Bytes of the Angel Eye II-EX, held against frames worked out from the published rules, not by our codec."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye import grammar, messages
from drivers.angel_eye.grammar import host_grammar, shoe_grammar
from drivers.angel_eye.messages import (
    Ack,
    Answer,
    BccStart,
    Code,
    Command,
    CommandType,
    ErrorCode,
    Frame,
    LockData,
    Nak,
    NakCode,
    Report,
    Target,
    Winner,
    card_payload,
    encode_command,
    encode_report,
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
    "banker-3-Tc": ("05 34 44 93 AA 03 34 41", report("4", "D", card_payload("Tc", target=Target.BANKER, index=3))),
    "first-card-Kh": ("05 33 44 C0 CD 03 37 39", report("3", "D", card_payload("Kh", target=4, index=0))),
    "burn-count-5": ("05 32 44 D0 85 03 32 30", report("2", "D", messages.burn_count_payload(5))),
    "locked-Qc": ("05 37 64 80 AC 03 37 43", report("7", "d", card_payload("Qc", target=0, index=0))),
    "error-mode-Kh": ("05 38 64 91 CD 03 30 33", report("8", "d", card_payload("Kh", target=1, index=1))),
    "setting-mode-2d": ("05 35 64 A0 92 03 36 30", report("5", "d", card_payload("2d", target=2, index=0))),
    "again-8s": ("05 39 52 81 B8 03 35 31", report("9", "R", card_payload("8s", target=Target.PLAYER, index=1))),
    "tie-with-pair": ("05 41 47 A1 03 41 34", report("A", "G", messages.result_payload(Winner.TIE, pairs=1))),
    "forced-quit": ("05 42 47 F0 03 46 36", report("B", "G", messages.result_payload(Winner.FORCED_QUIT))),
    "error-7-going-on": ("05 44 45 87 03 38 35", report("D", "E", messages.error_payload(7, error_mode=False))),
    "error-1-cancelled": ("05 43 65 81 03 41 34", report("C", "e", messages.error_payload(1, error_mode=False))),
    "locked": ("05 45 4C 81 03 38 42", report("E", "L", messages.lock_payload(locked=True))),
    "unlocked": ("05 46 4C 80 03 38 39", report("F", "L", messages.lock_payload(locked=False))),
    "preset-01": ("05 31 4D B0 B1 B0 B0 B0 B5 03 37 42", report("1", "M", messages.preset_payload("01", "0005"))),
}
GOLDEN_COMMANDS = {
    "lock": ("02 4F 50 4C 4B 30 32 03 31 42", Command(CommandType.LOCK, LockData.LOCK)),
    "unlock": ("02 4F 50 4C 4B 30 31 03 31 38", Command(CommandType.LOCK, LockData.UNLOCK)),
    "clear-error-1": ("02 4F 50 45 43 30 31 03 31 39", Command(CommandType.ERROR_CANCEL, 1)),
    "clear-error-7": ("02 4F 50 45 43 30 37 03 31 46", Command(CommandType.ERROR_CANCEL, 7)),
    "clear-error-99": ("02 4F 50 45 43 39 39 03 31 38", Command(CommandType.ERROR_CANCEL, 99)),
    "clear-any-error": ("02 4F 50 45 43 30 30 03 31 38", Command(CommandType.ERROR_CANCEL, 0)),
    "game-process": ("02 4F 50 47 50 30 30 03 30 39", Command(CommandType.GAME_PROCESS, 0)),
}


#: Printable ASCII and its neighbours: the space and DEL are none.
NUMBERS = {
    "space": ("05 20 53 03 37 30", None),
    "first": ("05 21 53 03 37 31", report("!", "S")),
    "last": ("05 7E 53 03 32 45", report("~", "S")),
    "DEL": ("05 7F 53 03 32 46", None),
}


def shoe_scanner() -> Scanner[Frame]:
    return Scanner(shoe_grammar(report_start=BccStart.CONTENT, answer_start=BccStart.FRAME))


@pytest.mark.parametrize(("wire", "meant"), NUMBERS.values(), ids=NUMBERS)
def test_a_number_is_a_printable_character(wire: str, meant: Report | None) -> None:
    found = [message for message in shoe_scanner().feed(bytes.fromhex(wire)) if isinstance(message, Report)]
    assert found == ([] if meant is None else [meant])


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_REPORTS.values(), ids=GOLDEN_REPORTS)
def test_a_golden_report_is_read_and_written(golden: str, meant: Report) -> None:
    wire = bytes.fromhex(golden)
    assert shoe_scanner().feed(wire) == [meant]
    assert encode_report(meant) == wire


@pytest.mark.parametrize(("golden", "meant"), GOLDEN_COMMANDS.values(), ids=GOLDEN_COMMANDS)
def test_a_golden_command_is_written_and_read(golden: str, meant: Command) -> None:
    wire = bytes.fromhex(golden)
    assert encode_command(meant) == wire
    assert Scanner(host_grammar(BccStart.FRAME)).feed(wire) == [meant]


def test_every_report_and_every_command_has_golden_bytes() -> None:
    assert {meant.code for _, meant in GOLDEN_REPORTS.values()} == set(Code)
    assert {meant.type for _, meant in GOLDEN_COMMANDS.values()} == set(CommandType)


@pytest.mark.parametrize("code", NakCode)
def test_every_refusal_is_read(code: NakCode) -> None:
    assert shoe_scanner().feed(bytes([0x15, code])) == [Nak(code)]


def test_a_byte_after_nak_that_is_no_refusal_is_noise() -> None:
    assert shoe_scanner().feed(b"\x15\x20") == [Garbage("malformed frame", 2)]


@pytest.mark.parametrize(
    ("wire", "reason"),
    [
        ("02 4F 50 4C 4B 30 32 03 31 43", grammar.BAD_CHECKSUM),
        ("02 4F 50 4C 4B 30 32 30 31 42", grammar.NO_ETX),
        ("02 4F 50 4C 4B 30 78 03 31 42", grammar.MALFORMED),
        ("02 51 50 4C 4B 30 32 03 31 42", grammar.NO_COMMAND),
    ],
)
def test_the_shoe_knows_why_it_cannot_take_a_command(wire: str, reason: str) -> None:
    assert Scanner(host_grammar(BccStart.FRAME)).feed(bytes.fromhex(wire)) == [Garbage(reason, 10)]


def test_what_the_host_acknowledges_is_read_by_the_shoe() -> None:
    assert Scanner(host_grammar(BccStart.FRAME)).feed(b"\x06\x06") == [Ack(), Ack()]


def test_a_command_whose_checksum_leaves_stx_out_is_what_the_specification_says_in_words() -> None:
    lock = Command(CommandType.LOCK, LockData.LOCK)
    assert encode_command(lock, start=BccStart.CONTENT).endswith(b"19")
    assert Scanner(host_grammar(BccStart.FRAME)).feed(encode_command(lock, start=BccStart.CONTENT)) == [
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
    assert messages.preset_of(bytes(byte | 0x80 for byte in b"A10005")) == ("A1", "0005")


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
def test_noise_never_costs_the_whole_report_after_it(before: bytes, sent: Report, after: bytes) -> None:
    scanner = shoe_scanner()
    wire = before + encode_report(sent) + after
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
    scanner = Scanner(host_grammar(BccStart.FRAME))
    found = [*scanner.feed(before + bytes.fromhex(golden[0])), *scanner.forget()]
    assert golden[1] in found


# -- tables, as the document has them (A) ------------------------------------------------------------------------------


def test_the_errors_are_those_of_the_document() -> None:
    assert {code.value: code.name for code in ErrorCode} == {
        1: "CANNOT_READ",
        2: "OVERDRAW",
        3: "BUTTON",
        4: "REVERSE_AT_EXIT",
        5: "REVERSE_MIDWAY",
        6: "CARD_CODE",
        7: "DRAW_TIME_OUT",
    }


def test_the_refusals_are_those_of_the_document() -> None:
    assert {code.value: code.name for code in NakCode} == {
        0x01: "LINE",
        0x02: "BCC",
        0x03: "NO_ETX",
        0x11: "LENGTH",
        0x12: "ADDRESS",
        0x13: "COMMAND",
        0x14: "TYPE",
        0x21: "BUSY",
        0x22: "WRITING",
        0xFF: "OTHER",
    }


def test_commands_that_come_in_one_piece_are_two() -> None:
    """Golden bytes: lock and unlock."""
    wire = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42 02 4F 50 4C 4B 30 31 03 31 38")
    assert Scanner(host_grammar(BccStart.FRAME)).feed(wire) == [Command("LK", 2), Command("LK", 1)]
