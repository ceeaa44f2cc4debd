"""A card that the rules have not shown stands nowhere in the open; one that they have was the one committed to."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from tablectl.core.cards import DECK, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.decisions import CardTurned, IncidentRaised
from tablectl.core.engine.slots import BY_NAME
from tablectl.core.engine.vocabulary import READERS_DISAGREE, Chooser, Key, Remedy, Severity
from tablectl.core.events.codec import encode_json
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import HandFile
from tablectl.journal.record import commitment
from tablectl.journal.recovery import recover, replay
from tablectl.journal.seal import BadSeal, Vault
from tablectl.journal.store import Store, Stored
from tablectl.journal.verify_all import verify_all
from tablectl.journal.volumes import VolumeSet
from tablectl.journal.writer import Openings, RecordWriter, sealed_card
from tests.journal.journals import (
    KEY,
    KEYS,
    NEVER_SHOWN,
    SETUP,
    START_US,
    WHOLE_HAND,
    Sitting,
    Writer,
    each_hand,
    facts_of,
    named_in,
    places,
    records,
    sat,
    written,
)

SHOWN = ("As", "Kd", "3c", "4h", "5h", "7d", "Th", "Qh", "Js")


def public(stored: Stored) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(stored.public)
    return read


def texts(value: object) -> Iterator[str]:
    """Every text in a public form, wherever it stands, and every name of a field."""
    match value:
        case str():
            yield value
        case dict():
            for name, member in value.items():
                yield name
                yield from texts(member)
        case list():
            for item in value:
                yield from texts(item)


def spellings(code: str) -> tuple[bytes, ...]:
    """A card as it would stand in a file: as JSON, in quotes, escaped, in a line of a hand file."""
    return tuple(
        text.encode()
        for text in (
            f'"card":"{code}"',
            f'"card": "{code}"',
            f'"{code}"',
            f'\\"{code}\\"',
            f"draw {code}",
            f"Card({code}",
        )
    )


def raw(path: Path) -> bytes:
    """All that lies on the disk while the writer is at work: the file, the log written ahead, whatever else."""
    return b"".join(file.read_bytes() for file in sorted(path.parent.iterdir()) if file.is_file())


def test_a_sealed_card_is_nowhere_on_the_disk_while_the_hand_is_played(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.db", SETUP) as writer:
        shown: set[str] = set()
        drawn: set[str] = set()
        for line in ["restart", *filter(None, map(str.strip, WHOLE_HAND.splitlines()))]:
            writer.line(line)
            drawn |= {line.split()[1]} if line.startswith("draw") else set()
            shown |= {reveal["card"] for reveal in _reveals(writer.store.records())}
            on_disk = raw(tmp_path / "a.db")
            for code in drawn - shown:
                assert not [spelling for spelling in spellings(code) if spelling in on_disk], (
                    f"a sealed card after {line!r}"
                )
        assert (tmp_path / "a.db-wal").stat().st_size > 0, "the search went past the log written ahead"
    assert shown == set(SHOWN)
    assert drawn - shown == set(NEVER_SHOWN)


def _reveals(stored: Iterator[Stored]) -> Iterator[dict[str, Any]]:
    for record in stored:
        yield from public(record).get("reveals", ())


def test_cards_that_were_never_shown_are_nowhere_in_the_file_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND)
    on_disk = raw(path)
    for code in NEVER_SHOWN:
        assert not [spelling for spelling in spellings(code) if spelling in on_disk]
    for code in SHOWN:
        assert f'"card":"{code}"'.encode() in on_disk, "the search would not find a card that is there"


def _sealed_and_shown(hand: HandFile, path: Path) -> tuple[list[Stored], set[str], set[str]]:
    with Writer(path, hand.setup) as writer:
        for fact in facts_of(hand):
            writer.enter(fact)
        stored = list(writer.store.records())
    drawn = {fact.card.code for fact in facts_of(hand) if isinstance(fact, f.Drawn) and fact.card is not None}
    named = named_in(facts_of(hand))
    return stored, drawn, {reveal["card"] for reveal in _reveals(iter(stored))} | named


@each_hand()
def test_of_each_hand_the_cards_that_were_shown_are_public_as_they_were_committed_to_and_no_other(
    hand: HandFile, tmp_path: Path
) -> None:
    """Two looks at one journal: it is the writing that takes the time."""
    stored, drawn, shown = _sealed_and_shown(hand, tmp_path / "a.db")
    _tells_what_was_shown(stored, drawn, shown)
    _reveals_once_what_was_committed_to(stored)


def _tells_what_was_shown(stored: list[Stored], drawn: set[str], shown: set[str]) -> None:
    all_texts = {text for record in stored for text in texts(public(record))}
    codes = {deck_card.code for deck_card in DECK}
    assert all_texts & codes == shown
    for code in drawn - shown:
        assert not [spelling for spelling in spellings(code) if any(spelling in one.public for one in stored)]


def _reveals_once_what_was_committed_to(stored: list[Stored]) -> None:
    committed: dict[int, str] = {}
    revealed: set[int] = set()
    for entry in map(public, stored):
        fact = entry["fact"]
        if fact["kind"] in ("drawn", "seen") and "draw" in fact and fact["card"] is not None:
            assert len(fact["card"]) == 64
            committed[fact["draw"]] = fact["card"]
        for reveal in entry.get("reveals", ()):
            assert reveal["draw"] not in revealed
            revealed.add(reveal["draw"])
            assert commitment(reveal["card"], bytes.fromhex(reveal["salt"])) == committed[reveal["draw"]]
        if "carry" in entry:
            committed, revealed = {}, set()


def test_a_card_is_revealed_by_the_record_that_turns_it_and_not_before(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    seen = {
        reveal["slot"]: (record["fact"].get("key", record["fact"]["kind"]), reveal["card"])
        for record in map(public, records(tmp_path / "a.db"))
        for reveal in record.get("reveals", ())
    }
    assert seen == {
        "board.1": ("drawn", "3c"),
        "board.2": ("drawn", "4h"),
        "board.3": ("drawn", "5h"),
        "board.4": ("drawn", "7d"),
        "board.5": ("drawn", "Th"),
        "house.1": ("bank", "Qh"),
        "house.2": ("bank", "Js"),
        "seat-1.1": ("bank", "As"),
        "seat-1.2": ("bank", "Kd"),
    }


@pytest.mark.parametrize("draw", [1, 8])
def test_a_card_that_was_revealed_is_not_revealed_again_after_a_restart(tmp_path: Path, draw: int) -> None:
    """The first card of the board is the eighth one; it may be laid anew. A card still sealed is revealed then."""
    with Writer(tmp_path / "a.db", SETUP) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND.partition("draw 4h")[0])
        assert [reveal["draw"] for reveal in _reveals(writer.store.records())] == [8]
        openings = Openings(KEYS.vault)
        recover(writer.store, openings, rulebook_of)
        again = RecordWriter(writer.store, KEYS, openings=openings)
        again.write(
            f.Pressed(at_us=START_US, key=Key.CONFIRM),
            (CardTurned(draw=draw, slot=BY_NAME["board.1"]),),
            prompt=writer.table.prompt(),
            hand=1,
            draw=None,
            carry=None,
        )
        assert [reveal["draw"] for reveal in _reveals(writer.store.records())] == ([8] if draw == 8 else [8, draw])


def test_the_same_card_is_committed_to_in_another_way_each_time(tmp_path: Path) -> None:
    commitments = set()
    for number in range(20):
        written(tmp_path / f"{number}.db", "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As")
        commitments.add(public(records(tmp_path / f"{number}.db")[-1])["fact"]["card"])
    assert len(commitments) == 20
    guesses = {commitment(deck_card.code, bytes(16)) for deck_card in DECK} | {
        commitment(deck_card.code, b"") for deck_card in DECK
    }
    assert not commitments & guesses, "52 guesses would open it"


def test_an_unread_card_is_committed_to_nothing_and_sealed_nowhere(tmp_path: Path) -> None:
    written(tmp_path / "a.db", "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw ??")
    last = records(tmp_path / "a.db")[-1]
    assert public(last)["fact"] == {"kind": "drawn", "card": None, "draw": 1}
    assert last.sealed is None


def test_a_card_on_which_the_engine_broke_is_sealed_too(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.db", SETUP) as writer:
        writer.line("restart")
        writer.enter(f.Failed(at_us=START_US, fact='{"kind":"drawn"}', error="KeyError", card=card("As")))
        stored = [*writer.store.records()][-1]
    assert public(stored)["fact"]["card"] is not None
    opened = sealed_card(Vault(KEY), stored, stored.decoded())
    assert opened is not None
    assert opened.card is card("As")
    assert not [spelling for spelling in spellings("As") if spelling in raw(tmp_path / "a.db")]


def test_a_card_on_which_the_engine_broke_is_revealed_where_it_comes_to_lie_face_up(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    written(path, WHOLE_HAND.replace("draw 3c", "fault card=3c key error\nrule 1 next-card by ana as he saw it"))
    stored = records(path)
    (failed,) = (entry for entry in map(public, stored) if entry["fact"]["kind"] == "failed")
    (reveal,) = (entry for entry in _reveals(iter(stored)) if entry["slot"] == "board.1")
    assert failed["fact"]["draw"] == reveal["draw"]
    assert reveal["card"] == "3c"
    assert failed["fact"]["card"] == commitment("3c", bytes.fromhex(reveal["salt"]))
    store = Store.read(path)
    assert not [replayed.stored.seq for replayed in replay(store, Vault(KEY), rulebook_of) if replayed.differs]
    store.close()


#: A start, and a hand up to its first card.
FIRST_CARD = ("restart", *[line for line in WHOLE_HAND.partition("draw")[0].splitlines() if line], "draw As")
UNSURE = f.DeviceSaid(at_us=START_US, device="sabot", role="shoe", what="card-uncertain", card=card("9s"))


def test_what_a_shoe_said_as_well_of_its_last_card_is_sealed_beside_its_note(tmp_path: Path) -> None:
    where = places(tmp_path)
    sat(where, "restart\n" + WHOLE_HAND)
    with Sitting(where) as sitting:
        for line in FIRST_CARD:
            sitting.line(line)
        sitting.enter(UNSURE)
        [*_, drawn, said] = sitting.journal.sealed_cards(2)
        stored = sitting.journal.newest()
    assert stored is not None
    assert public(stored)["fact"]["card"] == commitment("9s", bytes.fromhex(said["salt"]))
    assert (said["card"], said["draw"], said["is_other_reading"]) == ("9s", None, True)
    assert (drawn["draw"], drawn["is_other_reading"]) == (1, False)
    assert not [spelling for spelling in spellings("9s") if spelling in raw(where.journal)]
    with closing(VolumeSet(where.journal)) as volume_set:
        assert verify_all(volume_set).fault is None
    with Sitting(where) as again:
        assert again.table.state.deal.draws[-1].card is None
        replayed = replay(again.journal.store, again.journal.keys.vault, rulebook_of)
        assert not [record for record in replayed if record.differs]


def test_version_0_1_0_reads_what_a_shoe_said_before_the_format_note(tmp_path: Path) -> None:
    with Writer(tmp_path / "a.db", SETUP) as writer:
        for line in FIRST_CARD:
            writer.line(line)
        writer.enter(UNSURE)
    last = records(tmp_path / "a.db")[-1]
    assert public(last)["fact"].keys() == {"kind", "device", "role", "what", "code"}
    assert last.sealed is None


def test_a_sealed_card_opens_with_the_tables_key_to_the_card_that_was_drawn(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    opened = [
        inside.card.code
        for stored in records(tmp_path / "a.db")
        if (inside := sealed_card(Vault(KEY), stored, stored.decoded())) is not None
    ]
    assert opened == [line.split()[1] for line in WHOLE_HAND.splitlines() if line.startswith("draw")]


def _last_draw(path: Path) -> Stored:
    return next(record for record in reversed(records(path)) if record.sealed is not None)


def test_a_sealed_part_that_was_taken_away_is_noticed(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    last = _last_draw(tmp_path / "a.db")
    without = Stored(
        seq=last.seq, hand=1, boundary=False, public=last.public, hash=last.hash, signature=None, sealed=None
    )
    with pytest.raises(BadSeal, match=f"record {last.seq}: its sealed card was taken away"):
        sealed_card(Vault(KEY), without, without.decoded())


def test_another_card_sealed_by_whoever_has_the_key_is_not_the_one_that_was_committed_to(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    last = _last_draw(tmp_path / "a.db")
    inside = json.loads(Vault(KEY).open(last.seq, last.sealed or b""))
    other = Vault(KEY).seal(last.seq, encode_json({**inside, "card": "2d"}))
    changed = Stored(
        seq=last.seq, hand=1, boundary=False, public=last.public, hash=last.hash, signature=None, sealed=other
    )
    with pytest.raises(BadSeal, match=f"record {last.seq}: the sealed card is not the one that was committed to"):
        sealed_card(Vault(KEY), changed, changed.decoded())


def test_a_record_that_ends_a_hand_carries_what_the_next_one_needs_and_no_other_does(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND + WHOLE_HAND)
    carries = [
        (stored.seq, public(stored)["carry"]["hand"]) for stored in records(tmp_path / "a.db") if stored.boundary
    ]
    assert carries == [(25, 1), (49, 2)]
    assert [stored.seq for stored in records(tmp_path / "a.db") if "carry" in public(stored)] == [25, 49]


def test_the_columns_say_the_same_as_the_public_form(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND + "press new-hand\n")
    connection = sqlite3.connect(tmp_path / "a.db")
    rows = connection.execute("SELECT seq, hand, boundary, public FROM record ORDER BY seq").fetchall()
    connection.close()
    for seq, hand, closes, said in rows:
        read = json.loads(said)
        assert (read["seq"], read["hand"], "carry" in read) == (seq, hand, bool(closes))
    assert [hand for _, hand, _, _ in rows] == [1] * 25 + [2]


def test_what_two_readers_said_of_one_card_stays_sealed_where_it_is_turned_up() -> None:
    """TPC-CRE-1, ruling "readers": a person says which card it is, and no reading of a reader is opened."""
    openings = Openings(KEYS.vault)
    openings.seal(1, card("Kd"), 4)
    openings.seal(2, card("8h"), 5)
    disagree = IncidentRaised(
        incident=1,
        clause="TPC-DEV-4",
        severity=Severity.ALERT,
        expected="seat-1.2",
        observed=READERS_DISAGREE,
        chooser=Chooser.CROUPIER,
        remedies=(Remedy.CONTINUE,),
        draw=4,
    )
    assert openings.reveals((disagree,)) == ()
    turned = (CardTurned(draw=4, slot=BY_NAME["seat-1.2"]), CardTurned(draw=5, slot=BY_NAME["seat-2.2"]))
    assert [reveal.card for reveal in openings.reveals(turned)] == [card("8h")]
