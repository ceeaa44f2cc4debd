"""Which profile belongs to which rulebook."""

from __future__ import annotations

from tablectl.profile.choices import choices
from tablectl.profile.circle_holdem import CircleHoldemProfile
from tablectl.profile.registry import PROFILES, TO_COME, choices_of
from tablectl.profile.texas_poker import TexasPokerProfile
from tablectl.rulebooks.registry import RULEBOOKS


def test_every_profile_stands_under_the_id_of_its_rulebook() -> None:
    for profiles in (PROFILES, TO_COME):
        assert {each.rulebook: each for each in profiles.values()} == dict(profiles)


def test_every_game_that_can_be_played_has_a_profile() -> None:
    assert RULEBOOKS.keys() <= PROFILES.keys()


def test_no_table_can_choose_for_a_game_that_is_to_come() -> None:
    assert TO_COME.keys().isdisjoint(PROFILES)
    assert TO_COME.keys().isdisjoint(RULEBOOKS)


def test_the_choices_of_a_rulebook_are_those_of_its_profile_and_another_has_none() -> None:
    assert choices_of("texas-poker") == choices(TexasPokerProfile)
    assert choices_of("circle-holdem") == choices(CircleHoldemProfile)
    assert choices_of("whist") == {}
