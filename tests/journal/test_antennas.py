"""What antennas see is sealed as what the shoe draws: a card is committed to where it is read first, and shown by the
rules alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.cards import DECK, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import rulebook_of
from tablectl.journal import lines
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.record import commitment
from tablectl.journal.recovery import recover, replay
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored, chained
from tablectl.journal.verify import Wrong, verify
from tablectl.journal.writer import Openings, sealed_card
from tests.journal.journals import KEY, Writer, each_hand, felt, in_memory, named_in, records
from tests.wide import once

BOTH = parse("# t\nrulebook texas-poker\nequipment both\n").setup
ALONE = parse("# t\nrulebook texas-poker\nequipment antennas\n").setup
BETS = "restart\npress new-hand\nbet 1 ante 1000\npress no-more-bets\n"
#: The bank's first card could not be read by the shoe, and its antenna reads it.
UNREAD = BETS + "draw As\nseen seat-1 As\ndraw ??\nseen house Kd\ndraw Qh\nseen seat-1 Qh\ndraw Js\nseen house Js\n"
FLOP, REST = ("2c", "3c", "4h"), ("5h", "6c")
SHOWN = "".join(f"draw {word}\nseen board {word}\n" for word in FLOP) + "press bet\n"
SHOWN += "".join(f"draw {word}\nseen board {word}\n" for word in REST) + "press bank\n"


@pytest.fixture
def path() -> Iterator[Path]:
    with in_memory() as folder:
        yield Path(folder) / "a.db"


def told(path: Path) -> list[dict[str, Any]]:
    return [json.loads(record.public) for record in records(path)]


def written(path: Path, setup: f.Setup, text: str) -> None:
    with Writer(path, setup) as writer:
        writer.lines(text)


@pytest.mark.parametrize("equipment", once([Equipment.ANTENNAS, Equipment.BOTH]))
@each_hand()
def test_each_hand_on_antennas_is_intact_replays_and_tells_no_card_that_was_not_shown(
    hand: HandFile, equipment: Equipment, path: Path
) -> None:
    setup, facts = felt(hand, equipment)
    with Writer(path, setup) as writer:
        for fact in facts:
            writer.enter(fact)
    public = told(path)
    shown = {reveal["card"] for record in public for reveal in record.get("reveals", ())}
    text = json.dumps(public)
    assert {deck_card.code for deck_card in DECK if f'"{deck_card.code}"' in text} == shown | named_in(facts)
    assert verify(records(path)).fault is None
    with closing(Store.read(path)) as store:
        replayed = list(replay(store, Vault(KEY), rulebook_of))
    assert [step.stored.seq for step in replayed if step.differs] == []
    assert [step.fact for step in replayed if isinstance(step.fact, f.Seen | f.Gone)] == [
        told_fact for told_fact in facts if isinstance(told_fact, f.Seen | f.Gone)
    ]


def test_a_card_that_an_antenna_identified_is_committed_to_there_and_revealed_as_that(path: Path) -> None:
    written(path, BOTH, UNREAD + SHOWN)
    public = told(path)
    (unread,) = (
        entry["fact"] for entry in public if entry["fact"]["kind"] == "drawn" and entry["fact"]["card"] is None
    )
    (seen,) = (entry["fact"] for entry in public if entry["fact"]["kind"] == "seen" and "draw" in entry["fact"])
    assert seen["draw"] == unread["draw"] == 2
    (reveal,) = (shown for record in public for shown in record.get("reveals", ()) if shown["draw"] == 2)
    assert (reveal["card"], reveal["slot"]) == ("Kd", "house.1")
    assert commitment("Kd", bytes.fromhex(reveal["salt"])) == seen["card"]
    verdict = verify(records(path))
    assert (verdict.fault, verdict.reveals) == (None, 9)


def test_a_reveal_of_another_card_than_the_antenna_read_is_false(path: Path) -> None:
    written(path, BOTH, UNREAD + SHOWN)
    shown = next(
        record for record in records(path) if b'"reveals"' in record.public and b'"slot":"house.1"' in record.public
    )
    before = [record for record in records(path) if record.seq < shown.seq]
    public = shown.public.replace(b'"card":"Kd"', b'"card":"Kc"')
    assert public != shown.public
    fault = verify([*before, _chained(shown, public, before[-1])]).fault
    assert fault is not None
    assert (fault.seq, fault.wrong) == (shown.seq, Wrong.FALSE_REVEAL)


def _chained(stored: Stored, public: bytes, before: Stored) -> Stored:
    """As somebody would write it who can chain a record anew."""
    return replace(stored, public=public, hash=chained(before.hash, public))


def test_where_a_card_lies_that_is_known_already_stands_its_number(path: Path) -> None:
    written(path, BOTH, UNREAD + "gone seat-1 As\nseen house As\ngone x 7h\nseen discard ??\n")
    facts = [entry["fact"] for entry in told(path) if entry["fact"]["kind"] in ("seen", "gone")]
    assert [(fact.get("draw"), fact.get("lies")) for fact in facts] == [
        (None, 1),
        (2, None),
        (None, 3),
        (None, 4),
        (None, 1),
        (None, 1),
        (None, None),
        (None, None),
    ]
    assert facts[-1]["card"] is None
    assert len({fact["card"] for fact in facts[:-1]}) == 7, "the same card is committed to in another way each time"


def test_every_card_that_an_antenna_saw_or_missed_opens_with_the_tables_key(path: Path) -> None:
    written(path, ALONE, BETS + "seen seat-1 As\ngone seat-1 As\nseen house Kd\n")
    opened = [sealed_card(Vault(KEY), record, record.decoded()) for record in records(path)]
    assert [opening.card.code for opening in opened if opening is not None] == ["As", "As", "Kd"]


@pytest.mark.parametrize("kind", ["seen", "gone"])
def test_the_sealed_part_of_an_antennas_card_that_was_taken_away_is_noticed(path: Path, kind: str) -> None:
    written(path, ALONE, BETS + "seen seat-1 As\ngone seat-1 As\n")
    stored = next(record for record in records(path) if f'"kind":"{kind}"'.encode() in record.public)
    without = replace(stored, sealed=None)
    with pytest.raises(BadSeal, match="its sealed card was taken away"):
        sealed_card(Vault(KEY), without, stored.decoded())


def test_a_table_with_antennas_goes_on_after_a_restart_where_it_was(path: Path) -> None:
    written(path, BOTH, UNREAD)
    with Writer(path, BOTH) as writer:
        table = writer.recover()
        assert table is not None
        assert [draw.card for draw in table.state.deal.draws] == [card(code) for code in ("As", "Kd", "Qh", "Js")]
        writer.lines("restart\npress confirm\n" + SHOWN)
        assert {reveal["card"] for reveal in told(path)[-1]["reveals"]} == {"As", "Kd", "Qh", "Js"}
    assert verify(records(path)).fault is None


def test_a_fault_on_what_an_antenna_saw_keeps_the_card_sealed(path: Path) -> None:
    with Writer(path, BOTH) as writer:
        writer.lines(BETS)
        writer.enter(f.Failed(at_us=0, fact='{"card":null,"kind":"seen","spot":"seat-1"}', error="x", card=card("As")))
    last = records(path)[-1]
    assert b"As" not in last.public
    opened = sealed_card(Vault(KEY), last, last.decoded())
    assert opened is not None
    assert opened.card is card("As")


def test_the_second_copys_lines_hold_what_antennas_saw_and_come_back_as_they_were(path: Path) -> None:
    written(path, BOTH, UNREAD + SHOWN)
    for record in records(path):
        assert lines.parse(lines.line_with_box(record)) == record


def test_a_card_that_is_seen_again_brings_no_other_card_after_a_recovery(path: Path) -> None:
    written(path, ALONE, BETS + "seen seat-1 As\ngone seat-1 As\nseen seat-1 As\nseen house Kd\n")
    with closing(Store.read(path)) as store:
        found = recover(store, Openings(Vault(KEY)), rulebook_of)
    assert found is not None
    assert [draw.card for draw in found.table.state.deal.draws] == [card("As"), card("Kd")]
