"""Tables at which nothing goes wrong, over their wires: each game with each equipment, and not one incident."""

from __future__ import annotations

import time
from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from simulators.devices.world import iso15693_tag
from simulators.stage.accounts import cards_on_record, check_cards
from simulators.stage.croupier import Croupier
from simulators.stage.fault_plan import Level
from simulators.stage.noise import NoisyWorld, drop_outs
from simulators.stage.readers import Reading, felt_spots
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check
from tablectl.core.engine.vocabulary import Equipment, Question
from tablectl.games.registry import RULEBOOKS
from tests.thorough import is_thorough

pytestmark = [pytest.mark.slow, pytest.mark.system, pytest.mark.timeout(0)]

HANDS: Final = 200
#: What reads the cards, and whether the shoe reads tags.
EQUIPMENT: Final = {
    "shoe": (Equipment.SHOE, False),
    "rfid-shoe": (Equipment.SHOE, True),
    "antennas": (Equipment.ANTENNAS, False),
    "both": (Equipment.BOTH, False),
    "both-with-an-rfid-shoe": (Equipment.BOTH, True),
}


#: How many hands with readers that are not still.
NOISY_HANDS: Final = 100
#: How long the croupier's hand is on its way to a key, in seconds: what he has laid is seen meanwhile.
TO_A_KEY_S: Final = 0.3
#: What is asked where nothing is wrong: that the deck was shuffled again.
ROUTINE: Final = frozenset({Question.RESHUFFLED, Question.NEW_STUB})


def _share(hands: int) -> int:
    """All of them in `make test-all`, a fifth of them in `make test-slow`: with readers that are not still a hundred
    hands wait for a quarter of an hour."""
    return hands if is_thorough() else hands // 5


def _lets_cards_lie(seconds: float) -> None:
    """For a key the croupier takes longer than for the next card."""
    if seconds > 0.7:
        time.sleep(TO_A_KEY_S)


def clauses_of(scene: Scene, *, hands: int) -> Counter[str]:
    """What there was an incident about, by clause. Every card that was dealt is on record once, in order."""
    with temporary_folder() as folder, Stage(scene, Path(folder)) as stage:
        croupier = Croupier(stage, seed=scene.seed, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0)
        for hand in range(1, hands + 1):
            croupier.play(hand)
            on_record = cards_on_record(stage.journal, hand)
            check_cards(hand, [card.face for card in croupier.cards], on_record, equipment=scene.equipment)
        assert stage.stop_controller() == 0, stage.last_words()
        assert check(stage.journal).good
        return croupier.felt.clauses


@pytest.mark.parametrize(("equipment", "has_rfid_shoe"), EQUIPMENT.values(), ids=EQUIPMENT)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_where_nothing_goes_wrong_there_is_no_incident(
    rulebook: str, equipment: Equipment, *, has_rfid_shoe: bool
) -> None:
    scene = Scene(rulebook=rulebook, equipment=equipment, has_rfid_shoe=has_rfid_shoe, reading=Reading(), seed=14)
    assert clauses_of(scene, hands=_share(HANDS)) == {}


@pytest.mark.parametrize("equipment", [Equipment.ANTENNAS, Equipment.BOTH])
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_where_readers_are_not_still_there_is_no_incident_and_no_question(rulebook: str, equipment: Equipment) -> None:
    scene = Scene(rulebook=rulebook, equipment=equipment, reading=Reading(), seed=22)
    spots = felt_spots(scene.seats)
    world = NoisyWorld(scene.seed, spots, tag_of=iso15693_tag)
    with temporary_folder() as folder, Stage(scene, Path(folder), world=world) as stage:
        croupier = Croupier(stage, seed=scene.seed, level=Level.NONE, pause=_lets_cards_lie, pit_boss_waits_s=0.0)
        with drop_outs(world, stage.antennas, spots, scene.seed):
            croupier.play(_share(NOISY_HANDS))
        assert stage.stop_controller() == 0, stage.last_words()
        assert check(stage.journal).good
    assert croupier.felt.clauses == {}
    assert croupier.felt.questions.keys() <= ROUTINE
