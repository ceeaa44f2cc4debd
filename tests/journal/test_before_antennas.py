"""A journal that was written before records knew antennas, standing bettors and the float: it is as good as ever.

`before_antennas.sqlite` has the keys of `journals.KEYS`, a hand played to its end, one that was annulled, and one that
is not over; among them taken-back and repeated bets, a lost shoe, an unread card and a fault with a card.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.cli.main import main
from tablectl.core.engine import decisions as d
from tablectl.core.engine.versions import PROMPTS, RULES
from tablectl.core.events.codec import encode_json
from tablectl.core.events.stream import Unknown, concluded, decode_written
from tablectl.games.registry import rulebook_of
from tablectl.journal.comparing import Versions, decisions_differ
from tablectl.journal.evidence.hand import read
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import play
from tablectl.journal.recovery import recover, replay
from tablectl.journal.seal import Vault
from tablectl.journal.store import Store
from tablectl.journal.verify import verify
from tablectl.journal.volumes import VolumeSet
from tablectl.journal.writer import Openings, RecordWriter
from tests.journal.journals import KEY, KEYS, SETUP, SIGNER, Writer, keep_keys, records

BEFORE: Final = Path(__file__).with_name("before_antennas.sqlite")
RECORDS: Final = 48
OURS: Final = Versions(rules=RULES, prompts=PROMPTS, is_said=False)
AT: Final = "2026-11-21T20:00:00.000000Z"
FACT: Final = {"kind": "tested", "what": "lamps", "by": "eva"}


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    keep_keys(tmp_path)
    return Path(shutil.copy(BEFORE, tmp_path / "table.db"))


def test_it_has_none_of_the_newer_members(journal: Path) -> None:
    told = b"".join(record.public for record in records(journal))
    assert b'"kind":"bet-taken"' in told
    for name in (b"bettor", b"float_change", b"equipment", b"conduct", b"needs_deck", b"lies"):
        assert b'"' + name + b'":' not in told


def test_it_verifies(journal: Path) -> None:
    verdict = verify(records(journal), key=SIGNER.public)
    assert (verdict.fault, verdict.records, verdict.hands, verdict.reveals) == (None, RECORDS, 2, 9)


@pytest.mark.parametrize("hand", [None, 1, 2, 3])
def test_every_decision_of_it_is_the_same_today(journal: Path, hand: int | None) -> None:
    with closing(Store.read(journal)) as store:
        replayed = list(replay(store, Vault(KEY), rulebook_of, hand=hand))
    assert [step.stored.seq for step in replayed if step.differs] == []
    assert len(replayed) == (RECORDS if hand is None else {1: 25, 2: 12, 3: 11}[hand])


def test_a_table_goes_on_from_it_and_is_on_record_in_the_same_chain(journal: Path) -> None:
    with Writer(journal, SETUP) as writer:
        openings = Openings(KEYS.vault)
        found = recover(writer.store, openings, rulebook_of)
        assert found is not None
        writer.table, writer.record_writer = (
            found.table,
            RecordWriter(writer.store, KEYS, openings=openings, prompt=found.prompt),
        )
        writer.lines("draw Kd\ndraw 4s\ndeclare bank-card-exposed\npress confirm\npress new-hand\nbet 1 ante 500\n")
    assert verify(records(journal)).fault is None
    with closing(Store.read(journal)) as store:
        assert [replayed.stored.seq for replayed in replay(store, Vault(KEY), rulebook_of) if replayed.differs] == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_hand_of_it_leaves_as_a_hand_file_that_plays(journal: Path, number: int) -> None:
    with closing(VolumeSet(journal)) as volume_set:
        text = hand_file(read(volume_set, number))
    # The pit boss did not have to say then why he voided the hand.
    assert play(parse(text.replace("void-hand by ana\n", "void-hand by ana misdeal\n")), rulebook_of) == []


def test_what_it_does_not_say_of_the_float_is_any_float_in_the_file(journal: Path) -> None:
    with closing(VolumeSet(journal)) as volume_set:
        text = hand_file(read(volume_set, 1))
    assert "< hand-closed 1 presses=8 drawn=14 float=?" in text.splitlines()
    for wrong in ("float=? more", "drawn=15 float=?"):
        changed = text.replace("float=?" if "more" in wrong else "drawn=14 float=?", wrong)
        assert len(play(parse(changed), rulebook_of)) == 1


def test_the_tools_read_it(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for tool, status in (("verify", 1), ("replay", 0), ("show", 0)):  # its last hand is not over, nobody confirms it
        assert main(["journal", tool, str(journal)]) == status
    assert "intact: 48 records" in capsys.readouterr().out


TAKEN: Final = {"kind": "bet-taken", "seat": 1, "bet": "ante", "amount": 5}
TAKEN_NOW: Final = d.BetTaken(seat=1, bet="ante", amount=5)
CLOSED: Final = {"kind": "hand-closed", "hand": 1, "presses": 2, "drawn": 3}
CLOSED_NOW: Final = d.HandClosed(hand=1, presses=2, drawn=3, float_change=-500)


def differs(recorded: list[dict[str, Any]], decided: Sequence[d.Decision | Unknown]) -> bool:
    """Whether a record with these decisions is not what this program concludes."""
    told = decode_written(encode_json({"seq": 1, "hand": 1, "at": AT, "fact": FACT, "decisions": recorded}))
    now = [concluded(unknown) for unknown in decided if not isinstance(unknown, Unknown)]
    return decisions_differ(1, told.decisions, now, OURS) is not None


@pytest.mark.parametrize(
    ("recorded", "decided", "same"),
    [
        (TAKEN, TAKEN_NOW, True),
        (TAKEN, replace(TAKEN_NOW, bettor=2), False),
        (TAKEN, replace(TAKEN_NOW, amount=6), False),
        ({**TAKEN, "bettor": 2}, TAKEN_NOW, False),
        (CLOSED, CLOSED_NOW, True),
        (CLOSED, replace(CLOSED_NOW, drawn=4), False),
        ({**CLOSED, "float_change": 500}, CLOSED_NOW, False),
        ({**CLOSED, "float_change": None}, CLOSED_NOW, False),
        ({"kind": "checked", "seat": 1, "bettor": 1}, d.Checked(seat=1), False),
    ],
)
def test_only_what_a_record_could_not_say_yet_may_be_missing_in_it(
    recorded: dict[str, Any], decided: d.Decision, *, same: bool
) -> None:
    assert differs([recorded], [decided]) is not same
    assert differs([recorded], [decided, decided])
    assert differs([], [decided])


def test_a_decision_of_it_that_was_changed_is_a_difference(journal: Path) -> None:
    with closing(Store.read(journal)) as store:
        bet = next(
            replayed for replayed in replay(store, Vault(KEY), rulebook_of) if b"bet-taken" in replayed.stored.public
        )
    changed = json.loads(bet.stored.public)["decisions"]
    changed[0]["amount"] += 1
    assert differs(changed, [decision.value for decision in bet.decisions])
