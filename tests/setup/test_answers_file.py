"""A file of answers: a configuration that `load` takes for every game and equipment, or every mistake of it at once."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from drivers.entry import SerialPlace
from drivers.registry import DRIVERS, Registry, places
from drivers.serial_opening import serial_line
from tablectl.config.table_file import Config
from tablectl.core.engine.vocabulary import Equipment
from tablectl.games.registry import RULEBOOKS, choices_of
from tablectl.ops.setup import device_plan
from tablectl.ops.setup.answers_file import BadAnswers, answers_in
from tablectl.ops.setup.config_text import config_text
from tablectl.ops.setup.device_plan import EXTRA_SPOTS, spots_dealt_to
from tablectl.ops.setup.discovery import OtherTable, UsbDevice
from tablectl.ops.setup.missing import absent
from tablectl.ops.setup.money import Chips
from tablectl.ops.setup.plan import Task
from tablectl.ops.setup.questions import NONE, Refused
from tablectl.ops.setup.writing import checked
from tests.setup.tables import BELOW, BY_ID, ONE_PANEL, answers, task, toml
from tests.wide import once


def config(folder: Path, said: dict[str, object], of: Task) -> Config:
    """The configuration that comes of these answers, as it is loaded."""
    path = folder / "answers.toml"
    path.write_text(toml(said), encoding="utf-8")
    read = answers_in(path, of)
    return checked(config_text(read, of.places), of.file(read))


def mistakes(folder: Path, said: dict[str, object], of: Task) -> dict[str, str]:
    """By key: what was found and what would be right."""
    with pytest.raises(BadAnswers) as wrong:
        config(folder, said, of)
    return {mistake.key: f"{mistake.found}; {mistake.right}" for mistake in wrong.value.mistakes}


def ports(*, spots: tuple[str, ...], first: int) -> dict[str, object]:
    """A reader a spot."""
    return {f"readers.{spot}": f"{BY_ID}{number}" for number, spot in enumerate(spots, start=first)}


def panels() -> str:
    """In the order in which they are offered: those that are plugged in, or that nobody can see, come before none."""
    models = DRIVERS.of_role("panel")
    on_usb = [model.id for model in models if model.usb_ids]
    serial = [model.id for model in models if not model.usb_ids]
    return ", ".join((ONE_PANEL[0].driver, *serial, NONE, *(model for model in on_usb if model != ONE_PANEL[0].driver)))


@pytest.mark.parametrize("game", RULEBOOKS)
@pytest.mark.parametrize("equipment", [kind.value for kind in Equipment])
def test_every_game_with_every_equipment_makes_a_configuration_that_loads(
    game: str, equipment: str, tmp_path: Path
) -> None:
    said = answers(game, equipment=equipment) | {f"{game}.seats": 3}
    if equipment != "shoe":
        spots = (*spots_dealt_to({"table.games": (game,), f"{game}.seats": 3}), *EXTRA_SPOTS)
        said |= ports(spots=spots, first=1)
    made = config(tmp_path, said, task())
    assert (made.setup.rulebook, made.setup.seats, made.setup.equipment) == (game, 3, equipment)
    roles = [device.role for device in made.devices]
    assert ("shoe" in roles, "antennas" in roles) == (equipment != "antennas", equipment != "shoe")
    assert {"panel", "light"} <= set(roles)


def test_all_five_games_are_played_at_one_table(tmp_path: Path) -> None:
    said = answers(*RULEBOOKS)
    made = config(tmp_path, said, task())
    assert list(made.games) == list(RULEBOOKS)
    assert all(game.bands for game in made.games.values())


@pytest.mark.parametrize("tracking", ["rounds", "actions", "presence"])
def test_where_no_amounts_are_entered_no_limits_are_asked_for(tracking: str, tmp_path: Path) -> None:
    game = "texas-bonus" if tracking == "presence" else "open-holdem"
    said = {key: value for key, value in answers(game).items() if not key.startswith((game, "float"))}
    made = config(tmp_path, said | {f"{game}.tracking": tracking}, task())
    assert made.setup.tracking == tracking
    assert made.denominations == ()


@pytest.mark.parametrize(("chips", "made"), [([1000, 200, 500], (200, 500, 1000)), ("none", ())])
def test_the_tray_is_counted_by_the_houses_chips_or_by_a_total(
    chips: object, made: tuple[int, ...], tmp_path: Path
) -> None:
    assert config(tmp_path, answers("texas-bonus", float__denominations=chips), task()).denominations == made


def test_a_file_of_answers_that_does_not_say_the_chips_takes_those_of_most_houses(tmp_path: Path) -> None:
    """Files that were written before the question was asked stay good."""
    said = {key: value for key, value in answers("texas-bonus").items() if key != "float.denominations"}
    made = config(tmp_path, said, task()).denominations
    assert {500, 2500, 10000} <= set(made)


@pytest.mark.parametrize(
    ("game", "chips", "right"),
    [
        (
            "texas-bonus",
            [500, 500],
            "Up to 20 different whole numbers in the smallest unit of money, such as [100, 500,",
        ),
        ("texas-bonus", [0], "Up to 20 different whole numbers"),
        ("texas-bonus", list(range(100, 2200, 100)), "Up to 20 different whole numbers"),
        ("draw-poker", [250], "Whole chips: a multiple of 100, in the smallest unit of money."),
    ],
)
def test_chips_that_no_house_can_have_are_refused(game: str, chips: object, right: str, tmp_path: Path) -> None:
    told = mistakes(tmp_path, answers(game) | {"float.denominations": chips}, task())
    assert list(told) == ["float.denominations"]
    assert right in told["float.denominations"]


@pytest.mark.parametrize(
    ("typed", "chips"),
    [("1 5 25", (100, 500, 2500)), ("25; 5, 0.50", (50, 500, 2500)), ("2,50 5", (250, 500)), ("none", ())],
)
def test_chips_are_typed_with_blanks_between_them(typed: str, chips: tuple[int, ...]) -> None:
    kind = Chips(exponent=2)
    assert kind.read(typed) == chips
    assert kind.read(kind.show(chips)) == chips


@pytest.mark.parametrize("typed", ["", ",", "1 x", "5 5", "1.000", "-1"])
def test_what_is_no_list_of_chips_is_refused(typed: str) -> None:
    with pytest.raises(Refused) as no:
        Chips(exponent=2).read(typed)
    assert str(no.value.values["example"]) == "1.00 5.00 25.00 100.00 500.00"


def test_everything_lies_where_an_installed_table_has_it(tmp_path: Path) -> None:
    made = config(tmp_path, answers("texas-bonus"), task())
    assert made.journal == BELOW / "var/lib/tablectl/mesa-7/table.db"
    assert {made.key.parent, made.signing_key.parent, made.copy.parent, made.deck.register.parent} == {
        made.journal.parent
    }
    assert made.people == BELOW / "var/lib/tablectl-screens/mesa-7/people.db"
    assert made.statistics == BELOW / "var/lib/tablectl-screens/mesa-7/statistics.db"
    assert made.socket == BELOW / "run/tablectl/mesa-7/table.sock"


def test_notifications_an_auditor_and_badges_are_written_where_they_are_wanted(tmp_path: Path) -> None:
    key = auditors_key(tmp_path)
    said = answers("texas-bonus", house__notifications=True, house__auditor=str(key)) | {
        "badges.driver": "pn532",
        "badges.port": f"{BY_ID}5",
        "shuffler.port": f"{BY_ID}6",
    }
    made = config(tmp_path, said, task())
    assert made.notifications is not None
    assert made.notifications.path == BELOW / "var/lib/tablectl-notify/mesa-7/notifications.db"
    assert made.auditor == key
    assert made.badges == "badges"
    assert {device.role for device in made.devices} == {"shoe", "panel", "light", "badges", "shuffler"}


def auditors_key(folder: Path) -> Path:
    """As `openssl pkey -pubout` writes one."""
    path = folder / "auditor.pub"
    public = Ed25519PrivateKey.generate().public_key()
    path.write_bytes(public.public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return path


def test_one_reader_with_several_antennas_looks_at_several_spots(tmp_path: Path) -> None:
    said = answers("texas-bonus", equipment="antennas", readers__driver="pn532") | {
        "texas-bonus.seats": 2,
        "readers.seat-1": f"{BY_ID}1#1",
        "readers.seat-2": f"{BY_ID}1#2",
        "readers.house": f"{BY_ID}2",
        "readers.board": f"{BY_ID}3",
        "readers.burn": f"{BY_ID}4",
    }
    made = config(tmp_path, said, task(n_ports=0))
    reader = next(device for device in made.devices if len(device.spots) == 2)
    assert {antenna: spot.name for antenna, spot in reader.spots.items()} == {1: "seat-1", 2: "seat-2"}
    assert reader.settings["multiplexer"] == "gpio-p3"


def test_of_two_panels_of_a_model_the_one_that_was_named_is_written(tmp_path: Path) -> None:
    usb = (*ONE_PANEL, UsbDevice(driver="xkeys-xk24", port_path="1-4"))
    made = config(tmp_path, answers("texas-bonus", panel__which="1-4"), task(usb=usb))
    assert next(device for device in made.devices if device.role == "panel").settings == {"port_path": "1-4"}


# --- what the house decides -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", RULEBOOKS)
def test_where_nothing_is_said_of_them_the_choices_are_those_that_are_recommended(game: str, tmp_path: Path) -> None:
    made = config(tmp_path, answers(game), task())
    assert made.setup.profile == {key: choice.default for key, choice in choices_of(game).items()}


@pytest.mark.parametrize("game", RULEBOOKS)
def test_every_choice_of_every_game_can_stand_in_the_file(game: str, tmp_path: Path) -> None:
    other = {key: next(v for v in choice.values if v != choice.default) for key, choice in choices_of(game).items()}
    said = answers(game) | {f"{game}.profile.{key}": value for key, value in other.items()}
    if "fee" in other:
        said |= {f"{game}.fee.rate": 500, f"{game}.fee.cap": 1000, f"{game}.fee.from": "whole-hand"}
    made = config(tmp_path, said, task())
    assert made.setup.profile == other
    fee = made.games[game].fee
    assert (fee is not None) == ("fee" in other)
    if fee is not None:
        assert (fee.rate, fee.cap, fee.taken_from) == (500, 1000, "whole-hand")


def test_of_two_games_each_has_its_own_choices(tmp_path: Path) -> None:
    said = answers("texas-bonus", "open-holdem") | {"open-holdem.profile.shuffle": "in-shoe"}
    made = config(tmp_path, said, task())
    assert [made.games[game].profile["shuffle"] for game in made.games] == ["by-hand", "in-shoe"]


def test_a_choice_that_there_is_not_is_refused_with_those_that_there_are_and_the_clause(tmp_path: Path) -> None:
    said = answers("texas-bonus") | {"texas-bonus.profile.tie": "same-suit", "texas-bonus.profile.shufle": "in-shoe"}
    told = mistakes(tmp_path, said, task())
    assert told["texas-bonus.profile.tie"] == "'same-suit'; One of: equal-ranks, same-category (THB-RNK-11)"
    assert told["texas-bonus.profile.shufle"].endswith("(did you mean 'texas-bonus.profile.shuffle'?)")
    assert "panel.driver" not in told["texas-bonus.profile.shufle"]


def test_thl_def_7_a_fee_is_chosen_with_how_much_it_is_or_not_at_all(tmp_path: Path) -> None:
    said = answers("circle-holdem") | {"circle-holdem.profile.fee": "from-the-pot"}
    told = mistakes(tmp_path, said, task())
    assert list(told) == ["circle-holdem.fee.rate", "circle-holdem.fee.cap", "circle-holdem.fee.from"]
    told = mistakes(tmp_path, answers("circle-holdem") | {"circle-holdem.fee.rate": 500}, task())
    assert list(told) == ["circle-holdem.fee.rate"]


def test_whether_somebody_looks_through_them_is_no_answer_of_a_file(tmp_path: Path) -> None:
    assert list(mistakes(tmp_path, answers("texas-bonus") | {"choices": "look"}, task())) == ["choices"]


# --- mistakes ---------------------------------------------------------------------------------------------------------


def test_every_mistake_is_told_at_once_with_key_found_and_what_would_be_right(tmp_path: Path) -> None:
    said = answers(
        "texas-bonus",
        table__currency="euros",
        shoe__port="/dev/ttyUSB0",
        panel__driver="xkeys-xk25",
        panell__driver="none",
    ) | {"texas-bonus.seats": 10, "texas-bonus.ante.authorised": [500, 12_000], "texas-bonus.bonus.limits": [50, 5_000]}
    assert mistakes(tmp_path, said, task()) == {
        "table.currency": "'euros'; Three capital letters, such as EUR.",
        "texas-bonus.seats": "10; A whole number from 1 to 9. (THB-PLY-1)",
        "texas-bonus.ante.authorised": "[500, 12000]; The most has to be 5, 10, 20, 30 times the least."
        " Beside 500, in the smallest unit of money: 2500, 5000, 10000, 15000. (THB-LIM-4)",
        "texas-bonus.bonus.limits": "[50, 5000]; Inside what is authorised: 100 to 5000, in the smallest unit of money."
        " (THB-LIM-3)",
        "shoe.port": "'/dev/ttyUSB0'; The path of the same port below /dev/serial/by-id or by-path: this name"
        " changes with the order of plugging.",
        "panel.driver": f"'xkeys-xk25'; One of: {panels()} (did you mean 'xkeys-xk24'?)",
        "panell.driver": "'none'; to leave it out: this table is not asked for it (did you mean 'panel.driver'?)",
    }


@pytest.mark.parametrize(
    "value", ["no such thing", *(pytest.param(value, marks=pytest.mark.wide) for value in (0, ["a", "b"]))]
)
@pytest.mark.parametrize("game", once(("texas-bonus", "draw-poker")))
def test_every_answer_that_cannot_be_is_told_in_the_words_of_a_file(game: str, value: object, tmp_path: Path) -> None:
    """Of every question that a file can answer; amounts as they stand there, and nothing that one would type."""
    asked = mistakes(tmp_path, {"table.games": [game], "table.equipment": "both", "readers.driver": "pepper"}, task())
    for key in (*asked, "table.timezone", "table.file", "screens.port", "house.start", "panel.keys"):
        said = answers(game, equipment="both") | {key: value}
        told = mistakes(tmp_path, said, task(n_ports=0)).get(key, "")
        assert "number of the list" not in told
        assert not re.search(r"[0-9]\.[0-9]{2}\b", told), told
        assert "{" not in told.partition("; ")[2]


def test_what_is_missing_is_told_with_the_question_and_what_an_answer_looks_like(tmp_path: Path) -> None:
    told = mistakes(tmp_path, {"table.games": ["texas-bonus"], "table.equipment": "shoe"}, task())
    assert told["texas-bonus.ante.limits"] == (
        "nothing; Texas Hold'em Bonus, ante: limits at this table, least and most, in EUR? Two whole numbers in the"
        " smallest unit of money, the least first, such as [500, 10000]."
    )
    assert (
        told["shoe.driver"]
        == f"nothing; Which shoe? One of: {', '.join(model.id for model in DRIVERS.of_role('shoe'))}"
    )


#: A light that is none of ours, as a package may bring one.
SERIAL_LIGHT = replace(DRIVERS["patlite-lr6"], id="serial-light", place=SerialPlace, opener=serial_line, usb_ids=())


def test_a_light_on_a_serial_line_is_asked_where_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announced = {SERIAL_LIGHT.id: f"{__name__}:SERIAL_LIGHT"}
    monkeypatch.setattr(device_plan, "DRIVERS", Registry(places(announced)))
    told = mistakes(tmp_path, answers("texas-bonus") | {"light.driver": SERIAL_LIGHT.id}, task())
    assert told["light.port"].startswith("nothing; Where is the light plugged in?")


@pytest.mark.parametrize(
    ("game", "key", "value", "clause"),
    [
        ("texas-bonus", "texas-bonus.ante.authorised", [500, 12_000], "THB-LIM-4"),
        ("texas-bonus", "texas-bonus.ante.limits", [400, 10_000], "THB-LIM-3"),
        ("texas-poker", "texas-poker.txb.authorised", [100, 400], "TPC-LIM-4"),
        ("texas-poker", "texas-poker.ante.limits", [500, 1_000], "TPC-LIM-4"),
        ("texas-poker", "texas-poker.seats", 0, "TPC-PLY-1"),
        ("circle-holdem", "circle-holdem.bet.limits", [200, 200_001], "THL-DLG-2"),
        ("open-holdem", "open-holdem.bet.limits", [100, 200_000], "THO-DEF-2"),
        ("open-holdem", "open-holdem.seats", 11, "AMB-64"),
        ("draw-poker", "draw-poker.ante.limits", [100, 200], "FCD-OPN-2"),
        ("draw-poker", "draw-poker.resto", 20_050, "FCD-RST-3"),
        ("draw-poker", "draw-poker.bet.authorised", [300, 200], "FCD-EVT-4"),
    ],
)
def test_what_a_rulebook_refuses_is_refused_with_its_clause(
    game: str, key: str, value: object, clause: str, tmp_path: Path
) -> None:
    told = mistakes(tmp_path, answers(game) | {key: value}, task())
    assert list(told) == [key]
    assert told[key].endswith(f"({clause})")


def test_fcd_opn_2_a_resto_below_the_ante_is_refused(tmp_path: Path) -> None:
    said = answers("draw-poker") | {"draw-poker.resto": 100, "draw-poker.ante.limits": [500, 500]}
    assert list(mistakes(tmp_path, said, task())) == ["draw-poker.resto"]


@pytest.mark.parametrize(
    "key", ["table.name", "table.games", "table.equipment", "texas-bonus.ante.limits", "shoe.port"]
)
def test_what_only_the_house_knows_has_to_stand_in_the_file(key: str, tmp_path: Path) -> None:
    said = {name: value for name, value in answers("texas-bonus").items() if name != key}
    told = mistakes(tmp_path, said, task())
    assert told[key].startswith("nothing; ")


@pytest.mark.parametrize("port", ["socket://x", "socket://10.0.0.7", "socket://10.0.0.7:0", "tcp://10.0.0.7:4001"])
def test_an_address_at_which_no_device_can_be_is_refused(port: str, tmp_path: Path) -> None:
    told = mistakes(tmp_path, answers("texas-bonus", shoe__port=port), task())
    assert list(told) == ["shoe.port"]
    assert "socket://HOST:PORT" in told["shoe.port"]


@pytest.mark.parametrize("port", ["socket://10.0.0.7:4001", "rfc2217://server.house:4001", "socket://[::1]:4001"])
def test_a_port_behind_a_network_is_taken(port: str, tmp_path: Path) -> None:
    assert config(tmp_path, answers("texas-bonus", shoe__port=port), task()).devices[0].settings["port"] == port


def test_a_device_that_is_not_plugged_in_is_no_mistake_and_is_told(tmp_path: Path) -> None:
    made = config(tmp_path, answers("texas-bonus", shoe__port="/dev/serial/by-id/none"), task(usb=ONE_PANEL[:1]))
    missing = [
        (not_found.device.name, not_found.place) for not_found in absent(made.devices, task(usb=ONE_PANEL[:1]).found)
    ]
    assert missing == [("sabot", "/dev/serial/by-id/none"), ("light", "USB")]
    assert not list(absent(config(tmp_path, answers("texas-bonus"), task()).devices, task().found))


def test_names_ports_and_devices_of_another_table_are_refused(tmp_path: Path) -> None:
    other = OtherTable(
        file=tmp_path / "mesa-7.toml",
        name="Mesa 7",
        screens_port=8420,
        ports=frozenset({f"{BY_ID}0"}),
        usb=frozenset({("xkeys-xk24", "")}),
    )
    said = answers("texas-bonus", screens__port=8420)
    told = mistakes(tmp_path, said, task(n_ports=2, tables=(other,)))
    assert told["table.name"] == "'Mesa 7'; Another name: there is a table that is called Mesa 7."
    assert told["screens.port"] == "8420; Another port: 8420 is that of Mesa 7."
    assert told["shoe.port"].endswith(f"{BY_ID}0 belongs to Mesa 7.")
    made = config(
        tmp_path,
        answers("texas-bonus", table__name="Mesa 8", shoe__port=f"{BY_ID}1"),
        task(n_ports=2, tables=(other,)),
    )
    assert made.screens_port == 8421


def test_a_table_that_is_written_anew_keeps_its_file_its_port_and_its_devices(tmp_path: Path) -> None:
    mine = OtherTable(
        file=BELOW / "etc/tablectl/norte.toml",
        name="Mesa 7",
        screens_port=8425,
        ports=frozenset({f"{BY_ID}0"}),
        usb=frozenset({("xkeys-xk24", "")}),
    )
    of = replace(task(tables=(mine,)), replaces=True)
    made = config(tmp_path, answers("texas-bonus", screens__port=8425), of)
    assert made.screens_port == 8425
    assert made.journal.parent.name == "norte"
    told = mistakes(tmp_path, answers("texas-bonus", table__file="other"), of)
    assert told["table.file"] == "'other'; Another name: there is a table that is called Mesa 7."


def test_two_devices_at_one_port_and_two_spots_at_one_antenna_are_refused(tmp_path: Path) -> None:
    said = answers("texas-bonus", equipment="both") | {
        "texas-bonus.seats": 1,
        "readers.seat-1": f"{BY_ID}0",
        "readers.house": f"{BY_ID}2",
        "readers.board": f"{BY_ID}2",
        "readers.burn": f"{BY_ID}3#2",
    }
    told = mistakes(tmp_path, said, task(n_ports=0))
    assert "is taken at this table, by shoe.port." in told["readers.seat-1"]
    assert told["readers.board"].endswith("looks at another spot already.")
    assert told["readers.burn"].endswith("Antenna 1 to 1 of this reader.")


@pytest.mark.parametrize(
    ("keys", "wrong"),
    [
        ({"seat-1": 0, "bank": 0}, "One meaning a key: 0 has seat-1, bank."),
        ({"seat-1": 24}, "For seat-1 a key of the panel: 0 to 23."),
        ({"seat-11": 1}, "Keys of the table: seat-11 is none of seat-1, "),
    ],
)
def test_a_key_map_that_cannot_be_is_refused(keys: dict[str, int], wrong: str, tmp_path: Path) -> None:
    said = answers("texas-bonus", panel__keys=keys)
    assert wrong in mistakes(tmp_path, said, task())["panel.keys"]


def test_an_auditors_key_that_is_none_is_refused_with_how_to_make_one(tmp_path: Path) -> None:
    path = tmp_path / "auditor.pub"
    path.write_text("not a key", encoding="utf-8")
    told = mistakes(tmp_path, answers("texas-bonus", house__auditor=str(path)), task())
    assert "openssl pkey" in told["house.auditor"]


@pytest.mark.parametrize("text", ["table = [", "\0"])
def test_a_file_that_cannot_be_read_is_one_mistake(text: str, tmp_path: Path) -> None:
    path = tmp_path / "answers.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(BadAnswers, match=re.escape("a readable TOML file")):
        answers_in(path, task())
