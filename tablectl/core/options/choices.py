"""A house's choices where a document leaves one open: what a choice is, and what a file may say.

Every key cites the clause that leaves it open and the entry of our register of ambiguities (AMB). The default is our
ruling. Pure: a command reads the file, this module judges what was in it. One file beside this one for each rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Final, TypeVar

from tablectl.core.validation import Mistake, one_of, one_of_near, sentence

#: How long a card has to lie at a place before it counts there (ruling "wrong place"), in milliseconds: what ships, and
#: from what to what a house may set it. Every game has this key.
DWELL_MS: Final = 1_500
DWELL_MS_LEAST: Final = 200
DWELL_MS_MOST: Final = 10_000
_DWELL: Final = "dwell_ms"
_DWELL_RIGHT: Final = sentence(
    "a whole number of milliseconds, from {least} to {most}", least=DWELL_MS_LEAST, most=DWELL_MS_MOST
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """What a profile key decides: the clause that leaves it open, our register's entry, and what may be chosen. What
    people read of it stands in the catalogues of the languages."""

    clause: str
    ambiguity: str
    values: tuple[str, ...]
    default: str


def left_open(ambiguity: str, *, at: str) -> Mapping[str, str]:
    """The metadata of a profile's key: our register's entry, and the clause `at` which a document leaves it open."""
    return {"clause": at, "ambiguity": ambiguity}


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """The choices of a house for one rulebook: a field a choice, its default our ruling; and how long a card has to lie
    at a place, which no document leaves open."""

    rulebook: ClassVar[str]
    dwell_ms: int = DWELL_MS

    @property
    def dwell_us(self) -> int:
        """The dwell time in microseconds."""
        return self.dwell_ms * 1_000


P = TypeVar("P", bound=Profile)


def choices(of: type[Profile]) -> dict[str, Choice]:
    """Every choice of a profile with what it decides, in the order of the profile."""
    return {option.name: _choice(option) for option in _options(of)}


def _options(of: type[Profile]) -> list[Field[Any]]:
    return [option for option in fields(of) if option.name != _DWELL]


@cache
def _choice(key: Field[Any]) -> Choice:
    values = tuple(value.value for value in _values(key))
    return Choice(**key.metadata, values=values, default=str(key.default))


def _values(key: Field[Any]) -> type[StrEnum]:
    if not isinstance(key.default, StrEnum):
        raise TypeError(f"the default of {key.name} is no value of a named choice")
    return type(key.default)


def profile_of(kind: type[P], mapping: Mapping[str, object], where: str) -> P | list[Mistake]:
    """The profile that a file's top level describes, or everything that is wrong with it.

    Keys that are not there keep our ruling. `rulebook = "texas-bonus"` (the id of this kind of profile) may stand
    beside them. `where` (a file name, say) goes into each mistake and is not looked at otherwise.
    """
    judged = (_judged(kind, key, value, where) for key, value in mapping.items())
    mistakes = [mistake for mistake in judged if mistake is not None]
    if mistakes:
        return mistakes
    chosen: dict[str, Any] = {
        option.name: _values(option)(str(mapping[option.name])) for option in _options(kind) if option.name in mapping
    }
    if _DWELL in mapping:
        chosen[_DWELL] = int(str(mapping[_DWELL]))
    return kind(**chosen)


def profile_in_force(kind: type[P], mapping: Mapping[str, object]) -> P:
    """As `profile_of`, of choices that were judged before: raises `ValueError` for those that were not good."""
    profile = profile_of(kind, mapping, "profile")
    if isinstance(profile, list):
        raise ValueError("; ".join(str(mistake) for mistake in profile))
    return profile


def _judged(kind: type[Profile], key: str, value: object, where: str) -> Mistake | None:
    known = choices(kind)
    if key == _DWELL:
        return None if _is_dwell(value) else Mistake(where=where, key=key, found=repr(value), right=_DWELL_RIGHT)
    if key != "rulebook" and key not in known:
        right = one_of_near(key, (*known, _DWELL))
        return Mistake(where=where, key=key, found=sentence("a key that this profile does not have"), right=right)
    allowed = (kind.rulebook,) if key == "rulebook" else known[key].values
    if value in allowed:
        return None
    right = one_of_near(value, allowed) if isinstance(value, str) else one_of(allowed)
    return Mistake(where=where, key=key, found=repr(value), right=right)


def _is_dwell(value: object) -> bool:
    """A number, as a table's file has it, or its digits, as a journal and a hand file have it."""
    is_number = isinstance(value, int | str) and not isinstance(value, bool) and re.fullmatch("[0-9]{1,6}", str(value))
    return bool(is_number) and DWELL_MS_LEAST <= int(str(value)) <= DWELL_MS_MOST
