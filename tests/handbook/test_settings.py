"""docs/handbook/settings.md has every key that the program takes and no other, with its default and its values.

What the program takes is asked of it, and not of its sources: a file with a key that it does not know, with a default
written out, with the least and the greatest value, and with one beyond.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final

import pytest

from drivers.registry import DRIVERS
from tablectl.cli.main import COMMANDS
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.games.registry import PROFILES, choices_of
from tests.handbook.known_keys import known
from tests.handbook.pages import headings, rows, text_of, under
from tests.tools.handbook import DOCS, page_of, settings_of

PAGE: Final = text_of("settings.md")
#: Where a section of the page stands in a file, and how its mistakes name it.
PLACES: Final[Mapping[str, tuple[str, str]]] = {
    "limits.BET": ("[limits.ante]", "limits.ante"),
    "games.GAME": ("[games.texas-poker]", "games.texas-poker"),
    "[notify]": ("[[notify]]", "notify[1]"),
    "[device]": ("[[device]]", "device[1]"),
}
#: What has to stand beside a key, so that the rest of its section is right.
BESIDE: Final[Mapping[str, Mapping[str, str]]] = {
    "table": {"rulebook": '"texas-bonus"', "tracking": '"presence"'},
    "table.chip": {"rulebook": '"circle-holdem"', "tracking": '"actions"'},
    "table.resto": {"rulebook": '"draw-poker"', "tracking": '"amounts"'},
    "trace": {"folder": '"traces"'},
    "[notify]": {"name": '"chef"', "url": '"env:CHEF"'},
    "[device]": {"driver": '"streamdeck-pedal"'},
}
#: What has to stand in a file besides, for a section that means nothing alone.
WITH: Final[Mapping[str, str]] = {
    "trace": '[[device]]\nname = "panel"\ndriver = "streamdeck-pedal"\n',
    "notifications": '[[notify]]\nname = "chef"\nurl = "env:CHEF"\n',
    "fee": '[profile]\nfee = "from-the-pot"\n',
}
_LITERAL: Final = re.compile(r"`([^`]+)`")
_RANGE: Final = re.compile(r"(\d+) to (\d+)\b")


def sections() -> dict[str, list[Mapping[str, str]]]:
    """By section as the page's headings have it: the lines of its table; those below `[usb]` are two tables."""
    found = {}
    for heading in headings(PAGE):
        if (name := re.fullmatch(r"## `\[(.+)\]`", heading)) is not None:
            found[name[1]] = [row for row in rows(under(PAGE, heading)) if "key" in row]
    return found


SECTIONS: Final = sections()
LINES: Final = [(section, line) for section, lines in SECTIONS.items() for line in lines]


def key_of(line: Mapping[str, str]) -> str:
    return line["key"].strip("`")


def ids(part: object) -> str | None:
    return key_of(part) if isinstance(part, Mapping) else str(part)


def written(section: str, key: str, value: str | None) -> tuple[str, str]:
    """A file with this key (left out where `value` is None), and the key's name in mistakes."""
    head, name = PLACES.get(section, (f"[{section}]", section))
    said = {"table": dict(BESIDE["table"])}
    if section == "fee":
        said["table"] |= {"rulebook": '"circle-holdem"', "tracking": '"actions"'}
    own = said.setdefault(section, {})
    own |= BESIDE.get(f"{section}.{key}", BESIDE.get(section, {}))
    own.pop(key, None)
    if value is not None:
        own[key] = value
    text = ""
    for word, pairs in said.items():
        begins = head if word == section else f"[{word}]"
        text += "\n".join((begins, *(f"{key} = {value}" for key, value in pairs.items()))) + "\n"
    return text + WITH.get(section, ""), f"{name}.{key}"


def mistakes(folder: Path, text: str) -> dict[str, str]:
    """What is wrong with a file, by key."""
    try:
        loaded(folder, text)
    except BadConfig as wrong:
        return {mistake.key: mistake.found for mistake in wrong.mistakes}
    return {}


def loaded(folder: Path, text: str) -> Config:
    path = folder / "table.toml"
    path.write_text(text, encoding="utf-8")
    return load(path)


# --- every key --------------------------------------------------------------------------------------------------------


def test_every_section_has_its_heading_and_every_heading_is_a_section(tmp_path: Path) -> None:
    there = {section.strip("[]").partition(".")[0] for section in SECTIONS}
    assert there == set(known(tmp_path)[""])


def test_every_key_has_its_line_and_every_line_is_a_key(tmp_path: Path) -> None:
    found = known(tmp_path)
    renamed = {"limits.BET": "limits.bet", "[notify]": "notify[1]", "[device]": "device[1]"}
    for section, lines in SECTIONS.items():
        keys = [key_of(line) for line in lines]
        if section == "profile":
            assert keys == [], "those of a game are on a page of their own"
        elif section == "games.GAME":
            games = known(tmp_path, game="texas-poker")["games.draw-poker"]
            assert sorted(keys) == sorted(games)
        elif section == "usb":
            assert sorted(keys) == sorted(found["usb"] + found["usb.allow[1]"])
        else:
            assert sorted(keys) == sorted(found[renamed.get(section, section)]), section


@pytest.mark.parametrize("game", PROFILES)
def test_every_choice_of_a_game_has_its_line(game: str, tmp_path: Path) -> None:
    lines = list(rows(under(text_of("choices.md"), f"## `{game}`")))
    *chosen, dwell = known(tmp_path, game=game)["profile"]
    assert [key_of(line) for line in lines] == chosen
    assert f"`{dwell}`" in text_of("choices.md").partition("## ")[0], "what every game has stands above them all"
    for line, choice in zip(lines, choices_of(game).values(), strict=True):
        assert re.findall(r'`"([^"]+)"`', line["values"]) == list(choice.values)
        assert f'**`"{choice.default}"`**' in line["values"]


@pytest.mark.parametrize("driver", DRIVERS)
def test_every_setting_of_a_driver_is_there_and_has_its_line_on_the_devices_page(driver: str, tmp_path: Path) -> None:
    keys = known(tmp_path, driver=driver)["device[1].settings"]
    (line,) = (row for row in rows(PAGE) if row.get("driver") == f"`{driver}`")
    said = re.findall(r"`([a-z0-9_]+)(?: = [^`]+)?`", line["settings, each with its default"])
    assert sorted(said) == sorted(keys) == sorted(settings_of(DRIVERS[driver]))
    page = (DOCS / "devices" / page_of(driver)).read_text(encoding="utf-8")
    explained = {
        name for row in rows(page) for head in ("key", "setting") for name in _LITERAL.findall(row.get(head, ""))
    }
    if DRIVERS[driver].usb_ids:
        explained |= {"serial", "port_path"}  # the same of every device of USB: docs/devices/usb.md
    assert set(keys) <= explained


@pytest.mark.parametrize(("section", "line"), LINES, ids=ids)
def test_who_reads_a_key_is_a_command(section: str, line: Mapping[str, str]) -> None:
    for reader in line["read by"].split(", "):
        assert reader == "controller" or reader.split()[0] in COMMANDS, f"{section}: {reader}"


# --- defaults and values ----------------------------------------------------------------------------------------------


def defaults() -> Iterator[tuple[str, str, str]]:
    for section, line in LINES:
        if (literal := re.match(r"`([^`]+)`", line["default"])) is not None and "as in" not in line["default"]:
            yield section, key_of(line), literal[1]


@pytest.mark.parametrize(("section", "key", "default"), list(defaults()))
def test_a_default_written_out_is_as_if_it_was_left_out(section: str, key: str, default: str, tmp_path: Path) -> None:
    explicit, _ = written(section, key, default)
    without, _ = written(section, key, None)
    assert loaded(tmp_path, explicit) == loaded(tmp_path, without)


@pytest.mark.parametrize(
    ("section", "key"), [(section, key_of(line)) for section, line in LINES if line["default"] == "required"]
)
def test_a_key_that_is_required_cannot_be_left_out(section: str, key: str, tmp_path: Path) -> None:
    if key in ("id",):
        text, name = '[table]\nrulebook = "texas-bonus"\n[usb]\nallow = [{ serial = "A1" }]\n', "usb.allow[1].id"
    else:
        text, name = written(section, key, None)
        # A section of its own is not asked for where nothing of it is there.
        text += "least = 1\n" if section == "limits.BET" and key != "least" else ""
        text += "most = 1\n" if section == "limits.BET" and key != "most" else ""
        text = text.replace("[trace]", "[trace]\nfiles = 8") if section == "trace" else text
    assert name in mistakes(tmp_path, text)


def ranges() -> Iterator[tuple[str, str, int, int]]:
    for section, line in LINES:
        if (found := _RANGE.match(line["values"])) is not None:
            least, most = map(int, found.groups())
            if "times of day" not in line["values"]:
                yield section, key_of(line), least, most


@pytest.mark.parametrize(("section", "key", "least", "most"), list(ranges()))
def test_a_range_ends_where_the_page_says(section: str, key: str, least: int, most: int, tmp_path: Path) -> None:
    taken = {}
    for value in (least - 1, least, most, most + 1):
        text, name = written(section, key, str(value))
        taken[value] = name not in mistakes(tmp_path, text)
    assert taken == {least - 1: False, least: True, most: True, most + 1: False}


def choices() -> Iterator[tuple[str, str, list[str]]]:
    for section, line in LINES:
        if re.fullmatch(r"(`[^`]+` ?)+", line["values"]) is not None:
            yield section, key_of(line), _LITERAL.findall(line["values"])


@pytest.mark.parametrize(("section", "key", "values"), list(choices()))
def test_each_value_named_is_taken_and_another_one_is_not(
    section: str, key: str, values: list[str], tmp_path: Path
) -> None:
    for value in values:
        text, name = written(section, key, value)
        assert name not in mistakes(tmp_path, text), value
    text, name = written(section, key, '"something else"')
    assert name in mistakes(tmp_path, text)


# --- examples ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "heading",
    [f"## `[{section}]`" for section in SECTIONS if section != "notifications"],
    ids=lambda heading: heading[4:-2],
)
def test_every_section_has_an_example_that_loads(heading: str, tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n(.*?)^```", under(PAGE, heading), re.DOTALL | re.MULTILINE)
    table = "" if "\n[table]\n" in f"\n{example}" else '[table]\nrulebook = "texas-bonus"\ntracking = "presence"\n'
    assert loaded(tmp_path, table + example).setup.rulebook in PROFILES
