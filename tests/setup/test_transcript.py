"""The transcript of docs/setup.md is what stands on the screen: `python -m tests.setup.test_transcript` writes it
anew. The page's file of answers makes a table, too.
"""

from __future__ import annotations

import re
import sys
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from simulators.devices.patlite.simulator import PatliteSimulator
from simulators.devices.usb_bus import UsbBus
from simulators.devices.xkeys.simulator import XKeysSimulator
from simulators.stage.stage import temporary_folder
from tablectl.cli.main import main
from tests.setup.typist import Typist, typist

pytestmark = pytest.mark.system

PAGE: Final = Path(__file__).parents[2] / "docs/setup.md"
ADAPTER: Final = "usb-FTDI_FT232R_USB_UART_A10K3X7Q-if00-port0"
_BEGIN, _END = "<!-- transcript -->\n```transcript\n", "```\n<!-- end -->"
_PASSWORD: Final = re.compile(r"\b[a-z2-9]{5}(?:-[a-z2-9]{5}){3}\b")


def transcript() -> str:
    """A technician sets up a table: takes most of what is proposed, errs once, asks once, goes back once."""
    with temporary_folder() as name:
        folder = Path(name)
        links = folder / "serial/by-id"
        links.mkdir(parents=True)
        (folder / "tty").touch()
        (links / ADAPTER).symlink_to(folder / "tty")
        where = ("--usb-bus", f"unix:{folder}/usb.sock", "--serial", str(folder / "serial"), "--below", str(folder))
        with closing(UsbBus(folder / "usb.sock")) as bus:
            bus.plug(XKeysSimulator())
            bus.plug(PatliteSimulator())
            with typist(*where) as person:
                _answered(person)
                said = person.screen
        said = _PASSWORD.sub("k7xbe-…", said)
        said = said.replace(f"{folder}/serial", "/dev/serial").replace(str(folder), "")
        return "\n".join(line.rstrip() for line in said.splitlines()) + "\n"


def _answered(person: Typist) -> None:
    person.take("Language of the table")
    person.type("2")
    person.take("how many seats?")
    person.type("10", "7")
    person.take("ante: authorised limits")
    person.type("5 120", "5 100")
    person.take("Where is the shoe")
    person.type("?", "")
    person.take("Which light?")
    person.type("back", "")
    person.take("Write")
    person.type("")
    assert person.status() == 0


def shown() -> str:
    """What the page has."""
    return PAGE.read_text(encoding="utf-8").partition(_BEGIN)[2].partition(_END)[0]


@pytest.mark.wide
def test_the_page_shows_what_stands_on_the_screen() -> None:
    assert shown() == transcript(), "python -m tests.setup.test_transcript writes it anew"


def test_the_pages_file_of_answers_makes_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    (answers,) = re.findall(r"```toml\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    with temporary_folder() as folder:
        file = Path(folder) / "answers.toml"
        file.write_text(answers, encoding="utf-8")
        assert main(["setup", "--answers", str(file), "--below", folder, "--dry-run"]) == 0
    out, told = capsys.readouterr()
    assert 'name = "Mesa 1"' in out
    assert "No está conectado ahora: sabot (angel-eye), /dev/serial/by-id/" in told


def test_the_page_names_every_option_of_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["setup", "--help"])
    options = set(re.findall(r"--[a-z-]+", capsys.readouterr().out)) - {"--help"}
    assert options <= set(re.findall(r"--[a-z-]+", PAGE.read_text(encoding="utf-8")))


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(_BEGIN)
    PAGE.write_text(f"{head}{_BEGIN}{transcript()}{_END}{rest.partition(_END)[2]}", encoding="utf-8")
    sys.exit(0)
