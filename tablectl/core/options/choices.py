"""A house's choices where a document leaves one open: what a choice is, and what a file may say.

Every key cites the clause that leaves it open and the entry of our register of ambiguities (AMB). The default is our
ruling. Pure: a command reads the file, this module judges what was in it. One file beside this one for each rulebook.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import Field, dataclass, fields
from enum import StrEnum
from typing import Any, ClassVar, TypeVar

from tablectl.core.validation import Mistake, one_of, one_of_near


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
    """The choices of a house for one rulebook: a field a choice, its default our ruling."""

    rulebook: ClassVar[str]


P = TypeVar("P", bound=Profile)


def choices(of: type[Profile]) -> dict[str, Choice]:
    """Every key of a profile with what it decides, in the order of the profile."""
    return {option.name: _choice(option) for option in fields(of)}


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
        option.name: _values(option)(str(mapping[option.name])) for option in fields(kind) if option.name in mapping
    }
    return kind(**chosen)


def profile_in_force(kind: type[P], mapping: Mapping[str, object]) -> P:
    """As `profile_of`, of choices that were judged before: raises `ValueError` for those that were not good."""
    profile = profile_of(kind, mapping, "profile")
    if isinstance(profile, list):
        raise ValueError("; ".join(str(mistake) for mistake in profile))
    return profile


def _judged(kind: type[Profile], key: str, value: object, where: str) -> Mistake | None:
    known = choices(kind)
    if key != "rulebook" and key not in known:
        return Mistake(
            where=where, key=key, found="a key that this profile does not have", right=one_of_near(key, known)
        )
    allowed = (kind.rulebook,) if key == "rulebook" else known[key].values
    if value in allowed:
        return None
    right = one_of_near(value, allowed) if isinstance(value, str) else one_of(allowed)
    return Mistake(where=where, key=key, found=repr(value), right=right)
