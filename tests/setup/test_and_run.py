"""What `tablectl setup` writes is a table: the controller starts with it, finds its devices, and a hand is dealt."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Final

import pytest

from simulators.devices.world import PhysicalCard
from simulators.stage.croupier import Croupier
from simulators.stage.fault_plan import Level
from simulators.stage.games import Band
from simulators.stage.readers import name_of
from simulators.stage.stage import Scene, Stage, temporary_folder
from simulators.stage.summary import check
from tablectl.cli.main import main as tablectl
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import RULEBOOKS
from tests.setup.tables import LIMITS, answers, toml

pytestmark = pytest.mark.system

NAME: Final = "mesa-7"
SEATS: Final = 2


class SetUp(Stage):
    """A stage whose configuration comes from `tablectl setup`: with its places, its names and its settings."""

    def __init__(self, scene: Scene, folder: Path) -> None:
        super().__init__(scene, folder)
        state = folder / "var/lib/tablectl" / NAME
        self.config = folder / f"etc/tablectl/{NAME}.toml"
        self.journal, self.copy = state / "table.db", state / "table.copy"
        self.socket = folder / "run/tablectl" / NAME / "table.sock"

    def configure(self, scene: Scene) -> None:
        path = self.folder / "answers.toml"
        path.write_text(toml(answered(scene, self.folder)), encoding="utf-8")
        words = ["setup", "--answers", str(path), "--below", str(self.folder)]
        status = tablectl([*words, "--usb-bus", f"unix:{self.folder}/usb.sock"])
        assert status == 0

    def enrol(self, cards: tuple[PhysicalCard, ...]) -> None:
        """In the register that the configuration names, with the keys of its journal."""
        state = self.journal.parent
        for name in ("table.key", "table.sign"):
            shutil.copy2(self.folder / name, state / name)
        super().enrol(cards)
        if self.antennas:
            shutil.copy2(self.folder / "decks.db", state / "decks.db")


def answered(scene: Scene, folder: Path) -> dict[str, object]:
    game = scene.rulebook
    said = answers(game, equipment=scene.equipment.value) | {f"{game}.seats": scene.seats, "screens.port": 18420}
    if scene.has_shoe:
        said["shoe.port"] = str(folder / "sabot")
    for spot in scene.antennas:
        said[f"readers.{spot}"] = str(folder / name_of(spot))
    return said


def scene(game: str, equipment: Equipment = Equipment.SHOE) -> Scene:
    """As the answers have it."""
    bets = {key.split(".")[1] for key in LIMITS[game] if key.endswith(".limits")}
    limits = {bet: band(game, bet) for bet in sorted(bets)}
    resto = LIMITS[game].get(f"{game}.resto")
    return Scene(
        rulebook=game,
        table="Mesa 7",
        seats=SEATS,
        limits=limits,
        chip=100,
        agreed_resto=resto if isinstance(resto, int) else None,
        equipment=equipment,
    )


def band(game: str, bet: str) -> Band:
    limits, authorised = (LIMITS[game][f"{game}.{bet}.{key}"] for key in ("limits", "authorised"))
    assert isinstance(limits, list)
    assert isinstance(authorised, list)
    return Band(least=limits[0], most=limits[1], authorised=(authorised[0], authorised[1]))


def play_one_hand(of: Scene) -> None:
    with temporary_folder() as folder, SetUp(of, Path(folder)) as stage:
        croupier = Croupier(stage, seed=3, level=Level.NONE, pause=lambda _: None, pit_boss_waits_s=0.0)
        croupier.play(1)
        stage.stop_controller()
        checked = check(stage.journal)
        assert checked.good
        # As the auditor does with the key that left the table on its first day.
        key = shutil.copy(stage.journal.with_suffix(".pub"), folder)
        assert tablectl(["journal", "verify", str(stage.journal), "--key", str(key)]) == 0
        assert croupier.felt.ledger.agrees


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=() if game == "texas-bonus" else pytest.mark.wide) for game in RULEBOOKS]
)
def test_a_table_that_was_set_up_runs_and_deals_a_hand(game: str) -> None:
    play_one_hand(scene(game))


@pytest.mark.wide
@pytest.mark.parametrize("equipment", [Equipment.ANTENNAS, Equipment.BOTH])
def test_so_does_one_with_antennas_under_its_felt(equipment: Equipment) -> None:
    play_one_hand(scene("texas-bonus", equipment))


@pytest.mark.wide
def test_check_config_says_that_it_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    with temporary_folder() as folder:
        stage = SetUp(scene("texas-bonus"), Path(folder))
        stage.configure(stage.scene)
        capsys.readouterr()
        assert tablectl(["check-config", "--language", "en", str(stage.config)]) == 0
        said = capsys.readouterr().out
    assert ": good: Mesa 7, texas-bonus, 2 seats, tracking amounts" in said
    assert "there is no folder" not in said
