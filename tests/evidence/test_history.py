"""A journalled hand as a hand history: it replays without a difference, and tells no card that is sealed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final

import pytest

from tablectl.cli.main import main
from tablectl.core.cards import DECK
from tablectl.core.engine import facts as f
from tablectl.core.engine.rulebook import Kind
from tablectl.core.engine.table import Table
from tablectl.core.engine.vocabulary import SEAT_KEYS, Action, Key, SeatChange, Tracking
from tablectl.core.options.holdem import Structure
from tablectl.families.pots.state import PotGameState
from tablectl.journal.evidence.hand import NoEvidence
from tablectl.journal.evidence.history import history
from tablectl.journal.handfile.facts import parse_fact
from tablectl.journal.volumes import volume_path
from tablectl.journal.writer import volume_closed, volume_opened
from tablectl.phh.file import hands
from tablectl.phh.hand import Hand
from tablectl.phh.outcome import Ending
from tablectl.phh.replay import Replayer
from tests.evidence.test_handfile import hands_of
from tests.journal.journals import START_US, WHOLE_HAND, Writer, written

Captured = pytest.CaptureFixture[str]
SEATS: Final = (2, 3, 5, 8)
HANDS: Final = 12


def setup(
    structure: Structure = Structure.NO_LIMIT, *, tracking: Tracking = Tracking.AMOUNTS, **choices: str
) -> f.Setup:
    return f.Setup(
        table="t",
        rulebook="open-holdem",
        seats=9,
        tracking=tracking,
        limits={"bet": f.Limits(least=200, most=1_000_000)},
        profile={"structure": structure, **choices},
    )


def sat_down(chosen: f.Setup, seats: tuple[int, ...]) -> Iterator[f.Fact]:
    yield f.Opened(at_us=1, setup=chosen)
    for seat in seats:
        yield f.Moved(at_us=1, seat=seat, what=SeatChange.TAKES)
        if chosen.tracking is Tracking.AMOUNTS:
            yield f.Stacked(at_us=1, seat=seat, amount=7_000 * seat)
    yield f.ButtonPlaced(at_us=1, seat=seats[0])


def one_hand(table: Table, chance: Random) -> Iterator[f.Fact]:
    """A hand to its end; now and then an action is corrected and a hand given up."""
    state, circle = table.state, table.state
    assert isinstance(circle, PotGameState)
    yield press(Key.NEW_HAND)
    yield press(Key.NO_MORE_BETS)
    deck = chance.sample(DECK, len(DECK))
    while state.in_play:
        kind = state.phase.kind
        if kind is Kind.DEALING:
            yield f.Drawn(at_us=1, card=deck.pop())
        elif kind is Kind.DECIDING:
            assert circle.rounds is not None
            legal = circle.rounds.legal()
            if legal.may_raise and chance.random() < 0.2:
                yield f.Acted(at_us=1, action=Action.RAISE, to=chance.choice((legal.raise_from, legal.raise_to)))
            elif legal.may_call:
                yield f.Acted(at_us=1, action=Action.FOLD)
                if chance.random() < 0.6 and Key.CANCEL in table.prompt().keys:
                    yield press(Key.CANCEL)
                    yield f.Acted(at_us=1, action=Action.CALL)
            else:
                yield press(Key.CHECK)
        elif kind is Kind.REVEALING:
            if len(circle.to_show) > 1 and chance.random() < 0.3:
                yield press(SEAT_KEYS[circle.to_show[-1] - 1])
            yield press(Key.FOLD if len(state.staying) > 1 and chance.random() < 0.4 else Key.SHOW)
        else:
            yield press(Key.CONFIRM)


def press(key: Key) -> f.Fact:
    return f.Pressed(at_us=1, key=key)


def journal_of(path: Path, chosen: f.Setup, seats: tuple[int, ...] = SEATS) -> Path:
    """Some hands; players who lost all their chips get new ones."""
    chance = Random(5)
    with Writer(path, chosen) as writer:
        for fact in sat_down(chosen, seats):
            writer.enter(fact)
        circle = writer.table.state
        assert isinstance(circle, PotGameState)
        for _ in range(HANDS):
            for fact in one_hand(writer.table, chance):
                writer.enter(fact)
            for seat in seats:
                if circle.stacks.get(seat) == 0:
                    writer.enter(f.Stacked(at_us=1, seat=seat, amount=9_000))
    return path


def export(journal: Path, *words: str | Path) -> int:
    return main(["journal", "export", str(journal), "--phh", *map(str, words)])


@pytest.mark.parametrize("structure", Structure)
def test_what_is_exported_replays_without_a_difference(structure: Structure, tmp_path: Path, capsys: Captured) -> None:
    journal = journal_of(tmp_path / "table.db", setup(structure))
    assert export(journal, "--out", tmp_path / "all.phhs") == 0
    assert capsys.readouterr().err == "", "nobody comes into a game before the first hand"
    assert main(["phh", str(tmp_path / "all.phhs")]) == 0
    said = capsys.readouterr().out
    assert said == f"{HANDS} hands replayed (open-holdem, choices for published hands), 0 with differences\n"


def test_hands_of_two_players_are_exported_where_the_button_has_the_small_blind(
    tmp_path: Path, capsys: Captured
) -> None:
    journal = journal_of(tmp_path / "table.db", setup(two_players="button"), (2, 7))
    assert export(journal, "--out", tmp_path / "all.phhs") == 0
    assert main(["phh", str(tmp_path / "all.phhs")]) == 0
    assert f"{HANDS} hands replayed" in capsys.readouterr().out
    other = journal_of(tmp_path / "other.db", setup(two_players="left-of-button"), (2, 7))
    assert export(other, "--hand", "2") == 2
    assert capsys.readouterr().err == (
        "hand 2: of two players the one without the button posted the small blind, and the PHH format cannot tell"
        " that\n"
    )
    assert export(other, "--out", tmp_path / "none.phhs") == 2
    assert "none of the hands can be told as a hand history; nothing was written" in capsys.readouterr().err
    assert not (tmp_path / "none.phhs").exists()


def test_no_card_is_told_that_the_rules_did_not_show(tmp_path: Path) -> None:
    journal = journal_of(tmp_path / "table.db", setup())
    hidden = shown = 0
    for hand in hands_of(journal)[1:]:
        told = history(hand)
        found = {card.code for at in range(1, 5) for card in told.hole_cards(at) if card is not None}
        found |= {card.code for card in told.board if card is not None}
        assert found <= set(hand.revealed().values())
        shown += len(found)
        hidden += sum(told.hole_cards(at).count(None) for at in range(1, 5))
    assert min(hidden, shown) > 10


def test_one_hand_is_printed_with_its_number_seats_and_stacks(tmp_path: Path, capsys: Captured) -> None:
    journal = journal_of(tmp_path / "table.db", setup())
    assert export(journal, "--hand", "3") == 0
    (exported,) = hands(capsys.readouterr().out, "x.phh")
    assert isinstance(exported.read, Hand)
    assert (exported.read.name, exported.read.seat_count, exported.read.min_bet) == ("3", 9, 200)
    assert exported.read.seats is not None
    assert sorted(exported.read.seats) == list(SEATS)
    assert sum(exported.read.finishing_stacks or ()) == sum(stack or 0 for stack in exported.read.starting_stacks)
    assert Replayer("open-holdem", {"burn": "none"}).replay(exported.read).ending is Ending.SAME


def test_what_the_format_cannot_tell_is_said(tmp_path: Path, capsys: Captured) -> None:
    banked, rounds = tmp_path / "banked.db", tmp_path / "actions.db"
    written(banked, WHOLE_HAND)
    assert export(banked, "--hand", "1") == 2
    assert capsys.readouterr().err == "hand 1: texas-bonus is no game of the PHH format\n"
    chosen = setup(tracking=Tracking.ACTIONS)
    with Writer(rounds, chosen) as writer:
        for fact in (*sat_down(chosen, SEATS), press(Key.NEW_HAND)):
            writer.enter(fact)
    assert export(rounds, "--hand", "1") == 2
    assert capsys.readouterr().err == ("hand 1: no amounts are entered at this table, and the PHH format needs them\n")


def test_a_hand_that_is_not_over_and_one_that_was_annulled_are_not_exported(tmp_path: Path, capsys: Captured) -> None:
    journal, chosen = tmp_path / "table.db", setup()
    with Writer(journal, chosen) as writer:
        for fact in (*sat_down(chosen, SEATS), press(Key.NEW_HAND), press(Key.NO_MORE_BETS)):
            writer.enter(fact)
        assert export(journal, "--hand", "1") == 2
        assert capsys.readouterr().err == "hand 1 is not over\n"
        assert export(journal) == 2
        assert capsys.readouterr().err == f"{journal}: no hand that is over\n"


def test_records_after_the_last_hand_do_not_keep_the_others_back(tmp_path: Path, capsys: Captured) -> None:
    journal, chosen, out = tmp_path / "table.db", setup(), tmp_path / "all.phhs"
    with Writer(journal, chosen) as writer:
        for fact in sat_down(chosen, SEATS):
            writer.enter(fact)
        for fact in one_hand(writer.table, Random(5)):
            writer.enter(fact)
        writer.enter(f.Moved(at_us=1, seat=6, what=SeatChange.TAKES))
    assert export(journal, "--out", out) == 0
    assert [hand.header for hand in hands(out.read_text(), "all.phhs")] == ["1"]
    assert export(journal, "--hand", "2") == 2
    assert capsys.readouterr().err == "hand 2 was not begun: there are only records after the hand before\n"


def test_hands_of_a_volume_in_an_archive_do_not_keep_the_others_back(tmp_path: Path, capsys: Captured) -> None:
    path, chosen, chance = tmp_path / "table.db", setup(), Random(5)
    with Writer(path, chosen) as writer:
        for fact in sat_down(chosen, SEATS):
            writer.enter(fact)
        for fact in one_hand(writer.table, chance):
            writer.enter(fact)
        writer.record_writer.note(volume_closed(START_US, 1), hand=1)
        writer.store = writer.store.go_on_in(volume_path(path, 2))
        writer.record_writer.go_on_in(writer.store)
        writer.record_writer.note(volume_opened(START_US, 2, writer.store), hand=2, carry=writer.table.carry())
        for fact in one_hand(writer.table, chance):
            writer.enter(fact)
    path.rename(tmp_path / "archive.db")
    assert export(path) == 0
    (exported,) = hands(capsys.readouterr().out, "all.phhs")
    assert isinstance(exported.read, Hand)
    assert exported.read.name == "2"


def test_without_a_number_only_hand_histories_are_exported(tmp_path: Path, capsys: Captured) -> None:
    journal = journal_of(tmp_path / "table.db", setup())
    for words in ((), ("--phh", "--bundle", str(tmp_path / "x.zip"))):
        assert main(["journal", "export", str(journal), *words]) == 2
        assert capsys.readouterr().err.startswith("journal export: which hand? --hand N")


def test_a_hand_of_another_kind_raises_what_says_why(tmp_path: Path) -> None:
    chance, path = Random(5), tmp_path / "table.db"
    with Writer(path, setup()) as writer:
        for fact in sat_down(setup(), SEATS):
            writer.enter(fact)
        for fact in one_hand(writer.table, chance):
            writer.enter(fact)
        for newcomer in (6, 7):
            writer.enter(f.Moved(at_us=1, seat=newcomer, what=SeatChange.TAKES))
            writer.enter(f.Stacked(at_us=1, seat=newcomer, amount=9_000))
        for fact in one_hand(writer.table, chance):
            writer.enter(fact)
    first, second = hands_of(path)
    history(first)
    with pytest.raises(NoEvidence, match="hand 2: a bet to come in was posted"):
        history(second)


def _played(path: Path, *lines: str) -> Hand:
    """The hand history of a hand in which the croupier entered these. Seat 2 has the button, seat 8 speaks first."""
    chosen, deck = setup(folded_cards="three-cases"), iter(DECK)
    with Writer(path, chosen) as writer:
        for fact in (*sat_down(chosen, SEATS), press(Key.NEW_HAND), press(Key.NO_MORE_BETS)):
            writer.enter(fact)
        table = writer.table

        def deal() -> None:
            while table.state.phase.kind is Kind.DEALING and not table.state.held:
                writer.enter(f.Drawn(at_us=1, card=next(deck)))

        deal()
        for line in lines:
            writer.enter(parse_fact(line, 1, chosen))
            deal()
    return history(hands_of(path)[-1])


def test_an_action_that_only_waited_for_its_turn_and_was_taken_back_is_in_no_history(tmp_path: Path) -> None:
    """It was stored, so nothing was done that could be undone (THL-PLE-6)."""
    out_of_turn = ("act 5 raise 600", "press confirm", "press cancel")
    folded = ("act fold", "act fold", "act fold", "press confirm")
    told = _played(tmp_path / "a.db", *out_of_turn, *folded)
    plain = _played(tmp_path / "b.db", *folded)
    assert told.actions == plain.actions
    assert [action.at for action in told.actions] == list(range(1, len(told.actions) + 1))


def test_a_fold_that_was_taken_back_after_a_bet_leaves_the_bet_in_the_history(tmp_path: Path) -> None:
    """THL-PLE-1c: seat 3 gets its cards back after seat 5 has bet; what was done last was the bet."""
    called = ("act call", "act call", "act call", "act check")
    revived = ("act fold", "act bet 400", "declare retrieve-misled seat-3", "press cancel", "rule 1 revive by ana")
    told = _played(tmp_path / "a.db", *called, *revived, "act fold", "act fold", "act fold", "press confirm")
    names = [type(action).__name__ for action in told.actions]
    assert names[names.index("BoardDealt") + 1 :] == ["BetOrRaise", "Fold", "Fold", "Fold"]
