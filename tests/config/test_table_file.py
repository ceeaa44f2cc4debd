"""A configuration: the shipped one is good; each mistake names file, key, what was found and what would be right."""

from __future__ import annotations

import tomllib
from datetime import time
from pathlib import Path
from typing import Any

import pytest

from drivers.transport.serial import ADDRESSES
from simulators.stage.stage import Scene
from tablectl.config import table_file
from tablectl.config.limits import limits_of
from tablectl.config.table_file import BadConfig, load
from tablectl.config.usb import UsbMatch
from tablectl.core.engine.facts import Limits
from tablectl.core.engine.vocabulary import Tracking
from tablectl.core.options.choices import profile_of
from tablectl.games.registry import LIMIT_RULES, PROFILES, RULEBOOKS, choices_of
from tablectl.journal.readers import Readers
from tests.config.files import FOLDER, LIGHT, PORT, SHIPPED, mistakes, read, written

CONFIGS = sorted(FOLDER.glob("*.toml"))

SOFTWARE = (
    '# [software]\n# manifest = "mesa-1.manifest-{version}.json"\n# public_key = "approver.pem"\n',
    '[software]\nmanifest = "mesa-1.manifest.json"\npublic_key = "approver.pem"\n',
)
ANTE = "least = 500\nmost = 10000\nauthorised = [500, 15000]"
BONUS = "least = 100\nmost = 5000\nauthorised = [100, 5000]"


@pytest.mark.parametrize("path", CONFIGS, ids=[config.stem for config in CONFIGS])
def test_the_example_of_a_target_that_is_shipped_is_right(tmp_path: Path, path: Path) -> None:
    before, begin, rest = path.read_text(encoding="utf-8").partition("# [notifications]\n")
    example, _, after = rest.partition("\n\n")
    assert begin
    copy = tmp_path / path.name
    uncommented = "\n".join(line.removeprefix("# ") for line in example.splitlines())
    copy.write_text(f"{before}[notifications]\n{uncommented}\n\n{after}", encoding="utf-8")
    told = load(copy).notifications
    assert told is not None
    assert [(target.name, target.kind) for target in told.targets] == [("chef", "credential:chef")]
    assert told.path == Path(f"/var/lib/tablectl-notify/{path.stem}/notifications.db")
    assert {"path", "required"} <= raw(path)["people"].keys()


def raw(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def rulebook_of(path: Path) -> str:
    return str(raw(path)["table"]["rulebook"])


def ante(least: int, most: int, low: int, high: int) -> tuple[str, str]:
    return ANTE, f"least = {least}\nmost = {most}\nauthorised = [{low}, {high}]"


def bonus(least: int, most: int, low: int, high: int) -> tuple[str, str]:
    return BONUS, f"least = {least}\nmost = {most}\nauthorised = [{low}, {high}]"


def usb_allow(entries: str) -> tuple[str, str]:
    return "[screens]", f"[usb]\nallow = {entries}\n[screens]"


def test_the_shipped_configuration_is_good() -> None:
    config = load(SHIPPED)
    setup = config.setup
    assert (setup.table, setup.rulebook, setup.seats, setup.tracking) == ("Mesa 1", "texas-bonus", 7, Tracking.AMOUNTS)
    assert setup.limits == {"ante": Limits(least=500, most=10_000), "bonus": Limits(least=100, most=5_000)}
    assert [(device.name, device.driver, device.role) for device in config.devices] == [
        ("sabot", "angel-eye", "shoe"),
        ("panel", "xkeys-xk24", "panel"),
        ("light", "patlite-lr6", "light"),
    ]
    assert config.devices[1].keys == Scene().panel, "as the demo's panel has them"
    assert config.languages == ("es", "en")
    assert config.journal == Path("/var/lib/tablectl/mesa-1/table.db")
    assert config.places.signing_key == Path("/var/lib/tablectl/mesa-1/table.sign")
    assert config.places.public_key == Path("/var/lib/tablectl/mesa-1/table.pub")
    assert config.places.copy == Path("/var/lib/tablectl/mesa-1/table.copy")
    assert config.auditor is None


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for path in CONFIGS if rulebook_of(path) in RULEBOOKS]
)
def test_every_configuration_that_is_shipped_for_a_game_that_can_be_played_is_good(path: Path) -> None:
    config = load(path)
    assert config.setup.rulebook == rulebook_of(path)
    jacks = [notice for notice in config.notices if notice.name == "pair-of-jacks-loses"]
    assert bool(jacks) == ("texas-bonus" in config.games)


@pytest.mark.parametrize("path", [pytest.param(config, id=config.stem) for config in CONFIGS])
def test_limits_and_profile_of_every_configuration_that_is_shipped_are_right(path: Path) -> None:
    """Of a game that cannot be played yet, too. Every key stands there, with the value that ships."""
    rulebook, found = rulebook_of(path), raw(path)
    rule, where = LIMIT_RULES[rulebook], str(path)
    limits = limits_of(rule, found["limits"], where=where, tracking=Tracking.AMOUNTS)
    assert isinstance(limits, dict)
    assert limits.keys() == rule.bets.keys()
    assert found["profile"] == {name: choice.default for name, choice in choices_of(rulebook).items()}
    assert profile_of(PROFILES[rulebook], found["profile"], where) == PROFILES[rulebook]()


def test_no_two_tables_that_are_shipped_share_a_place() -> None:
    assert len(CONFIGS) > 1
    places = [
        {
            *(found["journal"]["path"], found["control"]["socket"], found["screens"]["port"], found["table"]["name"]),
            *(found["people"]["path"], found["statistics"]["path"]),
        }
        for found in map(raw, CONFIGS)
    ]
    assert sum(map(len, places)) == len(set().union(*places))


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in CONFIGS])
def test_three_users_of_a_table_that_is_shipped_have_folders_of_their_own(path: Path) -> None:
    config, name = load(path), path.stem
    assert (config.places.readers, config.control_readers) == (Readers.GROUP, Readers.GROUP)
    of_controller = {config.journal, config.copy, config.key, config.signing_key}
    assert {place.parent for place in of_controller} == {Path(f"/var/lib/tablectl/{name}")}
    of_screens = {place.parent for place in (config.people, config.statistics) if place is not None}
    assert of_screens == {Path(f"/var/lib/tablectl-screens/{name}")}
    assert config.socket == Path(f"/run/tablectl/{name}/table.sock")


def test_a_tilt_leaves_its_mark_beside_journal_copy_and_socket(tmp_path: Path) -> None:
    config = read(tmp_path, ("/var/lib/tablectl/mesa-1/table.copy", "/mnt/second/mesa-1.copy"))
    assert [str(mark) for mark in config.marks] == [
        "/var/lib/tablectl/mesa-1/table.tilt",
        "/mnt/second/mesa-1.tilt",
        "/run/tablectl/mesa-1/table.tilt",
    ]


def test_a_key_that_systemd_gives_is_looked_for_among_the_credentials(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change = ("/var/lib/tablectl/mesa-1/table.key", "credential:mesa-1.key")
    assert str(read(tmp_path, change).key) == "/run/credentials/not-a-service/mesa-1.key"
    monkeypatch.setenv("CREDENTIALS_DIRECTORY", "/run/credentials/tablectl@mesa-1.service")
    assert str(read(tmp_path, change).key) == "/run/credentials/tablectl@mesa-1.service/mesa-1.key"


def test_a_path_without_a_folder_is_taken_from_the_files_folder(tmp_path: Path) -> None:
    config = read(tmp_path, ('path = "/var/lib/tablectl/mesa-1/table.db"', 'path = "here.db"'))
    assert config.journal == tmp_path.resolve() / "here.db"


#: what is changed, the key that is named, what is told as found, what is told as right
WRONG: dict[str, tuple[tuple[str, str], str, str, str]] = {
    "thb_tab_1_ten_seats": (("seats = 7", "seats = 10"), "table.seats", "10", "from 1 to 9"),
    "seats_as_a_fraction": (("seats = 7", "seats = 7.0"), "table.seats", "7.0", "a whole number"),
    "seats_as_a_switch": (("seats = 7", "seats = true"), "table.seats", "True", "a whole number"),
    "no_toml": (("[table]", "[table"), "(file)", "line 4", "valid TOML"),
    "unknown_section": (("[control]", "[contrl]"), "contrl", "not known", "did you mean 'control'?"),
    "unknown_key": (("currency = ", "currenci = "), "table.currenci", "not known", "did you mean 'currency'?"),
    "unknown_rulebook": (
        ('"texas-bonus"', '"texas-bonas"'),
        "table.rulebook",
        "'texas-bonas'",
        "did you mean 'texas-bonus'?",
    ),
    "no_rulebook": (('rulebook = "texas-bonus"\n', ""), "table.rulebook", "nothing", "texas-bonus"),
    "unknown_tracking": (('"amounts" ', '"amount" '), "table.tracking", "'amount'", "did you mean 'amounts'?"),
    "no_name": (('name = "Mesa 1"', 'name = " "'), "table.name", "' '", "a text that is not empty"),
    "language_we_do_not_speak": (('["es", "en"]', '["es", "fr"]'), "table.languages", "'fr'", "es, en"),
    "no_language": (('["es", "en"]', "[]"), "table.languages", "[]", "es, en"),
    "the_same_language_twice": (('["es", "en"]', '["es", "es"]'), "table.languages", "['es', 'es']", "each once"),
    "languages_in_a_list": (('["es", "en"]', '[["es"]]'), "table.languages", "[['es']]", "es, en"),
    "second_language_we_do_not_speak": (
        ('second_language = "none"', 'second_language = "fr"'),
        "table.second_language",
        "'fr'",
        "none, es, en",
    ),
    "second_language_of_the_table_itself": (
        ('second_language = "none"', 'second_language = "es"'),
        "table.second_language",
        "the table's own",
        "another one",
    ),
    "too_many_decimals": (("_exponent = 2", "_exponent = 4"), "table.currency_exponent", "4", "from 0 to 3"),
    "thb_lim_2_least_above_most": (
        (ANTE, "least = 10000\nmost = 500\nauthorised = [500, 15000]"),
        "limits.ante.most",
        "500",
        "at least limits.ante.least, which is 10000 (THB-LIM-2)",
    ),
    "thb_lim_2_no_least": (
        (ANTE, "most = 10000\nauthorised = [500, 15000]"),
        "limits.ante.least",
        "nothing",
        "an amount in the smallest unit of money",
    ),
    "thb_lim_2_least_of_nothing": (
        (ANTE, "least = 0\nmost = 10000\nauthorised = [500, 15000]"),
        "limits.ante.least",
        "0",
        "from 1 to",
    ),
    "thb_lim_2_most_as_a_text": (
        (ANTE, 'least = 500\nmost = "10000"\nauthorised = [500, 15000]'),
        "limits.ante.most",
        "'10000'",
        "an amount",
    ),
    "thb_lim_3_below_the_band": (ante(400, 10_000, 500, 15_000), "limits.ante", "400..10000", "500..15000 (THB-LIM-3)"),
    "thb_lim_3_above_the_band": (ante(500, 15_001, 500, 15_000), "limits.ante", "500..15001", "500..15000 (THB-LIM-3)"),
    "thb_lim_3_bonus_outside_its_band": (bonus(100, 5001, 100, 5000), "limits.bonus", "100..5001", "(THB-LIM-3)"),
    "thb_lim_3_no_band": ((ANTE, "least = 500\nmost = 10000"), "limits.ante.authorised", "nothing", "[least, most]"),
    "thb_lim_3_band_of_one": (
        (ANTE, "least = 500\nmost = 10000\nauthorised = [500]"),
        "limits.ante.authorised",
        "[500]",
        "[least, most]",
    ),
    "thb_lim_3_band_turned_round": (
        bonus(100, 5000, 5000, 100),
        "limits.bonus.authorised",
        "[5000, 100]",
        "its least first (THB-LIM-3)",
    ),
    "limits_of_a_bet_that_is_not_there": (
        ("[profile]", "[limits.bonos]\nleast = 1\n[profile]"),
        "limits.bonos",
        "not known",
        "did you mean 'bonus'?",
    ),
    "profile_value": (('"loses" ', '"wins" '), "profile.pair_of_jacks_bonus", "'wins'", "'pays-10-to-1'"),
    "profile_key": (("wrong_order =", "wrong_ordr ="), "profile.wrong_ordr", "does not have", "mean 'wrong_order'?"),
    "usb_bus": (("[screens]", '[usb]\nbus = "tcp:1"\n[screens]'), "usb.bus", "'tcp:1'", "unix:PATH"),
    "usb_allow_that_is_no_list": (usb_allow('"046d:c31c"'), "usb.allow", "'046d:c31c'", "a list of devices"),
    "usb_allow_number": (usb_allow("[1133]"), "usb.allow[1]", "1133", '"VID:PID"'),
    "usb_allow_no_id": (usb_allow('["046d:c31c", "keyboard"]'), "usb.allow[2]", "'keyboard'", '"VID:PID"'),
    "usb_allow_without_an_id": (usb_allow('[{ serial = "A1" }]'), "usb.allow[1].id", "nothing", "four hexadecimal"),
    "usb_allow_wrong_id": (usb_allow('[{ id = "46d:c31c" }]'), "usb.allow[1].id", "'46d:c31c'", "VID:PID"),
    "usb_allow_id_as_a_number": (usb_allow("[{ id = 1133 }]"), "usb.allow[1].id", "1133", "VID:PID"),
    "usb_allow_key": (usb_allow('[{ id = "046d:c31c", port = "1-2" }]'), "usb.allow[1].port", "not known", "port_path"),
    "usb_allow_port_path": (
        usb_allow('[{ id = "046d:c31c", port_path = "/dev/ttyUSB0" }]'),
        "usb.allow[1].port_path",
        "'/dev/ttyUSB0'",
        '"1-2.3"',
    ),
    "usb_allow_serial": (
        usb_allow('[{ id = "046d:c31c", serial = "" }]'),
        "usb.allow[1].serial",
        "''",
        "or no such key: then any is allowed",
    ),
    "usb_allow_serial_number": (usb_allow('[{ id = "046d:c31c", serial = 7 }]'), "usb.allow[1].serial", "7", "a text"),
    "manifest_without_a_key": (
        (SOFTWARE[0], '[software]\nmanifest = "a.json"\n'),
        "software.public_key",
        "nothing",
        "the public key of who signed it",
    ),
    "key_without_a_manifest": (
        (SOFTWARE[0], '[software]\npublic_key = "a.pem"\n'),
        "software.manifest",
        "nothing",
        "the manifest goes with the public key",
    ),
    "manifest_as_a_number": (
        (SOFTWARE[0], '[software]\nmanifest = 1\npublic_key = "a.pem"\n'),
        "software.manifest",
        "1",
        "a text that is not empty",
    ),
    "manifest_where_its_key_is": (
        (SOFTWARE[0], '[software]\nmanifest = "a.pem"\npublic_key = "a.pem"\n'),
        "software.public_key",
        "as software.manifest",
        "a place of its own",
    ),
    "unknown_key_of_the_software": (
        (SOFTWARE[0], SOFTWARE[1] + 'public_kez = "a"\n'),
        "software.public_kez",
        "not known",
        "did you mean 'public_key'?",
    ),
    "screens_port": (("port = 8420", "port = 65536"), "screens.port", "65536", "from 0 to 65535"),
    "key_where_the_journal_is": (
        ("mesa-1/table.key", "mesa-1/table.db"),
        "journal.key",
        "as journal.path",
        "a place of its own",
    ),
    "copy_where_the_journal_is": (
        ("mesa-1/table.copy", "mesa-1/table.db"),
        "journal.copy",
        "as journal.path",
        "a place of its own",
    ),
    "credential_that_is_a_path": (
        ("/var/lib/tablectl/mesa-1/table.sign", "credential:a/b"),
        "journal.signing_key",
        "'credential:a/b'",
        "credential:NAME",
    ),
    "volume_without_records": (
        ("# volume_records = 1000000", "volume_records = 0"),
        "journal.volume_records",
        "0",
        "from 1 to 100000000",
    ),
    "socket_with_too_long_a_path": (
        ("mesa-1/table.sock", 100 * "m"),
        "control.socket",
        "a path of 114 bytes",
        "at most 107",
    ),
    "character_zero_in_a_path": (
        ("mesa-1/table.db", "\\u0000.db"),
        "journal.path",
        "'/var/lib/tablectl/\\x00.db'",
        "zero",
    ),
    "name_of_two_devices": (('name = "light"', 'name = "panel"'), "device.name", "'panel' twice", "a name of its own"),
    "thb_sab_1_two_shoes": (
        (LIGHT, 'name = "sabot 2"\ndriver = "angel-eye"\n[device.settings]\nport = "/dev/ttyS0"'),
        "device.role",
        "sabot, sabot 2",
        "one shoe at a table (THB-SAB-1)",
    ),
    "unknown_driver": (('"patlite-lr6"', '"patlite"'), "device[3].driver", "'patlite'", "did you mean 'patlite-lr6'?"),
    "no_driver": (('driver = "patlite-lr6"', ""), "device[3].driver", "nothing", "angel-eye, blink1, "),
    "unknown_setting": (("may_lock =", "may_lok ="), "device[1].settings.may_lok", "does not have", "may_lock"),
    "setting_of_another_kind": (("may_lock = false", "may_lock = 0"), "device[1].settings.may_lock", "0", "true or"),
    "choice_of_a_setting": (
        ("may_lock = false", 'retransmission = "card"'),
        "device[1].settings.retransmission",
        "'card'",
        "'card-unless-known', 'note-only'",
    ),
    "time_of_no_length": (
        ("# [device.settings]\n", "[device.settings]\nretry_s = 0.0\n"),
        "device[2].settings.retry_s",
        "0.0",
        "a number above zero",
    ),
    "time_without_end": (
        ("# [device.settings]\n", "[device.settings]\nretry_s = inf\n"),
        "device[2].settings.retry_s",
        "inf",
        "a number above zero",
    ),
    "no_port": ((PORT, ""), "device[1].settings.port", "nothing", "port of the Angel Eye II-EX shoe"),
    "empty_port": ((PORT, 'port = ""'), "device[1].settings.port", "''", "port of the Angel Eye II-EX shoe"),
    "port_behind_a_network_without_number": (
        (PORT, 'port = "socket://10.0.0.7"'),
        "device[1].settings.port",
        "'socket://10.0.0.7'",
        ADDRESSES,
    ),
    "port_behind_no_network": ((PORT, 'port = "socket://x"'), "device[1].settings.port", "'socket://x'", ADDRESSES),
    "port_number_that_there_is_not": (
        (PORT, 'port = "socket://10.0.0.7:70000"'),
        "device[1].settings.port",
        "'socket://10.0.0.7:70000'",
        ADDRESSES,
    ),
    "port_of_an_address_that_nothing_opens": (
        (PORT, 'port = "tcp://10.0.0.7:4001"'),
        "device[1].settings.port",
        "'tcp://10.0.0.7:4001'",
        ADDRESSES,
    ),
    "port_that_is_no_path": ((PORT, 'port = "ttyUSB0"'), "device[1].settings.port", "'ttyUSB0'", ADDRESSES),
    "port_as_a_number": ((PORT, "port = 0"), "device[1].settings.port", "0", "a text"),
    "speed_of_nothing": (("baud = 4800", "baud = 0"), "device[1].settings.baud", "0", "above zero"),
    "panel_key_that_it_does_not_have": (("seat-1 = 0", "seat-1 = 24"), "device[2].keys.seat-1", "24", "0 to 23"),
    "panel_key_below_the_first": (("seat-1 = 0", "seat-1 = -1"), "device[2].keys.seat-1", "-1", "0 to 23"),
    "panel_key_with_two_meanings": (("seat-2 = 1", "seat-2 = 0"), "device[2].keys.seat-2", "0", "no other meaning yet"),
    "meaning_that_there_is_not": (("seat-9 = 8", "seat-11 = 8"), "device[2].keys.seat-11", "no key", "mean 'seat-1'?"),
    "keys_of_a_device_without_any": (
        (LIGHT, LIGHT + "\n[device.keys]\nbet = 0"),
        "device[3].keys",
        "bet",
        "under a panel",
    ),
}


@pytest.mark.parametrize(("change", "key", "found", "right"), WRONG.values(), ids=WRONG)
def test_a_mistake_names_file_key_what_was_found_and_what_would_be_right(
    tmp_path: Path, change: tuple[str, str], key: str, found: str, right: str
) -> None:
    (told,) = mistakes(tmp_path, change)
    assert told.key == key
    assert found in told.found
    assert right in told.right
    assert str(told) == f"{tmp_path / 'mesa.toml'}: {key}: found {told.found}; would be right: {told.right}"


@pytest.mark.parametrize("factor", [5, 10, 20, 30])
def test_thb_lim_4_the_most_of_the_ante_is_5_10_20_or_30_times_its_least(tmp_path: Path, factor: int) -> None:
    config = read(tmp_path, ante(500, 500 * factor, 500, 500 * factor))
    assert config.setup.limits["ante"].most == 500 * factor


@pytest.mark.parametrize("factor", [1, 4, 6, 9, 11, 19, 21, 29, 31])
def test_thb_lim_4_any_other_band_of_the_ante_is_wrong(tmp_path: Path, factor: int) -> None:
    (told,) = mistakes(tmp_path, ante(500, 500, 500, 500 * factor))
    assert told.key == "limits.ante.authorised"
    assert told.found == f"[500, {500 * factor}]"
    assert told.right == "a most of 5, 10, 20 or 30 times 500: 2500, 5000, 10000, 15000 (THB-LIM-4)"


@pytest.mark.parametrize("high", [5000, 700, 100])
def test_thb_lim_5_the_band_of_the_bonus_may_be_any(tmp_path: Path, high: int) -> None:
    config = read(tmp_path, bonus(100, 100, 100, high))
    assert config.setup.limits["bonus"] == Limits(least=100, most=100)


def test_thb_lim_2_without_amounts_a_table_needs_no_limits(tmp_path: Path) -> None:
    here = "\n[limits.ante]\n" + ANTE, "\n[limits.bonus]\n" + BONUS
    config = read(tmp_path, ('tracking = "amounts"', 'tracking = "presence"'), *((text, "\n") for text in here))
    assert config.setup.limits["ante"].most == 0
    told = mistakes(tmp_path, *((text, "\n") for text in here))
    assert [mistake.key for mistake in told] == ["limits.ante", "limits.bonus"]


def test_all_mistakes_are_told_at_once(tmp_path: Path) -> None:
    told = mistakes(
        tmp_path,
        ("seats = 7", "seats = 10"),
        ante(500, 10_000, 500, 11_000),
        ('"loses" ', '"wins" '),
        (PORT, ""),
        ("seat-1 = 0", "seat-1 = 24"),
        ("[screens]", "[screen]"),
    )
    assert sorted(mistake.key for mistake in told) == [
        "device[1].settings.port",
        "device[2].keys.seat-1",
        "limits.ante.authorised",
        "profile.pair_of_jacks_bonus",
        "screen",
        "table.seats",
    ]


TABLE = '[table]\nrulebook = "texas-bonus"\ntracking = "presence"\n'
DEVICE = '[[device]]\ndriver = "patlite-lr6"\n'


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("control = 1\n" + TABLE, "control"),
        ("software = 1\n" + TABLE, "software"),
        ("usb = 1\n" + TABLE, "usb"),
        ("device = 1\n" + TABLE, "device"),
        ("device = [1]\n" + TABLE, "device"),
        ("profile = 1\n" + TABLE, "profile"),
        ("limits = 1\n" + TABLE, "limits"),
        ("limits.ante = 1\n" + TABLE, "limits.ante"),
        (TABLE + DEVICE + "settings = 1\n", "device[1].settings"),
        (TABLE + DEVICE + "keys = 1\n", "device[1].keys"),
    ],
)
def test_something_else_where_a_table_belongs_is_a_mistake(tmp_path: Path, text: str, key: str) -> None:
    with pytest.raises(BadConfig) as caught:
        written(tmp_path, text)
    (told,) = caught.value.mistakes
    assert told.key == key
    assert "1" in told.found
    assert told.right.startswith(("a table [", "tables [["))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(
        BadConfig, match=r"none\.toml: \(file\): found no such file; would be right: the path of a table"
    ):
        load(tmp_path / "none.toml")


def test_a_file_that_cannot_be_looked_for_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadConfig, match=r"a+\.toml: \(file\): found a name that is too long"):
        load(tmp_path / f"{'a' * 300}.toml")


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / "mesa.toml"
    path.write_bytes(b'[table]\nname = "\xff"\n')
    with pytest.raises(BadConfig, match=r"mesa\.toml: \(file\): found it is not UTF-8 text"):
        load(path)


def test_of_a_game_that_is_not_there_no_bet_and_no_choice_is_told_as_wrong(tmp_path: Path) -> None:
    other = ('"texas-bonus"', '"whist"'), ("[limits.bonus]", "[limits.trump]"), ("wrong_order =", "revoke =")
    assert [mistake.key for mistake in mistakes(tmp_path, *other)] == ["table.rulebook"]


def test_thb_bon_9_what_the_house_leaves_to_the_document_is_noticed(tmp_path: Path) -> None:
    assert [notice.said("en")[:26] for notice in load(SHIPPED).notices if "THB-BON-9" in notice.said("en")] == [
        "profile.pair_of_jacks_bonu"
    ]
    paying = read(tmp_path, ('"loses" ', '"pays-10-to-1" '), SOFTWARE)
    assert paying.notices == ()


@pytest.mark.parametrize(("said", "second"), [('"none"', None), ('"en"', "en")])
def test_a_second_language_is_shown_where_the_table_asks_for_it(said: str, second: str | None, tmp_path: Path) -> None:
    config = read(tmp_path, ('second_language = "none"', f"second_language = {said}"))
    assert (config.languages, config.second_language) == (("es", "en"), second)
    assert not [notice for notice in config.notices if notice.name == "one-language"]


def test_whoever_has_two_languages_from_before_is_told_that_one_is_shown(tmp_path: Path) -> None:
    config = read(tmp_path, ('second_language = "none" ', ""))
    assert (config.languages, config.second_language) == (("es", "en"), None)
    (notice,) = (notice for notice in config.notices if notice.name == "one-language")
    assert notice.said("en") == (
        "table.languages = es, en: pages and messages are in one language now, es for whoever chose no other; to show"
        " en beside it, table.second_language = 'en', and to go without a second one and this notice, 'none'"
    )
    one = read(tmp_path, ('second_language = "none" ', ""), ('["es", "en"]', '["es"]'))
    assert not [notice for notice in one.notices if notice.name == "one-language"]


def test_software_that_nobody_approved_is_noticed(tmp_path: Path) -> None:
    config = load(SHIPPED)
    assert (config.manifest, config.approver) == (None, None)
    assert config.notices[-1].said("en") == (
        "software.manifest = none: nobody can say whether this is the approved software; a new table does not start "
        "so, and one that dealt before opens hands for 30 days"
    )
    config = read(tmp_path, SOFTWARE)
    assert config.manifest == tmp_path.resolve() / "mesa-1.manifest.json"
    assert config.approver == tmp_path.resolve() / "approver.pem"
    assert not [notice for notice in config.notices if notice.name == "no-manifest"]


def test_each_version_may_have_a_manifest_of_its_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    of_each = (SOFTWARE[0], SOFTWARE[1].replace("mesa-1.manifest", "mesa-1.manifest-{version}"))
    found = []
    for number in ("0.2.0", "0.2.1"):
        monkeypatch.setattr(table_file, "version", {"tablectl": number}.__getitem__)
        manifest = read(tmp_path, of_each).manifest
        assert manifest is not None
        found.append(manifest.name)
    assert found == ["mesa-1.manifest-0.2.0.json", "mesa-1.manifest-0.2.1.json"]


def test_usb_devices_of_another_process_are_noticed(tmp_path: Path) -> None:
    config = read(tmp_path, ("[screens]", '[usb]\nbus = "unix:/run/usb.sock"\n[screens]'))
    assert config.usb_bus == "unix:/run/usb.sock"
    assert [notice for notice in config.notices if notice.name == "usb-bus"]


TRACE = (
    "[control]\n",
    '[trace]\nfolder = "traces"\ndevices = ["sabot"]\nfiles = 2\nfile_bytes = 1000000\n\n[control]\n',
)


def test_traces_are_recorded_where_the_configuration_says_and_everybody_is_told(tmp_path: Path) -> None:
    config = read(tmp_path, TRACE)
    assert config.trace is not None
    assert config.trace.folder == tmp_path / "traces"
    assert config.trace.devices == ("sabot",)
    [notice] = [found.said("en") for found in config.notices if found.name == "trace"]
    assert "sabot" in notice
    assert "2 MB at most" in notice
    assert read(tmp_path).trace is None
    assert not any(found.name == "trace" for found in read(tmp_path).notices)


def test_without_a_list_every_device_is_traced(tmp_path: Path) -> None:
    config = read(tmp_path, ("[control]\n", '[trace]\nfolder = "/var/traces"\n\n[control]\n'))
    assert config.trace is not None
    assert config.trace.devices == ("sabot", "panel", "light")


@pytest.mark.parametrize(
    ("lines", "key", "right"),
    [
        ("files = 2", "trace.folder", "the path of a folder"),
        ('folder = ""', "trace.folder", "the path of a folder"),
        ('folder = "t"\ndevices = ["sabo"]', "trace.devices", "did you mean 'sabot'?"),
        ('folder = "t"\ndevices = []', "trace.devices", "a list of devices' names"),
        ('folder = "t"\nfiles = 0', "trace.files", "a whole number from 1"),
        ('folder = "t"\nfile_bytes = 5', "trace.file_bytes", "a whole number from 100000"),
        ('folder = "t"\nfolders = "u"', "trace.folders", "did you mean 'folder'?"),
    ],
)
def test_a_mistake_in_what_is_traced_is_named(tmp_path: Path, lines: str, key: str, right: str) -> None:
    [mistake] = mistakes(tmp_path, ("[control]\n", f"[trace]\n{lines}\n\n[control]\n"))
    assert mistake.key == key
    assert right in mistake.right


def test_usb_devices_are_allowed_by_their_numbers_and_where_wanted_serial_number_and_port(tmp_path: Path) -> None:
    entries = '["046D:c31c", { id = "0403:6001", serial = "A1", port_path = "1-2.3" }]'
    assert read(tmp_path, usb_allow(entries)).usb_allow == (
        UsbMatch(vendor_id=0x046D, product_id=0xC31C),
        UsbMatch(vendor_id=0x0403, product_id=0x6001, serial="A1", port_path="1-2.3"),
    )
    assert load(SHIPPED).usb_allow == ()


#: Where the example keeps them.
STATISTICS = 'path = "/var/lib/tablectl-screens/mesa-1/statistics.db"   # without it: beside the journal\n'


def test_statistics_stand_beside_the_journal_unless_the_configuration_says_where(tmp_path: Path) -> None:
    assert read(tmp_path, (STATISTICS, "")).statistics == Path("/var/lib/tablectl/mesa-1/statistics.db")
    found = read(tmp_path, (STATISTICS, 'path = "/mnt/s.db"\nshifts = ["08:30", "20:30"]\n'))
    assert found.statistics == Path("/mnt/s.db")
    assert found.shifts == (time(8, 30), time(20, 30))
    assert read(tmp_path).shifts == (time(6), time(14), time(22))


@pytest.mark.parametrize(
    ("lines", "key"),
    [
        ('shifts = ["8:30"]', "statistics.shifts"),
        ("shifts = 8", "statistics.shifts"),
        ('shifts = ["20:30", "08:30"]', "statistics.shifts"),
        ('path = "/var/lib/tablectl/mesa-1/table.db"', "statistics.path"),
        ("path = 5", "statistics.path"),
        ("days = 5", "statistics.days"),
    ],
)
def test_a_mistake_in_what_statistics_are_kept_is_named(tmp_path: Path, lines: str, key: str) -> None:
    (found,) = mistakes(tmp_path, (STATISTICS, f"{lines}\n"))
    assert found.key == key
