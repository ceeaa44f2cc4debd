"""A table with restos, and one that can play several games: what its file says of each, and what would be wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulators.stage.games import table_of
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.vocabulary import Equipment, Key, Tracking
from tablectl.core.settlement.pot_rules import Rake, RakeFrom
from tablectl.games.registry import RULEBOOKS
from tests.config import files
from tests.config.files import FOLDER, antennas, written

SHIPPED = FOLDER / "mesa-4.toml"
GOOD = SHIPPED.read_text(encoding="utf-8")
RESTO = "resto = 20000                 # what"
ANTE = "least = 100\nmost = 100\nauthorised = [100, 500]"
CIRCLE = "[games.circle-holdem.limits.bet]"
POKER = "[games.texas-poker]\nseats = 7\n"


def read(tmp_path: Path, *changes: tuple[str, str]) -> Config:
    """The table with every game, with other words in it."""
    return files.read(tmp_path, *changes, text=GOOD)


def test_the_shipped_table_plays_every_game_there_is() -> None:
    config = load(SHIPPED)
    assert config.games.keys() == RULEBOOKS.keys()
    assert config.games["draw-poker"] is config.setup
    assert {game.table for game in config.games.values()} == {"Mesa 4"}
    for rulebook, setup in config.games.items():
        assert setup.rulebook == rulebook
        assert RULEBOOKS[rulebook](setup.profile).id == rulebook


def test_fcd_rst_2_resto_ante_and_limits_are_the_tables() -> None:
    setup = load(SHIPPED).setup
    assert (setup.resto, setup.chip, setup.tracking) == (20_000, 100, Tracking.AMOUNTS)
    assert setup.limits == {"bet": Limits(least=200, most=20_000), "ante": Limits(least=100, most=100)}


@pytest.mark.parametrize("rulebook", RULEBOOKS)
def test_the_panel_has_the_keys_of_every_game(rulebook: str) -> None:
    (panel,) = [device for device in load(SHIPPED).devices if device.role == "panel"]
    assert panel.keys.keys() == set(Key)
    assert set(table_of(rulebook).panel) <= panel.keys.keys()


def test_a_game_takes_from_the_table_what_it_leaves_out(tmp_path: Path) -> None:
    games = load(SHIPPED).games
    assert {name: game.seats for name, game in games.items()} == {
        "draw-poker": 8,
        "circle-holdem": 8,
        "open-holdem": 8,
        "texas-bonus": 7,
        "texas-poker": 7,
    }
    assert {game.tracking for game in games.values()} == {Tracking.AMOUNTS}
    assert {game.chip for game in games.values()} == {100}
    assert [name for name, game in games.items() if game.resto] == ["draw-poker"]
    fewer = read(tmp_path, ("seats = 8 ", "seats = 10"), (POKER, ""))
    assert fewer.games["texas-poker"].seats == 9, "as many as this game has at most"
    assert fewer.games["circle-holdem"].seats == 10


def test_a_game_has_its_own_seats_chip_profile_and_fee(tmp_path: Path) -> None:
    own = (
        "[games.circle-holdem]\nseats = 9\nchip = 50\n[games.circle-holdem.profile]\n"
        'fee = "from-the-pot"\n[games.circle-holdem.fee]\nrate = 500\ncap = 1000\nfrom = "whole-hand"\n'
    )
    setup = read(tmp_path, (CIRCLE, own + CIRCLE)).games["circle-holdem"]
    assert (setup.seats, setup.chip, setup.profile) == (9, 50, {"fee": "from-the-pot"})
    assert setup.fee == Rake(rate=500, cap=1000, taken_from=RakeFrom.WHOLE_HAND)


def test_all_games_share_what_reads_the_cards(tmp_path: Path) -> None:
    text = GOOD.partition("[[device]]")[0].replace('name = "Mesa 4"', 'name = "Mesa 4"\nequipment = "antennas"')
    assert {game.equipment for game in written(tmp_path, text).games.values()} == {Equipment.ANTENNAS}


def test_antennas_look_wherever_a_game_of_the_table_has_cards_dealt(tmp_path: Path) -> None:
    """A game against the bank has a place for the house, and hold'em has a board: five-card draw has neither."""
    own = [f"seat-{seat}" for seat in range(1, 9)]
    readers = "".join(f"{antennas(f'[device.spots]{chr(10)}{spot} = 1', name=spot)}\n" for spot in [*own, "discard"])
    text = GOOD.partition("[[device]]")[0].replace('name = "Mesa 4"', 'name = "Mesa 4"\nequipment = "antennas"')
    alone = text.partition("# --- other games")[0] + "[journal]" + text.partition("[journal]")[2]
    for games, missing in ((alone, []), (text, ["no antenna at burn", "no antenna at board", "no antenna at house"])):
        try:
            written(tmp_path, games + readers)
            found = []
        except BadConfig as wrong:
            found = [mistake.found for mistake in wrong.mistakes]
        assert found == missing


def test_a_table_with_one_game_has_that_one() -> None:
    config = load(SHIPPED.with_name("mesa-1.toml"))
    assert dict(config.games) == {"texas-bonus": config.setup}


#: what is changed, the key that is named, what is told as found, what is told as right
WRONG: dict[str, tuple[tuple[str, str], str, str, str]] = {
    "fcd_rst_2_no_resto": ((RESTO, "# "), "table.resto", "nothing", "everybody begins with, in the smallest unit"),
    "fcd_rst_2_resto_of_nothing": ((RESTO, "resto = 0 # "), "table.resto", "0", "from 1 to 1000000000000 (FCD-RST-2)"),
    "fcd_rst_2_resto_as_a_text": ((RESTO, 'resto = "1" # '), "table.resto", "'1'", "an amount"),
    "fcd_rst_2_resto_as_a_switch": ((RESTO, "resto = true # "), "table.resto", "True", "an amount"),
    "fcd_rst_3_resto_in_half_chips": (
        (RESTO, "resto = 20050 # "),
        "table.resto",
        "20050",
        "whole chips: a multiple of 100 (FCD-RST-3)",
    ),
    "fcd_opn_2_resto_below_the_ante": (
        (ANTE, "least = 20100\nmost = 20100\nauthorised = [100, 30000]"),
        "table.resto",
        "20000",
        "at least the ante, which is 20100 (FCD-OPN-2)",
    ),
    "fcd_opn_2_two_antes": (
        (ANTE, "least = 100\nmost = 101\nauthorised = [100, 500]"),
        "limits.ante.most",
        "101",
        "as limits.ante.least, which is 100: everybody puts in the same (FCD-OPN-2)",
    ),
    "fcd_opn_2_ante_outside_its_band": (
        (ANTE, "least = 600\nmost = 600\nauthorised = [100, 500]"),
        "limits.ante",
        "600..600",
        "100..500 (FCD-EVT-4)",
    ),
    "fcd_evt_4_no_ante": (("[limits.ante]\n" + ANTE, ""), "limits.ante", "nothing", "authorised"),
    "chip_of_nothing": (("chip = 100 ", "chip = 0 "), "table.chip", "0", "from 1 to 1000000000"),
    "profile_value": (('refill = "amount-and-stack"', 'refill = "amonut"'), "profile.refill", "'amonut'", "'amount'"),
    "unknown_game": (
        (CIRCLE, "[games.circle-holdm.limits.bet]"),
        "games.circle-holdm",
        "not known",
        "did you mean 'circle-holdem'?",
    ),
    "the_game_of_the_table": (
        (CIRCLE, "[games.draw-poker.limits.bet]"),
        "games.draw-poker",
        "the game of [table]",
        "[table], [limits] and [profile]",
    ),
    "seats_of_a_game": ((POKER, "[games.texas-poker]\nseats = 10\n"), "games.texas-poker.seats", "10", "from 1 to 9"),
    "unknown_key_of_a_game": (
        (POKER, "[games.texas-poker]\nsaets = 7\n"),
        "games.texas-poker.saets",
        "not known",
        "did you mean 'seats'?",
    ),
    "resto_of_another_game": (
        (POKER, POKER + "resto = 100\n"),
        "games.texas-poker.resto",
        "not known",
        "one of seats, tracking, limits",
    ),
    "tracking_of_a_game": (
        (POKER, POKER + 'tracking = "rounds"\n'),
        "games.texas-poker.tracking",
        "'rounds'",
        "one of presence, amounts",
    ),
    "limits_of_a_game": (
        (CIRCLE + "\nleast = 200", CIRCLE + "\nleast = 0"),
        "games.circle-holdem.limits.bet.least",
        "0",
        "from 1 to",
    ),
    "profile_of_a_game": (
        ('"loses" ', '"wins" '),
        "games.texas-bonus.profile.pair_of_jacks_bonus",
        "'wins'",
        "'pays-10-to-1'",
    ),
    "fee_of_a_game": (
        (CIRCLE, "[games.circle-holdem.fee]\nrate = 500\n" + CIRCLE),
        "games.circle-holdem.fee",
        "a section",
        "in [games.circle-holdem.profile] (AMB-37)",
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_mistake_names_its_key_what_was_found_and_what_would_be_right(tmp_path: Path, what: str) -> None:
    change, key, found, right = WRONG[what]
    with pytest.raises(BadConfig) as caught:
        read(tmp_path, change)
    told = [mistake for mistake in caught.value.mistakes if mistake.key == key]
    assert len(told) == 1, caught.value.mistakes
    assert found in told[0].found
    assert right in told[0].right


def test_fcd_rst_2_without_amounts_there_is_no_resto(tmp_path: Path) -> None:
    rounds = ('tracking = "amounts"', 'tracking = "rounds" ')
    with pytest.raises(BadConfig) as caught:
        read(tmp_path, rounds)
    told = {mistake.key: mistake.right for mistake in caught.value.mistakes}
    assert told["table.resto"] == "nothing where no amounts are entered"
    # Games that cannot be entered in rounds have to say how they are.
    assert "games.texas-poker.tracking" in told
    assert "games.circle-holdem.tracking" not in told


def test_a_section_of_games_that_is_none(tmp_path: Path) -> None:
    text = GOOD.partition("# --- other games")[0].replace("[table]", 'games = "all"\n[table]')
    with pytest.raises(BadConfig) as caught:
        written(tmp_path, text)
    assert [(mistake.key, mistake.found, mistake.right) for mistake in caught.value.mistakes] == [
        ("games", "'all'", "a table [games]")
    ]
