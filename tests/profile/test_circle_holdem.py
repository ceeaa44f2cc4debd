"""What ships for `circle-holdem`."""

from __future__ import annotations

from tablectl.core.options.choices import choices, profile_of
from tablectl.core.options.holdem import FirstButton
from tablectl.core.options.pots import OddChip
from tablectl.games.circle_holdem.options import CircleHoldemProfile


def test_what_ships_is_our_ruling() -> None:
    assert {name: choice.default for name, choice in choices(CircleHoldemProfile).items()} == {
        "structure": "no-limit",
        "minimum_raise": "twice-the-highest",
        "short_all_in": "reopens",
        "absence": "full-lap",
        "vacated_blind": "next-seat",
        "first_button": "high-card",
        "two_players": "left-of-button",
        "shuffle": "by-hand",
        "two_actions": "two-players",
        "reconstruction": "readers",
        "exposed_count": "together",
        "missing_card_late": "stands",
        "blind_without_cards": "returned",
        "exposed_card": "after-the-deal",
        "burn_fault": "put-right",
        "flop_count": "keep-unseen",
        "early_turn": "after-the-round",
        "early_river": "after-the-round",
        "early_board": "into-the-stub",
        "reshuffled_stub": "stub-alone",
        "protected_hand": "own-stake",
        "folded_cards": "three-cases",
        "short_raise": "word-completes",
        "out_of_turn": "may-fold",
        "several_chips": "raise-if-enough",
        "skipped_late": "loses-the-round",
        "contact_bets": "lost",
        "wrong_amount_until": "next-action",
        "last_bet": "whole-hand",
        "odd_chip": "last-bettor",
        "objection": "pit-boss",
        "fee": "none",
        "all_in_shown": "prohibited",
        "prohibitions": "warn-then-pit-boss",
    }
    assert profile_of(CircleHoldemProfile, {}, "house.toml") == CircleHoldemProfile()


def test_thl_sdn_4_an_odd_chip_may_go_clockwise_as_in_the_other_games() -> None:
    found = profile_of(CircleHoldemProfile, {"odd_chip": "clockwise", "first_button": "random"}, "house.toml")
    assert found == CircleHoldemProfile(odd_chip=OddChip.CLOCKWISE, first_button=FirstButton.RANDOM)
