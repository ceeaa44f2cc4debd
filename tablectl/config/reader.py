"""Reads sections of a table's file: a value where it is right, and a mistake with its key and remedy where it is not.

Nobody stops at the first mistake: the default stands in for what is wrong, and all mistakes are told at once.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from msgspec import ValidationError

from tablectl.config.notices import Notice
from tablectl.config.schema import CREDENTIAL, Key, Refused, Section, complete, keys
from tablectl.core.os_error_text import happened, remedy
from tablectl.core.toml_text import NotToml, toml
from tablectl.core.validation import Invalid, Mistake, sentence

CREDENTIALS_FOLDER: Final = "CREDENTIALS_DIRECTORY"
NO_CREDENTIALS: Final = "/run/credentials/not-a-service"
UNKNOWN: Final = sentence("a key that is not known here")
_RIGHT_OF_TYPE: Final[Mapping[object, str]] = {
    bool: sentence("true or false"),
    str: sentence("a text that is not empty"),
    Path: sentence("a text that is not empty"),
}

S = TypeVar("S", bound=Section)
T = TypeVar("T")


def choices_file(path: Path) -> dict[str, Any]:
    """A file with the choices of a house for one game, beside any table's. Raises `Invalid` where it cannot be read."""
    try:
        return toml(path.read_bytes())
    except OSError as wrong:
        found, right = happened(wrong), remedy(wrong, sentence("the path of a TOML file"))
    except NotToml as wrong:
        found, right = sentence("no TOML ({why})", why=wrong), sentence("lines such as key = 'value'")
    raise Invalid([Mistake(where=str(path), key="file", found=found, right=right)])


class Reader:
    """Reads one file. `mistakes` and `notices` are what was found so far; notices are no mistakes, and should be known.

    `prefix` of a key: where its section stands, `journal.` or `device[2].`, empty for the file itself.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mistakes: list[Mistake] = []
        self.notices: list[Notice] = []

    def section(self, kind: type[S], raw: Mapping[str, Any], prefix: str) -> S | None:
        """The section that stands in `raw`; None where a key is wrong that nothing can stand in for."""
        return complete(kind, self.values(kind, raw, prefix))

    def whole(self, kind: type[S], raw: Mapping[str, Any], name: str) -> S:
        """The section with this name, all keys of which have defaults."""
        return kind(**self.values(kind, self.table(raw, name), f"{name}."))

    def values(
        self, kind: type[Section], raw: Mapping[str, Any], prefix: str, *, there: Iterable[Key] | None = None
    ) -> dict[str, Any]:
        """What `raw` says, by the fields of the section; what is not there, or wrong, is left out.

        `there`: the keys that there are here, such as those of a game with its bounds, where not all of the section.
        """
        by_name = {key.name: key for key in (keys(kind).values() if there is None else there)}
        self.known(raw, prefix, by_name)
        read = ((key.field, self.value(key, raw, prefix)) for key in by_name.values())
        return {field: value for field, value in read if value is not None}

    def value(self, key: Key, raw: Mapping[str, Any], prefix: str) -> object:
        """One key; None where it is not there, or wrong."""
        name = f"{prefix}{key.name}"
        if key.name not in raw:
            if key.is_required:
                self.wrong(name, sentence("nothing"), key.says.needed or right(key, None))
            default = key.default
            return self.place(name, str(default)) if isinstance(default, Path) else None
        found = raw[key.name]
        if key.plain is Path:
            return self._path(key, name, found)
        try:
            return key.value(found)
        except Refused as no:
            self.wrong(name, no.found or told(key, found), no.right)
        except ValidationError:
            self.wrong(name, told(key, found), right(key, found))
        return None

    def known(self, raw: Mapping[str, Any], prefix: str, names: Iterable[str]) -> None:
        """Tell the keys that nobody reads."""
        there = tuple(names)
        for name in raw:
            if name not in there:
                self.wrong(f"{prefix}{name}", UNKNOWN, guess(name, there))

    def table(self, raw: Mapping[str, Any], name: str) -> dict[str, Any]:
        """The table with this name, empty where there is none."""
        found = raw.get(name.rpartition(".")[2], {})
        if isinstance(found, dict):
            return found
        self.wrong(name, repr(found), sentence("a table [{name}]", name=name))
        return {}

    def right(self, section: str, found: T | list[Mistake]) -> T | None:
        """What another module read out of a section; None if something is wrong with that."""
        if not isinstance(found, list):
            return found
        for mistake in found:
            self.wrong(f"{section}.{mistake.key}", mistake.found, mistake.right)
        return None

    def wrong(self, key: str, found: str, right: str) -> None:
        """Tell a mistake."""
        self.mistakes.append(Mistake(where=str(self.path), key=key, found=found, right=right))

    def notice(self, name: str, /, **values: object) -> None:
        """Tell what is no mistake and should be known: `Notice`."""
        self.notices.append(Notice(name=name, values=values))

    # -- paths -------------------------------------------------------------------------------------------------------

    def place(self, name: str, text: str) -> Path:
        """A file; relative ones are taken from the folder of this file."""
        place = self.path.absolute().parent / text
        # Not the file itself: where a service's user put a link in its place, root has to see that it is one.
        return place.resolve() if place.name == ".." else place.parent.resolve() / place.name

    def _path(self, key: Key, name: str, found: object) -> Path | None:
        """A file, or the credential of a service; outside of one nobody can read it, and the path says so."""
        if key.says.may_be_credential and isinstance(found, str) and found.startswith(CREDENTIAL):
            called = found.removeprefix(CREDENTIAL)
            if not called or "/" in called or "\0" in called:
                self.wrong(name, repr(found), sentence("credential:NAME, as in LoadCredential=NAME:… of the service"))
            return Path(os.environ.get(CREDENTIALS_FOLDER, NO_CREDENTIALS)) / (called or "missing")
        if not isinstance(found, str) or not found.strip():
            self.wrong(name, repr(found), right(key, found))
        elif "\0" in found:
            self.wrong(name, repr(found), sentence("a path without the character zero"))
        else:
            return self.place(name, found)
        return self.place(name, str(key.default)) if isinstance(key.default, Path) else None


def right(key: Key, found: object) -> str:
    """What would be right for a key."""
    if key.says.right:
        return key.says.right
    if key.words and key.is_list:
        odd = next((word for word in found if word not in key.words), "") if isinstance(found, list) else ""
        return sentence("a list, each once; {guess}", guess=guess(str(odd), key.words))
    if key.words:
        return guess("" if found is None else str(found), key.words)
    if key.bounds is not None:
        least, most = key.bounds
        return sentence("a whole number from {least} to {most}", least=least, most=most)
    return _RIGHT_OF_TYPE[key.plain]


def told(key: Key, found: object) -> str:
    """What was found, unless it looks like an address that slipped into another line: that is a secret."""
    text = repr(found)
    return sentence("an address (not repeated here)") if key.says.is_hidden and "://" in text else text


def guess(found: str, allowed: Iterable[str]) -> str:
    """What may have been meant, and what there is."""
    words = tuple(map(str, allowed))
    close = get_close_matches(found, words, n=1)
    there = sentence("one of {words}", words=", ".join(words))
    return sentence("did you mean {close!r}? {there}", close=close[0], there=there) if close else there
