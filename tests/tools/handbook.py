"""`make docs`: the parts of pages that follow from the program, from `<!-- made: NAME -->` to `<!-- end -->`.

A new driver, choice, tilt or kind of incident is then in the handbook with its own words, and a test that finds a part
that is not what would be made says so.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from datetime import time
from enum import Enum
from functools import partial
from pathlib import Path
from typing import Any, Final

from drivers.entry import Driver
from drivers.health import DeviceState
from drivers.registry import DRIVERS
from tablectl.api.methods import METHODS, shape
from tablectl.config.schema import Key as SettingsKey
from tablectl.config.schema import Section, keys
from tablectl.config.sections import SECTIONS, BetSection, GameSection, UsbEntry
from tablectl.core.engine.vocabulary import Key
from tablectl.core.options.choices import Choice
from tablectl.core.public_table.alarm_kinds import RANKS
from tablectl.core.public_table.alarms import AlarmState
from tablectl.core.public_table.device_notes import NOTED
from tablectl.fleet.pit.settings import PitSection
from tablectl.games.registry import PROFILES, choices_of
from tablectl.i18n.languages import SOURCE
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import Texts, load_texts
from tablectl.journal.tilt import TiltKind

DOCS: Final = Path(__file__).parents[2] / "docs"
HANDBOOK: Final = DOCS / "handbook"
#: Every page that has parts that are made.
PAGES: Final = (*sorted(HANDBOOK.glob("*.md")), DOCS / "api.md")
#: A part of a page: its name, and what stands in it.
_PART: Final = re.compile(r"(?<=<!-- made: )(?P<name>[a-z-]+)(?P<mark> -->\n)(?P<text>.*?)(?=<!-- end -->)", re.DOTALL)
#: Pages about what several devices are used for, and about none of them.
_USES: Final = frozenset({"badges.md"})


def made(page: str) -> str:
    """The text of a page with its parts as they would be made now. Raises `KeyError` for a part of no known name."""
    return _PART.sub(lambda part: f"{part['name']}{part['mark']}\n{PARTS[part['name']]()}\n", page)


def page_of(driver: str) -> str:
    """The name of the page about a driver. Raises `LookupError` where there is none."""
    for path in sorted((DOCS / "devices").glob("*.md")):
        text = path.read_text(encoding="utf-8")
        if path.name not in _USES and (f"`{driver}`" in text or f'"{driver}"' in text):
            return path.name
    raise LookupError(driver)


def settings_of(driver: Driver) -> dict[str, str]:
    """Every setting of a driver with its default as TOML; empty where it is required."""
    found: dict[str, Any] = {field.name: field.default for field in fields(driver.place)}
    found |= driver.place_defaults
    for field in fields(driver.settings) if driver.settings is not None else ():
        found[field.name] = field.default_factory() if field.default_factory is not MISSING else field.default
    return {name: "" if value is MISSING else as_toml(value) for name, value in found.items()}


def as_toml(value: object) -> str:
    """A value as a configuration has it."""
    if isinstance(value, Enum):
        value = value.value
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, Mapping):
        return "{}"
    if isinstance(value, tuple | list):
        return f"[{', '.join(map(as_toml, value))}]"
    if isinstance(value, time):
        return f'"{value:%H:%M}"'
    if isinstance(value, Path):
        value = str(value)
    return f'"{value}"' if isinstance(value, str) else str(value)


def row(*cells: str) -> str:
    """A line of a table."""
    return f"| {' | '.join(cells)} |"


def _table(head: Iterable[str], rows: Iterable[str]) -> str:
    names = tuple(head)
    return "\n".join((row(*names), f"|{'---|' * len(names)}", *rows)) + "\n"


def _settings(section: type[Section]) -> str:
    """The keys of a section of a table's file."""
    rows = (
        row(f"`{key.name}`", _values(key), _default(key), key.read_by, key.says.means) for key in keys(section).values()
    )
    return _table(("key", "values", "default", "read by", "meaning"), rows)


def _values(key: SettingsKey) -> str:
    """What can be right, as far as the type says it; otherwise in the key's own words."""
    if key.says.values:
        return key.says.values
    if key.words:
        words = [as_toml(word) for word in key.words]
        if not key.is_list:
            return " ".join(f"`{word}`" for word in words)
        return f"a list of {', '.join(f'`{word}`' for word in words)}"
    if key.bounds is not None:
        least, most = key.bounds
        return f"{least} to {most} {key.says.unit}".strip()
    path = 'a path, or `"credential:NAME"`' if key.says.may_be_credential else "a path"
    of_type: dict[object, str] = {bool: "`true` `false`", str: "text", Path: path}
    return of_type[key.plain]


def _default(key: SettingsKey) -> str:
    if key.says.default:
        return key.says.default
    if key.is_required:
        return "required"
    return "none" if key.default is None else f"`{as_toml(key.default)}`"


def _drivers() -> str:
    return _table(("driver", "device", "settings, each with its default"), map(_driver, DRIVERS.values()))


def _driver(driver: Driver) -> str:
    said = (f"`{name} = {value}`" if value else f"`{name}` (required)" for name, value in settings_of(driver).items())
    return row(f"`{driver.id}`", f"[{driver.title}](../devices/{page_of(driver.id)})", ", ".join(said))


def _keys() -> str:
    texts = load_texts()
    rows = (row(f"`{key}`", *_both(texts, "key", key)) for key in Key)
    return _table(("key", "Spanish", "English"), rows)


def _choices() -> str:
    return "\n".join(_choices_of_game(game) for game in PROFILES)


def _choices_of_game(game: str) -> str:
    page = f"../rulebooks/{game}.md"
    t = TableTexts(language=SOURCE, texts=load_texts(), rulebook=game)
    rows = (_choice(key, choice, page, t) for key, choice in choices_of(game).items())
    return f"## `{game}`\n\n" + _table(("key", "values", "what it decides", "clause"), rows)


def _choice(key: str, choice: Choice, page: str, t: TableTexts) -> str:
    values = (f'**`"{value}"`**' if value == choice.default else f'`"{value}"`' for value in choice.values)
    clause = f"[{choice.clause}]({page}#{choice.clause.lower()})"
    return row(f"`{key}`", " ".join(values), t.choice(key), clause)


def _tilts() -> str:
    texts = load_texts("tablectl.web.screens")
    rows = (
        row(
            f"[`{kind}`](../tilts.md#{kind})",
            *_both(texts, "tilt", kind),
            texts.text("tilt-means", kind, "en"),
            texts.text("tilt-out", kind, "en"),
        )
        for kind in TiltKind
    )
    return _table(("in the log", "Spanish", "English", "it means", "the way out"), rows)


def _states() -> str:
    texts = load_texts("tablectl.web.screens")
    rows = (
        row(f"`{state}`", *_both(texts, "device-health", state), texts.text("device-hint", state, "en"))
        for state in DeviceState
    )
    return _table(("state", "Spanish", "English", "what to do"), rows)


def _notes() -> str:
    texts = load_texts("tablectl.web.screens")
    rows = (row(f"`{what}`", *_both(texts, "said", what), texts.text("said-do", what, "en")) for what in sorted(NOTED))
    return _table(("in records", "Spanish", "English", "what to do"), rows)


def _said() -> str:
    texts = load_texts()
    others = sorted(texts.keys("said") - NOTED)
    rows = (row(f"`{what}`", *_both(texts, "said", what)) for what in others)
    return _table(("in records", "Spanish", "English"), rows)


def _garbage() -> str:
    texts = load_texts("tablectl.web.screens")
    rows = (row(*_both(texts, "device-reason", why)) for why in sorted(texts.keys("device-reason")))
    return _table(("Spanish", "English"), rows)


def _incidents() -> str:
    texts = load_texts("tablectl.web.screens")
    return _table(("in records", "Spanish", "English", "it means"), _incident_rows(texts))


def _incident_rows(texts: Texts) -> Iterator[str]:
    for kind in sorted(texts.keys("title")):
        means = texts.text("happened" if texts.has("happened", kind) else "title", kind, "en").removesuffix(".") + "."
        steps = " ".join(texts.lines("steps", kind, "en")) if texts.has("steps", kind) else ""
        yield row(f"`{kind}`", *_both(texts, "title", kind), " ".join((means, _plain(steps))).strip())


def _remedies() -> str:
    texts = load_texts("tablectl.web.screens")
    rows = (
        row(f"`{word}`", *_both(texts, "remedy", word), _plain(" ".join(texts.lines("steps", word, "en"))))
        for word in sorted(texts.keys("remedy"))
        if texts.has("steps", word)
    )
    return _table(("in records", "Spanish", "English", "what the croupier does"), rows)


def _alarm_states() -> str:
    texts = load_texts("tablectl.web.screens")
    return _table(("Spanish", "English"), (row(*_both(texts, "alarm-state", state)) for state in AlarmState))


def _alarm_kinds() -> str:
    texts = load_texts("tablectl.web.screens")
    rows = (
        row(
            f"`{kind}`",
            "!" * (4 - rank.priority),
            texts.text("person-role", rank.responder, "en"),
            *_both(texts, "alarm-why", kind),
        )
        for kind, rank in RANKS.items()
    )
    return _table(("about", "priority", "must respond", "why, in Spanish", "why, in English"), rows)


def _both(texts: Texts, table: str, key: str) -> tuple[str, str]:
    return texts.text(table, key, "es"), texts.text(table, key, "en")


def _plain(steps: str) -> str:
    """Without the braces that are filled in at a table."""
    return re.sub(r"\s*: \{[a-z]+\}|\{seat\}: ", "", steps)


def _methods() -> str:
    rows = (
        row(
            f"[`{method.name}`](#{method.name})",
            method.permission.value,
            f"`{shape(method)}`",
            _first(method.call.__doc__),
        )
        for method in METHODS
    )
    return _table(("method", "who", "request", "what it does"), rows)


def _first(docstring: str | None) -> str:
    return " ".join((docstring or "").split())


#: Sections with a table of keys, by the names of their parts.
_SECTIONS: Final[Mapping[str, type[Section]]] = {
    **{name: section for name, section in SECTIONS.items() if section is not None},
    "pit": PitSection,
    "limits": BetSection,
    "games": GameSection,
    "usb-allow": UsbEntry,
}
#: What there is to be made, by its name.
PARTS: Final[Mapping[str, Callable[[], str]]] = {
    "alarm-kinds": _alarm_kinds,
    "alarm-states": _alarm_states,
    "choices": _choices,
    "drivers": _drivers,
    "garbage": _garbage,
    "incidents": _incidents,
    "keys": _keys,
    "methods": _methods,
    "notes": _notes,
    "remedies": _remedies,
    "said": _said,
    "states": _states,
    "tilts": _tilts,
    **{f"settings-{name}": partial(_settings, section) for name, section in _SECTIONS.items()},
}


def main() -> int:
    """Make all parts of all pages."""
    for path in PAGES:
        before = path.read_text(encoding="utf-8")
        if (now := made(before)) != before:
            path.write_text(now, encoding="utf-8")
            sys.stdout.write(f"made: {path.relative_to(DOCS.parent)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
