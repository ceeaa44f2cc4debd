"""`tablectl setup` as a person uses it, on a pseudo-terminal: types, reads, goes back, errs, leaves."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from simulators import processes
from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.xkeys.simulator import XKeysSimulator
from simulators.stage.stage import temporary_folder
from tablectl.cli.main import main
from tablectl.config.table_file import load
from tablectl.core.engine.vocabulary import Key
from tests.setup.typist import CTRL_C, Typist, typist
from tests.wide import once

pytestmark = pytest.mark.system

ADAPTER = "usb-FTDI_FT232R_USB_UART_A10K3X7Q-if00-port0"


@pytest.fixture
def folder() -> Iterator[Path]:
    with temporary_folder() as made:
        yield Path(made)


@contextmanager
def machine(
    folder: Path, *words: str, adapters: tuple[str, ...] = (ADAPTER,), language: str = "en"
) -> Iterator[Typist]:
    """With these serial adapters, an XK-24 and a tower light, and somebody who chose this language; nothing: none."""
    links = folder / "serial/by-id"
    links.mkdir(parents=True, exist_ok=True)
    for name in adapters:
        (folder / name).touch()
        (links / name).symlink_to(folder / name)
    with closing(UsbBus(folder / "usb.sock")) as bus:
        bus.plug(XKeysSimulator())
        bus.plug(PatliteSimulator())
        where = ("--usb-bus", f"unix:{folder}/usb.sock", "--serial", str(folder / "serial"), "--below", str(folder))
        with typist(*where, *words) as person:
            if language:
                person.type(language)
            yield person


def config(folder: Path, name: str = "mesa-1") -> Path:
    return folder / f"etc/tablectl/{name}.toml"


@pytest.mark.wide
def test_whoever_takes_everything_that_is_proposed_gets_a_table(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Write")
        assert not config(folder).exists()
        said = person.type("")
        assert person.status() == 0
    made = load(config(folder))
    assert {device.role: device.driver for device in made.devices} == {
        "shoe": "angel-eye",
        "panel": "xkeys-xk24",
        "light": "patlite-lr6",
    }
    assert made.devices[0].settings["port"] == str(folder / "serial/by-id" / ADAPTER)
    assert config(folder).stat().st_mode & 0o777 == 0o644
    assert said.endswith("Screens: http://127.0.0.1:8420/\n")


@pytest.mark.wide
def test_the_first_managers_password_is_shown_once_and_opens_his_account(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Write")
        said = person.type("")
        person.status()
    passwords = {line.partition("one-time password ")[2][:23] for line in said.splitlines() if "one-time" in line}
    assert len(passwords) == 1
    assert passwords.pop().count("-") == 3
    listed = processes.run(
        [sys.executable, "-m", "tablectl", "people", "list", str(config(folder))],
        capture_output=True,
        text=True,
        check=True,
    )
    assert listed.stdout == "manager  manager  Manager  (one-time password)\n"


@pytest.mark.wide
def test_who_has_chosen_no_language_is_asked_in_both_and_then_in_his(folder: Path) -> None:
    with machine(folder, language="") as person:
        assert person.question.index("¿Idioma de la mesa?") < person.question.index("Language of the table?")
        person.type("en")
        assert "Name of the table?" in person.question
        assert "¿Nombre de la mesa?" not in person.question
        person.take("Write")
        person.type("")
        person.status()
    made = load(config(folder))
    assert (made.languages, made.second_language) == (("en", "es"), None)
    assert not [notice for notice in made.notices if notice.name == "one-language"]


@pytest.mark.wide
def test_a_question_mark_explains_and_asks_again(folder: Path) -> None:
    with machine(folder) as person:
        person.take("What reads the cards?")
        said = person.type("?")
        assert "A shoe says each card that leaves it." in said
        assert said.endswith("[shoe] > ")


@pytest.mark.wide
def test_back_goes_back_to_the_question_before_with_its_answer_proposed(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Name of the table?")
        person.type("Sala Norte 4")
        assert "[sala-norte-4] > " in person.question
        person.type("norte", "back")
        assert "[norte] > " in person.question
        person.type("atrás")
        assert "[Sala Norte 4] > " in person.question
        person.take("Write")
        person.type("")
        person.status()
    assert load(config(folder, "norte")).setup.table == "Sala Norte 4"


@pytest.mark.wide
def test_back_from_the_last_question_changes_what_comes_of_it(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Write")
        person.type("back")
        assert "Send alarms to phones or mailboxes" in person.question
        person.type("yes", "")
        person.status()
    assert load(config(folder)).notifications is not None


@pytest.mark.wide
def test_back_at_the_first_question_stays_there(folder: Path) -> None:
    with machine(folder, language="") as person:
        assert "Language of the table?" in person.type("back")


@pytest.mark.wide
def test_a_wrong_answer_is_refused_at_once_with_the_clause_and_asked_again(folder: Path) -> None:
    with machine(folder) as person:
        person.take("ante: authorised limits")
        said = person.type("5 120")
        assert "! The most has to be 5, 10, 20, 30 times the least." in said
        assert "  THB-LIM-4: " in said
        assert said.endswith("[5.00 150.00] > ")
        person.type("10,00 100,00")
        assert "[10.00 100.00] > " in person.question
        said = person.type("5 100")
        assert "  THB-LIM-3: " in said


@pytest.mark.wide
def test_where_several_ports_fit_none_is_proposed_and_a_number_chooses(folder: Path) -> None:
    adapters = (ADAPTER, "usb-FTDI_FT232R_USB_UART_B20-if00-port0")
    with machine(folder, adapters=adapters) as person:
        person.take("Where is the shoe plugged in?")
        assert person.screen.endswith("\n> ")
        assert "! Nothing is proposed here" in person.type("")
        person.type("2")
        person.take("Write")
        person.type("")
        person.status()
    assert load(config(folder)).devices[0].settings["port"].endswith(adapters[1])


@pytest.mark.wide
def test_keys_of_the_panel_are_changed_one_by_one(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Keys of the panel?")
        assert "seat-1=0 seat-2=1" in person.question
        assert "Key 18 would mean two things: bank, confirm." in person.type("bank=18") or (
            "Key 18 would mean two things: confirm, bank." in person.question
        )
        person.type("bank=none bonus=17", "back")
        assert "bonus=17" in person.question
        assert "bank=" not in person.question.rpartition("bonus=none\n")[2]
        person.take("Write")
        person.type("")
        person.status()
    panel = next(device for device in load(config(folder)).devices if device.role == "panel")
    assert (panel.keys[Key.BONUS], Key.BANK in panel.keys) == (17, False)


@pytest.mark.wide
def test_whoever_looks_through_the_choices_is_asked_each_with_its_clause(folder: Path) -> None:
    with machine(folder) as person:
        person.take("What the documents leave open")
        assert "[recommended] > " in person.question
        person.type("look")
        assert "Texas Hold'em Bonus, pair_of_jacks_bonus: A pair of jacks is in no line" in person.question
        assert "  THB-BON-9: " in person.question
        assert "1  loses         recommended\n   2  pays-10-to-1\n[loses] > " in person.question
        person.take("Texas Hold'em Bonus, tie:")
        assert max(map(len, person.question.splitlines())) <= 78
        assert "! One of: equal-ranks, same-category" in person.type("both")
        assert "THB-RNK-11 leaves it open (AMB-49)" in person.type("?")
        person.type("same-category", "back")
        assert "[same-category] > " in person.question
        person.take("Write")
        person.type("")
        assert person.status() == 0
    profile = load(config(folder)).setup.profile
    assert (profile["tie"], profile["pair_of_jacks_bonus"]) == ("same-category", "loses")


@pytest.mark.wide
def test_whoever_thinks_better_of_it_has_what_is_recommended(folder: Path) -> None:
    with machine(folder) as person:
        person.take("What the documents leave open")
        person.type("look", "pays-10-to-1", "back", "back", "recommended")
        assert "pair_of_jacks" not in person.question
        person.take("Write")
        person.type("")
        assert person.status() == 0
    assert load(config(folder)).setup.profile["pair_of_jacks_bonus"] == "loses"


@pytest.mark.parametrize("question", once(["Write", "Language of the table", "Which shoe?"]))
def test_ctrl_c_leaves_everything_as_it_was(question: str, folder: Path) -> None:
    with machine(folder, language="en" if question != "Language of the table" else "") as person:
        before = sorted(folder.rglob("*"))
        person.take(question)
        said = person.type(CTRL_C)
        assert person.status() == 130
        assert "Nothing was changed." in said
        assert sorted(folder.rglob("*")) == before


@pytest.mark.wide
def test_no_at_the_end_writes_nothing(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Write")
        assert "Nothing was changed." in person.type("no")
        assert person.status() == 1
    assert not config(folder).exists()


@pytest.mark.wide
def test_a_dry_run_shows_the_configuration_and_writes_nothing(folder: Path) -> None:
    with machine(folder, "--dry-run") as person:
        person.take("[table]")
        assert person.status() == 0
        assert 'rulebook = "texas-bonus"' in person.question
    assert not config(folder).exists()


@pytest.mark.wide
def test_a_second_table_has_its_own_name_port_and_devices(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Write")
        person.type("")
        person.status()
    adapters = ("usb-FTDI_FT232R_USB_UART_B20-if00-port0",)
    with machine(folder, adapters=adapters) as person:
        person.take("Name of the table?")
        assert "[Mesa 2] > " in person.question
        person.take("Where is the shoe plugged in?")
        assert f"{ADAPTER}  (Mesa 1)" in person.screen
        person.take("Write")
        person.type("")
        person.status()
    first, second = load(config(folder)), load(config(folder, "mesa-2"))
    assert (first.screens_port, second.screens_port) == (8420, 8421)
    assert first.socket != second.socket
    assert second.devices[0].settings["port"].endswith(adapters[0])


@pytest.mark.wide
def test_a_table_is_written_anew_only_with_replace_and_the_old_file_is_kept(folder: Path) -> None:
    with machine(folder) as person:
        person.take("Write")
        person.type("")
        person.status()
    config(folder).write_text("# mine\n" + config(folder).read_text(encoding="utf-8"), encoding="utf-8")
    with machine(folder, adapters=()) as person:
        person.take("Name of the table?")
        assert "Another table is called Mesa 1 already." in person.type("Mesa 1")
        person.type("Mesa 3")
        assert f"{config(folder)} is there already." in person.type("mesa-1")
    with machine(folder, "--replace", adapters=()) as person:
        person.take("Write")
        said = person.type("")
        assert person.status() == 0
    assert f"The old one is kept as {config(folder)}.old-1" in said
    assert "There are accounts already; no new password was made." in said
    assert config(folder).with_name("mesa-1.toml.old-1").read_text(encoding="utf-8").startswith("# mine")
    assert load(config(folder)).setup.table == "Mesa 1"


@pytest.mark.wide
def test_where_the_folder_cannot_be_written_it_says_so_before_anybody_answers(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "etc").touch()
    assert main(["setup", "--below", str(folder), "--answers", "not-read"]) == 2
    assert f"{folder}/etc cannot be written: run it as root" in capsys.readouterr().err


@pytest.mark.wide
def test_without_a_terminal_and_without_answers_it_says_what_to_do() -> None:
    done = processes.run(
        [sys.executable, "-m", "tablectl", "setup"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert "--answers FILE" in done.stderr
