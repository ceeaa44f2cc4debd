"""What ships for `open-holdem`, and what it has in common with the circle game of the house."""

from __future__ import annotations

from tablectl.core.options.choices import choices, profile_of
from tablectl.games.circle_holdem.options import CircleHoldemProfile
from tablectl.games.open_holdem.options import OpenHoldemProfile
from tablectl.i18n.texts import load_texts


def test_what_ships_is_our_ruling() -> None:
    assert {name: choice.default for name, choice in choices(OpenHoldemProfile).items()} == {
        "structure": "no-limit",
        "minimum_raise": "last-full-raise",
        "short_all_in": "full-raise-only",
        "absence": "full-lap",
        "vacated_blind": "next-seat",
        "first_button": "random",
        "two_players": "left-of-button",
        "shuffle": "by-hand",
        "two_actions": "two-players",
        "reconstruction": "readers",
        "exposed_count": "together",
        "missing_card_late": "stands",
        "blind_without_cards": "returned",
        "exposed_card": "after-the-deal",
        "burn": "every-street",
        "burn_fault": "put-right",
        "flop_count": "keep-unseen",
        "early_turn": "after-the-round",
        "early_river": "after-the-round",
        "early_board": "into-the-stub",
        "reshuffled_stub": "stub-alone",
        "protected_hand": "own-stake",
        "folded_cards": "never",
        "short_raise": "word-completes",
        "out_of_turn": "may-fold",
        "several_chips": "raise-if-enough",
        "skipped_late": "loses-the-round",
        "contact_bets": "lost",
        "wrong_amount_until": "next-action",
        "last_bet": "whole-hand",
        "odd_chip": "clockwise",
        "objection": "pit-boss",
        "fee": "none",
        "all_in_shown": "prohibited",
        "prohibitions": "warn-then-pit-boss",
    }
    assert profile_of(OpenHoldemProfile, {}, "house.toml") == OpenHoldemProfile()


def test_its_choices_are_those_of_the_circle_game_and_whether_to_burn() -> None:
    """It states no errors, and at a table they are that game's."""
    opened, circle = choices(OpenHoldemProfile), choices(CircleHoldemProfile)
    assert opened.keys() - circle.keys() == {"burn"}
    assert circle.keys() <= opened.keys()
    for name, choice in circle.items():
        other = opened[name]
        assert (other.ambiguity, other.values) == (choice.ambiguity, choice.values)
        assert load_texts().has("house-choice", name), "one sentence for both games"


def test_what_ships_differs_where_our_rulings_differ() -> None:
    opened, circle = choices(OpenHoldemProfile), choices(CircleHoldemProfile)
    assert {name: opened[name].default for name in circle if opened[name].default != circle[name].default} == {
        "minimum_raise": "last-full-raise",
        "short_all_in": "full-raise-only",
        "first_button": "random",
        "folded_cards": "never",
        "odd_chip": "clockwise",
    }
