"""What a table's file says of its people, of its clock and of the bands in which its limits can be set."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.config.table_file import BadConfig
from tablectl.core.engine.facts import Limits
from tablectl.core.public_table.table import Span
from tablectl.table.controller.controller import greeting
from tablectl.web.screens.greeting import table_info
from tests.config.files import written

TABLE = '[table]\nrulebook = "texas-bonus"\ntracking = "presence"\n'
BAND = "[limits.ante]\nleast = 500\nmost = 10000\nauthorised = [500, 15000]\n"
OTHER = "[games.texas-poker]\n[games.texas-poker.limits.ante]\nleast = 100\nmost = 500\nauthorised = [100, 500]\n"


def mistake(tmp_path: Path, text: str) -> tuple[str, str]:
    with pytest.raises(BadConfig) as caught:
        written(tmp_path, text)
    (found,) = caught.value.mistakes
    return found.key, found.right


def test_a_house_knows_its_people_unless_its_file_says_otherwise(tmp_path: Path) -> None:
    config = written(tmp_path, TABLE)
    assert (config.staff, config.setup.staff, config.timezone) == (True, True, "Europe/Madrid")
    assert config.people == tmp_path / "people.db"
    assert not [notice for notice in config.notices if notice.name == "people-not-required"]


def test_a_table_without_people_says_so_at_every_start(tmp_path: Path) -> None:
    config = written(tmp_path, TABLE + "[people]\nrequired = false\n")
    assert not config.staff
    assert [notice for notice in config.notices if notice.name == "people-not-required"]


def test_what_holds_for_people_holds_for_every_game_of_the_table(tmp_path: Path) -> None:
    for required in (True, False):
        text = f"{TABLE}[people]\nrequired = {str(required).lower()}\n{OTHER}"
        assert {game.staff for game in written(tmp_path, text).games.values()} == {required}


def test_the_accounts_have_a_place_of_their_own(tmp_path: Path) -> None:
    assert mistake(tmp_path, TABLE + '[people]\npath = "table.db"\n') == ("people.path", "a place of its own")


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("[people]\nrequired = 1\n", "people.required"),
        ("[people]\nrequire = true\n", "people.require"),
        ('[people]\npath = ""\n', "people.path"),
    ],
)
def test_a_mistake_about_people_names_its_key(tmp_path: Path, text: str, key: str) -> None:
    assert mistake(tmp_path, TABLE + text)[0] == key


@pytest.mark.parametrize("zone", ["Europe/Madird", "", "../../etc/passwd", "/etc/localtime", "Europe"])
def test_the_clock_of_the_house_is_one_that_there_is(tmp_path: Path, zone: str) -> None:
    assert mistake(tmp_path, f'{TABLE}timezone = "{zone}"\n')[0] == "table.timezone"


def test_the_bands_of_each_game_are_those_that_were_authorised(tmp_path: Path) -> None:
    config = written(tmp_path, TABLE + BAND + OTHER)
    assert config.setup.bands == {"ante": Limits(least=500, most=15_000)}, "and none for a bet that has no limits"
    assert config.games["texas-poker"].bands == {"ante": Limits(least=100, most=500)}


def test_whoever_follows_is_told_of_people_clock_and_bands(tmp_path: Path) -> None:
    config = written(tmp_path, TABLE.replace("[table]", '[table]\ntimezone = "Atlantic/Canary"') + BAND)
    info = table_info(greeting(config, config.setup, demo_key=False))
    assert (info.staff, info.timezone) == (True, "Atlantic/Canary")
    assert info.bands == {"ante": Span(least=500, most=15_000)}
