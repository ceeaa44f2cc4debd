"""Values that are made once and never changed: facts, decisions, verdicts.

To mypy a `record` is a frozen, keyword-only dataclass; to `dataclasses.fields` and `replace` it is one too. At run time
it is a struct of msgspec, which makes one in a fifth of the time that a dataclass with slots takes, and guards it
against writing: a hand of a circle game makes a hundred and fifty.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any, Final, TypeVar, dataclass_transform

import msgspec

#: What a class has of its own besides its fields and methods.
_NOT_KEPT: Final = frozenset({"__annotations__", "__dict__", "__weakref__", "__dataclass_params__", "__match_args__"})


_Record = TypeVar("_Record")
#: The member that says which event a public record holds.
KIND: Final = "kind"


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=True)
def record(made: type[Any]) -> type[Any]:
    """A class with keyword-only fields that cannot be written, compared and hashed by value.

    Raises `TypeError` for one with a base, whose fields would be lost.
    """
    return _struct(made, tag=None)


@dataclass_transform(frozen_default=True, kw_only_default=True, eq_default=True)
def event(made: type[Any]) -> type[Any]:
    """As `record`, with a kind by which it is told from other events in JSON: the name of the class, as `hand-opened`
    for `HandOpened`. `kind_of` gives it."""
    return _struct(made, tag=_WORD_START.sub("-", made.__name__).lower())


def kind_of(made: type[Any]) -> str:
    """The kind of a class of events, as it stands in public records."""
    tag: str = made.__struct_config__.tag
    return tag


def kind_in_public(made: type[Any]) -> bytes:
    """What stands in the public bytes of each record of this class of events, and of no other: a quotation mark within
    a text is none there."""
    return f'"{KIND}":"{kind_of(made)}"'.encode()


_WORD_START: Final = re.compile(r"(?<!^)(?=[A-Z])")


def _struct(made: type[Any], *, tag: str | None) -> type[Any]:
    if made.__bases__ != (object,):
        raise TypeError(f"{made.__name__} has a base: a record has none")
    described = fields(dataclass(kw_only=True, init=False, repr=False, eq=False)(made))
    named = {member.name for member in described}
    struct = msgspec.defstruct(
        made.__name__,
        [_field(member) for member in described],
        namespace={
            "__deepcopy__": _itself,
            **{name: value for name, value in vars(made).items() if name not in named | _NOT_KEPT},
        },
        module=made.__module__,
        frozen=True,
        kw_only=True,
        forbid_unknown_fields=True,
        tag_field=None if tag is None else KIND,
        tag=tag,
    )
    struct.__qualname__ = made.__qualname__
    return struct


def _itself(value: _Record, _memo: object) -> _Record:
    """What is never changed is its own copy."""
    return value


def _field(member: Field[Any]) -> tuple[str, Any, Any]:
    """The field as msgspec asks for it: name, type, and default or how it is made."""
    if member.default_factory is not MISSING:
        return (member.name, member.type, msgspec.field(default_factory=member.default_factory))
    return (member.name, member.type, msgspec.NODEFAULT if member.default is MISSING else member.default)
