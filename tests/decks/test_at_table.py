"""The deck that a table deals from: found by its cards, changed by people between two hands, withdrawn by an error."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from drivers.facts import TagIn
from tablectl.cards import DECK, card
from tablectl.decks.at_table import CONTROLLER, DecksAtTable
from tablectl.decks.register import DeckState, Register
from tablectl.decks.whereabouts import CLONE_US, Whereabouts
from tablectl.engine import facts as f
from tablectl.engine.deal import Deal
from tablectl.engine.words import Strange
from tablectl.journal.seal import Vault
from tests.decks.decks import BLUE, RED, SPOTS, came, drawn, left, seen

VAULT = Vault(bytes(32))
FOREIGN = f.StrangeTag(at_us=0, spot="seat-1", what=Strange.FOREIGN)


class Clock:
    def __init__(self) -> None:
        self.us = 1_700_000_000_000_000

    def __call__(self) -> int:
        return self.us


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "decks.db"


@pytest.fixture
def people(path: Path) -> Iterator[Register]:
    """The register as people change it: another program has it open too."""
    with Register(path, VAULT) as register:
        register.enrol("red 7", RED, by="Ana", reason="", at_us=1)
        register.enrol("blue 7", BLUE, by="Ana", reason="", at_us=2)
        yield register


class Seated:
    """A table with its decks, and when it is for it."""

    def __init__(self, path: Path, spots: Iterable[tuple[str, int]] = SPOTS) -> None:
        self.clock = Clock()
        there = Whereabouts({each: SPOTS[each] for each in spots})
        self.decks = DecksAtTable(Register(path, VAULT), there, self.clock)

    def moved(self) -> list[tuple[str, str, str]]:
        return [(each.deck, each.state, each.by) for each in self.decks.take_moved()]

    def came(self, fact: TagIn) -> list[f.Fact]:
        return list(self.decks.came(fact))


def move(people: Register, name: str, state: DeckState) -> None:
    people.move(name, state, by="Ana", reason="why", at_us=3)


def test_the_first_card_of_a_ready_deck_puts_it_in_play_and_that_is_noted(path: Path, people: Register) -> None:
    table = Seated(path)
    assert table.moved() == []
    assert table.came(came("As", "felt", 1)) == [seen("As", "seat-1")]
    assert table.moved() == [("red 7", "in-play", CONTROLLER)]
    assert table.moved() == [], "each note is for the journal once"
    people.refresh()
    assert people.in_play is not None
    assert people.in_play.name == "red 7"
    assert people.in_play.reason == "its cards are at the table and no other deck was in play"


def test_while_a_deck_is_in_play_a_card_of_another_ready_one_is_foreign(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("Kd", "tray"))
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [FOREIGN]
    assert table.moved() == [("red 7", "in-play", CONTROLLER)]


@pytest.mark.parametrize("state", [DeckState.QUARANTINED, DeckState.RETIRED])
def test_a_deck_that_is_not_ready_is_foreign_and_is_not_put_in_play(
    path: Path, people: Register, state: DeckState
) -> None:
    move(people, "red 7", state)
    table = Seated(path)
    assert table.moved() == [], "it was so before the table started"
    assert table.came(came("As", "felt", 1)) == [FOREIGN]
    assert table.moved() == []


def test_what_is_in_play_at_the_start_is_noted_with_who_put_it_there(path: Path, people: Register) -> None:
    move(people, "blue 7", DeckState.IN_PLAY)
    table = Seated(path)
    assert table.moved() == [("blue 7", "in-play", "Ana")]
    assert table.came(came("As", "felt", 1)) == [FOREIGN]


def test_what_people_change_counts_from_the_next_hand_on(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("Kd", "felt", 2))
    table.moved()
    move(people, "blue 7", DeckState.IN_PLAY)
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [FOREIGN], "the hand goes on with what it began with"
    assert list(table.decks.left(left("As", "felt", 1, deck=BLUE))) == []
    assert [type(each) for each in table.decks.between_hands()] == [f.Counted]
    assert table.moved() == [("red 7", "ready", "Ana"), ("blue 7", "in-play", "Ana")]
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [seen("As", "seat-1")]


def test_a_withdrawn_deck_is_known_until_another_one_is_in_play(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("As", "felt", 1))
    table.moved()
    table.decks.withdraw("an error")
    assert table.moved() == [("red 7", "quarantined", CONTROLLER)]
    table.decks.withdraw("an error")
    assert table.moved() == [], "there is none in play any more"
    assert table.came(came("Kd", "felt", 2)) == [seen("Kd", "seat-2")], "it still has to be collected"
    assert table.came(came("Qh", "middle", deck=BLUE)) == [seen("Qh", "board")], "the new one"
    assert table.moved() == [("blue 7", "in-play", CONTROLLER)]
    assert table.came(came("2c", "middle")) == [f.StrangeTag(at_us=0, spot="board", what=Strange.FOREIGN)]


def test_a_deck_that_somebody_retires_at_this_very_moment_is_not_put_in_play(path: Path, people: Register) -> None:
    table = Seated(path)
    move(people, "red 7", DeckState.RETIRED)
    assert table.came(came("As", "felt", 1)) == [FOREIGN]
    assert table.moved() == [("red 7", "retired", "Ana")]


def test_the_count_before_a_hand_is_what_was_seen_since_the_last_one_was_closed(path: Path, people: Register) -> None:
    table = Seated(path)
    assert list(table.decks.between_hands()) == [], "no deck, no count"
    codes = [each.code for each in DECK]
    for code in codes[:50]:
        table.came(came(code, "tray"))
    table.came(came(codes[50], "felt", 1))
    assert list(table.decks.between_hands()) == [f.Counted(at_us=table.clock.us, cards=51)]
    list(table.decks.left(left(codes[50], "felt", 1)))
    assert list(table.decks.between_hands()) == [f.Counted(at_us=table.clock.us, cards=51)]
    table.decks.hand_closed()
    assert list(table.decks.between_hands()) == [f.Counted(at_us=table.clock.us, cards=50)], "nobody has seen it since"


def test_where_no_antenna_looks_at_the_stub_nothing_is_counted(path: Path, people: Register) -> None:
    table = Seated(path, [each for each in SPOTS if each != ("tray", 1)])
    table.came(came("As", "felt", 1))
    assert list(table.decks.between_hands()) == []


def test_a_copy_is_told_when_its_time_has_come_and_not_before(path: Path, people: Register) -> None:
    table = Seated(path)
    start_us = table.clock.us
    table.came(came("As", "felt", 1, at_us=start_us))
    assert table.decks.wait_s() is None
    table.came(came("As", "felt", 2, at_us=start_us))
    assert table.decks.wait_s() == CLONE_US / 1_000_000
    assert list(table.decks.overdue()) == []
    table.clock.us += CLONE_US
    assert table.decks.wait_s() == 0.0
    assert [each.what for each in table.decks.overdue() if isinstance(each, f.StrangeTag)] == [Strange.CLONED]
    assert table.decks.wait_s() is None


def test_a_card_that_goes_past_the_mouth_a_second_time_in_a_hand_is_the_same_card(path: Path, people: Register) -> None:
    deal = Deal()
    deal.note(card("As"))
    by_mouth, by_felt = Seated(path), Seated(path, [each for each in SPOTS if each[0] != "sabot"])
    assert by_mouth.decks.says_again(drawn("As"), deal)
    assert not by_mouth.decks.says_again(drawn("Kd"), deal)
    assert not by_mouth.decks.says_again(drawn(None), deal), "an unread card may be any"
    assert not by_mouth.decks.says_again(seen("As", "seat-1"), deal)
    assert not by_felt.decks.says_again(drawn("As"), deal), "a shoe without tags reads a second card with that face"
