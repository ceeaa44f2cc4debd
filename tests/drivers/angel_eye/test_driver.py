"""What the shoe's bytes become: one card a physical card, whatever the wire does."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from drivers.angel_eye.driver import (
    COPIES_S,
    FRAME_S,
    NOISE_S,
    AngelEye,
    LockNotGranted,
)
from drivers.angel_eye.messages import (
    BIT_7,
    BccStart,
    Command,
    CommandType,
    LockData,
    OutsideTarget,
    Report,
    Target,
    Winner,
    card_payload,
    encode_command,
    encode_report,
    error_payload,
    lock_payload,
    preset_payload,
    result_payload,
)
from drivers.angel_eye.settings import AngelEyeSettings, Note, Retransmission
from drivers.facts import CardOut, DeviceFact, DoubtedCard, Found, Lost, Rejected, ShoeNote
from drivers.registry import DRIVERS
from drivers.sealed import Sealed

EIGHT_OF_SPADES = bytes.fromhex("05 33 44 81 B8 03 34 44")
ACE_OF_DIAMONDS_BURNT = bytes.fromhex("05 34 44 A1 91 03 34 33")
STARTED = bytes.fromhex("05 31 53 03 36 31")
CANNOT_READ = bytes.fromhex("05 35 45 C1 03 42 32")
CUT_CARD = bytes.fromhex("05 36 43 03 37 36")
LOCK = bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 42")
UNLOCK = bytes.fromhex("02 4F 50 4C 4B 30 31 03 31 38")

FACES = [rank + suit for rank in "A23456789TJQK" for suit in "dcsh"]
MAY_LOCK = AngelEyeSettings(may_lock=True, reply_s=1.0, attempts=2)


def open_shoe(settings: AngelEyeSettings | None = None) -> AngelEye:
    shoe = AngelEye("shoe", settings or AngelEyeSettings())
    assert [type(fact) for fact in shoe.opened(now_s=0.0, at_us=0)] == [Found]
    return shoe


def read(shoe: AngelEye, *pieces: bytes) -> list[DeviceFact]:
    return [fact for piece in pieces for fact in shoe.receive(piece, now_s=0.0, at_us=5)]


def frame(seq: str, code: str, payload: bytes = b"") -> bytes:
    return encode_report(Report(seq=ord(seq), code=code, payload=payload))


def cards(facts: Sequence[DeviceFact]) -> list[str | None]:
    return [fact.card.open() if fact.card else None for fact in facts if isinstance(fact, CardOut)]


def notes(facts: Sequence[DeviceFact]) -> list[tuple[str, int | None]]:
    return [(fact.kind, fact.code) for fact in facts if isinstance(fact, ShoeNote)]


def test_a_card_is_one_fact_with_the_time_of_its_last_byte() -> None:
    assert read(open_shoe(), EIGHT_OF_SPADES) == [CardOut(device="shoe", at_us=5, card=Sealed("8s"))]


def test_three_repetitions_are_one_card() -> None:
    assert cards(read(open_shoe(), *[EIGHT_OF_SPADES] * 3, *[ACE_OF_DIAMONDS_BURNT] * 3)) == ["8s", "Ad"]


def test_a_report_said_more_often_than_three_times_is_counted_and_never_a_second_card() -> None:
    report = frame("3", "D", b"\x81\xb8")
    facts = read(open_shoe(), *[report] * 5)
    assert cards(facts) == ["8s"]
    rejected = [fact for fact in facts if isinstance(fact, Rejected)]
    assert [(fact.reason, fact.n_bytes) for fact in rejected] == [("report repeated", len(report))] * 2


def test_the_place_baccarat_would_give_a_card_makes_no_difference() -> None:
    shoe = open_shoe()
    facts: list[DeviceFact] = []
    for seq, target in enumerate(Target, start=1):
        facts += read(shoe, frame(str(seq), "D", card_payload("Kh", target=target, index=target)))
    facts += read(shoe, frame("9", "d", card_payload("Qc", target=0, index=0)))
    assert cards(facts) == ["Kh"] * 5 + ["Qc"]


def test_a_shoe_that_starts_again_with_the_same_number_draws_another_card() -> None:
    shoe = open_shoe()
    assert cards(read(shoe, *[EIGHT_OF_SPADES] * 3, *[STARTED] * 3, *[EIGHT_OF_SPADES] * 3)) == ["8s", "8s"]


def test_a_start_is_said_once_however_often_it_is_repeated_and_again_when_it_happens_again() -> None:
    shoe = open_shoe()
    facts = read(shoe, *[STARTED] * 3, EIGHT_OF_SPADES, *[STARTED] * 3)
    assert notes(facts) == [("started", None)] * 2


def test_a_number_that_comes_round_again_is_another_card() -> None:
    shoe = open_shoe()
    same = card_payload("8s", target=0, index=1)
    other = [frame(seq, "D", card_payload("2c", target=0, index=1)) for seq in "23456789"]
    assert cards(read(shoe, frame("1", "D", same), *other, frame("1", "D", same))) == ["8s", *["2c"] * 8, "8s"]


def test_a_report_repeated_after_a_loss_is_no_second_card() -> None:
    shoe = open_shoe()
    read(shoe, EIGHT_OF_SPADES)
    shoe.closed(at_us=1, reason="unplugged")
    shoe.opened(now_s=2.0, at_us=2)
    assert cards(read(shoe, EIGHT_OF_SPADES, EIGHT_OF_SPADES)) == []
    assert cards(read(shoe, ACE_OF_DIAMONDS_BURNT)) == ["Ad"]


@pytest.mark.parametrize("cut", range(1, len(EIGHT_OF_SPADES)))
def test_half_a_report_is_forgotten_with_its_wire_and_rejected(cut: int) -> None:
    shoe = open_shoe()
    assert read(shoe, EIGHT_OF_SPADES[:cut]) == []
    assert shoe.closed(at_us=1, reason="unplugged") == [
        Rejected(device="shoe", at_us=1, reason="frame cut short", n_bytes=cut),
        Lost(device="shoe", at_us=1, reason="unplugged"),
    ]
    shoe.opened(now_s=2.0, at_us=2)
    assert read(shoe, EIGHT_OF_SPADES[cut:]) != []
    assert cards(read(shoe, EIGHT_OF_SPADES)) == ["8s"]


def test_half_a_report_is_given_up_after_a_time() -> None:
    shoe = open_shoe()
    shoe.receive(EIGHT_OF_SPADES[:4], now_s=10.0, at_us=0)
    assert shoe.deadline_s() == 10.0 + FRAME_S
    assert shoe.tick(now_s=10.0 + FRAME_S, at_us=9) == [
        Rejected(device="shoe", at_us=9, reason="frame cut short", n_bytes=4)
    ]
    assert shoe.deadline_s() is None


@pytest.mark.parametrize("byte", [0x80, 0x88, 0xB0, 0xBE, 0xD1])
def test_a_card_without_suit_or_rank_is_rejected_and_never_a_card(byte: int) -> None:
    facts = read(open_shoe(), frame("3", "D", bytes([0x81, byte])))
    assert facts == [Rejected(device="shoe", at_us=5, reason="card without suit or rank", n_bytes=8)]


def test_a_bad_checksum_is_rejected() -> None:
    broken = EIGHT_OF_SPADES[:-1] + b"5"
    assert read(open_shoe(), broken) == [Rejected(device="shoe", at_us=5, reason="bad checksum", n_bytes=8)]


def test_a_card_that_could_not_be_read_is_a_card_all_the_same() -> None:
    facts = read(open_shoe(), *[CANNOT_READ] * 3)
    assert cards(facts) == [None]
    assert notes(facts) == [(Note.ERROR_MODE, 1)]


def test_a_house_may_hold_that_an_unreadable_card_did_not_leave_the_shoe() -> None:
    facts = read(open_shoe(AngelEyeSettings(unreadable_is_a_draw=False)), CANNOT_READ)
    assert cards(facts) == []
    assert notes(facts) == [(Note.ERROR, 1), (Note.ERROR_MODE, 1)]


@pytest.mark.parametrize("code", range(2, 8))
def test_other_errors_are_notes_with_the_number_of_the_shoe(code: int) -> None:
    shoe = open_shoe()
    facts = read(shoe, frame("1", "E", error_payload(code, error_mode=False)), frame("2", "e", bytes([BIT_7 | code])))
    assert notes(facts) == [(Note.ERROR, code), (Note.ERROR_CANCELLED, code)]


def test_what_else_a_shoe_says_is_noted() -> None:
    shoe = open_shoe()
    preset = bytes(byte | BIT_7 for byte in b"010001")
    facts = read(
        shoe,
        frame("2", "P"),
        CUT_CARD,
        frame("7", "L", lock_payload(locked=True)),
        frame("8", "L", lock_payload(locked=False)),
        frame("9", "G", b"\xa0"),
        frame("A", "M", preset),
        frame("B", "D", b"\xd0\x85"),
    )
    assert notes(facts) == [
        (Note.STAND_BY, None),
        (Note.CUT_CARD, None),
        (Note.LOCKED, None),
        (Note.UNLOCKED, None),
        (Note.RESULT, 2),
        (Note.PRESET_CHANGED, 1),
        (Note.BURN_COUNT, 5),
    ]
    assert len(facts) == len(notes(facts))


def test_a_retransmitted_card_counts_only_where_it_had_not_been_read() -> None:
    again = frame("4", "R", card_payload("8s", target=0, index=1))
    assert cards(read(open_shoe(), EIGHT_OF_SPADES, again, again)) == ["8s"]
    assert cards(read(open_shoe(), again, again)) == ["8s"]
    assert notes(read(open_shoe(), again, again)) == [(Note.RETRANSMISSION, None)]


def test_where_r_means_deal_again_it_is_never_a_card() -> None:
    again = frame("4", "R", card_payload("8s", target=0, index=1))
    facts = read(open_shoe(AngelEyeSettings(retransmission=Retransmission.NOTE_ONLY)), again)
    assert (cards(facts), notes(facts)) == ([], [(Note.RETRANSMISSION, None)])


@pytest.mark.parametrize(("code", "payload"), [("Z", b""), ("D", b"\x81"), ("S", b"\x80"), ("E", b"")])
def test_a_report_that_is_unknown_or_of_a_wrong_length_is_rejected(code: str, payload: bytes) -> None:
    facts = read(open_shoe(), frame("1", code, payload))
    assert [type(fact) for fact in facts] == [Rejected]


def test_nothing_shows_a_card() -> None:
    shoe = open_shoe()
    shown = repr(read(shoe, EIGHT_OF_SPADES, frame("4", "D", b"\x81\xbf"), EIGHT_OF_SPADES[:5]))
    shown += repr(shoe.closed(at_us=0, reason="unplugged"))
    for trace in ("8s", "b8", "bf", "184", "191"):
        assert trace not in shown.lower()


@pytest.mark.parametrize(("target", "mode"), list(enumerate(OutsideTarget)))
def test_a_card_drawn_while_the_shoe_held_its_cards_is_a_card_and_said_to_be_one(target: int, mode: int) -> None:
    facts = read(open_shoe(), frame("1", "d", card_payload("Qc", target=target, index=0)))
    assert [type(fact) for fact in facts] == [ShoeNote, CardOut]
    assert (notes(facts), cards(facts)) == ([(Note.DRAWN_OUTSIDE, mode)], ["Qc"])


def test_a_preset_whose_address_is_no_number_is_noted_without_it() -> None:
    assert notes(read(open_shoe(), frame("1", "M", preset_payload("X1", "0005")))) == [(Note.PRESET_CHANGED, None)]


@pytest.mark.parametrize("winner", [0, *Winner, 3])
def test_what_baccarat_makes_of_the_cards_is_a_note_whatever_it_says(winner: int) -> None:
    assert notes(read(open_shoe(), frame("1", "G", result_payload(winner, pairs=2)))) == [(Note.RESULT, winner)]


# -- numbers of reports ------------------------------------------------------------------------------------------------

NUMBERED = AngelEyeSettings(sequence="123456789ABCDEF")


def test_a_report_that_never_came_is_noticed_by_the_numbers_where_they_are_known() -> None:
    shoe = open_shoe(NUMBERED)
    facts = read(shoe, EIGHT_OF_SPADES, frame("6", "C"))
    assert notes(facts) == [(Note.REPORTS_MISSING, 2), (Note.CUT_CARD, None)]
    assert notes(read(open_shoe(), EIGHT_OF_SPADES, frame("6", "C"))) == [(Note.CUT_CARD, None)]


def test_after_the_last_number_comes_the_first_and_a_start_begins_anew() -> None:
    shoe = open_shoe(NUMBERED)
    facts = read(shoe, frame("E", "P"), frame("F", "P"), frame("1", "P"), STARTED, frame("2", "P"))
    assert Note.REPORTS_MISSING not in [kind for kind, _ in notes(facts)]


def test_numbers_that_are_not_in_the_alphabet_and_those_of_retransmissions_say_nothing_of_what_is_missing() -> None:
    again = frame("9", "R", card_payload("8s", target=0, index=1))
    facts = read(open_shoe(NUMBERED), frame("1", "P"), frame("x", "P"), frame("5", "P"), again, frame("7", "P"))
    assert Note.REPORTS_MISSING not in [kind for kind, _ in notes(facts)]


def test_how_many_reports_are_remembered_decides_what_is_a_repetition() -> None:
    wire = (EIGHT_OF_SPADES, ACE_OF_DIAMONDS_BURNT, EIGHT_OF_SPADES)
    assert cards(read(open_shoe(), *wire)) == ["8s", "Ad"]
    assert cards(read(open_shoe(AngelEyeSettings(remembered_reports=1)), *wire)) == ["8s", "Ad", "8s"]


def test_how_often_a_report_is_said_is_a_setting() -> None:
    facts = read(open_shoe(AngelEyeSettings(times_said=1)), *[EIGHT_OF_SPADES] * 2)
    assert cards(facts) == ["8s"]
    assert [fact.reason for fact in facts if isinstance(fact, Rejected)] == ["report repeated"]


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("sequence", "1231"),
        ("sequence", "1234"),
        ("sequence", "12345\n"),
        ("remembered_reports", 0),
        ("times_said", 0),
        ("attempts", 0),
        ("report_bcc", "middle"),
        ("retransmission", "perhaps"),
        ("acknowledge_reports", "yes"),
        ("cancel_after_s", 0.0),
    ],
)
def test_a_setting_that_cannot_be_is_named(key: str, value: object) -> None:
    mistakes = [*DRIVERS["angel-eye"].mistakes({"port": "/dev/none", key: value})]
    assert [mistake[0] for mistake in mistakes] == [key]


def test_every_open_question_can_be_answered_in_the_configuration() -> None:
    raw = {
        "port": "/dev/none",
        "baud": 9600,
        "may_lock": True,
        "may_cancel_errors": True,
        "report_bcc": "frame",
        "command_bcc": "content",
        "answer_bcc": "content",
        "retransmission": "note-only",
        "sequence": "123456789",
        "remembered_reports": 8,
        "acknowledge_reports": True,
        "reply_s": 2.0,
        "attempts": 5,
    }
    assert [*DRIVERS["angel-eye"].mistakes(raw)] == []
    _, shoe = DRIVERS["angel-eye"].make("shoe", raw, None)
    assert isinstance(shoe, AngelEye)
    shoe.opened(now_s=0.0, at_us=0)
    shoe.be_locked()
    assert shoe.take_outgoing() == [bytes.fromhex("02 4F 50 4C 4B 30 32 03 31 39")]
    report = encode_report(Report(seq=ord("1"), code="C", payload=b""), start=BccStart.FRAME)
    assert notes(read(shoe, report)) == [(Note.CUT_CARD, None)]


# -- cancelling errors -------------------------------------------------------------------------------------------------

MAY_CANCEL = AngelEyeSettings(may_cancel_errors=True, cancel_after_s=2.0, reply_s=1.0, attempts=1)
CANCEL_1 = bytes.fromhex("02 4F 50 45 43 30 31 03 31 39")


def test_an_error_that_needs_nobody_is_cancelled_after_a_time_and_only_where_that_is_granted() -> None:
    shoe = open_shoe(MAY_CANCEL)
    read(shoe, CANNOT_READ)
    assert (shoe.take_outgoing(), shoe.deadline_s()) == ([], 2.0)
    shoe.tick(now_s=2.0, at_us=0)
    assert shoe.take_outgoing() == [CANCEL_1]
    assert notes(read(shoe, b"\x06", frame("6", "e", b"\x81"))) == [
        (Note.CANCEL_ACCEPTED, 1),
        (Note.ERROR_CANCELLED, 1),
    ]
    assert shoe.deadline_s() is None
    reader = open_shoe(MAY_LOCK)
    read(reader, CANNOT_READ)
    assert (reader.deadline_s(), reader.take_outgoing()) == (None, [])


@pytest.mark.parametrize("code", range(1, 8))
def test_after_most_errors_a_person_has_to_look_at_the_shoe(code: int) -> None:
    shoe = open_shoe(MAY_CANCEL)
    read(shoe, frame("1", "E", error_payload(code, error_mode=True)))
    shoe.tick(now_s=2.0, at_us=0)
    assert len(shoe.take_outgoing()) == (1 if code in (1, 7) else 0)


@pytest.mark.parametrize("said", [frame("6", "e", b"\x81"), STARTED])
def test_an_error_that_is_gone_by_itself_is_not_cancelled(said: bytes) -> None:
    shoe = open_shoe(MAY_CANCEL)
    read(shoe, CANNOT_READ, said)
    shoe.tick(now_s=2.0, at_us=0)
    assert shoe.take_outgoing() == []


def test_an_error_that_stands_while_the_line_is_away_is_cancelled_afterwards() -> None:
    shoe = open_shoe(MAY_CANCEL)
    read(shoe, CANNOT_READ)
    shoe.closed(at_us=0, reason="unplugged")
    assert shoe.deadline_s() is None
    shoe.opened(now_s=10.0, at_us=0)
    shoe.tick(now_s=12.0, at_us=0)
    assert shoe.take_outgoing() == [CANCEL_1]


@pytest.mark.parametrize(
    ("answer", "note"), [(b"\x15\xff", (Note.CANCEL_REFUSED, 0xFF)), (b"", (Note.CANCEL_UNANSWERED, 1))]
)
def test_a_cancellation_that_fails_is_noted_and_left(answer: bytes, note: tuple[str, int]) -> None:
    shoe = open_shoe(MAY_CANCEL)
    read(shoe, CANNOT_READ)
    shoe.tick(now_s=2.0, at_us=0)
    facts = [*read(shoe, answer), *shoe.tick(now_s=2.0, at_us=0), *shoe.tick(now_s=9.0, at_us=0)]
    assert notes(facts) == [note]
    assert shoe.deadline_s() is None


def test_a_lock_that_is_wanted_while_an_error_is_cancelled_follows_it() -> None:
    shoe = open_shoe(AngelEyeSettings(may_lock=True, may_cancel_errors=True))
    read(shoe, CANNOT_READ)
    shoe.tick(now_s=2.0, at_us=0)
    shoe.be_locked()
    assert shoe.take_outgoing() == [CANCEL_1]
    read(shoe, b"\x06")
    assert shoe.take_outgoing() == [LOCK]


# -- commands ----------------------------------------------------------------------------------------------------------


def test_a_shoe_that_may_only_be_read_is_never_written_to() -> None:
    shoe = open_shoe()
    read(shoe, STARTED, EIGHT_OF_SPADES, b"\x15\x02")
    with pytest.raises(LockNotGranted):
        shoe.be_locked()
    with pytest.raises(LockNotGranted):
        shoe.be_unlocked()
    assert shoe.take_outgoing() == []
    assert shoe.deadline_s() is None


def test_the_lock_is_sent_at_once_and_its_answer_noted() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    assert shoe.take_outgoing() == [LOCK]
    assert notes(read(shoe, b"\x06")) == [(Note.LOCK_ACCEPTED, LockData.LOCK)]
    shoe.be_unlocked()
    assert shoe.take_outgoing() == [UNLOCK]
    assert notes(read(shoe, b"\x15\x13")) == [(Note.LOCK_REFUSED, 0x13)]


def test_the_latest_wish_wins_while_a_command_is_on_its_way() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    shoe.be_unlocked()
    shoe.be_locked()
    shoe.be_unlocked()
    assert shoe.take_outgoing() == [LOCK]
    read(shoe, b"\x06")
    assert shoe.take_outgoing() == [UNLOCK]
    read(shoe, b"\x06")
    assert shoe.take_outgoing() == []


def test_a_lock_that_is_not_answered_is_sent_again_and_then_noted() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    assert shoe.tick(now_s=0.0, at_us=0) == []
    assert shoe.tick(now_s=1.0, at_us=0) == []
    assert shoe.take_outgoing() == [LOCK, LOCK]
    assert notes(shoe.tick(now_s=2.0, at_us=0)) == [(Note.LOCK_UNANSWERED, LockData.LOCK)]
    assert shoe.deadline_s() is None


def test_the_lock_is_said_again_after_a_loss_and_after_a_restart_of_the_shoe() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    assert notes(shoe.closed(at_us=0, reason="unplugged")) == [(Note.LOCK_UNANSWERED, LockData.LOCK)]
    assert shoe.take_outgoing() == []
    shoe.opened(now_s=1.0, at_us=0)
    assert shoe.take_outgoing() == [LOCK]
    read(shoe, b"\x06", STARTED)
    assert shoe.take_outgoing() == [LOCK]


def test_a_wish_uttered_while_the_shoe_is_away_is_sent_when_it_is_back() -> None:
    shoe = AngelEye("shoe", MAY_LOCK)
    shoe.be_locked()
    assert shoe.take_outgoing() == []
    shoe.opened(now_s=0.0, at_us=0)
    assert shoe.take_outgoing() == [encode_command(Command(CommandType.LOCK, LockData.LOCK))]


def test_an_answer_to_no_command_is_rejected() -> None:
    facts = read(open_shoe(MAY_LOCK), b"\x06\x15\xff")
    assert [fact.n_bytes for fact in facts if isinstance(fact, Rejected)] == [1, 2]


def test_reports_are_acknowledged_where_the_house_says_so() -> None:
    shoe = open_shoe(AngelEyeSettings(acknowledge_reports=True))
    read(shoe, EIGHT_OF_SPADES, EIGHT_OF_SPADES)
    assert shoe.take_outgoing() == [b"\x06", b"\x06"]


# -- copies of one report ----------------------------------------------------------------------------------------------

A = frame("3", "D", card_payload("8s", target=0, index=1))
B = frame("3", "D", card_payload("9s", target=0, index=1))
C = frame("3", "D", card_payload("8d", target=0, index=1))
#: The same card under the same number; where baccarat would put it differs.
A_ELSEWHERE = frame("3", "d", card_payload("8s", target=2, index=3))
NO_CARD = frame("3", "D", b"\x81\x80")
UNCERTAIN = [(Note.CARD_UNCERTAIN, None)]


@pytest.mark.parametrize(
    ("copies", "told"),
    [
        ((A, A, A), []),
        ((A, B, A), []),
        ((A, A, B), []),
        ((A, B, B), UNCERTAIN),
        ((A, B, C), UNCERTAIN),
        ((A, B, B, B, B), UNCERTAIN),
        ((A, A_ELSEWHERE, A_ELSEWHERE), []),
        ((A, NO_CARD, NO_CARD), []),
    ],
)
def test_copies_of_one_report_are_one_card_and_say_together_which(
    copies: tuple[bytes, ...], told: list[tuple[str, int | None]]
) -> None:
    shoe = open_shoe()
    facts = read(shoe, *copies)
    assert (cards(facts), notes(facts)) == (["8s"], told)
    facts = read(shoe, ACE_OF_DIAMONDS_BURNT)
    assert (cards(facts), notes(facts)) == (["Ad"], [])


def test_the_first_copy_counts_at_once() -> None:
    assert cards(read(open_shoe(), A)) == ["8s"]


def test_a_first_copy_that_is_no_card_gives_way_to_the_first_good_one() -> None:
    shoe = open_shoe(NUMBERED)
    facts = read(shoe, frame("2", "P"), NO_CARD, A, A, ACE_OF_DIAMONDS_BURNT)
    assert (cards(facts), notes(facts)) == (["8s", "Ad"], [(Note.STAND_BY, None)])


def test_a_copy_that_was_damaged_to_a_start_is_none_and_the_next_copy_no_second_card() -> None:
    damaged = frame("3", "S", card_payload("8s", target=0, index=1))
    facts = read(open_shoe(), A, damaged, A, ACE_OF_DIAMONDS_BURNT)
    assert (cards(facts), notes(facts)) == (["8s", "Ad"], [])
    assert [fact.reason for fact in facts if isinstance(fact, Rejected)] == ["copy that disagrees"]


@pytest.mark.parametrize(
    ("copies", "other"),
    [((A, B, B), "9s"), ((A, B, C), "9s"), ((A, B, C, C), "8d"), ((A, A_ELSEWHERE, B, C, C), "8d")],
)
def test_the_note_of_an_uncertain_card_has_the_other_one_that_was_said(copies: tuple[bytes, ...], other: str) -> None:
    facts = read(open_shoe(AngelEyeSettings(times_said=len(copies))), *copies)
    [note] = [fact for fact in facts if isinstance(fact, DoubtedCard)]
    assert note.card == Sealed(other)


@pytest.mark.parametrize("after", [ACE_OF_DIAMONDS_BURNT, STARTED, CUT_CARD])
def test_copies_without_a_majority_are_told_before_the_next_report(after: bytes) -> None:
    shoe = open_shoe()
    assert notes(read(shoe, A, B)) == []
    [first, *_] = read(shoe, after)
    assert notes([first]) == UNCERTAIN


def test_copies_without_a_majority_are_told_after_a_time_and_once() -> None:
    shoe = open_shoe()
    read(shoe, A)
    assert shoe.deadline_s() is None
    read(shoe, B)
    assert shoe.deadline_s() == COPIES_S
    assert notes(shoe.tick(now_s=COPIES_S, at_us=0)) == UNCERTAIN
    assert shoe.deadline_s() is None
    assert notes(read(shoe, B, ACE_OF_DIAMONDS_BURNT)) == []


def test_copies_without_a_majority_are_told_when_the_line_is_lost() -> None:
    shoe = open_shoe()
    read(shoe, A, B)
    assert notes(shoe.closed(at_us=0, reason="unplugged")) == UNCERTAIN
    assert shoe.deadline_s() is None


def test_copies_of_a_report_that_is_no_card_are_told_too() -> None:
    shoe = open_shoe()
    error, other = (frame("5", "E", error_payload(code, error_mode=False)) for code in (3, 1))
    facts = read(shoe, error, other, other)
    assert (cards(facts), notes(facts)) == ([], [(Note.ERROR, 3), (Note.COPIES_DISAGREE, None)])


def test_what_is_told_of_copies_shows_no_card() -> None:
    shown = repr(read(open_shoe(), A, B, C)).lower()
    assert not any(trace in shown for trace in ("8s", "9s", "8d", "b8", "b9", "98"))


def test_no_copy_is_ever_another_card_and_a_wrong_one_is_always_told() -> None:
    dice = Random(15)
    shoe = open_shoe()
    n_wrong = 0
    for number in range(4000):
        said = dice.choice(FACES)
        copies = [said if dice.random() > 0.1 else dice.choice(FACES) for _ in range(3)]
        seq = "123456789ABCDEF"[number % 15]
        facts = read(shoe, *(frame(seq, "D", card_payload(copy, target=0, index=1)) for copy in copies))
        assert cards(facts) == copies[:1]
        is_wrong = copies.count(copies[0]) < 2
        n_wrong += is_wrong
        assert notes(facts) == UNCERTAIN * is_wrong
    assert n_wrong > 100


# -- one byte that says yes --------------------------------------------------------------------------------------------


def test_an_acknowledgement_in_noise_is_none_and_the_refusal_after_it_counts() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    facts = read(shoe, b"\x7f\x06", b"\x15\x13")
    assert notes(facts) == [(Note.LOCK_REFUSED, 0x13)]
    assert [(fact.reason, fact.n_bytes) for fact in facts if isinstance(fact, Rejected)] == [
        ("between frames", 1),
        ("acknowledgement in noise", 1),
    ]


def test_an_acknowledgement_in_noise_is_asked_for_again() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    assert notes(read(shoe, b"\x7f\x06")) == []
    shoe.tick(now_s=0.0, at_us=0)
    shoe.tick(now_s=1.0, at_us=0)
    assert shoe.take_outgoing() == [LOCK, LOCK]
    assert notes(shoe.receive(b"\x06", now_s=1.0, at_us=0)) == [(Note.LOCK_ACCEPTED, LockData.LOCK)]


@pytest.mark.parametrize(("later_s", "is_believed"), [(NOISE_S, True), (NOISE_S - 0.01, False)])
def test_noise_is_over_soon(later_s: float, *, is_believed: bool) -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    read(shoe, b"\x7f")
    facts = shoe.receive(b"\x06", now_s=later_s, at_us=0)
    assert notes(facts) == [(Note.LOCK_ACCEPTED, LockData.LOCK)] * is_believed


def test_an_acknowledgement_that_noise_follows_is_asked_for_again_once() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    read(shoe, b"\x06", b"\x7f", b"\x7f")
    assert shoe.take_outgoing() == [LOCK, LOCK]
    assert notes(read(shoe, b"\x15\x13")) == [(Note.LOCK_REFUSED, 0x13)]


def test_a_refusal_after_an_acknowledgement_is_the_answer() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    assert notes(read(shoe, b"\x06")) == [(Note.LOCK_ACCEPTED, LockData.LOCK)]
    assert notes(shoe.receive(b"\x15\x13", now_s=0.9, at_us=0)) == [(Note.LOCK_REFUSED, 0x13)]
    facts = shoe.receive(b"\x15\x13", now_s=0.9, at_us=0)
    assert [fact.reason for fact in facts if isinstance(fact, Rejected)] == ["answer to no command"]


def test_a_refusal_long_after_an_acknowledgement_is_none() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    read(shoe, b"\x06")
    assert notes(shoe.receive(b"\x15\x13", now_s=1.0, at_us=0)) == []


def test_a_shoe_that_was_busy_after_an_acknowledgement_is_asked_again() -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    assert notes(read(shoe, b"\x06", b"\x15\x21")) == [(Note.LOCK_ACCEPTED, LockData.LOCK)]
    assert shoe.take_outgoing() == [LOCK, LOCK]


# -- the document's tables ---------------------------------------------------------------------------------------------

#: Of the document (A): the byte after NAK, and whether the same command may be taken at another time.
NAKS = {
    0x01: True,  # overrun, framing or parity
    0x02: True,  # BCC
    0x03: True,  # no ETX
    0x11: False,  # format or length
    0x12: False,  # address
    0x13: False,  # command
    0x14: False,  # type
    0x21: True,  # busy
    0x22: True,  # write in progress
    0xFF: False,  # other
}


@pytest.mark.parametrize("byte", range(0x100))
def test_each_refusal_of_the_document_is_one_and_no_other_byte_is(byte: int) -> None:
    shoe = open_shoe(MAY_LOCK)
    shoe.be_locked()
    shoe.tick(now_s=0.0, at_us=0)
    facts: list[DeviceFact] = []
    for now_s in (1.0, 2.0):
        facts += [*read(shoe, bytes([0x15, byte])), *shoe.tick(now_s=now_s, at_us=0)]
    n_sent = len(shoe.take_outgoing())
    if byte in NAKS:
        assert (notes(facts), n_sent) == ([(Note.LOCK_REFUSED, byte)], 2 if NAKS[byte] else 1)
    else:
        assert (notes(facts), n_sent) == ([(Note.LOCK_UNANSWERED, LockData.LOCK)], 2)


# -- properties --------------------------------------------------------------------------------------------------------


@given(st.lists(st.binary(max_size=30), max_size=6))
def test_nothing_on_the_wire_raises(pieces: list[bytes]) -> None:
    shoe = open_shoe(MAY_LOCK)
    read(shoe, *pieces)
    shoe.tick(now_s=100.0, at_us=0)
    shoe.closed(at_us=0, reason="unplugged")


@given(st.lists(st.integers(0, 24), max_size=6))
def test_splitting_the_bytes_anywhere_changes_nothing(cuts: list[int]) -> None:
    wire = EIGHT_OF_SPADES * 2 + ACE_OF_DIAMONDS_BURNT
    ends = [*sorted(cuts), len(wire)]
    pieces = [wire[begin:end] for begin, end in zip([0, *ends], ends, strict=False)]
    assert cards(read(open_shoe(), *pieces)) == ["8s", "Ad"]
