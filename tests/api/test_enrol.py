"""A deck is enrolled at a reader of a table that runs, between two hands, by the interface and by the command."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import Any

import pytest

from simulators.devices.world import AWAY
from tablectl.api.client import NoController, ask, lines
from tablectl.cli.main import main
from tablectl.core.engine.vocabulary import Key
from tablectl.journal.deck_register import DeckState
from tablectl.table.decks.enrolment import NEW_PACK
from tests.desk import LONG_S, Desk
from tests.reader_desk import BLUE, RED, UNKNOWN_TAG, Tray, reader_desk, register_of

pytestmark = pytest.mark.system

NEW = {card.code: f"E00401EE000000{card.index:02X}" for card in NEW_PACK}
CODES = [new_card.code for new_card in NEW_PACK]


@pytest.fixture
def place() -> Iterator[tuple[Desk, Tray]]:
    with reader_desk() as (table, tray):
        table.start()
        table.await_record("device-back", 0)
        ready(table)
        yield table, tray


def ready(table: Desk) -> None:
    """Wait until the reader answers."""
    record = table.await_record("device-back", 0)
    while record["fact"]["device"] != "tray":
        record = table.await_record("device-back", record["seq"])


class Talk:
    """Somebody who enrols a deck by the interface."""

    def __init__(self, table: Desk, deck: str = "green 7", reader: str = "tray") -> None:
        self.told = lines(table.socket, {"enrol": {"deck": deck, "reader": reader, "by": "eva"}})

    def until(self, what: str) -> dict[str, Any]:
        for entry in self.told:
            if entry.get("what") == what or "ok" in entry:
                return entry
        raise AssertionError(what)

    def close(self) -> None:
        self.told.close()


def test_a_deck_is_enrolled_while_the_controller_runs(place: tuple[Desk, Tray]) -> None:
    table, tray = place
    talk = Talk(table)
    assert talk.until("ask") == {
        "what": "ask",
        "line": " 1/52  A♠  as de picas, ace of spades",
        "done": 0,
        "of": 52,
        "due": "As",
    }
    before = table.newest
    for code in CODES:
        tray.lay(NEW[code])
        assert talk.until("bound")["what"] == "bound"
        tray.lift(NEW[code])
        if code != CODES[-1]:
            talk.until("ask")
    assert talk.until("") == {"ok": True, "deck": "green 7", "done": 52}
    with register_of(table) as register:
        assert {card.code: tag for tag, card in register.tags("green 7").items()} == NEW
        assert [deck.by for deck in register.decks if deck.name == "green 7"] == ["eva"]
    assert table.newest == before, "a tag that was laid to be enrolled is nothing to the table"


def test_what_is_wrong_is_told_and_the_last_card_can_be_taken_back(place: tuple[Desk, Tray]) -> None:
    table, tray = place
    talk = Talk(table)
    talk.until("ask")
    tray.lay(next(iter(RED)))
    assert "another deck" in talk.until("of-another-deck")["line"]
    tray.lift(next(iter(RED)))
    talk.until("ask")
    tray.lay(NEW["As"], NEW["2s"])
    assert talk.until("two")["done"] == 0
    tray.lift(NEW["As"], NEW["2s"])
    talk.until("ask")
    tray.lay(NEW["As"])
    talk.until("bound")
    tray.lift(NEW["As"])
    assert talk.until("ask")["due"] == "2s"
    assert ask(table.socket, {"enrol": "back"})["ok"]
    assert (talk.until("back")["done"], talk.until("ask")["due"]) == (0, "As")
    assert ask(table.socket, {"enrol": "over"})["ok"]
    assert talk.until("") == {"ok": False, "error": "given up; nothing is registered"}
    assert not ask(table.socket, {"enrol": "back"})["ok"]


def test_a_hand_comes_first_and_what_lies_on_the_reader_is_the_tables_again(place: tuple[Desk, Tray]) -> None:
    table, tray = place
    talk = Talk(table)
    talk.until("ask")
    tray.lay(UNKNOWN_TAG)
    talk.until("bound")
    before = table.newest
    table.press(Key.NEW_HAND)
    assert "a hand or an incident needs the table" in talk.until("")["error"]
    alarm = table.await_record("strange-tag", before)
    assert alarm["fact"]["spot"] == "stub"
    assert "only between two hands" in Talk(table).until("")["error"]


def test_who_hangs_up_gives_up_and_the_next_one_can_begin(place: tuple[Desk, Tray]) -> None:
    table, _ = place
    first = Talk(table)
    first.until("ask")
    assert "something else" in Talk(table, "yellow 7").until("")["error"]
    assert "something else" in ask(table.socket, {"test": "panel", "by": "eva"})["error"]
    assert ask(table.socket, {"ask": "test"})["enrols"] == {"reader": "tray", "by": "eva"}
    first.close()
    while ask(table.socket, {"ask": "test"})["enrols"] is not None:
        pass
    second = Talk(table)
    assert second.until("ask")["due"] == "As"


def test_a_reader_that_is_unplugged_in_the_middle_registers_nothing(place: tuple[Desk, Tray]) -> None:
    table, tray = place
    talk = Talk(table)
    talk.until("ask")
    tray.reader.unplug()
    assert "nothing is registered, begin again" in talk.until("")["error"]
    assert "it does not answer" in Talk(table).until("")["error"]


def test_cards_that_lie_there_already_have_to_be_taken_away(place: tuple[Desk, Tray]) -> None:
    table, tray = place
    tray.lay(UNKNOWN_TAG)
    table.await_record("strange-tag", 0)
    table.enter("rule 1 continue by ana seen")
    assert "take away what lies there" in Talk(table).until("")["error"]


@pytest.mark.parametrize(
    ("deck", "reader", "error"),
    [
        ("red 7", "tray", "a deck of this name is registered already"),
        ("", "tray", "a name of 1 to 60 printable characters"),
        ("green 7", "panel", "'panel' is no reader of cards of this table; its readers: tray"),
    ],
)
def test_what_cannot_be_enrolled_is_said_before_a_card_is_laid(
    place: tuple[Desk, Tray], deck: str, reader: str, error: str
) -> None:
    assert error in Talk(place[0], deck, reader).until("")["error"]


@pytest.mark.wide
def test_the_command_goes_through_the_door_where_the_controller_runs(
    place: tuple[Desk, Tray], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    table, tray = place
    monkeypatch.setattr("sys.stdin", io.StringIO())
    laid: list[str] = []

    def printed(line: str = "", *, flush: bool = False) -> None:
        """Whoever reads what the command says lays the card that is asked for."""
        laid.append(line)
        if "/52" in line:
            tray.lay(NEW[CODES[int(line[:2]) - 1]])
        elif "registered; take it away" in line:
            for physical_card in tray.world.at("tray"):
                tray.world.put(physical_card, AWAY)

    monkeypatch.setattr("tablectl.cli.commands.deck.print", printed, raising=False)
    assert main(["deck", "enroll", str(table.config), "green 7", "--by", "Eva", "--reason", "a new box"]) == 0
    assert laid[-1] == "green 7: all 52 cards are registered; it is ready"
    with register_of(table) as register:
        [deck] = [enrolled_deck for enrolled_deck in register.decks if enrolled_deck.name == "green 7"]
    assert (deck.by, deck.reason, deck.state) == ("Eva", "a new box", DeckState.READY)
    assert not set(BLUE) & set(NEW.values())
    assert capsys.readouterr().err == ""


def test_without_a_controller_nobody_answers(place: tuple[Desk, Tray]) -> None:
    table, _ = place
    table.stop()
    with pytest.raises(NoController):
        ask(table.socket, {"enrol": "back"}, timeout_s=LONG_S)
