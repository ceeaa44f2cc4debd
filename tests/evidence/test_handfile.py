"""A hand that leaves the journal as a hand file comes out again as it was played, and tells no card that is sealed."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import rulebook_of
from tablectl.journal.evidence.hand import Hand, NoEvidence, read
from tablectl.journal.evidence.handfile import hand_file
from tablectl.journal.handfile.facts import UNREAD, parse_fact
from tablectl.journal.handfile.file import HandFile, parse
from tablectl.journal.handfile.playing import play
from tablectl.journal.handfile.tokens import BadHandFile
from tablectl.journal.volumes import VolumeSet
from tests.journal.journals import (
    NEVER_SHOWN,
    SETUP,
    WHOLE_HAND,
    Writer,
    each_hand,
    facts_of,
    felt,
    in_memory,
    named_in,
    written,
)
from tests.wide import once

#: A card; not the end of a clause's name, `THL-PLE-2c`.
CODE = re.compile(r"(?<![-\w])[2-9TJQKA][cdhs]\b")


def journal_of(path: Path, setup: f.Setup, facts: Iterable[f.Fact]) -> Path:
    """A journal of these facts, as the controller writes it."""
    with Writer(path, setup) as writer:
        for fact in facts:
            writer.enter(fact)
    return path


def hands_of(path: Path) -> list[Hand]:
    with closing(VolumeSet(path)) as journal:
        return [read(journal, number) for number in range(1, journal.stores[-1].newest_hand + 1)]


def played(text: str) -> list[str]:
    return [str(difference) for difference in play(parse(text), rulebook_of)]


def may_be_told(hand: Hand) -> set[str]:
    """The codes that the public form tells: revealed, or named by a person."""
    named = named_in(record.event for record in hand.records)
    return {*hand.revealed().values(), *named}


@pytest.fixture
def memory() -> Iterator[Path]:
    with in_memory() as folder:
        yield Path(folder)


@pytest.mark.parametrize("equipment", once(Equipment, Equipment.BOTH))
@each_hand()
def test_each_hand_comes_out_of_the_journal_as_it_was_played_with_no_sealed_card(
    hand: HandFile, equipment: Equipment, memory: Path
) -> None:
    """As it is in its file, and at a table with antennas."""
    as_filed = equipment is hand.setup.equipment
    setup, facts = (hand.setup, facts_of(hand)) if as_filed else felt(hand, equipment)
    for exported in hands_of(journal_of(memory / "a.db", setup, facts)):
        text = hand_file(exported)
        assert played(text) == []
        assert set(CODE.findall(text)) <= may_be_told(exported)
        assert len(re.findall("^>", text, re.MULTILINE)) == len(exported.records)


# --- what a hand takes over from the one before ----------------------------------------------------------------------

TROUBLE = """
press new-hand
bet 1 ante 1000 bonus 500
bet 2 ante 1000
press no-more-bets
draw As
press face-up
press confirm
call by ana # of pit 2 \\ now
rule 2 void-hand by ana misdeal
usb plugged foreign 1234:abcd at 1-1
press confirm
lost shoe shoe-1 cable
"""
AGAIN = """
restart
back shoe shoe-1
acknowledge 3 by luis
press new-hand
press all-bet
press no-more-bets
draw As
lost shoe shoe-1
restart
back shoe shoe-1
press confirm
draw As
draw Kd
press confirm
draw ??
"""


def test_incidents_bets_and_a_lost_shoe_go_over_into_the_file_of_the_next_hand(tmp_path: Path) -> None:
    written(tmp_path / "a.db", TROUBLE + AGAIN)
    first, second = map(hand_file, hands_of(tmp_path / "a.db"))
    assert second.splitlines()[1:12] == [
        "rulebook texas-bonus",
        "table hand-file",
        "hand 2",
        "places 9",
        "seats 1 2",
        "previous 1 ante 1000 bonus 500",
        "previous 2 ante 1000",
        "incidents 3",
        "unseen 3",
        "> lost shoe shoe-1 cable",
        "< incident THB-SAB-1 expected=shoe observed=shoe-lost remedy=continue who=croupier",
    ]
    assert "> call by ana \\# of pit 2 \\\\ now" in first.splitlines()
    assert "> draw repeated" in second.splitlines()
    assert [*played(first), *played(second)] == []


def test_a_file_can_begin_while_the_shoe_is_lost() -> None:
    text = "# t\nrulebook texas-bonus\nhand 2\nincidents 4\nshoe-lost 3\n"
    held = "> press new-hand\n< refused held\n> back shoe shoe-1\n> press new-hand\n< hand 2\n< phase betting\n"
    assert played(text + held) == []


def test_a_hand_that_is_not_played_to_its_end_is_told_as_far_as_it_went(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND + "press new-hand\nbet 3 ante 700\npress no-more-bets\ndraw As\n")
    _, unfinished = hands_of(tmp_path / "a.db")
    text = hand_file(unfinished)
    assert text.endswith("> draw sealed\n< card seat-3.1\n")
    assert played(text) == []


def test_at_the_level_presence_the_seats_of_the_hand_before_are_in_the_hand(tmp_path: Path) -> None:
    setup = parse("# t\nrulebook texas-bonus\ntracking presence\n").setup
    lines = "restart\npress new-hand\npress seat-2\npress seat-7\npress no-more-bets\n"
    lines += "call by ana\nrule 1 void-hand by ana misdeal\n"
    facts = [
        parse_fact(part, at, setup)
        for at, part in enumerate(f"{lines}press confirm\npress new-hand\npress seat-7\npress no-more-bets".split("\n"))
    ]
    _, second = map(hand_file, hands_of(journal_of(tmp_path / "a.db", setup, facts)))
    assert {"tracking presence", "seats 2 7", "previous 7 ante"} < set(second.splitlines())
    assert played(second) == []


def test_a_setup_that_came_into_force_between_two_hands_is_that_of_the_second(tmp_path: Path) -> None:
    setup = parse("# t\nrulebook texas-bonus\nlimits ante 500..1000\nprofile wrong_order=accept\nplaces 5\n").setup
    with Writer(tmp_path / "a.db", SETUP) as writer:
        writer.line("restart")
        writer.lines(WHOLE_HAND)
        writer.enter(f.Opened(at_us=0, setup=setup))
        writer.lines("press new-hand\nbet 6 ante 500\nbet 5 ante 1001\nbet 5 ante 1000\n")
    _, second = map(hand_file, hands_of(tmp_path / "a.db"))
    assert {"places 5", "limits ante 500..1000", "profile wrong_order=accept"} < set(second.splitlines())
    assert played(second) == []


# --- cards that are not told ------------------------------------------------------------------------------------------


def test_a_sealed_card_stands_for_the_lowest_one_that_appears_nowhere_else() -> None:
    hand = parse(
        "# t\nrulebook texas-bonus\n> draw sealed\n> draw 2c\n> draw sealed\n> draw 2h\n> name board.1 2s by a\n"
    )
    cards = [step.fact.card for step in hand.steps if isinstance(step.fact, f.Drawn)]
    assert [card.code for card in cards if card is not None] == ["2d", "2c", "3c", "2h"]


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ("> draw sealed\n> draw sealed\n> draw sealed-again\n", ["2c", "2d", "2c"]),
        ("> draw sealed\n> draw repeated\n> draw ??\n> draw repeated\n", ["2c", "2c", None, None]),
        ("> draw ??\n> draw sealed\n> draw sealed\n> draw 2c hidden\n", [None, "2c", "2d", "2c"]),
        ("> draw sealed\n> fault card=2c,hidden bug\n> draw sealed\n", ["2c", "2d"]),
        ("> fault card=sealed bug\n> draw repeated\n", ["2c"]),
    ],
)
def test_what_is_known_of_a_sealed_card_is_true_of_the_one_that_stands_for_it(
    lines: str, codes: list[str | None]
) -> None:
    hand = parse(f"# t\nrulebook texas-bonus\n{lines}")
    cards = [step.fact.card for step in hand.steps if isinstance(step.fact, f.Drawn)]
    assert [card.code if card is not None else None for card in cards] == codes


@pytest.mark.parametrize(
    ("lines", "line", "expected"),
    [
        ("> draw sealed\n" * 53, 55, "no more cards than a deck has"),
        ("> draw 2c hidden\n", 3, "a sealed card before it that could be this one"),
        ("> draw sealed twice\n", 3, "a 'draw' line as in the grammar"),
    ],
)
def test_a_sealed_card_that_cannot_be_is_told(lines: str, line: int, expected: str) -> None:
    with pytest.raises(BadHandFile, match=expected) as caught:
        parse(f"# t\nrulebook texas-bonus\n{lines}")
    assert caught.value.line == line


def seen_in(lines: list[str], equipment: str) -> list[str]:
    """The codes of the cards in facts that bring or mean one, as they are played."""
    body = "".join(f"> {line}\n" for line in lines)
    hand = parse(f"# t\nrulebook texas-poker\nequipment {equipment}\n{body}")
    cards = [step.fact.card for step in hand.steps if isinstance(step.fact, f.Drawn | f.Seen | f.Gone)]
    return [card.code if card is not None else UNREAD for card in cards]


@pytest.mark.parametrize(
    ("equipment", "lines", "codes"),
    [
        ("both", "draw sealed; draw 2c; seen seat-2 draw-2; seen seat-1 draw-1", "2d 2c 2c 2d"),
        ("both", "draw 7h; seen seat-1 7h; gone seat-1 7h; draw sealed; gone x draw-2", "7h 7h 7h 2c 2c"),
        ("both", "draw sealed; draw repeated; draw sealed; seen board draw-2", "2c 2c 2d 2d"),
        ("both", "draw ??; seen seat-1 draw-1 at=2; gone seat-1 draw-1", "?? 2c 2c"),
        ("both", "draw sealed; fault card=sealed bug; seen board draw-2", "2c 2d"),
        ("both", "seen discard stray; seen seat-1 stray; draw sealed; gone x ??", "As As 2c ??"),
        ("antennas", "seen seat-1 sealed; seen seat-2 7h; gone seat-2 draw-2", "2c 7h 7h"),
        ("antennas", "seen seat-1 7h; seen seat-1 7h; seen house sealed; seen x draw-2", "7h 7h 2c 2c"),
        ("antennas", "name board.1 7h by a; seen x 7h; seen x sealed; gone x draw-1", "7h 2c 2c"),
        ("both", "draw sealed; draw sealed; draw 2c; draw sealed-again; seen x draw-1", "2d 2h 2c 2h 2d"),
        ("both", "draw sealed; draw sealed; draw 2c hidden; seen x draw-1", "2d 2c 2c 2d"),
    ],
)
def test_a_card_that_an_antenna_sees_is_the_one_that_the_file_means(equipment: str, lines: str, codes: str) -> None:
    assert " ".join(seen_in(lines.split("; "), equipment)) == codes


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("seen seat-1 draw-1", "a card or sealed or sealed-again or stray or draw-N of a card before it"),
        ("seen seat-1 repeated", "a card or sealed or sealed-again or stray or draw-N of a card before it"),
        ("gone seat-1 sealed", "a card or stray or draw-N of a card before it"),
        ("draw draw-1", "a card or sealed or sealed-again or repeated"),
        ("draw stray", "a card or sealed or sealed-again or repeated"),
        ("name board.1 sealed by ana", "a card"),
    ],
)
def test_a_word_for_a_card_that_can_not_stand_there_is_told(line: str, expected: str) -> None:
    with pytest.raises(BadHandFile, match=f"line 3: .* expected {expected}$"):
        parse(f"# t\nrulebook texas-bonus\n> {line}\n> draw sealed\n")


def test_beside_a_shoe_the_antenna_says_which_card_the_file_means_and_never_its_name(memory: Path) -> None:
    setup = parse("# t\nrulebook texas-poker\nequipment both\n").setup
    lines = "press new-hand\nbet 1 ante 1000\npress no-more-bets\ndraw As\nseen seat-1 As at=1\ndraw ??\n"
    lines += "seen house Kd\ngone house Kd\nseen house Kd\ngone seat-1 Qc\ndraw Kd\n"
    with Writer(memory / "a.db", setup) as writer:
        writer.lines("restart\n" + lines)
    (hand,) = hands_of(memory / "a.db")
    text = hand_file(hand)
    facts = [line.removeprefix("> ") for line in text.splitlines() if re.match("> (draw|seen|gone)", line)]
    assert facts == [
        "draw sealed",
        "seen seat-1 draw-1 at=1",
        "draw ??",
        "seen house draw-2",
        "gone house draw-2",
        "seen house draw-2",
        "gone seat-1 stray",
        "draw sealed-again",
    ]
    assert "equipment both" in text.splitlines()
    assert played(text) == []


CONDUCT = """
press new-hand
bet 1 ante 1000
bet 2 ante 1000
press no-more-bets
draw As
draw Kd
declare commented seat-2
declare defective-deck
press confirm
"""


def test_conduct_kept_bets_and_a_withdrawn_deck_go_over_into_the_file_of_the_next_hand(memory: Path) -> None:
    setup = parse("# t\nrulebook texas-poker\n").setup
    again = "press new-hand\nshuffled 52\npress confirm\npress new-hand\ndeclare commented seat-2\npress no-more-bets\n"
    with Writer(memory / "a.db", setup) as writer:
        writer.lines("restart" + CONDUCT + again)
    _, second = map(hand_file, hands_of(memory / "a.db"))
    head = second.partition("\n>")[0].splitlines()
    assert {"conduct 2 commented 1", "needs-deck"} < set(head)
    assert "> shuffled 52" in second.splitlines()
    assert played(second) == []


def test_the_cards_of_a_seat_that_folded_and_the_burnt_ones_are_not_in_the_file(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    (hand,) = hands_of(tmp_path / "a.db")
    text = hand_file(hand)
    assert text.count("> draw sealed\n") == len(NEVER_SHOWN)
    assert not set(NEVER_SHOWN) & set(CODE.findall(text))


def test_the_same_journal_always_gives_the_same_file(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    assert hand_file(hands_of(tmp_path / "a.db")[0]) == hand_file(hands_of(tmp_path / "a.db")[0])


def test_a_hand_that_was_never_played_is_told_with_the_newest_one(tmp_path: Path) -> None:
    written(tmp_path / "a.db", WHOLE_HAND)
    with closing(VolumeSet(tmp_path / "a.db")) as journal, pytest.raises(NoEvidence, match=r"no hand 2; .* is hand 1"):
        read(journal, 2)
