"""Tests that cost much for each hand see every word of the table in every game."""

from __future__ import annotations

import pytest

from tablectl.journal.handfile.file import HandFile, parse
from tests.journal.journals import hand_files
from tests.journal.variety import fewest, various, words_of


def hand(lines: str, rulebook: str = "texas-bonus") -> HandFile:
    return parse(f"# t\nrulebook {rulebook}\n{lines}")


DEALT = (
    "> bet 1 ante 1000\n> press no-more-bets\n< phase dealing\n> draw As\n< card seat-1.1\n> rule 1 warn by ana\n"
    "> declare wrong-order\n< asked felt felt\n< closed 1 warn by pit-boss\n> lost light tower cable\n"
)


@pytest.mark.parametrize(
    "more",
    [
        "> declare commented seat-1\n",
        "> rule 1 void-hand by ana misdeal\n",
        "> draw ??\n",
        "> draw sealed\n",
        "> press bank\n",
        "> declare missing-card\n",
        "< card seat-1.2\n< phase void\n",
        "< closed 1 discard by croupier\n",
        "< asked seen last-card\n",
        "> lost shoe shoe-1 cable\n",
    ],
)
def test_a_hand_with_something_new_in_it_is_chosen_and_no_other_one_with_it(more: str) -> None:
    plain, new = hand(DEALT), hand(DEALT + more)
    of_same_part = [("THB-DEV-1-a", plain), ("THB-DEV-2-b", plain), ("THB-DEV-3-c", new), ("THB-DEV-4-d", new)]
    chosen = various(of_same_part)
    assert chosen.count(True) <= 2
    assert chosen[2:] == [True, False]


def test_who_brings_what_two_others_bring_is_chosen_instead_of_them() -> None:
    one, other = "> draw ??\n", "> press bank\n"
    named = [("THB-DEV-1-a", hand(one)), ("THB-DEV-2-b", hand(other)), ("THB-DEV-3-c", hand(one + other))]
    assert various(named) == [False, False, True]


def test_of_two_that_bring_the_same_the_shorter_one_is_chosen() -> None:
    named = [("THB-DEV-1-a", hand(DEALT * 2)), ("THB-DEV-2-b", hand(DEALT))]
    assert various(named) == [False, True]


def test_the_same_in_another_part_of_the_document_with_other_equipment_or_in_another_game_is_new() -> None:
    plain = hand(DEALT)
    named = [
        ("THB-DEV-1-a", plain),
        ("THB-ERR-1-b", plain),
        ("THB-ERR-2-c", hand("equipment antennas\n" + DEALT)),
        ("TPC-ERR-1-d", hand(DEALT, "texas-poker")),
        ("THB-ERR-3-e", plain),
    ]
    assert various(named) == [True, True, True, True, False]


def test_seats_amounts_cards_and_names_of_persons_are_nothing_new() -> None:
    one, other = (
        "> declare commented seat-1\n> rule 1 warn by ana\n",
        "> declare commented seat-2\n> rule 2 warn by eva\n",
    )
    assert words_of(hand(DEALT + one)) == words_of(hand(DEALT.replace("As", "Kd").replace("1000", "500") + other))


def test_of_every_game_the_chosen_hands_say_all_that_any_of_its_hands_says() -> None:
    files = hand_files()
    chosen = [file for file, is_chosen in zip(files, various(files), strict=True) if is_chosen]
    for rulebook in {hand_file.setup.rulebook for _, hand_file in files}:
        some, every = (
            [(name, hand_file) for name, hand_file in of if hand_file.setup.rulebook == rulebook]
            for of in (chosen, files)
        )
        assert words_said(some) == words_said(every)
        assert parts_shown(some) == parts_shown(every)
    assert len(chosen) < len(files) / 4


def test_the_fewest_say_in_some_game_all_that_any_hand_says_and_are_among_those_that_are_chosen_of_each_game() -> None:
    files = hand_files()
    chosen = various(files)
    few = fewest(files, chosen)
    assert words_said([file for file, is_one in zip(files, few, strict=True) if is_one]) == words_said(list(files))
    assert all(of_its_game for is_one, of_its_game in zip(few, chosen, strict=True) if is_one)
    assert sum(few) < sum(chosen) / 2


def words_said(hands: list[tuple[str, HandFile]]) -> frozenset[str]:
    return frozenset[str]().union(*(words_of(hand_file) for _, hand_file in hands))


def parts_shown(hands: list[tuple[str, HandFile]]) -> set[tuple[str, str]]:
    """Each part of a document, with the equipment of the table."""
    return {(name[:7], hand_file.setup.equipment.value) for name, hand_file in hands}
