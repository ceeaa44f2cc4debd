"""What ships for `texas-bonus`."""

from __future__ import annotations

from tablectl.core.options.choices import choices, profile_of
from tablectl.games.texas_bonus.options import TexasBonusProfile, WrongCountSeat


def test_what_ships_is_our_ruling() -> None:
    assert {name: choice.default for name, choice in choices(TexasBonusProfile).items()} == {
        "pair_of_jacks_bonus": "loses",
        "ante_below_straight": "returned",
        "bank_exposed_until": "last-decision",
        "wrong_count_seat": "void-seat",
        "early_card_seen": "void-hand",
        "face_up_scope": "any-draw",
        "wrong_order": "correct-or-void",
        "deck_fault": "pit-boss",
        "annulled_bets": "returned",
        "shuffle": "by-hand",
        "tie": "equal-ranks",
        "turned_while_dealt": "as-face-up",
        "prohibitions": "warn-then-pit-boss",
    }


def test_thb_err_5_a_house_may_shuffle_the_stub_at_once() -> None:
    found = profile_of(TexasBonusProfile, {"wrong_count_seat": "void-seat-and-reshuffle"}, "house.toml")
    assert found == TexasBonusProfile(wrong_count_seat=WrongCountSeat.VOID_SEAT_AND_RESHUFFLE)
