"""The real controller with a reader at the stub: which deck is in play, whether it is whole, what does not belong."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from tablectl.cli import main
from tablectl.controller import EXIT_OK, EXIT_TILT
from tablectl.decks.register import DeckState
from tests.desk import Desk, Record
from tests.reader_desk import BLUE, RED, STRANGER, Tray, reader_desk, register_of

pytestmark = pytest.mark.system

TAGS = list(RED)


def raised(record: Record) -> list[str]:
    return [each["observed"] for each in record["decisions"] if each["kind"] == "incident-raised"]


def facts(table: Desk, kind: str) -> list[dict[str, object]]:
    """What stands in the journal, without its times."""
    found = [dict(record["fact"]) for record in table.records() if record["fact"]["kind"] == kind]
    return [{name: value for name, value in fact.items() if name not in ("kind", "at_us", "at")} for fact in found]


def entered(table: Desk, text: str) -> None:
    reply = table.enter(text)
    assert reply["ok"], reply
    assert reply["refused"] is None, reply


def all_seen(table: Desk, tray: Tray, *tags: str) -> None:
    """Lay these cards, then one that does not belong: when its alarm is there, all of them were seen."""
    tray.lay(*tags)
    table.await_record("deck-moved", 0)
    before = table.newest
    tray.lay(next(iter(BLUE)))
    alarm = table.await_record("strange-tag", before)
    assert raised(alarm) == ["foreign-card-stub"]
    tray.lift(next(iter(BLUE)))
    entered(table, "rule 1 continue by ana")


def test_a_deck_is_put_in_play_counted_alarmed_for_and_withdrawn_and_all_of_it_is_in_the_journal() -> None:
    with reader_desk() as (table, tray):
        table.start()
        all_seen(table, tray, *TAGS)
        before = table.newest
        entered(table, "press new-hand")
        counted, pressed = table.records(before)[:2]
        assert (counted["fact"]["kind"], counted["fact"]["cards"], counted["decisions"]) == ("counted", 52, [])
        assert pressed["fact"]["kind"] == "pressed"

        before = table.newest
        tray.lay(STRANGER)
        assert raised(table.await_record("strange-tag", before)) == ["unknown-tag-stub"]
        entered(table, "rule 2 continue by ana")

        before = table.newest
        entered(table, "declare defective-deck")
        moved = table.await_record("deck-moved", before)["fact"]
        assert (moved["deck"], moved["state"], moved["by"]) == ("red 7", "quarantined", "controller")
        assert moved["reason"] == "withdrawn by the rules, for an error of hand 1"
        with register_of(table) as register:
            assert [deck.state for deck in register.decks] == [DeckState.QUARANTINED, DeckState.READY]
            assert register.in_play is None

        assert [(each["deck"], each["state"]) for each in facts(table, "deck-moved")] == [
            ("red 7", "in-play"),
            ("red 7", "quarantined"),
        ]
        assert [each["what"] for each in facts(table, "strange-tag")] == ["foreign-card", "unknown-tag"]
        assert table.stop() == EXIT_OK
        assert main(["journal", "verify", str(table.journal)]) == 0


def test_a_deck_with_a_card_too_few_is_counted_by_the_croupier_before_the_hand() -> None:
    with reader_desk() as (table, tray):
        table.start()
        all_seen(table, tray, *TAGS[1:])
        before = table.newest
        table.enter("press new-hand")
        counted = table.records(before)[0]
        assert counted["fact"]["cards"] == 51
        assert [each["question"] for each in counted["decisions"] if each["kind"] == "asked"] == ["deck-count"]


def test_what_somebody_changes_in_the_register_counts_with_the_next_hand() -> None:
    with reader_desk() as (table, tray):
        table.start()
        tray.lay(TAGS[0])
        table.await_record("deck-moved", 0)
        before = table.newest
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            assert main(["deck", "play", str(table.config), "blue 7", "--by", "Eva", "--reason", "a new box"]) == 0
        table.enter("press new-hand")
        moved = [record["fact"] for record in table.records(before) if record["fact"]["kind"] == "deck-moved"]
        assert [(each["deck"], each["state"], each["by"], each["reason"]) for each in moved] == [
            ("red 7", "ready", "Eva", "blue 7 is put in play"),
            ("blue 7", "in-play", "Eva", "a new box"),
        ]


def test_no_tag_stands_in_record_log_file_or_answer() -> None:
    """Nor which card it is: the register is sealed, and an alarm names the place only."""
    with reader_desk() as (table, tray):
        table.start()
        all_seen(table, tray, *TAGS)
        before = table.newest
        tray.lay(STRANGER)
        table.await_record("strange-tag", before)
        said = StringIO()
        with redirect_stdout(said), redirect_stderr(said):
            main(["deck", "list", str(table.config)])
            main(["deck", "list", str(table.config), "--json"])
            main(["devices", str(table.config)])
            main(["journal", "show", str(table.journal)])
        files = b"".join(path.read_bytes() for path in table.folder.rglob("*") if path.is_file())
        everything = files + repr(table.log.said).encode() + json.dumps(table.records()).encode()
        everything += said.getvalue().encode()
        assert b"red 7" in everything, "the search finds what is there"
        for tag in (*RED, *BLUE, STRANGER):
            for needle in (tag.encode(), tag.lower().encode(), bytes.fromhex(tag)):
                assert needle not in everything


def test_a_register_that_breaks_between_two_hands_is_a_tilt_before_the_next_one() -> None:
    with reader_desk() as (table, tray):
        table.start()
        tray.lay(TAGS[0])
        table.await_record("deck-moved", 0)
        with closing(sqlite3.connect(table.folder / "decks.db")) as file, file:
            file.execute("INSERT INTO event SELECT seq + 1, public, sealed, hash FROM event ORDER BY seq DESC LIMIT 1")
        table.enter("press new-hand")
        assert table.ended() == EXIT_TILT
        tilt = table.log.events("tilt")[-1]
        assert tilt["kind"] == "deck-register"
        assert "event 4 is not what was written; restore the register" in str(tilt["reason"])
