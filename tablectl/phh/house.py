"""Under which rules a hand history is replayed: the table it was played at, or why there is no such table.

A history tells blinds, stacks and limit; everything else is a house's choice. Those that published hands were played
by are `PUBLISHED`; they differ from what ships where the documents say another thing than poker rooms do.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from tablectl.core.engine.facts import Limits, Setup
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.options.choices import choices
from tablectl.core.options.holdem import Structure, TwoPlayers, VacatedBlind
from tablectl.core.options.pots import MinimumRaise, ShortAllIn
from tablectl.core.options.shared import Burn
from tablectl.families.holdem.rulebook import HoldemRulebook
from tablectl.families.holdem.rules import MAX_SEATS
from tablectl.games.game import Game
from tablectl.games.registry import GAMES, PROFILES
from tablectl.phh.hand import HEADS_UP, HOLE_CARDS, Hand, Variant

#: What published hands were played by, where a rulebook has such a choice.
PUBLISHED: Final[Mapping[str, str]] = {
    # of two players the button posts the small blind, and speaks first before the flop (AMB-61)
    "two_players": TwoPlayers.BUTTON,
    # the small blind of a player who left is nobody's (AMB-10)
    "vacated_blind": VacatedBlind.DEAD,
    # a raise is at least as big as the one before, and only such a one lets raise again who has acted (AMB-02, AMB-03)
    "minimum_raise": MinimumRaise.LAST_FULL_RAISE,
    "short_all_in": ShortAllIn.FULL_RAISE_ONLY,
    # the files do not tell burnt cards (AMB-81)
    "burn": Burn.NONE,
}


def _is_told(game: Game) -> bool:
    """Whether hand histories tell hands of this game: with blinds, common cards, and as many cards of his own for each
    player as they have."""
    rulebook = game.as_shipped
    return isinstance(rulebook, HoldemRulebook) and rulebook.places.player == HOLE_CARDS


def _shipped_otherwise(game: Game) -> int:
    """How many of the published choices this game does not have as it ships."""
    shipped = choices(game.options)
    return sum(key not in shipped or shipped[key].default != value for key, value in PUBLISHED.items())


#: The rulebooks that hand histories can be replayed under; first the one that ships nearest to published hands.
RULEBOOKS: Final = tuple(game.id for game in sorted(filter(_is_told, GAMES.values()), key=_shipped_otherwise))

_STRUCTURES: Final[Mapping[Variant, Structure]] = {
    Variant.FIXED_LIMIT: Structure.FIXED_LIMIT,
    Variant.NO_LIMIT: Structure.NO_LIMIT,
    Variant.POT_LIMIT: Structure.POT_LIMIT,
}
#: No table's maximum: more than all the money that a file can name.
_NO_MOST: Final = 10**30
#: How many of the players in the order of the deal post a blind.
_BLINDS: Final = 2


def published(rulebook: str) -> Mapping[str, str]:
    """The choices for published hands, as far as this rulebook has them."""
    return {key: value for key, value in PUBLISHED.items() if key in choices(PROFILES[rulebook])}


def least_bet(hand: Hand) -> int:
    """The lowest bet of the hand's table."""
    least = hand.small_bet if hand.variant is Variant.FIXED_LIMIT else hand.min_bet
    assert least is not None, "a hand that was read has it"
    return least


def setup_of(hand: Hand, rulebook: str, profile: Mapping[str, str]) -> Setup:
    """The table the hand was played at. Its limit is the hand's own, whatever the profile says."""
    return Setup(
        table="phh",
        rulebook=rulebook,
        seats=MAX_SEATS,
        tracking=Tracking.AMOUNTS,
        limits={"bet": Limits(least=least_bet(hand), most=_NO_MOST)},
        profile={**profile, "structure": _STRUCTURES[hand.variant]},
    )


def has_small_blind(hand: Hand) -> bool:
    """Whether somebody posts it; where not, the first player in the order of the deal has the big blind."""
    return _has_small_blind(hand.posted_blinds, least_bet(hand))


def _has_small_blind(posted: tuple[int, ...], least: int) -> bool:
    return posted[0] != least or posted[1] != 0


def why_not(hand: Hand) -> str | None:
    """What the hand has that these games have not; None where it can be replayed."""
    players, blinds, least = len(hand.starting_stacks), hand.posted_blinds, least_bet(hand)
    if players > MAX_SEATS:
        return f"{players} players, and a table has {MAX_SEATS} seats"
    if hand.variant is Variant.FIXED_LIMIT and hand.big_bet != 2 * least:
        return "a big bet that is not twice the small one (THO-LIM-1)"
    small, big = _blinds_in_order(blinds)
    if _has_small_blind(blinds, least):
        if any(blinds[_BLINDS:]):
            return "a straddle or an entry bet"
        if big != least or small * 2 not in (least, least - 1):
            return f"blinds that are not {least // 2} and {least}, by the lowest bet (THL-DLG-2, THO-BLD-3)"
    elif any(blinds[1:]) or not HEADS_UP < players < MAX_SEATS:
        return "no small blind"
    return _why_not_its_antes(hand)


def _blinds_in_order(posted: tuple[int, ...]) -> tuple[int, int]:
    small, big, *_ = posted[::-1] if len(posted) == HEADS_UP else posted
    return small, big


def _why_not_its_antes(hand: Hand) -> str | None:
    """Antes are dead money here; that is all the same as long as everybody can pay his and has chips left."""
    if not any(hand.antes):
        return None
    if hand.variant is Variant.POT_LIMIT:
        return "antes at a pot limit"
    for ante, stack in zip(hand.posted_antes, hand.starting_stacks, strict=True):
        if stack is not None and 0 < stack <= ante:
            return "an ante that takes somebody's whole stack"
    return None
