"""Every record of every hand file becomes a value, and the same bytes again."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import HandOpened
from tablectl.core.events import notes
from tablectl.core.events.codec import UnreadableRecord, encode_json
from tablectl.core.events.stream import Unknown, decode_record, encode_record, known_decisions, later_members
from tablectl.journal.handfile.file import HandFile
from tests.journal.journals import START_US, Writer, each_hand, facts_of, in_memory, records
from tests.journal.test_before_antennas import BEFORE

NOTE: dict[str, Any] = {
    "seq": 7,
    "hand": 2,
    "at": "2026-11-22T20:00:00.000001Z",
    "fact": {"kind": "tested", "what": "lamps", "by": "eva"},
    "decisions": [],
    "prompt": None,
}


@each_hand()
def test_every_record_of_a_hand_is_read_and_written_again_byte_for_byte(hand: HandFile) -> None:
    with in_memory() as folder:
        path = Path(folder) / "table.db"
        with Writer(path, hand.setup) as writer:
            for fact in facts_of(hand):
                writer.enter(fact)
        written = records(path)
    assert written
    for stored in written:
        made = decode_record(json.loads(stored.public))
        known_decisions(made)
        assert encode_json(encode_record(made)) == stored.public


def test_a_record_from_before_some_members_says_which_it_does_not_have(tmp_path: Path) -> None:
    later = set()
    for stored in records(Path(shutil.copy(BEFORE, tmp_path / "table.db"))):
        public = json.loads(stored.public)
        made = decode_record(public)
        known_decisions(made)
        later |= set(later_members(public, json.loads(encode_json(encode_record(made)))))
    assert {".decisions[].bettor", ".decisions[].float_change", ".fact.setup.equipment", ".carry.kept"} <= later
    assert all(path.startswith((".fact.", ".decisions[].", ".prompt.", ".carry.")) for path in later)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ({"a": 1}, {"a": 2}),
        ({"a": 1}, {}),
        ({"a": [1]}, {"a": [1, 2]}),
        ({"a": True}, {"a": 1}),
        ({"a": {}}, {"a": []}),
    ],
)
def test_what_differs_in_anything_else_is_no_older_record(before: dict[str, Any], after: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"is not|got lost"):
        list(later_members(before, after))


def test_a_drawn_card_is_its_commitment_for_every_reader() -> None:
    public = NOTE | {"fact": {"kind": "drawn", "card": "ab" * 32, "draw": 3}, "sealed": "cd" * 32}
    made = decode_record(public)
    assert made.event == f.Drawn(at_us=made.at_us, card=None)
    assert (made.commitment, made.draw, made.lies) == ("ab" * 32, 3, None)
    assert encode_record(made) == public


def test_a_note_is_the_journals_own_life() -> None:
    made = decode_record(NOTE)
    assert made.is_note
    assert made.event == notes.Tested(at_us=made.at_us, what="lamps", by="eva")
    assert made.at_us == 1_795_377_600_000_001 > START_US


def test_what_a_newer_controller_says_is_kept_and_is_no_guess() -> None:
    fact, decision = {"kind": "teleported", "seat": 3}, {"kind": "marvelled", "seat": 3}
    opened = {"kind": "hand-opened", "hand": 2, "rulebook": "texas-bonus", "version": "1", "croupier": ""}
    public = NOTE | {"fact": fact, "decisions": [decision, opened]}
    made = decode_record(public)
    assert made.event == Unknown(kind="teleported", members=fact)
    assert made.decisions == (
        Unknown(kind="marvelled", members=decision),
        HandOpened(hand=2, rulebook="texas-bonus", version="1"),
    )
    assert encode_record(made) == public
    with pytest.raises(UnreadableRecord, match="record 7: an event of kind 'teleported'; a newer program wrote it"):
        known_decisions(made)


@pytest.mark.parametrize(
    "wrong",
    [
        {"fact": {"what": "lamps"}},
        {"fact": {"kind": "tested", "what": "lamps"}},
        {"fact": {"kind": "tested", "what": 3, "by": "eva"}},
        {"fact": {"kind": "pressed", "key": "no-such-key"}},
        {"fact": {"kind": ["tested"]}},
        {"decisions": [{"kind": "checked", "seat": "one"}]},
        {"decisions": [{"kind": "checked", "seat": 1, "more": 2}]},
        {"decisions": [{"kind": "card-placed", "draw": 1, "slot": "moon.1"}]},
        {"decisions": [3]},
        {"at": "yesterday"},
        {"prompt": {"instruction": "dance"}},
        {"carry": {"hand": 1}},
        {"reveals": [{"draw": 1, "slot": "board.1", "card": "1x", "salt": ""}]},
    ],
)
def test_a_record_that_no_program_wrote_is_refused_by_its_number(wrong: dict[str, Any]) -> None:
    with pytest.raises(UnreadableRecord, match=r"^record 7: "):
        decode_record(NOTE | wrong)


def test_a_record_without_its_number_is_refused() -> None:
    with pytest.raises(UnreadableRecord):
        decode_record({name: value for name, value in NOTE.items() if name != "seq"})
