"""The profiles there are, one line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.profile.choices import Choice, Profile, choices
from tablectl.profile.circle_holdem import CircleHoldemProfile
from tablectl.profile.draw_poker import DrawPokerProfile
from tablectl.profile.open_holdem import OpenHoldemProfile
from tablectl.profile.texas_bonus import TexasBonusProfile
from tablectl.profile.texas_poker import TexasPokerProfile

#: The choices of a house, by rulebook id.
PROFILES: Final[Mapping[str, type[Profile]]] = {
    TexasBonusProfile.rulebook: TexasBonusProfile,
    TexasPokerProfile.rulebook: TexasPokerProfile,
    CircleHoldemProfile.rulebook: CircleHoldemProfile,
    OpenHoldemProfile.rulebook: OpenHoldemProfile,
    DrawPokerProfile.rulebook: DrawPokerProfile,
}


def choices_of(rulebook: str) -> dict[str, Choice]:
    """Every key that a house has at a rulebook, with what it decides; none for a rulebook without a profile."""
    kind = PROFILES.get(rulebook)
    return {} if kind is None else choices(kind)
