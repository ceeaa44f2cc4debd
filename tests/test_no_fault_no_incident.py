"""Tables at which nothing goes wrong, over their wires: each game with each equipment, and not one incident."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from simulators.stage.accounts import cards_on_record, check_cards
from simulators.stage.croupier import Croupier
from simulators.stage.fault_plan import Level
from simulators.stage.readers import Reading
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import RULEBOOKS

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


def clauses_of(scene: Scene, *, hands: int) -> Counter[str]:
    """What there was an incident about, by clause. Every card that was dealt is on record once, in order."""
    with temporary_folder() as folder, Stage(scene, Path(folder)) as stage:
        croupier = Croupier(stage, seed=scene.seed, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0)
        for hand in range(1, hands + 1):
            croupier.play(hand)
            check_cards(hand, [card.face for card in croupier.cards], cards_on_record(stage.journal, hand))
        assert stage.stop_controller() == 0, stage.last_words()
        assert check(stage.journal).good
        return croupier.felt.clauses


@pytest.mark.parametrize(("equipment", "has_rfid_shoe"), EQUIPMENT.values(), ids=EQUIPMENT)
@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_where_nothing_goes_wrong_there_is_no_incident(
    rulebook: str, equipment: Equipment, *, has_rfid_shoe: bool
) -> None:
    scene = Scene(rulebook=rulebook, equipment=equipment, has_rfid_shoe=has_rfid_shoe, reading=Reading(), seed=14)
    assert clauses_of(scene, hands=HANDS) == {}
