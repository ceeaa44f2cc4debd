"""docs/handbook/settings.md has every key of a pit server's file and no other, with its default."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest

from tablectl.fleet.pit.settings import BadPitConfig, PitSection, load_pit
from tests.handbook.pages import rows, text_of, under

PART: Final = under(text_of("settings.md"), "### `[pit]`")
LINES: Final = {line["key"].strip("`"): line for line in rows(PART)}


def loaded(folder: Path, lines: str) -> PitSection:
    path = folder / "pit.toml"
    path.write_text(f"[pit]\n{lines}\n", encoding="utf-8")
    return load_pit(path)


def test_every_key_has_its_line_and_every_line_is_a_key(tmp_path: Path) -> None:
    with pytest.raises(BadPitConfig) as wrong:
        loaded(tmp_path, "odd = 1")
    (mistake,) = wrong.value.mistakes
    known = re.findall(r"[a-z_]+", mistake.right.removeprefix("one of ").replace(" or ", " "))
    assert sorted(LINES) == sorted(known)


@pytest.mark.parametrize("key", [key for key, line in LINES.items() if line["default"].startswith("`")])
def test_a_default_written_out_is_as_if_it_was_left_out(key: str, tmp_path: Path) -> None:
    default = LINES[key]["default"].strip("`")
    assert loaded(tmp_path, f"{key} = {default}") == loaded(tmp_path, "")


def test_the_example_loads(tmp_path: Path) -> None:
    (example,) = re.findall(r"^```toml\n\[pit\]\n(.*?)^```", PART, re.DOTALL | re.MULTILINE)
    assert loaded(tmp_path, example).casino == "Casino de Ejemplo"
