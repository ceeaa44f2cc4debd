"""The real controller with a reader at the stub: which deck is in play, whether it is whole, what does not belong."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, redirect_stderr, redirect_stdout
from io import StringIO

import pytest

from simulators.stage.stage import Scene
from tablectl.api.client import ask
from tablectl.cli.main import main
from tablectl.journal.deck_register import DeckState
from tablectl.table.controller.controller import EXIT_OK, EXIT_TILT
from tests.desk import Desk, Record
from tests.reader_desk import BLUE, RED, UNKNOWN_TAG, Tray, reader_desk, register_of
from tests.secrecy import TAG_PLACES, cards_in, tags_in
from tests.test_secrecy import Screens, said_by

pytestmark = pytest.mark.system

TAGS = list(RED)

#: A tag of no deck, whose alarm says that what was laid before was read.
OTHER_UNKNOWN_TAG = "E0FFFFFFFFFFFF0F"


def raised(record: Record) -> list[str]:
    return [decision["observed"] for decision in record["decisions"] if decision["kind"] == "incident-raised"]


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
    tray.lay(OTHER_UNKNOWN_TAG)
    alarm = table.await_record("strange-tag", before)
    assert raised(alarm) == ["unknown-tag-stub"]
    tray.lift(OTHER_UNKNOWN_TAG)
    entered(table, "rule 1 continue by ana seen")


def test_a_deck_is_put_in_play_counted_alarmed_for_and_withdrawn_and_all_of_it_is_in_the_journal() -> None:
    with reader_desk() as (table, tray):
        table.start()
        all_seen(table, tray, *TAGS)
        entered(table, "press new-hand")
        entered(table, "bet 1 ante 1000")
        before = table.newest
        entered(table, "press no-more-bets")
        counted, pressed = table.records(before)[:2]
        assert (counted["fact"]["kind"], counted["fact"]["cards"], counted["decisions"]) == ("counted", 52, [])
        assert pressed["fact"]["kind"] == "pressed"

        before = table.newest
        tray.lay(next(iter(BLUE)))
        assert raised(table.await_record("strange-tag", before)) == ["foreign-card-stub"]
        entered(table, "rule 2 continue by ana seen")

        before = table.newest
        entered(table, "declare defective-deck")
        moved = table.await_record("deck-moved", before)["fact"]
        assert (moved["deck"], moved["state"], moved["by"]) == ("red 7", "quarantined", "controller")
        assert moved["reason"] == "withdrawn by the rules, for an error of hand 1"
        with register_of(table) as register:
            assert [deck.state for deck in register.decks] == [DeckState.QUARANTINED, DeckState.READY]
            assert register.in_play is None

        assert [(fact["deck"], fact["state"]) for fact in facts(table, "deck-moved")] == [
            ("red 7", "in-play"),
            ("red 7", "quarantined"),
        ]
        assert [fact["what"] for fact in facts(table, "strange-tag")] == ["unknown-tag", "foreign-card"]
        assert table.stop() == EXIT_OK
        assert main(["journal", "verify", str(table.journal)]) == 0


def test_a_deck_with_a_card_too_few_is_counted_by_the_croupier_before_the_hand() -> None:
    with reader_desk() as (table, tray):
        table.start()
        all_seen(table, tray, *TAGS[1:])
        entered(table, "press new-hand")
        entered(table, "bet 1 ante 1000")
        before = table.newest
        table.enter("press no-more-bets")
        counted = table.records(before)[0]
        assert counted["fact"]["cards"] == 51
        assert [decision["question"] for decision in counted["decisions"] if decision["kind"] == "asked"] == [
            "deck-count"
        ]


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
        assert [(fact["deck"], fact["state"], fact["by"], fact["reason"]) for fact in moved] == [
            ("red 7", "ready", "Eva", "blue 7 is put in play"),
            ("blue 7", "in-play", "Eva", "a new box"),
        ]


def test_fcd_irr_4_before_the_first_card_another_deck_is_no_strange_one() -> None:
    with reader_desk(Scene(rulebook="draw-poker")) as (table, tray):
        table.start()
        all_seen(table, tray, *TAGS)
        for seat in (1, 2):
            entered(table, f"player {seat} takes")
            entered(table, f"stack {seat} 10000")
        entered(table, "button 2")
        entered(table, "press new-hand")
        before = table.newest
        entered(table, "declare defective-deck")
        assert table.await_record("deck-moved", before)["fact"]["state"] == "quarantined"
        tray.lift(*TAGS)
        before = table.newest
        tray.lay(*BLUE)
        moved = table.await_record("deck-moved", before)["fact"]
        assert (moved["deck"], moved["state"]) == ("blue 7", "in-play")
        before = table.newest
        tray.lay(UNKNOWN_TAG)
        table.await_record("strange-tag", before)
        assert [fact["what"] for fact in facts(table, "strange-tag")] == ["unknown-tag", "unknown-tag"]


def everything(table: Desk, screens: Screens) -> Iterator[tuple[str, bytes]]:
    """Each of `TAG_PLACES`, as it is now."""
    newest = f'"seq": {table.newest}'.encode()
    for event in screens.events:
        event.until(newest)
    yield "stream", json.dumps(table.records()).encode()
    yield "health", json.dumps(ask(table.socket, {"ask": "devices"})).encode()
    yield "pages", screens.pages()
    yield "events", b"".join(event.tap.taken() for event in screens.events)
    yield "metrics", screens.metrics()
    yield "log", repr(table.log.said).encode()
    yield "deck list", said_by("deck", "list", str(table.config)) + said_by("deck", "list", str(table.config), "--json")
    wrong = table.folder.parent / f"{table.folder.name}.csv"
    wrong.write_text("".join(f"{tag},??\n" for tag in RED), encoding="utf-8")
    enroll = ("deck", "enroll", str(table.config), "green", "--by", "Ana", "--from", str(wrong))
    yield "deck enroll", said_by(*enroll)
    wrong.unlink()
    yield "devices", said_by("devices", str(table.config))
    show = ("journal", "show", str(table.journal))
    yield "journal show", said_by(*show) + said_by(*show, "--json")
    for path in table.folder.rglob("*"):
        if path.is_file():
            yield path.name if path.name in TAG_PLACES else "other files", path.read_bytes()


def test_no_tag_and_no_card_stands_in_any_byte_that_leaves_the_controller() -> None:
    """An alarm names the place and no more; which tag is which card is sealed in the register."""
    with reader_desk() as (table, tray):
        table.start()
        with Screens(table.folder, table.socket) as screens:
            all_seen(table, tray, *TAGS)
            before = table.newest
            tray.lay(UNKNOWN_TAG)
            table.await_record("strange-tag", before)
            searched = dict.fromkeys(TAG_PLACES, 0)
            for place, data in everything(table, screens):
                searched[place] += len(data)
                assert list(tags_in(data, [*RED, *BLUE, UNKNOWN_TAG])) == [], place
                if place not in ("other files", "decks.db", "deck enroll"):  # this one explains how a card is written
                    assert list(cards_in(data)) == [], place
            assert min(searched.values()) > 0, "the search finds what is there"
        with closing(sqlite3.connect(table.folder / "decks.db")) as file:
            rows = file.execute("SELECT sealed, hash FROM event").fetchall()
        data = (table.folder / "decks.db").read_bytes()
        assert b"red 7" in data
        assert list(cards_in(data, binary=True, random=[blob for row in rows for blob in row])) == []


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
