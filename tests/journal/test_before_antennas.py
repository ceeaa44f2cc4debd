"""A journal that was written before records knew antennas, standing bettors and the float: it is as good as ever.

`before_antennas.sqlite` has the keys of `journals.KEYS`, a hand played to its end, one that was annulled, and one that
is not over; among them taken-back and repeated bets, a lost shoe, an unread card and a fault with a card.
"""

from __future__ import annotations

import json
import shutil
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.cli.main import main
from tablectl.games.registry import rulebook_of
from tablectl.handfile.file import parse
from tablectl.handfile.playing import play
from tablectl.journal.evidence.hand import read
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.ledger import Ledger, Openings
from tablectl.journal.record import same_decisions
from tablectl.journal.recovery import recover, replay
from tablectl.journal.seal import Vault
from tablectl.journal.store import Store
from tablectl.journal.verify import verify
from tablectl.journal.volumes import Shelf
from tests.journal.journals import KEY, KEYS, SETUP, SIGNER, Writer, keep_keys, records

BEFORE: Final = Path(__file__).with_name("before_antennas.sqlite")
RECORDS: Final = 48


@pytest.fixture
def journal(tmp_path: Path) -> Path:
    keep_keys(tmp_path)
    return Path(shutil.copy(BEFORE, tmp_path / "table.db"))


def test_it_has_none_of_the_newer_members(journal: Path) -> None:
    told = b"".join(each.public for each in records(journal))
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
    assert [each.stored.seq for each in replayed if each.differs] == []
    assert len(replayed) == (RECORDS if hand is None else {1: 25, 2: 12, 3: 11}[hand])


def test_a_table_goes_on_from_it_and_is_on_record_in_the_same_chain(journal: Path) -> None:
    with Writer(journal, SETUP) as writer:
        openings = Openings(KEYS.vault)
        found = recover(writer.store, openings, rulebook_of)
        assert found is not None
        writer.table, writer.ledger = found.table, Ledger(writer.store, KEYS, openings=openings, prompt=found.prompt)
        writer.lines("draw Kd\ndraw 4s\ndeclare bank-card-exposed\npress confirm\npress new-hand\nbet 1 ante 500\n")
    assert verify(records(journal)).fault is None
    with closing(Store.read(journal)) as store:
        assert [each.stored.seq for each in replay(store, Vault(KEY), rulebook_of) if each.differs] == []


@pytest.mark.parametrize("number", [1, 2, 3])
def test_each_hand_of_it_leaves_as_a_hand_file_that_plays(journal: Path, number: int) -> None:
    with closing(Shelf(journal)) as shelf:
        assert play(parse(hand_file(read(shelf, number))), rulebook_of) == []


def test_what_it_does_not_say_of_the_float_is_any_float_in_the_file(journal: Path) -> None:
    with closing(Shelf(journal)) as shelf:
        text = hand_file(read(shelf, 1))
    assert "< hand-closed 1 presses=8 drawn=14 float=?" in text.splitlines()
    for wrong in ("float=? more", "drawn=15 float=?"):
        changed = text.replace("float=?" if "more" in wrong else "drawn=14 float=?", wrong)
        assert len(play(parse(changed), rulebook_of)) == 1


def test_the_tools_read_it(journal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for tool, status in (("verify", 1), ("replay", 0), ("show", 0)):  # its last hand is not over, nobody confirms it
        assert main(["journal", tool, str(journal)]) == status
    assert "intact: 48 records" in capsys.readouterr().out


TAKEN: Final = {"kind": "bet-taken", "seat": 1, "bet": "ante", "amount": 5}
CLOSED: Final = {"kind": "hand-closed", "hand": 1, "presses": 2, "drawn": 3}


@pytest.mark.parametrize(
    ("recorded", "decided", "same"),
    [
        (TAKEN, {**TAKEN, "bettor": 1}, True),
        (TAKEN, {**TAKEN, "bettor": 2}, False),
        (TAKEN, {**TAKEN, "amount": 6, "bettor": 1}, False),
        ({**TAKEN, "bettor": 2}, {**TAKEN, "bettor": 1}, False),
        (CLOSED, {**CLOSED, "float_change": -500}, True),
        (CLOSED, {**CLOSED, "drawn": 4, "float_change": -500}, False),
        ({**CLOSED, "float_change": 500}, {**CLOSED, "float_change": -500}, False),
        ({**CLOSED, "float_change": None}, {**CLOSED, "float_change": -500}, False),
        ({"kind": "checked", "seat": 1}, {"kind": "checked", "seat": 1, "bettor": 1}, False),
    ],
)
def test_only_what_a_record_could_not_say_yet_may_be_missing_in_it(
    recorded: dict[str, Any], decided: dict[str, Any], *, same: bool
) -> None:
    assert same_decisions([recorded], [decided]) is same
    assert not same_decisions([recorded], [decided, decided])
    assert not same_decisions([], [decided])


def test_a_decision_of_it_that_was_changed_is_a_difference(journal: Path) -> None:
    with closing(Store.read(journal)) as store:
        bet = next(each for each in replay(store, Vault(KEY), rulebook_of) if b"bet-taken" in each.stored.public)
    changed = json.loads(bet.stored.public)["decisions"]
    changed[0]["amount"] += 1
    assert not same_decisions(changed, bet.decisions)
