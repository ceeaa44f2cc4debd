"""Every key that a configuration may have, as the program itself names them: it is given one that it does not know, and
says which ones it does."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tablectl.config.table_file import BadConfig, load

#: No key of anything.
ODD: Final = "zzz"
_NAME: Final = re.compile(r"[a-z0-9_]+")
#: Where sections are tables of tables, or lists of them, or need something beside them.
_NESTED: Final = ("table", "games", "device", "notify", "limits")
_FILE: Final = f"""
[table]
rulebook = "{{game}}"
{ODD} = 1
[limits.bet]
{ODD} = 1
[games.{{other}}]
{ODD} = 1
[[device]]
driver = "{{driver}}"
{ODD} = 1
[device.settings]
{ODD} = 1
[[notify]]
{ODD} = 1
[usb]
{ODD} = 1
allow = [{{{{ {ODD} = 1 }}}}]
[{ODD}]
"""


def known(folder: Path, *, game: str = "draw-poker", driver: str = "angel-eye") -> dict[str, list[str]]:
    """By section (`journal`, `device[1].settings`, and the empty text for the sections themselves): its keys."""
    other = "circle-holdem" if game == "draw-poker" else "draw-poker"
    text = _FILE.format(game=game, other=other, driver=driver)
    flat = [word for word in _told(folder, text)[""] if word not in (*_NESTED, "usb")]
    return _told(folder, text + "".join(f"[{word}]\n{ODD} = 1\n" for word in flat))


def _told(folder: Path, text: str) -> dict[str, list[str]]:
    path = folder / "odd.toml"
    path.write_text(text, encoding="utf-8")
    try:
        load(path)
    except BadConfig as wrong:
        told = {mistake.key: mistake.right for mistake in wrong.mistakes}
        found = {key.removesuffix(ODD).rstrip("."): right for key, right in told.items() if key.endswith(ODD)}
        return {section: _names(right) for section, right in found.items()}
    raise AssertionError("a file with unknown keys was taken")


def _names(right: str) -> list[str]:
    return _NAME.findall(right.removeprefix("one of ").replace(" or ", " "))
