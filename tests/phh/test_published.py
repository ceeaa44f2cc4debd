"""Every hand that is read plays in PokerKit as PokerKit reads it, and our pots pay what it pays."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest
from pokerkit import HandHistory

from simulators.stage.bench.published import published
from tablectl.phh.file import hands
from tablectl.phh.hand import Hand, Variant
from tests.phh.replay import by_our_pots, by_pokerkit, stacks_of
from tests.settlement.pokerkit_hands import played
from tests.settlement.test_pots_by_pokerkit import NOTHING_ODD

FILES = sorted((Path(__file__).parent / "hands").iterdir())


def good(text: str, name: str) -> list[Hand]:
    """The hands of a text without a mistake."""
    found = []
    for hand in hands(text, name):
        assert isinstance(hand.read, Hand), hand.read
        found.append(hand.read)
    return found


@pytest.mark.wide
def test_hands_that_were_really_played_are_read_and_played_as_pokerkit_does() -> None:
    texts = published()
    for text in texts:
        (hand,) = good(text, "published")
        theirs = tuple(HandHistory.loads(text))[-1]
        ours = by_pokerkit(hand)
        assert not ours.status
        assert tuple(ours.stacks) == tuple(theirs.stacks), text
        assert by_our_pots(hand) == tuple(theirs.stacks), text
    variants = [good(text, "published")[0].variant for text in texts]
    assert variants.count(Variant.FIXED_LIMIT) >= 15
    assert variants.count(Variant.NO_LIMIT) >= 11


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_our_own_hands_end_with_the_stacks_that_they_name(file: Path) -> None:
    named = 0
    for hand in good(file.read_text(encoding="utf-8"), file.name):
        state = by_pokerkit(hand)
        if state.status:
            continue
        named += hand.finishing_stacks is not None
        assert tuple(state.stacks) == (hand.finishing_stacks or tuple(state.stacks))
        assert by_our_pots(hand) == tuple(state.stacks)
        assert sum(state.stacks) == sum(stacks_of(hand))
    assert named or file.name == "fixed-limit.phh"


@pytest.mark.wide
def test_random_hands_that_pokerkit_wrote_are_read_and_end_as_they_did() -> None:
    chance = Random(7)
    for _ in range(100):
        played_hand = played(chance, unit=NOTHING_ODD)
        (hand,) = good(played_hand.history, "random")
        won = tuple(now - before for now, before in zip(by_pokerkit(hand).stacks, stacks_of(hand), strict=True))
        assert won == played_hand.won, played_hand.history
        assert hand.board == played_hand.board
        ours = zip(by_our_pots(hand), stacks_of(hand), strict=True)
        assert tuple(now - before for now, before in ours) == played_hand.won, played_hand.history
