"""The deck that a table deals from: found by its cards, changed by people between two hands, withdrawn by an error."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from drivers.facts import TagIn, TagOut
from tablectl.config.decks import CLONE_US
from tablectl.core.cards import DECK, Card, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.deal import Deal
from tablectl.core.engine.vocabulary import Strange
from tablectl.journal.deck_register import DeckState, Register, RegisterUnusable
from tablectl.journal.seal import Vault
from tablectl.table.decks.at_table import CONTROLLER, DecksAtTable
from tablectl.table.decks.tag_tracker import TagTracker
from tests.decks.decks import BLUE, RED, SPOTS, came, drawn, gone, left, seen

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

    def __init__(
        self,
        path: Path,
        spots: Iterable[tuple[str, int]] = SPOTS,
        *,
        on_record: str | None = None,
        is_in_hand: bool = False,
    ) -> None:
        self.clock = Clock()
        there = TagTracker({spot: SPOTS[spot] for spot in spots})
        self.troubles: list[str] = []
        self.decks = DecksAtTable(
            Register(path, VAULT),
            there,
            self.clock,
            on_record=on_record,
            is_in_hand=is_in_hand,
            trouble=self.troubles.append,
        )

    def moved(self) -> list[tuple[str, str, str]]:
        return [(deck_moved.deck, deck_moved.state, deck_moved.by) for deck_moved in self.decks.take_moved()]

    def came(self, fact: TagIn) -> list[f.Fact]:
        return list(self.decks.came(fact))

    def left(self, fact: TagOut) -> list[f.Fact]:
        return list(self.decks.left(fact))

    def begins(self) -> list[f.Fact]:
        """A hand is opened."""
        told = list(self.decks.before_hand())
        self.decks.hand_is(is_open=True, may_come=nothing_left_it)
        return told

    def ends(self) -> None:
        self.decks.hand_is(is_open=False, may_come=nothing_left_it)

    def counts(self) -> list[f.Fact]:
        return list(self.decks.before_deal(Deal(), ()))


def nothing_left_it(_: Card) -> bool:
    """The whole deck is in the shoe."""
    return True


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


def test_in_a_hand_a_card_of_another_ready_deck_is_foreign_and_before_it_nobodys_concern(
    path: Path, people: Register
) -> None:
    table = Seated(path)
    table.came(came("Kd", "tray"))
    assert table.came(came("As", "felt", 1, deck=BLUE)) == []
    assert table.begins() == [f.StrangeTag(at_us=table.clock.us, spot="seat-1", what=Strange.FOREIGN)]
    assert table.came(came("Qh", "felt", 1, deck=BLUE)) == [FOREIGN]
    assert table.moved() == [("red 7", "in-play", CONTROLLER)]


def test_decks_are_changed_between_two_hands_without_a_word(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("Kd", "tray"))
    table.begins()
    table.ends()
    move(people, "blue 7", DeckState.IN_PLAY)
    assert table.left(left("Kd", "tray")) == []
    assert [fact for deck_card in DECK for fact in table.came(came(deck_card.code, "tray", deck=BLUE))] == []
    assert table.begins() == []
    assert table.moved()[-1] == ("blue 7", "in-play", "Ana")
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [], "it lies at the stub still"
    assert table.left(left("As", "tray", deck=BLUE)) == [seen("As", "seat-1")]


@pytest.mark.parametrize("state", [DeckState.QUARANTINED, DeckState.RETIRED])
def test_a_deck_that_is_not_ready_is_foreign_and_is_not_put_in_play(
    path: Path, people: Register, state: DeckState
) -> None:
    move(people, "red 7", state)
    table = Seated(path)
    assert table.moved() == [], "it was so before the table started"
    table.begins()
    assert table.came(came("As", "felt", 1)) == [FOREIGN]
    assert table.moved() == []


@pytest.mark.parametrize("state", [DeckState.QUARANTINED, DeckState.RETIRED])
def test_a_deck_that_was_withdrawn_is_not_dealt_again(path: Path, people: Register, state: DeckState) -> None:
    table = Seated(path)
    table.came(came("As", "tray"))
    table.begins()
    table.ends()
    move(people, "red 7", state)
    assert table.begins() == [f.StrangeTag(at_us=table.clock.us, spot="stub", what=Strange.FOREIGN)]
    assert table.came(came("Kd", "felt", 1)) == [FOREIGN]


def test_what_is_in_play_at_the_start_is_noted_with_who_put_it_there(path: Path, people: Register) -> None:
    move(people, "blue 7", DeckState.IN_PLAY)
    table = Seated(path)
    assert table.moved() == [("blue 7", "in-play", "Ana")]
    table.begins()
    assert table.came(came("As", "felt", 1)) == [FOREIGN]


def test_what_people_change_counts_from_the_next_hand_on(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("Kd", "felt", 2))
    table.begins()
    table.moved()
    move(people, "blue 7", DeckState.IN_PLAY)
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [FOREIGN], "the hand goes on with what it began with"
    assert table.left(left("As", "felt", 1, deck=BLUE)) == []
    table.ends()
    table.left(left("Kd", "felt", 2))
    assert table.begins() == []
    assert table.moved() == [("red 7", "ready", "Ana"), ("blue 7", "in-play", "Ana")]
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [seen("As", "seat-1")]


def test_a_hand_that_was_open_at_a_start_goes_on_with_its_deck(path: Path, people: Register) -> None:
    move(people, "blue 7", DeckState.IN_PLAY)
    table = Seated(path, on_record="red 7", is_in_hand=True)
    assert table.came(came("As", "felt", 1)) == [seen("As", "seat-1")]
    assert table.came(came("As", "felt", 2, deck=BLUE)) != []
    table.ends()
    table.left(left("As", "felt", 1))
    table.left(left("As", "felt", 2, deck=BLUE))
    assert table.begins() == []
    assert table.came(came("As", "felt", 1, deck=BLUE)) == [seen("As", "seat-1")]


def test_a_withdrawn_deck_is_known_until_its_hand_is_over(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("As", "felt", 1))
    table.begins()
    table.moved()
    table.decks.withdraw("an error")
    assert table.moved() == [("red 7", "quarantined", CONTROLLER)]
    table.decks.withdraw("an error")
    assert table.moved() == [], "there is none in play any more"
    assert table.came(came("Kd", "felt", 2)) == [seen("Kd", "seat-2")], "it still has to be collected"
    assert table.came(came("Qh", "tray", deck=BLUE)) != [], "the new one waits until the hand is over"
    assert table.left(left("Kd", "felt", 2)) == [gone("Kd", "seat-2")]
    table.ends()
    assert table.came(came("Jh", "tray", deck=BLUE)) == []
    assert table.moved() == [("blue 7", "in-play", CONTROLLER)]
    table.left(left("As", "felt", 1))
    assert table.begins() == []
    assert table.came(came("2c", "middle")) == [f.StrangeTag(at_us=0, spot="board", what=Strange.FOREIGN)]


def test_a_deck_is_withdrawn_although_somebody_writes_into_the_register(path: Path, people: Register) -> None:
    table = Seated(path)
    table.came(came("As", "tray"))
    more = {f"E004CC{deck_card.index:02X}": deck_card for deck_card in DECK}
    people.enrol("green 7", more, by="Ana", reason="", at_us=5)
    table.decks.withdraw("an error")
    people.refresh()
    assert people.in_play is None


def test_a_deck_is_not_dealt_from_although_its_withdrawal_cannot_be_written_yet(
    path: Path, people: Register, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tablectl.journal.deck_register.BUSY_S", 0.01)
    table = Seated(path)
    table.came(came("As", "tray"))
    table.begins()
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        table.decks.withdraw("an error")
        table.ends()
        assert table.begins() == [f.StrangeTag(at_us=table.clock.us, spot="stub", what=Strange.FOREIGN)]
        assert table.came(came("Kd", "felt", 1)) == [FOREIGN]
        other.execute("ROLLBACK")
    assert len(table.troubles) == 1, "said once"
    table.ends()
    table.begins()
    assert table.moved()[-1] == ("red 7", "quarantined", CONTROLLER)


def test_a_new_deck_that_people_put_in_play_is_not_withdrawn_for_the_old_one(path: Path, people: Register) -> None:
    move(people, "blue 7", DeckState.IN_PLAY)
    table = Seated(path, on_record="red 7", is_in_hand=True)
    table.decks.withdraw("an error of the hand that is open")
    people.refresh()
    assert people.in_play is not None
    assert people.in_play.name == "blue 7"


def test_a_deck_that_somebody_retires_at_this_very_moment_is_not_put_in_play(path: Path, people: Register) -> None:
    table = Seated(path)
    move(people, "red 7", DeckState.RETIRED)
    table.begins()
    assert table.came(came("As", "felt", 1)) == [FOREIGN]
    assert table.moved() == [("red 7", "retired", "Ana")]


def test_a_list_of_what_is_no_card_must_not_hold_a_card(path: Path, people: Register) -> None:
    there = TagTracker(SPOTS, not_cards=("E004",))
    with pytest.raises(RegisterUnusable, match="not_cards = E004: registered cards begin like that"):
        DecksAtTable(Register(path, VAULT), there, Clock())


def test_the_count_before_a_deal_is_what_was_seen_since_the_last_hand_was_closed(path: Path, people: Register) -> None:
    table = Seated(path)
    assert table.counts() == [], "no deck, no count"
    codes = [deck_card.code for deck_card in DECK]
    for code in codes[:50]:
        table.came(came(code, "tray"))
    table.came(came(codes[50], "rack"))
    assert table.counts() == [f.Counted(at_us=table.clock.us, cards=51)]
    table.left(left(codes[50], "rack"))
    assert table.counts() == [f.Counted(at_us=table.clock.us, cards=51)]
    table.begins()
    table.ends()
    assert table.counts() == [f.Counted(at_us=table.clock.us, cards=50)], "nobody has seen it since"
    table.decks.heard(f.DeviceLost(at_us=0, device="tray", role="stub", reason=""))
    assert table.counts() == [], "nobody can tell"


def test_cards_that_lie_on_the_felt_since_before_the_hand_are_told_and_that_they_are_gone(
    path: Path, people: Register
) -> None:
    table = Seated(path)
    table.came(came("As", "felt", 1))
    table.came(came("Kd", "rack"))
    table.begins()
    assert table.counts() == [f.OnFelt(at_us=table.clock.us, spots=("seat-1",))], "and no count before they are gone"
    table.left(left("As", "felt", 1))
    told = list(table.decks.before_deal(Deal(), ("seat-1",)))
    assert [type(fact) for fact in told] == [f.OnFelt, f.Counted]
    assert told[0] == f.OnFelt(at_us=table.clock.us, spots=())


def test_where_no_antenna_looks_at_the_stub_nothing_is_counted(path: Path, people: Register) -> None:
    table = Seated(path, [spot for spot in SPOTS if spot != ("tray", 1)])
    table.came(came("As", "rack"))
    assert table.counts() == []


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
    assert [strange_tag.what for strange_tag in table.decks.overdue() if isinstance(strange_tag, f.StrangeTag)] == [
        Strange.CLONED
    ]
    assert table.decks.wait_s() is None


def test_a_card_that_goes_past_the_mouth_a_second_time_in_a_hand_is_the_same_card(path: Path, people: Register) -> None:
    def may_come(which: Card) -> bool:
        return which != card("As")

    by_mouth, by_felt = Seated(path), Seated(path, [spot for spot in SPOTS if spot[0] != "sabot"])
    assert by_mouth.decks.says_again(drawn("As"), may_come)
    assert not by_mouth.decks.says_again(drawn("Kd"), may_come)
    assert not by_mouth.decks.says_again(drawn(None), may_come), "an unread card may be any"
    assert not by_mouth.decks.says_again(seen("As", "seat-1"), may_come)
    assert not by_felt.decks.says_again(drawn("As"), may_come), "a shoe without tags reads a second card with that face"
