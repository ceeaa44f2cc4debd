"""What a key of a table's file is. From one declaration a file is checked, setup asks and the settings page is made.

A section is a struct of msgspec. Each field is a key: its type has the bounds (`Annotated[int, Meta(ge=1, le=9)]`), its
default holds where a file leaves the key out, and `Says` has what no type can say.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cache
from types import NoneType
from typing import Annotated, Any, ClassVar, Final, TypeAlias, TypeVar, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Meta
from msgspec.inspect import IntType, Metadata, type_info

from tablectl.core.validation import sentence

#: A key that systemd gives to the service: `credential:NAME` (systemd.exec(5), `LoadCredential=`).
CREDENTIAL: Final = "credential:"
#: A text with something in it.
Text: TypeAlias = Annotated[str, Meta(pattern=r"\S")]


class Refused(ValueError):
    """A value that a check does not take: what would be right, and what was found where that is not the value."""

    def __init__(self, right: str, *, found: str = "") -> None:
        super().__init__(right)
        self.right = right
        self.found = found


@dataclass(frozen=True, kw_only=True, slots=True)
class Says:
    """What the settings page and a mistake say of a key, as far as its type does not.

    `means` is for the page; so are `read_by` (commands), where those of its section do not read it, and `values`,
    `default` and `unit` where the type has no good words for them. A mistake names `right`, and `needed` where a key is
    missing that has to be there. `one_of`: the words that there are, where the type is a text. `check` makes the value,
    or raises `Refused`.
    """

    means: str
    read_by: str = ""
    values: str = ""
    default: str = ""
    unit: str = ""
    right: str = ""
    needed: str = ""
    one_of: tuple[str, ...] = ()
    check: Callable[[Any], object] | None = None
    #: a file has to say it, though the struct has a value to go on with
    is_required: bool = False
    #: a path may be `credential:NAME`, which systemd gives to a service
    may_be_credential: bool = False
    #: what was found may be a secret, and is not repeated in a mistake
    is_hidden: bool = False


def secret(means: str, *, read_by: str = "") -> Says:
    """A file that is nobody else's business; it may be a credential of systemd."""
    return Says(means=f"{means}. **A secret**", read_by=read_by, may_be_credential=True)


#: A port that somebody listens at.
Port: TypeAlias = Annotated[int, Meta(ge=0, le=65535), Says(means="0 is any free one")]
#: How a broker is named, and how that would be right.
BROKER: Final = "`mqtts://NAME:PORT`"
BROKER_RIGHT: Final = sentence("mqtts://NAME:PORT, as in mqtts://broker.casino.example:8883")


class Section(msgspec.Struct, frozen=True):
    """A table of the file, such as `[journal]`."""

    #: which commands read its keys, where a key does not say otherwise
    READ_BY: ClassVar[str] = "controller"


@dataclass(frozen=True, kw_only=True, slots=True)
class Key:
    """One key of a section. `field` is its name in the struct, `words` what it is one of, or a list of."""

    name: str
    field: str
    type: object
    says: Says
    read_by: str
    default: object
    words: tuple[str, ...] = ()

    @property
    def has_default(self) -> bool:
        """Whether the struct is complete without it."""
        return self.default is not NODEFAULT

    @property
    def is_required(self) -> bool:
        """Whether a file has to say it."""
        return self.says.is_required or not self.has_default

    @property
    def plain(self) -> object:
        """Its type without bounds, where it is there."""
        return _plain(self.type)

    @property
    def is_list(self) -> bool:
        """Whether it has several values."""
        return get_origin(self.plain) is tuple

    @property
    def bounds(self) -> tuple[int, int] | None:
        """The least and the greatest number; None of what is no whole number."""
        info = type_info(_without_none(self.type))
        if isinstance(info, Metadata):
            info = info.type
        if isinstance(info, IntType) and info.ge is not None and info.le is not None:
            return info.ge, info.le
        return None

    def between(self, least: int, most: int) -> Key:
        """The same key, where the bounds are those of a game."""
        return replace(self, type=Annotated[int, Meta(ge=least, le=most)])

    def one_of(self, words: tuple[str, ...]) -> Key:
        """The same key, where a game has these words alone."""
        return replace(self, words=words)

    def value(self, found: object) -> object:
        """What a file's value stands for. Raises `msgspec.ValidationError` where it has another type, and `Refused`."""
        if self.words and not _are_words(found if self.is_list else [found], self.words):
            raise msgspec.ValidationError
        made: object = msgspec.convert(found, _without_none(self.type))
        return made if self.says.check is None else self.says.check(made)


def _are_words(found: object, words: tuple[str, ...]) -> bool:
    """Whether these are words, one at least, each once."""
    return isinstance(found, list) and bool(found) and all(word in words and found.count(word) == 1 for word in found)


S = TypeVar("S", bound=Section)


@cache
def keys(section: type[Section]) -> dict[str, Key]:
    """All keys of a section by their names, in their order."""
    return {field.encode_name: _key(section, field) for field in msgspec.structs.fields(section)}


def complete(section: type[S], values: Mapping[str, Any]) -> S | None:
    """The section with these values by its fields; None where one is missing that has no default."""
    if any(key.field not in values and not key.has_default for key in keys(section).values()):
        return None
    return section(**values)


def key_of(section: type[Section], name: str) -> Key:
    """One of them. Raises `KeyError`."""
    return keys(section)[name]


def _key(section: type[Section], field: msgspec.structs.FieldInfo) -> Key:
    (says,) = (note for note in field.type.__metadata__ if isinstance(note, Says))
    return Key(
        name=field.encode_name,
        field=field.name,
        type=field.type,
        says=says,
        read_by=says.read_by or section.READ_BY,
        default=field.default,
        words=says.one_of or _words(field.type),
    )


def _without_none(kind: object) -> object:
    """The type of a key that may be missing, where it is there."""
    if get_origin(kind) is not Annotated:
        return kind
    inner, *about = get_args(kind)
    rest = [argument for argument in get_args(inner) if argument is not NoneType]
    if len(rest) == 1 and NoneType in get_args(inner):
        inner = rest[0]
    for extra in about:
        inner = Annotated[inner, extra]
    return inner


def _plain(kind: object) -> object:
    kind = _without_none(kind)
    while get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    return kind


def _words(kind: object) -> tuple[str, ...]:
    """The words of an enum, or of a list of one."""
    plain = _plain(kind)
    inner = _plain(get_args(plain)[0]) if get_origin(plain) is tuple else plain
    return tuple(str(member.value) for member in inner) if isinstance(inner, type) and issubclass(inner, Enum) else ()
