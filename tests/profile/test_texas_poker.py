"""What ships for `texas-poker`, and what it has in common with the other game against the house."""

from __future__ import annotations

from tablectl.core.options.choices import choices, profile_of
from tablectl.games.texas_bonus.options import TexasBonusProfile
from tablectl.games.texas_poker.options import TexasPokerProfile


def test_what_ships_is_our_ruling() -> None:
    assert {name: choice.default for name, choice in choices(TexasPokerProfile).items()} == {
        "second_bet": "twice-the-ante",
        "txb_aces": "any-of-five",
        "ante_without_bank": "pay-table",
        "bank_exposed_until": "reveal",
        "burn": "none",
        "bank_card": "last",
        "wrong_count_until": "first-flop-card",
        "deck_fault": "void-hand",
        "contact_bets": "lost",
        "standing_bets": "three-in-all",
        "tie": "equal-ranks",
        "annulled_bets": "returned",
        "early_card_seen": "void-hand",
        "turned_while_dealt": "void-hand",
        "prohibitions": "warn-then-pit-boss",
    }
    assert profile_of(TexasPokerProfile, {}, "house.toml") == TexasPokerProfile()


def test_what_both_documents_leave_open_alike_is_the_same_choice_with_a_ruling_for_each() -> None:
    poker, bonus = choices(TexasPokerProfile), choices(TexasBonusProfile)
    alike = [name for name in poker if name in bonus and poker[name].values == bonus[name].values]
    assert alike == ["deck_fault", "annulled_bets", "early_card_seen", "prohibitions"]
    assert [(poker[name].default, bonus[name].default) for name in alike] == [
        ("void-hand", "pit-boss"),
        ("returned", "returned"),
        ("void-hand", "void-hand"),
        ("warn-then-pit-boss", "warn-then-pit-boss"),
    ]
    assert all(poker[name].ambiguity == bonus[name].ambiguity for name in alike)
