"""What a configuration says of readers of tags, their spots and the deck register: each mistake with key and remedy."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tablectl.config.spots import MOUTH, STUB, Spot
from tablectl.config.table_file import Config
from tablectl.core.engine.vocabulary import Equipment
from tests.config.files import LIGHT, PORT, antennas, mistakes, read, with_devices

SHOE: Final = 'name = "sabot"\ndriver = "angel-eye"'
MAY_LOCK: Final = "may_lock = false"
ALL_SPOTS: Final = [*(f"seat-{seat}" for seat in range(1, 8)), "house", "burn", "board"]


def equipment(word: str) -> tuple[str, str]:
    return "seats = 7", f'seats = 7\nequipment = "{word}"'


def deck(lines: str) -> tuple[str, str]:
    return "[screens]", f"[deck]\n{lines}\n[screens]"


#: Ten readers: one a spot, and one at the stub.
WHOLE_FELT: Final = with_devices(*(antennas(f"[device.spots]\n{spot} = 1\n", name=spot) for spot in [*ALL_SPOTS, STUB]))


def spots_of(config: Config) -> dict[str, dict[int, Spot]]:
    return {device.name: dict(device.spots) for device in config.devices if device.spots}


def test_without_a_word_a_table_has_a_shoe_and_a_register_beside_its_configuration(tmp_path: Path) -> None:
    config = read(tmp_path)
    assert config.setup.equipment is Equipment.SHOE
    assert config.deck.register == tmp_path.resolve() / "decks.db"
    assert (config.deck.not_cards, config.deck.clone_us) == ((), 5_000_000)
    assert spots_of(config) == {}


def test_a_whole_felt_of_antennas_beside_the_shoe(tmp_path: Path) -> None:
    config = read(tmp_path, equipment("both"), WHOLE_FELT)
    assert config.setup.equipment is Equipment.BOTH
    assert spots_of(config) == {spot: {1: Spot(name=spot)} for spot in [*ALL_SPOTS, STUB]}


def test_antennas_behind_a_multiplexer_and_one_that_looks_at_one_place(tmp_path: Path) -> None:
    lone = antennas("[device.spots]\nstub = [1, 2, 3]\n", n_antennas=3)
    assert spots_of(read(tmp_path, with_devices(lone)))["felt"] == dict.fromkeys((1, 2, 3), Spot(name=STUB))
    others = [
        antennas(f"[device.spots]\n{spot} = 1\n", name=spot) for spot in ALL_SPOTS if spot not in ("house", "board")
    ]
    two = antennas('[device.spots]\n"house.1" = 1\n"house.2" = 2\nboard = 3\n', n_antennas=3)
    config = read(tmp_path, equipment("both"), with_devices(two, *others))
    assert spots_of(config)["felt"] == {
        1: Spot(name="house", position=1),
        2: Spot(name="house", position=2),
        3: Spot(name="board"),
    }


def test_the_mouth_of_an_rfid_shoe_is_where_it_is(tmp_path: Path) -> None:
    config = read(tmp_path, (SHOE, 'name = "sabot"\ndriver = "rfid-shoe-pn532"'), (MAY_LOCK, ""))
    assert spots_of(config) == {"sabot": {1: Spot(name=MOUTH)}}


def test_what_is_said_of_decks_is_read(tmp_path: Path) -> None:
    config = read(tmp_path, deck('register = "all.db"\nnot_cards = ["08", "e00401"]\nclone_s = 60'))
    assert config.deck.register == tmp_path.resolve() / "all.db"
    assert config.deck.not_cards == ("08", "E00401")
    assert config.deck.clone_us == 60_000_000


#: what is changed, the key that is named, what is told as found, what is told as right
WRONG: Final[dict[str, tuple[tuple[tuple[str, str], ...], str, str, str]]] = {
    "unknown_equipment": ((equipment("antenas"),), "table.equipment", "'antenas'", "did you mean 'antennas'?"),
    "unknown_key_of_the_deck": ((deck("clone = 5"),), "deck.clone", "not known", "did you mean 'clone_s'?"),
    "not_cards_as_a_text": ((deck('not_cards = "08"'),), "deck.not_cards", "'08'", "a list of how such tags begin"),
    "not_cards_of_half_a_byte": ((deck('not_cards = ["E"]'),), "deck.not_cards", "['E']", "whole bytes as in"),
    "not_cards_of_every_tag": ((deck('not_cards = [""]'),), "deck.not_cards", "['']", "whole bytes as in"),
    "clone_at_once": ((deck("clone_s = 0"),), "deck.clone_s", "0", "a whole number from 1 to 600"),
    "clone_as_a_fraction": ((deck("clone_s = 0.5"),), "deck.clone_s", "0.5", "a whole number from 1 to 600"),
    "register_is_the_journal": (
        (deck('register = "/var/lib/tablectl/mesa-1/table.db"'),),
        "deck.register",
        "table.db, as journal.path",
        "a place of its own",
    ),
    "no_register": ((deck('register = ""'),), "deck.register", "''", "a text that is not empty"),
    "spot_that_is_not_there": (
        (with_devices(antennas("[device.spots]\nstubb = 1\n")),),
        "device[3].spots.stubb",
        "no spot of this table",
        "did you mean 'stub'?",
    ),
    "seat_that_the_table_does_not_have": (
        (with_devices(antennas("[device.spots]\nseat-8 = 1\n")),),
        "device[3].spots.seat-8",
        "no spot of this table",
        "seat-1 to the last seat",
    ),
    "antenna_that_the_reader_does_not_have": (
        (with_devices(antennas("[device.spots]\nstub = 2\n")),),
        "device[3].spots.stub",
        "2",
        "1, its only antenna",
    ),
    "antenna_behind_the_last_of_the_multiplexer": (
        (with_devices(antennas("[device.spots]\nstub = [1, 2, 4]\n", n_antennas=3)),),
        "device[3].spots.stub",
        "4",
        "an antenna of this reader, 1 to 3",
    ),
    "antenna_as_a_switch": (
        (with_devices(antennas("[device.spots]\nstub = true\n")),),
        "device[3].spots.stub",
        "True",
        "1, its only antenna",
    ),
    "no_antenna_in_the_list": (
        (with_devices(antennas("[device.spots]\nstub = []\n")),),
        "device[3].spots.stub",
        "[]",
        "1, its only antenna",
    ),
    "antenna_that_looks_at_two_spots": (
        (with_devices(antennas("[device.spots]\nstub = 1\nboard = 1\n")),),
        "device[3].spots.board",
        "1",
        "an antenna that looks at no other spot",
    ),
    "antenna_that_looks_nowhere": (
        (with_devices(antennas("[device.spots]\nstub = 1\n", n_antennas=2)),),
        "device[3].spots",
        "nothing for antenna 2",
        "a spot for every antenna",
    ),
    "no_spots": ((with_devices(antennas("")),), "device[3].spots", "nothing for antenna 1", "a spot for every antenna"),
    "spots_as_a_number": (
        (with_devices(antennas("").replace("[device.settings]", "spots = 1\n[device.settings]")),),
        "device[3].spots",
        "1",
        "a table [device.spots] of SPOT = ANTENNA",
    ),
    "spots_of_a_light": (
        ((LIGHT, f"{LIGHT}\nspots = {{ stub = 1 }}"),),
        "device[3].spots",
        "spots of a device without antennas",
        "[device.spots] under a reader",
    ),
    "antennas_at_the_felt_beside_a_shoe_that_deals_alone": (
        (WHOLE_FELT,),
        "table.equipment",
        "'shoe'",
        "antennas or both, where antennas look at the felt",
    ),
    "spot_without_an_antenna": (
        (equipment("both"), with_devices(antennas("[device.spots]\nboard = 1\n"))),
        "device.spots",
        "no antenna at seat-1",
        "one, or table.equipment = shoe",
    ),
    "both_without_a_shoe": (
        (equipment("both"), WHOLE_FELT, (f"{SHOE}\n[device.settings]\n{PORT}", 'name = "x"\ndriver = "blink1"')),
        "table.equipment",
        "'both'",
        "a shoe among the devices, or antennas",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_mistake_names_its_key_what_was_found_and_what_would_be_right(tmp_path: Path, name: str) -> None:
    changes, key, found, right = WRONG[name]
    told = [mistake for mistake in mistakes(tmp_path, *changes) if mistake.key == key]
    assert any(found in mistake.found and right in mistake.right for mistake in told), told


def test_a_light_is_no_reader_that_a_spot_could_be_left_to(tmp_path: Path) -> None:
    """Every spot without an antenna is told at once."""
    missing = [mistake.found for mistake in mistakes(tmp_path, equipment("antennas"))]
    assert missing == [f"no antenna at {spot}" for spot in ALL_SPOTS]
