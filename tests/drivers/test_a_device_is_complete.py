"""What belongs to a device besides its code: docs/add-a-device.md says how each of it is made. A test that fails names
the file."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import drivers
from drivers.entry import Driver, SerialPlace, UsbPlace
from drivers.registry import DRIVERS, places
from simulators import processes
from simulators.devices.registry import found
from tablectl.api.unix_socket import is_listening
from tablectl.config.table_file import load
from tablectl.i18n.texts import load_texts
from tablectl.ops.trace.text import parse
from tablectl.table.devices.trace_replay import protocol_of as protocol_of_trace
from tests.drivers.models import SIMULATED_AS, notes_of, protocol_of, simulator_of
from tests.tools.handbook import page_of, settings_of
from tests.waiting import until

ROOT: Final = Path(__file__).parents[2]
DOCS: Final = ROOT / "docs"
PAGES: Final = DOCS / "devices"
#: Pages about what several devices are used for, and about none of them.
USES: Final = frozenset({"badges.md"})
#: Defaults that stand for something else, which the page says in words.
MEANS_SOMETHING_ELSE: Final = frozenset({'""', "-1", "{}"})

#: Those of our own folders: what other packages announce has its pages and tests there.
OURS: Final = [DRIVERS[name] for name in places({})]
SIMULATORS: Final = found(())

every_driver = pytest.mark.parametrize("driver", OURS, ids=lambda driver: driver.id)


def text_of(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def pages_on(driver: Driver) -> list[str]:
    """The names of the pages that name it as its own."""
    names = (f"`{driver.id}`", f'"{driver.id}"')
    telling = {path.name for path in PAGES.glob("*.md") if any(name in text_of(path) for name in names)}
    return sorted(telling - USES)


def page(driver: Driver) -> str:
    return "\n".join(text_of(PAGES / name) for name in pages_on(driver))


def is_a_reader_again(driver: Driver) -> bool:
    """A shoe that is a reader at its mouth: told of on the readers' pages, with what differs in words."""
    return driver.id in SIMULATED_AS


# --- the page ---------------------------------------------------------------------------------------------------------


@every_driver
def test_a_device_has_one_page(driver: Driver) -> None:
    names = pages_on(driver)
    assert names, f"docs/devices/: no page names `{driver.id}`"
    assert len(names) == 1 or is_a_reader_again(driver), f"more than one page is about `{driver.id}`: {names}"


@every_driver
def test_its_page_says_first_what_works_and_what_was_never_seen(driver: Driver) -> None:
    text = page(driver)
    table = re.search(r"^\|.*\|\n\|[-|]+\|\n", text, re.MULTILINE)
    assert table is not None, "no table of what works"
    assert table.start() < (text + "\n## Settings").index("\n## Settings"), "what works comes before the settings"
    assert re.search(r"ever seen on hardware", text), "the page says: never seen on hardware"


@every_driver
def test_its_page_shows_how_it_is_connected_and_configured(driver: Driver) -> None:
    if driver.place is not UsbPlace:
        for part in ("\n## Wiring\n", "[[device]]"):
            is_there = part in page(driver)
            assert is_there, f"docs/devices/: the page lacks {part.strip()}"
    for vendor, product in driver.usb_ids:
        assert re.search(rf"\b{vendor:04x}\b", page(driver))
        assert f"{product:04x}" in page(driver)


@every_driver
def test_its_page_has_a_row_for_each_setting_with_its_default(driver: Driver) -> None:
    for name, default in settings_of(driver).items():
        rows = re.findall(rf"^\| `{name}` \| ([^|]*) ?\|", page(driver), re.MULTILINE)
        if driver.place is UsbPlace and name in UsbPlace.__dataclass_fields__:
            assert rows or f"`{name}`" in page(driver), name
            continue
        assert rows, f"{page_of(driver.id)}: no row of a table begins with | `{name}` |"
        told = {row.strip().strip("`") for row in rows}
        is_told = bool(default) and default not in MEANS_SOMETHING_ELSE and not is_a_reader_again(driver)
        assert not is_told or told & {default, default.strip('"')}, f"{name}: {default} by the driver, {told} there"


@every_driver
def test_its_page_says_whatever_it_notes_and_the_screens_have_words_for_it(driver: Driver) -> None:
    notes = notes_of(driver)
    assert sorted(note for note in notes if f"`{note}`" not in page(driver)) == [], page_of(driver.id)
    assert sorted(notes - load_texts().keys("said")) == [], "said.NOTE in tablectl/i18n/locale"


# --- where else it is told of -----------------------------------------------------------------------------------------


@every_driver
def test_the_page_about_features_and_the_one_about_replacing_link_to_its_page(driver: Driver) -> None:
    for file in ("features.md", "handbook/replacing-a-device.md"):
        is_there = f"devices/{page_of(driver.id)}" in text_of(DOCS / file)
        assert is_there, f"docs/{file}: no link to devices/{page_of(driver.id)}"


def test_the_page_about_features_links_to_every_page() -> None:
    features = text_of(DOCS / "features.md")
    assert [path.name for path in PAGES.glob("*.md") if f"devices/{path.name}" not in features] == []


@every_driver
def test_the_log_says_what_was_never_verified(driver: Driver) -> None:
    assert "not verified on hardware" in driver.not_verified


def test_every_reason_for_putting_bytes_aside_has_its_words() -> None:
    texts = load_texts("tablectl.web.screens")
    sources = [text_of(path) for path in Path(drivers.__file__).parent.rglob("*.py")]
    reasons = {reason for source in sources for reason in re.findall(r'(?:NoFrame|rejected)\(\s*"([^"]+)"', source)}
    assert len(reasons) > 15
    missing = sorted(reason for reason in reasons if not texts.has("device-reason", reason))
    assert missing == [], "device-reason.REASON in tablectl/i18n/locale, domain screens"


# --- its simulator, its tests, its trace ------------------------------------------------------------------------------


def test_every_device_has_a_simulator_and_every_simulator_is_of_a_device() -> None:
    assert set(SIMULATORS) == {simulator_of(driver) for driver in OURS}


@every_driver
def test_its_simulator_is_on_the_page_about_simulators(driver: Driver) -> None:
    name = simulator_of(driver)
    family = name.partition("-")[0]
    text = text_of(DOCS / "simulators.md")
    is_there = any(f"`{label}`" in text for label in (name, f"{family}-…"))
    assert is_there, f"docs/simulators.md: no row for `{name}`"


@every_driver
def test_its_simulator_can_be_put_at_a_line_where_it_is_serial(driver: Driver) -> None:
    has_line = SIMULATORS[simulator_of(driver)].on_line is not None
    assert has_line == issubclass(driver.place, SerialPlace), "on_line of its entry in simulators/devices/"


def test_every_folder_has_tests() -> None:
    folders = {place.split(".")[1] for place in places({}).values()}
    assert sorted(folder for folder in folders if not [*(Path(__file__).parent / folder).glob("test_*.py")]) == []


@every_driver
def test_a_trace_shows_it_or_a_model_of_its_family(driver: Driver) -> None:
    heads = [parse(text_of(path)).head for path in (ROOT / "tests/traces").glob("*.trace")]
    shown = {type(protocol_of_trace(head)) for head in heads}
    assert type(protocol_of(driver)) in shown, f"tests/traces: no trace of {driver.id}"


# --- the guide --------------------------------------------------------------------------------------------------------


def test_the_table_of_the_guide_can_be_run(tmp_path: Path) -> None:
    table = tmp_path / "table.toml"
    first, *_ = re.findall(r"```toml\n(.*?)```", text_of(DOCS / "add-a-device.md"), re.DOTALL)
    table.write_text(first, encoding="utf-8")
    assert [device.role for device in load(table).devices] == ["panel", "shoe"]
    (tmp_path / "try").mkdir()
    socket = tmp_path / "try/table.sock"
    command = [sys.executable, "-m", "tablectl", "run", str(table)]
    process = processes.start(command, cwd=tmp_path, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        until(lambda: process.poll() is not None or is_listening(socket, 1.0))
        assert process.poll() is None, "" if process.stderr is None else process.stderr.read()
    finally:
        process.terminate()
        process.communicate(timeout=30)


def test_every_file_that_the_guide_names_is_there() -> None:
    named = re.findall(r"`((?:drivers|simulators|tablectl|tests|docs)/[\w./-]+)`", text_of(DOCS / "add-a-device.md"))
    assert len(named) > 15
    assert [name for name in named if not (ROOT / name).exists()] == []
