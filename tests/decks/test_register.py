"""The register: events that are only ever added, sealed and chained; one deck in play; nothing taken that is wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from tablectl.cards import DECK, Card
from tablectl.decks.register import DeckState, NotSo, Register, RegisterUnusable
from tablectl.journal.seal import Vault
from tests.decks.decks import BLUE, RED

VAULT = Vault(bytes(32))
AT_US = 1_700_000_000_000_000


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decks.db"


def enrol(register: Register, name: str = "red 7", tags: Mapping[str, Card] = RED) -> None:
    register.enrol(name, tags, by="Ana", reason="", at_us=AT_US)


def move(register: Register, name: str, state: DeckState) -> None:
    register.move(name, state, by="Ana", reason="why", at_us=AT_US)


def test_a_deck_that_was_enrolled_is_ready_and_known_by_its_tags_after_a_restart(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
    with Register(path, VAULT) as again:
        (deck,) = again.decks
        assert (deck.name, deck.state, deck.by, deck.since_us) == ("red 7", DeckState.READY, "Ana", AT_US)
        assert again.tags("red 7") == RED
        assert again.owner(next(iter(RED))) == "red 7"
        assert again.in_play is None


def test_a_register_that_is_not_there_is_empty_and_makes_no_file(path: Path) -> None:
    with Register(path, VAULT) as register:
        assert register.decks == ()
    assert not path.exists()


def test_no_tag_and_no_card_stands_in_the_file(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
    data = path.read_bytes()
    assert b"red 7" in data, "the search finds what is there"
    assert not [tag for tag in RED if tag.encode() in data or bytes.fromhex(tag) in data]
    assert path.stat().st_mode & 0o077 == 0


def test_one_deck_is_in_play_at_most(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        enrol(register, "blue 7", BLUE)
        move(register, "red 7", DeckState.IN_PLAY)
        move(register, "blue 7", DeckState.IN_PLAY)
        assert {deck.name: deck.state for deck in register.decks} == {
            "red 7": DeckState.READY,
            "blue 7": DeckState.IN_PLAY,
        }


@pytest.mark.parametrize(
    ("before", "state"),
    [
        (DeckState.QUARANTINED, DeckState.IN_PLAY),
        (DeckState.RETIRED, DeckState.READY),
        (DeckState.RETIRED, DeckState.IN_PLAY),
        (DeckState.RETIRED, DeckState.QUARANTINED),
        (DeckState.READY, DeckState.READY),
    ],
)
def test_a_deck_does_not_get_from_there_to_there(path: Path, before: DeckState, state: DeckState) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        if before is not DeckState.READY:
            move(register, "red 7", before)
        newest = register.newest
        with pytest.raises(NotSo, match=f"red 7 is {before}; only a deck that is"):
            move(register, "red 7", state)
        assert register.newest == newest


def test_a_deck_that_nobody_registered_goes_nowhere(path: Path) -> None:
    with Register(path, VAULT) as register, pytest.raises(NotSo, match="no such deck; registered are: none yet"):
        move(register, "red 7", DeckState.RETIRED)


def test_what_is_no_deck_is_refused_whole(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        with pytest.raises(NotSo, match="registered already"):
            enrol(register)
        with pytest.raises(NotSo, match="belongs to red 7 already"):
            enrol(register, "other", {**dict(list(BLUE.items())[1:]), next(iter(RED)): DECK[0]})
        with pytest.raises(NotSo, match="51 different cards on 51 tags"):
            enrol(register, "short", dict(list(BLUE.items())[1:]))
        with pytest.raises(NotSo, match="51 different cards on 52 tags"):
            enrol(register, "double", {**BLUE, next(iter(BLUE)): DECK[1]})
        for name in ("", "  ", "a\nb", "x" * 61):
            with pytest.raises(NotSo, match="a name of 1 to 60"):
                enrol(register, name, BLUE)
        assert len(register.decks) == 1


def test_two_programs_see_what_the_other_one_did(path: Path) -> None:
    with Register(path, VAULT) as one, Register(path, VAULT) as other:
        enrol(one)
        assert other.refresh()
        assert not other.refresh()
        move(other, "red 7", DeckState.IN_PLAY)
        enrol(one, "blue 7", BLUE)
        assert one.in_play is not None


def test_a_register_of_another_table_is_none_of_this_one(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
    with pytest.raises(RegisterUnusable, match="sealed with another key"):
        Register(path, Vault(bytes([1]) * 32))


@pytest.mark.parametrize(
    "change", ["public = CAST(replace(CAST(public AS TEXT), 'why', 'who') AS BLOB)", "hash = zeroblob(32)", "seq = 9"]
)
def test_an_event_that_was_changed_is_found(path: Path, change: str) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        move(register, "red 7", DeckState.IN_PLAY)
    file = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="events are added"):
        file.execute("DELETE FROM event")
    file.execute("DROP TRIGGER event_stays")
    file.execute(f"UPDATE event SET {change} WHERE seq = 2")
    file.commit()
    file.close()
    with pytest.raises(RegisterUnusable):
        Register(path, VAULT)


def test_a_file_that_is_no_register_is_said_to_be_none(path: Path) -> None:
    path.write_text("tags", encoding="utf-8")
    with pytest.raises(RegisterUnusable, match="no deck register that can be read"):
        Register(path, VAULT)
