"""The register: events that are only ever added, sealed and chained; one deck in play; nothing taken that is wrong."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tablectl.core.cards import DECK, Card
from tablectl.journal.deck_register import DeckState, NotSo, Register, RegisterBusy, RegisterUnusable
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


@pytest.fixture
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits for another program."""
    monkeypatch.setattr("tablectl.journal.deck_register.BUSY_S", 0.0)


@contextmanager
def held(path: Path, begin: str = "BEGIN EXCLUSIVE") -> Iterator[None]:
    """Another program has the file, for longer than anybody waits."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(begin)
        other.execute("SELECT count(*) FROM event").fetchall()
        yield


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


@pytest.mark.usefixtures("at_once")
def test_a_register_that_another_program_keeps_locked_is_known_as_it_was(path: Path) -> None:
    with Register(path, VAULT) as register, Register(path, VAULT) as people:
        enrol(people)
        assert register.refresh()
        move(people, "red 7", DeckState.IN_PLAY)
        with held(path):
            assert (register.refresh(), register.is_behind) == (False, True)
            assert [deck.state for deck in register.decks] == [DeckState.READY]
        assert (register.refresh(), register.is_behind) == (True, False)
        assert register.in_play is not None


@pytest.mark.usefixtures("at_once")
@pytest.mark.parametrize("begin", ["BEGIN EXCLUSIVE", "BEGIN IMMEDIATE", "BEGIN"])
def test_while_another_program_has_it_open_no_event_is_taken_and_later_the_same_one_is(path: Path, begin: str) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        enrol(register, "blue 7", BLUE)
        move(register, "red 7", DeckState.IN_PLAY)
        newest = register.newest
        with held(path, begin):
            with pytest.raises(RegisterBusy, match="somebody else has the register open; try again"):
                move(register, "blue 7", DeckState.IN_PLAY)
            assert register.newest == newest
        move(register, "blue 7", DeckState.IN_PLAY)
        assert register.newest == newest + 2
    with Register(path, VAULT) as again:
        assert [(deck.name, deck.state) for deck in again.decks] == [
            ("red 7", DeckState.READY),
            ("blue 7", DeckState.IN_PLAY),
        ]


@pytest.mark.usefixtures("at_once")
def test_whether_a_name_is_free_nobody_knows_while_the_register_is_locked(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        with held(path), pytest.raises(RegisterBusy):
            register.check_name("blue 7")
        register.check_name("blue 7")


@pytest.mark.usefixtures("at_once")
def test_a_register_of_which_nothing_is_known_yet_is_not_opened_while_it_is_locked(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
    with held(path), pytest.raises(RegisterUnusable, match=r"kept the deck register locked .*; end that one"):
        Register(path, VAULT)
    with Register(path, VAULT) as register:
        assert len(register.decks) == 1


def test_putting_a_deck_in_play_is_one_transaction_with_the_one_before(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        enrol(register, "blue 7", BLUE)
        move(register, "red 7", DeckState.IN_PLAY)
        with closing(sqlite3.connect(path)) as file:
            file.execute(
                "CREATE TRIGGER full BEFORE INSERT ON event WHEN NEW.seq = 5 BEGIN SELECT RAISE(FAIL, 'full'); END"
            )
        with pytest.raises(NotSo):
            move(register, "blue 7", DeckState.IN_PLAY)
        assert not register.refresh()
        assert register.newest == 3


@pytest.mark.parametrize("seq", [1, 2])
def test_newest_events_that_are_cut_off_while_it_is_open_are_missed(path: Path, seq: int) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        move(register, "red 7", DeckState.QUARANTINED)
        cut(path, seq)
        with pytest.raises(RegisterUnusable, match="event 2, which was there, is gone or another one; restore"):
            register.refresh()
        with pytest.raises(RegisterUnusable):
            move(register, "red 7", DeckState.READY)


def test_newest_events_that_others_have_replaced_while_it_is_open_are_found_out(path: Path) -> None:
    with Register(path, VAULT) as register:
        enrol(register)
        move(register, "red 7", DeckState.QUARANTINED)
        cut(path, 2)
        with Register(path, VAULT) as people:
            move(people, "red 7", DeckState.RETIRED)
            assert people.newest == register.newest
            assert people.head != register.head
        with pytest.raises(RegisterUnusable, match="event 2, which was there, is gone or another one; restore"):
            register.refresh()


def test_the_head_is_that_of_the_newest_event_after_a_restart_too(path: Path) -> None:
    with Register(path, VAULT) as register:
        assert register.head == ""
        enrol(register)
        first = register.head
        move(register, "red 7", DeckState.IN_PLAY)
        assert len({"", first, register.head}) == 3
        with Register(path, VAULT) as again:
            assert (again.newest, again.head) == (register.newest, register.head)


def cut(path: Path, seq: int) -> None:
    """Take all events away from this one on."""
    with closing(sqlite3.connect(path)) as file:
        file.execute("DROP TRIGGER event_is_kept")
        file.execute("DELETE FROM event WHERE seq >= ?", (seq,))
        file.commit()
