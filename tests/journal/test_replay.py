"""What a replay compares: somebody with the table's own keys tells records otherwise, chains and signs them anew."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.cli.main import main
from tablectl.core.engine.versions import PROMPTS, RULES
from tablectl.core.events.codec import encode_json
from tablectl.games.registry import rulebook_of
from tablectl.journal.journal import Journal
from tablectl.journal.places import Places
from tablectl.journal.store import Store
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.journal.verify import verify
from tests.journal.journals import SIGNER, WHOLE_HAND, keep_keys, places, records, sat
from tests.journal.mutations import chained_anew

Captured = pytest.CaptureFixture[str]
#: A change of one record's public form, in place. It says whether it changed anything.
Change = Callable[[dict[str, Any]], bool]
SAME: Final = "decisions, prompts and carries as recorded"


@pytest.fixture
def where(tmp_path: Path) -> Places:
    """Three hands: the first one says no versions, the others do."""
    keep_keys(tmp_path)
    made = places(tmp_path)
    sat(made, WHOLE_HAND * 3)
    return made


def forge(where: Places, change: Change, *, hand: int | None = None) -> int:
    """Every record of a hand, or of all, told otherwise. The first one that was changed."""
    told, first = [], 0
    for stored in records(where.journal):
        public = json.loads(stored.public)
        is_changed = (hand is None or stored.hand == hand) and change(public)
        first = first or (stored.seq if is_changed else 0)
        told.append(replace(stored, public=encode_json(public)) if is_changed else stored)
    assert first, "nothing was changed"
    for path in where.journal.parent.glob("table.db*"):
        path.unlink()
    with closing(Store.open(where.journal)) as store:
        store.take_over(chained_anew(told, 0, SIGNER))
    assert verify(records(where.journal)).fault is None, "a good chain with good signatures"
    return first


def replayed(where: Places, capsys: Captured, *words: str) -> tuple[int, str]:
    capsys.readouterr()
    return main(["journal", "replay", str(where.journal), *words]), capsys.readouterr().out


def carry_told(public: dict[str, Any]) -> bool:
    if "carry" in public:
        public["carry"]["n_incidents"] += 1
    return "carry" in public


def chips_told(public: dict[str, Any]) -> bool:
    if "carry" in public:
        public["carry"]["carried"] += 100
    return "carry" in public


def prompt_told(public: dict[str, Any]) -> bool:
    """A note says what the record before it says."""
    return not _is_note(public) and _with_another_prompt(public)


def note_told(public: dict[str, Any]) -> bool:
    return _is_note(public) and _with_another_prompt(public)


def _is_note(public: dict[str, Any]) -> bool:
    return bool(public["fact"]["kind"] == "format")


def _with_another_prompt(public: dict[str, Any]) -> bool:
    public["prompt"]["about"] += "x"
    return True


def reveal_hidden(public: dict[str, Any]) -> bool:
    return bool(public.pop("reveals", []))


def describe_decision(kind: str, member: str, value: object) -> Change:
    def told(public: dict[str, Any]) -> bool:
        found = [decision for decision in public["decisions"] if decision["kind"] == kind and decision[member] != value]
        for changed in found:
            changed[member] = value
        return bool(found)

    return told


def versions_told(rules: int, prompts: int) -> Change:
    def told(public: dict[str, Any]) -> bool:
        is_said = "versions" in public
        if is_said:
            public["versions"] = {"rules": rules, "prompts": prompts}
        return is_said

    return told


# --- versions on record ---------------------------------------------------------------------------------------------


def test_each_hand_and_each_start_says_with_which_rules_and_prompts_once_the_journal_takes_it(where: Places) -> None:
    sat(where, WHOLE_HAND)
    said = [json.loads(record.public) for record in records(where.journal)]
    found = [
        (record["hand"], record["fact"]["kind"], record.get("versions")) for record in said if "software" in record
    ]
    ours = {"rules": RULES, "prompts": PROMPTS}
    assert found == [
        (1, "opened", None),
        (1, "pressed", None),
        (2, "pressed", ours),
        (3, "pressed", ours),
        (4, "opened", ours),
        (4, "pressed", ours),
    ]
    assert not [record for record in said if "versions" in record and "software" not in record]


# --- records of this program's versions -----------------------------------------------------------------------------


def test_what_nobody_changed_is_as_recorded(where: Places, capsys: Captured) -> None:
    status, said = replayed(where, capsys)
    assert (status, SAME in said) == (0, True), said
    assert "3 closed hands" in said


@pytest.mark.parametrize("hand", [2, 3])
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (carry_told, "carry (n_incidents)"),
        (chips_told, "carry (carried)"),
        (prompt_told, "prompt"),
        (reveal_hidden, "cards turned up"),
        (describe_decision("bet-settled", "pays", 1), "decision"),
    ],
)
def test_a_record_that_was_told_otherwise_and_signed_again_is_named(
    where: Places, capsys: Captured, change: Change, what: str, hand: int
) -> None:
    first = forge(where, change, hand=hand)
    for words in ((), ("--hand", str(hand))):
        status, said = replayed(where, capsys, *words)
        assert status == 1, said
        assert f"record {first} DIFFERS: {what}" in said
        assert said.index("  recorded: ") < said.index("  decided:  ")


@pytest.mark.parametrize("change", [carry_told, prompt_told])
def test_a_whole_journal_is_compared_as_its_hands_are(where: Places, capsys: Captured, change: Change) -> None:
    forge(where, change)
    assert replayed(where, capsys)[0] == 1


def test_a_note_repeats_what_the_croupier_was_told(where: Places, capsys: Captured) -> None:
    first = forge(where, note_told)
    status, said = replayed(where, capsys)
    assert (status, f"record {first} DIFFERS: prompt" in said) == (1, True), said


def test_the_carry_with_which_a_volume_begins_is_compared_too(tmp_path: Path, capsys: Captured) -> None:
    keep_keys(tmp_path)
    where = places(tmp_path, volume_records=60)
    sat(where, WHOLE_HAND * 3)
    second = replace(where, journal=where.journal.with_name("table-0002.db"))
    (opened,) = records(second.journal)
    public = json.loads(opened.public)
    carry_told(public)
    second.journal.unlink()
    with closing(Store.open(second.journal)) as store:
        store.take_over(
            chained_anew([*records(where.journal), replace(opened, public=encode_json(public))], 0, SIGNER)[-1:]
        )
    status, said = replayed(where, capsys)
    assert (status, f"record {opened.seq} DIFFERS: carry (n_incidents)" in said) == (1, True), said


def test_a_hand_that_hides_its_versions_is_not_replayed(where: Places, capsys: Captured) -> None:
    first = forge(where, lambda public: public.pop("versions", None) is not None, hand=2)
    status, said = replayed(where, capsys)
    assert (status, f"NOT REPLAYED: record {first}: " in said) == (1, True), said


@pytest.mark.parametrize("wrong", [{}, {"rules": "many", "prompts": 1}, [], None])
def test_versions_that_are_none_are_not_replayed(where: Places, capsys: Captured, wrong: object) -> None:
    def told(public: dict[str, Any]) -> bool:
        is_said = "versions" in public
        if is_said:
            public["versions"] = wrong
        return is_said

    first = forge(where, told)
    status, said = replayed(where, capsys)
    assert (status, f"NOT REPLAYED: record {first}: " in said) == (1, True), said


# --- records of other versions --------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [(), ("--hand", "2")])
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (carry_told, "carry (n_incidents): changed since version 99 of the rules"),
        (prompt_told, "prompt: changed since version 98 of the prompts"),
        (describe_decision("ranked", "category", "flush"), "decisions: changed since version 99 of the rules"),
    ],
)
def test_what_other_versions_did_otherwise_is_named_and_no_fault(
    where: Places, capsys: Captured, change: Change, what: str, words: tuple[str, ...]
) -> None:
    forge(where, versions_told(99, 98))
    first = forge(where, change, hand=2)
    status, said = replayed(where, capsys, *words)
    assert (status, f"  record {first}, {what}\n" in said) == (0, True), said
    assert SAME not in said
    assert "of the program since, named above" in said


def test_a_hand_that_says_no_versions_is_of_the_first_ones(where: Places, capsys: Captured) -> None:
    """As those of version 0.1.0 are."""
    first = forge(where, carry_told, hand=1)
    status, said = replayed(where, capsys)
    told = f"  record {first}, carry (n_incidents): changed since version 1 of the rules\n"
    assert (status, told in said) == (0, True), said


@pytest.mark.parametrize("hand", [1, 2])
@pytest.mark.parametrize(
    ("change", "what"),
    [
        (chips_told, "carry (carried)"),
        (reveal_hidden, "cards turned up"),
        (describe_decision("bet-settled", "pays", 1), "decision"),
        (describe_decision("phase-entered", "phase", "elsewhere"), "decision"),
        (describe_decision("card-placed", "slot", "board-1"), "decision"),
    ],
)
def test_cards_money_and_phases_are_compared_whatever_the_version(
    where: Places, capsys: Captured, change: Change, what: str, hand: int
) -> None:
    """Hand 1 says no versions."""
    forge(where, versions_told(99, 98))
    first = forge(where, change, hand=hand)
    status, said = replayed(where, capsys)
    assert (status, f"record {first} DIFFERS: {what}" in said) == (1, True), said


# --- a start ----------------------------------------------------------------------------------------------------------


def test_a_start_that_decides_otherwise_names_the_recorded_decision_first(where: Places) -> None:
    """Whoever reads it looks for what the table did; what this program would do comes after it."""
    sat(where, "press new-hand\nbet 1 ante 1000\n")
    first = forge(where, describe_decision("bet-taken", "amount", 900), hand=4)
    with closing(Journal.open(where, software="")) as journal, pytest.raises(Tilt) as caught:
        journal.recover(rulebook_of)
    told = str(caught.value)
    assert caught.value.kind is TiltKind.REPLAY
    assert told.startswith(f"record {first}, decision 1: recorded {{")
    recorded, decided = told.split(", this program decides ")
    assert ("'amount': 900" in recorded, "'amount': 1000" in decided) == (True, True)


def test_a_start_goes_on_from_another_version_that_told_the_croupier_otherwise(where: Places) -> None:
    sat(where, "")
    forge(where, prompt_told, hand=4)
    with closing(Journal.open(where, software="")) as journal:
        assert journal.recover(rulebook_of) is not None
