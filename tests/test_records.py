"""What every fact, decision and verdict can rely on, whatever makes a record at run time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, field, fields, is_dataclass, replace

import pytest

from tablectl.core.records import record


@record
class Paid:
    """An example."""

    seat: int
    amount: int | None = None
    parts: Mapping[str, int] = field(default_factory=dict)

    @property
    def text(self) -> str:
        """A property of its own."""
        return f"seat-{self.seat}"


@record
class Owed:
    """The same fields."""

    seat: int
    amount: int | None = None
    parts: Mapping[str, int] = field(default_factory=dict)


@record
class Place:
    """Without anything that cannot be hashed."""

    seat: int
    position: int = 1


@pytest.mark.parametrize("name", ["seat", "amount", "another"])
def test_a_record_cannot_be_written(name: str) -> None:
    paid = Paid(seat=3)

    with pytest.raises(AttributeError):
        setattr(paid, name, 4)
    assert paid == Paid(seat=3)


def test_fields_are_named_and_those_without_a_default_are_needed() -> None:
    with pytest.raises(TypeError):
        _make(Paid, 3)
    with pytest.raises(TypeError):
        _make(Paid)
    with pytest.raises(TypeError):
        _make(Paid, seat=3, chair=3)


def _make(kind: type[object], *values: object, **named: object) -> object:
    return kind(*values, **named)


def test_defaults_are_each_record_s_own() -> None:
    one, other = Paid(seat=3), Paid(seat=3)

    assert (one.amount, one.parts, one.text) == (None, {}, "seat-3")
    assert one.parts is not other.parts


def test_records_are_the_same_by_kind_and_value() -> None:
    assert Paid(seat=3, amount=5) == Paid(seat=3, amount=5)
    assert Paid(seat=3, amount=5) != Paid(seat=3, amount=6)
    assert _make(Paid, seat=3) != _make(Owed, seat=3)
    assert {Place(seat=3): "there"}[Place(seat=3)] == "there"


def test_a_record_is_told_as_it_is_written() -> None:
    assert repr(Place(seat=3)) == "Place(seat=3, position=1)"
    assert (Paid.__name__, Paid.__module__, Paid.__doc__) == ("Paid", __name__, "An example.")


def test_a_record_is_a_dataclass_to_who_looks_at_its_fields() -> None:
    assert is_dataclass(Paid)
    assert [(member.name, member.default) for member in fields(Place)] == [("seat", MISSING), ("position", 1)]
    assert replace(Place(seat=3, position=2), seat=4) == Place(seat=4, position=2)


def test_a_record_with_a_base_is_refused() -> None:
    class Longer(Place):
        """More than its base."""

    with pytest.raises(TypeError, match="Longer has a base"):
        record(Longer)
