"""What of a page depends on the game, held against the rulebooks there are."""

from __future__ import annotations

import pytest

from tablectl.core.engine.keys import SHORT_CUTS
from tablectl.core.engine.vocabulary import Key
from tablectl.families.banked.rulebook import BankedRulebook
from tablectl.games.registry import RULEBOOKS
from tablectl.web.screens.games import game_of

CIRCLE = {Key.CALL, Key.RAISE, Key.ALL_IN, Key.SHOW, Key.SHOW_ALL}
BANKED = {Key.BONUS, Key.ALL_BET, Key.BANK, Key.BANK_EXPOSED}
#: The keys that a game never lights.
UNUSED = {
    "texas-bonus": CIRCLE,
    "texas-poker": CIRCLE | {Key.CHECK, Key.ALL_CHECK},
    "circle-holdem": BANKED,
    "open-holdem": BANKED,
    "draw-poker": BANKED,
}


def bets_of(rulebook: str) -> set[str]:
    book = RULEBOOKS[rulebook]({})
    return set(book.bets) if isinstance(book, BankedRulebook) else set()


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_a_players_zone_has_the_boxes_of_its_rulebook_and_no_others(rulebook: str) -> None:
    assert set(game_of(rulebook).boxes) == bets_of(rulebook)


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_every_key_that_a_game_can_use_is_on_the_panel_once_but_those_of_the_list(rulebook: str) -> None:
    shown = [key for row in game_of(rulebook).key_rows for key in row]
    assert len(shown) == len(set(shown))
    seats = {key for key in Key if key.startswith("seat-")}
    assert set(shown) == set(Key) - seats - UNUSED[rulebook] - SHORT_CUTS.keys()


def test_only_where_players_bet_against_each_other_is_a_game_a_circle() -> None:
    assert {rulebook for rulebook in RULEBOOKS if game_of(rulebook).is_circle} == {
        "circle-holdem",
        "open-holdem",
        "draw-poker",
    }
    assert {rulebook for rulebook in RULEBOOKS if game_of(rulebook).is_draw} == {"draw-poker"}


def test_people_bet_standing_where_the_rulebook_lets_them() -> None:
    assert [game_of(text).has_standing for text in ("texas-bonus", "texas-poker")] == [False, True]


def test_before_anybody_says_which_game_it_is_there_is_a_panel() -> None:
    assert game_of("").rulebook == "texas-bonus"
