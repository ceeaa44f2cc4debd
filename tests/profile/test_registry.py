"""Which profile belongs to which rulebook."""

from __future__ import annotations

from tablectl.core.options.choices import choices
from tablectl.games.circle_holdem.options import CircleHoldemProfile
from tablectl.games.registry import PROFILES, RULEBOOKS, choices_of
from tablectl.games.texas_poker.options import TexasPokerProfile


def test_every_profile_stands_under_the_id_of_its_rulebook() -> None:
    assert {profile.rulebook: profile for profile in PROFILES.values()} == dict(PROFILES)


def test_every_game_that_can_be_played_has_a_profile() -> None:
    assert RULEBOOKS.keys() == PROFILES.keys()


def test_the_choices_of_a_rulebook_are_those_of_its_profile_and_another_has_none() -> None:
    assert choices_of("texas-poker") == choices(TexasPokerProfile)
    assert choices_of("circle-holdem") == choices(CircleHoldemProfile)
    assert choices_of("whist") == {}
