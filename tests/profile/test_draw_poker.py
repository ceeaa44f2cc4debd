"""What ships for `draw-poker`, and what it takes from the circle game of the house."""

from __future__ import annotations

from tablectl.core.options import pots
from tablectl.core.options.choices import choices, profile_of
from tablectl.core.options.draw import MostDiscards
from tablectl.games.circle_holdem.options import CircleHoldemProfile
from tablectl.games.draw_poker.options import DrawPokerProfile


def test_what_ships_is_our_ruling() -> None:
    assert {name: choice.default for name, choice in choices(DrawPokerProfile).items()} == {
        "dealer_ante": "same",
        "most_discards": "five",
        "false_opening": "refused",
        "second_round": "left-of-dealer",
        "all_pass": "first-round",
        "above_resto": "all-in",
        "minimum_raise": "any-greater-amount",
        "short_all_in": "full-raise-only",
        "short_raise": "word-completes",
        "several_chips": "raise-if-enough",
        "out_of_turn": "may-fold",
        "skipped_late": "loses-the-round",
        "wrong_amount_until": "next-action",
        "new_stub": "all-discards",
        "draw_count": "as-in-the-deal",
        "last_bet": "whole-hand",
        "odd_chip": "clockwise",
        "refill": "amount-and-stack",
        "refill_until": "first-card",
        "leaving_ahead": "pit-boss",
        "shuffle": "by-hand",
        "redeal_until": "first-bet",
        "annulled_bets": "stay",
        "deck_fault": "on-demand",
        "unlooked_count": "redeal",
        "six_and_four": "unlooked-and-no-bet",
        "contact_bets": "lost",
        "protected_hand": "own-stake",
        "prohibitions": "warn-then-pit-boss",
    }
    assert profile_of(DrawPokerProfile, {}, "house.toml") == DrawPokerProfile()


def test_fcd_dsc_8_a_house_may_limit_the_draw_to_three_cards() -> None:
    found = profile_of(DrawPokerProfile, {"most_discards": "three"}, "house.toml")
    assert found == DrawPokerProfile(most_discards=MostDiscards.THREE)


def test_errors_in_the_betting_are_settled_as_in_the_circle_game() -> None:
    draw, circle = choices(DrawPokerProfile), choices(CircleHoldemProfile)
    alike = {
        "short_raise": pots.ShortRaise.WORD_COMPLETES,
        "several_chips": pots.SeveralChips.RAISE_IF_ENOUGH,
        "out_of_turn": pots.OutOfTurn.MAY_FOLD,
        "skipped_late": pots.SkippedLate.LOSES_THE_ROUND,
        "wrong_amount_until": pots.WrongAmountUntil.NEXT_ACTION,
        "contact_bets": "lost",
        "protected_hand": pots.ProtectedHand.OWN_STAKE,
    }
    for name, value in alike.items():
        assert draw[name].default == circle[name].default == value
        assert draw[name].values == circle[name].values
