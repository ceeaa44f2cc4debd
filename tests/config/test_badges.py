"""What a configuration says of the reader of badges: each mistake with key and remedy."""

from __future__ import annotations

from pathlib import Path

import pytest

from tablectl.config.devices import BADGES
from tests.config.files import antennas, mistakes, read, with_devices

#: The one section about people that the example has.
PLACE = 'path = "/var/lib/tablectl-screens/mesa-1/people.db"'
READER = with_devices(antennas("", name="badges"))


def people(name: str) -> tuple[str, str]:
    return PLACE, f'{PLACE}\nbadges = "{name}"'


def test_the_reader_of_badges_reads_no_cards(tmp_path: Path) -> None:
    config = read(tmp_path, people("badges"), READER)
    [reader] = [device for device in config.devices if device.name == "badges"]
    assert (config.badges, reader.role, dict(reader.spots)) == ("badges", BADGES, {})


def test_without_a_word_there_is_none(tmp_path: Path) -> None:
    assert read(tmp_path).badges is None


@pytest.mark.parametrize(
    ("changes", "key", "found", "right"),
    [
        (people("doorbell"), "people.badges", "'doorbell', no device", "the name of a reader of tags"),
        (people("sabot"), "people.badges", "'sabot', no reader of tags", "this table has badges"),
    ],
)
def test_another_name_is_a_mistake_that_names_the_readers(
    tmp_path: Path, changes: tuple[str, str], key: str, found: str, right: str
) -> None:
    reader = with_devices(antennas("[device.spots]\nstub = 1\n", name="badges"))
    [mistake] = mistakes(tmp_path, changes, reader)
    assert (mistake.key, mistake.found) == (key, found)
    assert right in mistake.right


def test_spots_of_the_reader_of_badges_are_a_mistake(tmp_path: Path) -> None:
    reader = with_devices(antennas("[device.spots]\nstub = 1\n", name="badges"))
    [mistake] = mistakes(tmp_path, people("badges"), reader)
    assert mistake.key.endswith(".spots")
    assert "people.badges" in mistake.found
