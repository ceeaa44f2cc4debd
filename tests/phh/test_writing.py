"""What is written is read back as the same hand."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from tablectl.phh.file import hands
from tablectl.phh.hand import Hand
from tablectl.phh.writing import hand_text, hands_text
from tests.phh.test_file import FOLDER
from tests.settlement.pokerkit_hands import played


def read(text: str) -> list[Hand]:
    found = [hand.read for hand in hands(text, "x")]
    good = [hand for hand in found if isinstance(hand, Hand)]
    assert len(good) == len(found), found
    return good


def bare(hand: Hand) -> Hand:
    """A hand without what is not written: names of players, and the places of commentaries."""
    return replace(hand, players=None, actions=tuple(replace(action, at=0) for action in hand.actions))


@pytest.mark.parametrize("file", sorted(FOLDER.iterdir()), ids=lambda file: file.name)
def test_our_own_hands_come_back(file: Path) -> None:
    ours = read(file.read_text(encoding="utf-8"))
    assert [bare(hand) for hand in read(hands_text(ours))] == [bare(our) for our in ours]
    assert [bare(hand) for hand in read(hand_text(ours[0]))] == [bare(ours[0])]


def test_hands_that_pokerkit_wrote_come_back() -> None:
    chance = Random(3)
    for _ in range(30):
        (hand,) = read(played(chance).history)
        assert [bare(written) for written in read(hand_text(hand))] == [bare(hand)]
