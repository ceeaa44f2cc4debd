"""What is proposed is what the shipped examples have, and what a rulebook allows."""

from __future__ import annotations

from pathlib import Path

import pytest

from drivers.registry import DRIVERS
from tablectl.config.limits import limits_of
from tablectl.config.table_file import load
from tablectl.core.engine.vocabulary import Key, Tracking
from tablectl.games.registry import GAMES, LIMIT_RULES, RULEBOOKS
from tablectl.ops.setup.money import Amount, Band, exponent_of
from tablectl.ops.setup.proposals import keys_for
from tablectl.ops.setup.questions import Refused

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("example", ["mesa-1", "mesa-2", "mesa-3", "mesa-4"])
def test_the_keys_of_a_panel_are_those_of_the_shipped_example(example: str) -> None:
    config = load(ROOT / f"config/{example}.toml")
    panel = next(device for device in config.devices if device.role == "panel")
    assert keys_for(tuple(config.games), DRIVERS[panel.driver].n_keys) == dict(panel.keys)


@pytest.mark.parametrize("panel", [driver.id for driver in DRIVERS.of_role("panel")])
@pytest.mark.parametrize("games", [("texas-bonus",), ("open-holdem",), tuple(RULEBOOKS)])
def test_no_panel_is_given_a_key_that_it_does_not_have(panel: str, games: tuple[str, ...]) -> None:
    n_keys = DRIVERS[panel].n_keys
    keys = keys_for(games, n_keys)
    assert len(set(keys.values())) == len(keys) <= n_keys
    assert max(keys.values()) < n_keys
    assert Key.CONFIRM in keys


@pytest.mark.parametrize("game", RULEBOOKS)
def test_the_proposed_limits_are_those_that_a_house_may_have(game: str) -> None:
    section = {
        bet: {"least": limits[0], "most": limits[1], "authorised": list(band)}
        for bet, (band, limits) in GAMES[game].proposal.limits.items()
    }
    assert isinstance(limits_of(LIMIT_RULES[game], section, where="", tracking=Tracking.AMOUNTS), dict)


@pytest.mark.parametrize(
    ("typed", "amount"),
    [("5", 500), ("5.00", 500), ("5,5", 550), ("0.01", 1), (500, 500)],
)
def test_an_amount_is_typed_with_point_or_comma_and_stands_in_a_file_in_the_smallest_unit(
    typed: object, amount: int
) -> None:
    assert Amount(exponent=2).read(typed) == amount


@pytest.mark.parametrize("typed", ["1.000", "1.000,00", "five", "-5", "0", "", 0, -1, True, 5.0, "9" * 20])
def test_what_could_be_two_amounts_or_is_none_is_refused(typed: object) -> None:
    with pytest.raises(Refused):
        Amount(exponent=2).read(typed)


@pytest.mark.parametrize("typed", ["5 100", "5..100", "5-100", "5 - 100", "5,00 100,00", "5 a 100", "5 to 100"])
def test_a_band_is_two_amounts_however_they_are_set_apart(typed: str) -> None:
    assert Band(exponent=2, clause="").read(typed) == (500, 10_000)


@pytest.mark.parametrize("typed", ["5", "100 5", "5 100 200", "5100,", [5], [100, 5], ["x", 1]])
def test_what_is_no_band_is_refused(typed: object) -> None:
    with pytest.raises(Refused):
        Band(exponent=2, clause="").read(typed)


def test_currencies_have_their_digits() -> None:
    assert [exponent_of(text) for text in ("EUR", "USD", "JPY", "KWD")] == [2, 2, 0, 3]
    assert Amount(exponent=0).read("500") == 500
    with pytest.raises(Refused):
        Amount(exponent=0).read("5.5")
