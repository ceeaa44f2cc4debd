"""Hand histories replayed by the engine: what is the same, what is different, and what these games have not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from simulators.stage.bench.published import published as published_texts
from tablectl.phh.file import hands
from tablectl.phh.hand import Hand
from tablectl.phh.house import RULEBOOKS, published
from tablectl.phh.outcome import Ending, Replayed
from tablectl.phh.replay import Replayer
from tests.phh.replay import by_pokerkit, stacks_of
from tests.settlement.pokerkit_hands import played
from tests.settlement.test_pots_by_pokerkit import NOTHING_ODD

FOLDER = Path(__file__).parent / "hands"
GOOD = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 ????", "d dh p2 AsAd", "d dh p3 KsKd", "p3 cbr 6", "p1 f", "p2 cc",
  "d db 2c7d9h", "p2 cc", "p3 cc", "d db Tc", "p2 cbr 10", "p3 cc", "d db 3s", "p2 cc", "p3 cc",
  "p2 sm AsAd", "p3 sm"]
finishing_stacks = [99, 117, 84]
"""
#: Everybody goes all-in before the flop; p2 has most.
ALL_IN = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 300, 200]
actions = ["d dh p1 AhAc", "d dh p2 QsQd", "d dh p3 KsKd", "p3 cbr 200", "p1 cc", "p2 cc", "p3 sm -", "p1 sm -",
  "p2 sm -", "d db 2c7d9h", "d db Tc", "d db 3s"]
finishing_stacks = [300, 100, 200]
"""


def hand_of(text: str) -> Hand:
    (found,) = hands(text, "x.phh")
    assert isinstance(found.read, Hand), found.read
    return found.read


def replayed(text: str, rulebook: str = "open-holdem") -> Replayed:
    return Replayer(rulebook, published(rulebook)).replay(hand_of(text))


def told(text: str) -> tuple[Ending, int | None, str]:
    """How the replay ended, at which action, and what is said of it."""
    found = replayed(text)
    return found.ending, found.at, "; ".join(found.what)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
@pytest.mark.parametrize("text", [GOOD, ALL_IN])
def test_a_hand_is_played_to_its_end(text: str, rulebook: str) -> None:
    found = replayed(text, rulebook)
    assert (found.ending, found.stacks) == (Ending.SAME, hand_of(text).finishing_stacks)


@pytest.mark.parametrize(
    ("before", "after", "at", "what"),
    [
        ('"p1 f"', '"p2 f"', 5, "p2 f: turn of p1: not-in-turn (THO-RND-2)"),
        ('"p3 cbr 6"', '"p3 cbr 3"', 4, "p3 cbr 3: turn of p3: illegal-action (THO-ACT-6): legal: call=2 raise=4"),
        ('"p3 cbr 6"', '"p3 cbr 101"', 4, "p3 cbr 101: turn of p3: illegal-action (THO-ALL-1): legal: call=2 raise=4"),
        ('"p2 cbr 10", "p3 cc"', '"p2 cbr 10", "p3 cbr 19"', 12, "p3 cbr 19: turn of p3: illegal-action"),
        ('"p1 f", "p2 cc"', '"p1 f"', 6, "a common card is dealt, and it is the turn of p2"),
        ('"p1 f", "p2 cc"', '"p1 f", "p2 cc", "p3 cc"', 7, "p3 cc: nobody can act now"),
        ("99, 117, 84", "99, 116, 85", None, "finishing_stacks[2]: 116 in the file, 117 here; finishing_stacks[3]: 85"),
        (', "p3 sm"', "", None, "the actions end, and p3 has to show or to give up"),
        ('"d db 3s", "p2 cc", "p3 cc",\n  "p2 sm AsAd", "p3 sm"', "", None, "the actions end, and common cards are to"),
    ],
)  # fmt: skip
def test_a_difference_is_told_with_its_action(before: str, after: str, at: int | None, what: str) -> None:
    assert before in GOOD
    ending, where, said = told(GOOD.replace(before, after))
    assert (ending, where) == (Ending.DIFFERS, at)
    assert said.startswith(what), said


def test_amounts_are_told_as_the_file_writes_them() -> None:
    text = GOOD.replace("[100, 100, 100]", "[1.00, 1.00, 1.00]").replace("[1, 2, 0]", "[0.01, 0.02, 0]")
    text = text.replace("min_bet = 2", "min_bet = 0.02").replace("cbr 6", "cbr 0.06").replace("cbr 10", "cbr 0.10")
    assert (
        told(text.replace("[99, 117, 84]", "[0.99, 1.16, 0.84]"))[2]
        == "finishing_stacks[2]: 1.16 in the file, 1.17 here"
    )


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("[1, 2, 0]", "[1, 2, 4]", "a straddle or an entry bet"),
        ("[1, 2, 0]", "[2, 2, 0]", "blinds that are not 1 and 2, by the lowest bet (THL-DLG-2, THO-BLD-3)"),
        ("min_bet = 2", "min_bet = 4", "blinds that are not 2 and 4, by the lowest bet (THL-DLG-2, THO-BLD-3)"),
        ("[1, 2, 0]", "[2, 0, 2]", "no small blind"),
        ("antes = [0, 0, 0]", "antes = [0, 0, 100]", "an ante that takes somebody's whole stack"),
        ('"NT"\nantes = [0, 0, 0]', '"PT"\nantes = [1, 1, 1]', "antes at a pot limit"),
    ],
)
def test_what_these_games_have_not_is_said_and_is_no_difference(before: str, after: str, what: str) -> None:
    assert before in GOOD
    assert told(GOOD.replace(before, after)) == (Ending.SKIPPED, None, what)


def test_a_fixed_limit_doubles_and_a_table_has_ten_seats() -> None:
    fixed = GOOD.replace('"NT"', '"FT"').replace("min_bet = 2", "small_bet = 2\nbig_bet = 5")
    assert told(fixed)[2] == "a big bet that is not twice the small one (THO-LIM-1)"
    hand = replace(hand_of(GOOD), starting_stacks=(100,) * 11)
    assert Replayer("open-holdem", published("open-holdem")).replay(hand).what == (
        "11 players, and a table has 10 seats",
    )


def test_a_file_that_stops_without_naming_an_end_is_no_difference() -> None:
    text = GOOD.replace(', "p3 sm"', "").replace("finishing_stacks = [99, 117, 84]\n", "")
    assert told(text) == (Ending.UNFINISHED, None, "the actions end, and p3 has to show or to give up")


@pytest.mark.parametrize(
    ("before", "after", "at", "what"),
    [
        ("2c7d9h", "2c7d??", 7, "a common card is not told"),
        ('"d dh p2 AsAd"', '"d dh p2 ????"', None, "cards that were shown are not told"),
    ],
)
def test_cards_that_decide_and_are_not_told_leave_a_hand_without_an_end(
    before: str, after: str, at: int | None, what: str
) -> None:
    text = GOOD.replace(before, after).replace('"p2 sm AsAd", "p3 sm"', '"p2 sm -", "p3 sm -"')
    assert told(text) == (Ending.UNFINISHED, at, what)


def test_cards_that_were_shown_need_not_have_been_told_before() -> None:
    assert replayed(GOOD.replace('"d dh p2 AsAd"', '"d dh p2 ????"')).ending is Ending.SAME


def test_who_shows_before_his_turn_is_no_difference() -> None:
    text = GOOD.replace('"p2 sm AsAd", "p3 sm"', '"p3 sm KsKd", "p2 sm AsAd"')
    assert replayed(text).ending is Ending.SAME


def test_the_last_hand_that_is_left_wins_though_it_was_not_shown() -> None:
    text = GOOD.replace('"p2 sm AsAd", "p3 sm"', '"p2 sm", "p3 sm"').replace("[99, 117, 84]", "[99, 84, 117]")
    assert replayed(text).ending is Ending.SAME


def test_an_only_player_with_chips_may_check_once_more() -> None:
    text = ALL_IN.replace('"p3 sm -"', '"p2 cc", "p3 sm -"')
    assert told(text)[0] is Ending.SAME
    for action in ("p1 f", "p1 cc", "p2 f"):
        assert told(ALL_IN.replace('"p3 sm -"', f'"{action}", "p3 sm -"'))[2] == f"{action}: nobody can act now"
    won = ALL_IN.replace('"p1 cc", "p2 cc"', '"p1 f", "p2 f", "p3 cc"')
    assert told(won)[2] == "p3 cc: nobody can act now"


@pytest.mark.parametrize(("antes", "ends"), [("[1, 1, 1]", (98, 119, 83)), ("[0, 3, 0]", (99, 117, 84))])
def test_antes_go_to_the_main_pot(antes: str, ends: tuple[int, ...]) -> None:
    text = GOOD.replace("antes = [0, 0, 0]", f"antes = {antes}").replace("finishing_stacks = [99, 117, 84]\n", "")
    assert replayed(text).stacks == ends == tuple(by_pokerkit(hand_of(text)).stacks)


def test_the_winners_of_a_shared_pot_share_the_antes_too() -> None:
    tie = GOOD.replace("AsAd", "KhKc").replace('"p3 sm"', '"p3 sm -"').replace("finishing_stacks = [99, 117, 84]\n", "")
    text = tie.replace("antes = [0, 0, 0]", "antes = [2, 2, 2]")
    assert replayed(text).stacks == (97, 102, 101)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_an_odd_chip_goes_to_the_left_of_the_button_or_to_who_bet_last(rulebook: str) -> None:
    text = """variant = "NT"
antes = [0, 0, 0]
blinds_or_straddles = [1, 2, 0]
min_bet = 2
starting_stacks = [100, 100, 100]
actions = ["d dh p1 KhKc", "d dh p2 KsKd", "d dh p3 ????", "p3 cbr 5", "p1 cc", "p2 cbr 12", "p3 f", "p1 cc",
  "d db 2c7d9h", "p1 cc", "p2 cc", "d db Tc", "p1 cc", "p2 cc", "d db 3s", "p1 cc", "p2 cc", "p2 sm -", "p1 sm -"]
"""
    assert (
        replayed(text, rulebook).stacks
        == {
            "open-holdem": (103, 102, 95),
            "circle-holdem": (102, 103, 95),
        }[rulebook]
    )


def test_a_blind_that_nobody_posts_is_that_of_a_player_who_left() -> None:
    text = GOOD.replace("[1, 2, 0]", "[2, 0, 0]").replace('"p3 cbr 6", "p1 f", "p2 cc"', '"p2 cbr 6", "p3 cc", "p1 f"')
    assert replayed(text.replace("[99, 117, 84]", "[98, 118, 84]")).ending is Ending.SAME


def test_of_two_players_the_second_has_the_button() -> None:
    (found,) = hands((FOLDER / "pot-limit.phh").read_text(encoding="utf-8"), "pot-limit.phh")
    assert isinstance(found.read, Hand)
    assert Replayer("open-holdem", published("open-holdem")).replay(found.read).stacks == (400, 100)
    other = {**published("open-holdem"), "two_players": "left-of-button"}
    assert Replayer("open-holdem", other).replay(found.read).ending is Ending.DIFFERS


def test_a_house_that_burns_has_its_burns() -> None:
    house = {**published("open-holdem"), "burn": "every-street", "shuffle": "in-shoe"}
    assert Replayer("open-holdem", house).replay(hand_of(GOOD)).ending is Ending.SAME


def test_a_hand_that_went_wrong_leaves_nothing_behind_for_the_next_one() -> None:
    replayer = Replayer("open-holdem", published("open-holdem"))
    bad = hand_of(GOOD.replace('"p1 f"', '"p2 f"'))
    endings = [replayer.replay(hand).ending for hand in (hand_of(GOOD), bad, hand_of(GOOD), hand_of(ALL_IN))]
    assert endings == [Ending.SAME, Ending.DIFFERS, Ending.SAME, Ending.SAME]


def test_a_stack_that_nobody_knows_is_not_known_at_the_end() -> None:
    text = GOOD.replace("[100, 100, 100]", "[100, 100, inf]")
    assert replayed(text).stacks == (99, 117, None)


def test_hands_that_were_really_played_are_replayed_and_end_as_in_pokerkit() -> None:
    replayer = Replayer("open-holdem", published("open-holdem"))
    texts = published_texts()
    for text in texts:
        hand = hand_of(text)
        named = replace(hand, finishing_stacks=tuple(by_pokerkit(hand).stacks))
        assert replayer.replay(named).ending is Ending.SAME, text
    assert len(texts) >= 26


@pytest.mark.wide
def test_random_hands_that_pokerkit_wrote_end_as_they_did() -> None:
    replayer = Replayer("open-holdem", published("open-holdem"))
    chance = Random(11)
    skipped = 0
    for _ in range(150):
        theirs = played(chance, unit=NOTHING_ODD)
        hand = hand_of(theirs.history)
        found = replayer.replay(hand)
        if found.ending is Ending.SKIPPED:
            skipped += 1
        else:
            stacks = tuple(now + won for now, won in zip(stacks_of(hand), theirs.won, strict=True))
            assert found.stacks == stacks, (theirs.history, found)
    assert skipped < 20
