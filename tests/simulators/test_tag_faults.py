"""Faults in the field of a reader: what a driver makes of quiet tags, of two tags and of a copied one."""

from __future__ import annotations

import pytest

from drivers.facts import Found, Lost
from drivers.feig.driver import Feig, FeigSettings
from drivers.pepper.driver import Pepper, PepperSettings
from drivers.pn532.driver import Multiplexer, Pn532, Pn532Settings
from drivers.protocol import DeviceProtocol
from simulators.devices.faults import Fault, FaultKind, FaultPlan, FaultPlanError, TagFault, TagFaultKind
from simulators.devices.feig.simulator import FeigOptions, FeigProtocol
from simulators.devices.field import Field
from simulators.devices.pepper.simulator import PepperProtocol
from simulators.devices.pn532.simulator import ChipProtocol
from simulators.devices.reader import ReaderProtocol
from simulators.devices.tag_faults import fields_of
from simulators.devices.world import AWAY, World, iso15693_tag, type_a_tag
from tests.simulators.readers import ReaderBench

SPOTS = ("seat-1", "seat-2")
QUIET = TagFault(kind=TagFaultKind.QUIET_TAG, at=(1,))
TWO = TagFault(kind=TagFaultKind.TWO_TAGS, at=(1,))
CLONE = TagFault(kind=TagFaultKind.CLONE, at=(2,))


def world_with(*faults: TagFault, spots: tuple[str, ...] = SPOTS) -> tuple[World, list[Field]]:
    world = World(["As", "Kd"], tag_of=iso15693_tag)
    return world, list(fields_of(world, spots, faults, seed=1))


def test_a_quiet_tag_is_not_reported_until_the_field_is_reset_or_it_was_lifted() -> None:
    for wake in ("reset", "lifted"):
        world, [field, _] = world_with(QUIET)
        card = world.cards()[0]
        world.put(card, "seat-1")
        assert field.awake() == []
        assert field.is_there(card.tag)
        if wake == "reset":
            field.off()
        else:
            world.put(card, AWAY)
            world.put(card, "seat-1")
        assert field.awake() == [card.tag]


def test_another_tag_lies_with_the_card_for_as_long_as_it_does() -> None:
    world, [field, _] = world_with(TWO)
    card = world.cards()[0]
    world.put(card, "seat-1")
    one, other = field.awake()
    assert one == card.tag
    assert other != card.tag
    assert len(other) == len(card.tag)
    assert field.awake() == [one, other]
    world.put(card, "seat-2")
    assert field.awake() == []
    assert [physical_card.tag for physical_card in world.at(AWAY)] == [other]


def test_a_copied_tag_lies_at_another_antenna_and_strikes_at_the_card_with_that_number() -> None:
    world, [first, second] = world_with(CLONE)
    for card in world.cards():
        world.put(card, "seat-1")
    one, copied = first.awake()
    assert second.awake() == [copied]
    assert first.awake() == [one, copied], "what a fault brought is struck by none"
    world.put(world.cards()[1], AWAY)
    assert first.awake() == [one]
    assert second.awake() == []


def test_chance_follows_from_the_seed() -> None:
    def struck(seed: int) -> list[bool]:
        world = World(["As"], tag_of=iso15693_tag)
        fault = TagFault(kind=TagFaultKind.QUIET_TAG, probability=0.5)
        [field] = fields_of(world, ("felt",), (fault,), seed=seed)
        found: list[bool] = []
        for _ in range(100):
            world.put(world.cards()[0], "felt")
            found.append(not field.awake())
            world.put(world.cards()[0], AWAY)
            field.awake()
        return found

    assert struck(1) == struck(1)
    assert struck(1) != struck(2)
    assert 20 < sum(struck(1)) < 80


def test_an_antenna_that_the_reader_does_not_have_is_named() -> None:
    with pytest.raises(FaultPlanError, match="clone at antenna 2: this reader has 1"):
        world_with(CLONE, spots=("felt",))


# -- what a driver makes of it -----------------------------------------------------------------------------------------


def two_antennas(name: str, fields: list[Field]) -> tuple[DeviceProtocol, ReaderProtocol]:
    if name == "pn532":
        settings = Pn532Settings(multiplexer=Multiplexer.GPIO_P3, antennas=2)
        return Pn532("felt", settings), ChipProtocol(fields)
    return Pepper("felt", PepperSettings(antennas=2)), PepperProtocol(fields)


def test_the_driver_of_a_feig_resets_the_field_and_finds_a_quiet_tag_with_the_next_sweep() -> None:
    world, [field] = world_with(QUIET, spots=("felt",))
    bench = ReaderBench(Feig("felt"), FeigProtocol(field), [field])
    world.put(world.cards()[0], "felt")
    assert bench.run() == [("in", world.cards()[0].tag, 1)]


def test_a_tag_that_stays_quiet_is_no_card_of_a_reader_that_never_resets_its_field() -> None:
    world, [field] = world_with(QUIET, spots=("felt",))
    protocol = FeigProtocol(field, FeigOptions(only_new=True))
    protocol.receive(bytes.fromhex("05 FF 65 E5 CB"))
    protocol.take_outgoing()
    world.put(world.cards()[0], "felt")
    protocol.receive(bytes.fromhex("07 FF B0 01 00 1C 56"))
    assert protocol.take_outgoing() == [bytes.fromhex("06 00 B0 01 5C 63")], "no transponder"
    protocol.receive(bytes.fromhex("05 FF 69 89 01 07 FF B0 01 00 1C 56"))
    assert len(protocol.take_outgoing()[1]) == 0x11, "one record, after the reset"


@pytest.mark.parametrize("name", ["pn532", "pepper"])
def test_a_copied_tag_is_at_both_antennas_and_the_card_first_at_the_one_that_had_it(name: str) -> None:
    world = World(["As"], tag_of=type_a_tag)
    fields = list(fields_of(world, SPOTS, (TagFault(kind=TagFaultKind.CLONE, at=(1,)),), seed=1))
    bench = ReaderBench(*two_antennas(name, fields), fields)
    world.put(world.cards()[0], "seat-1")
    tag = world.cards()[0].tag
    assert bench.run() == [("in", tag, 1), ("in", tag, 2)]
    assert bench.notes() == []


@pytest.mark.parametrize("name", ["pn532", "pepper"])
def test_two_tags_at_one_antenna_are_both_told(name: str) -> None:
    world = World(["As"], tag_of=type_a_tag)
    fields = list(fields_of(world, SPOTS, (TWO,), seed=1))
    bench = ReaderBench(*two_antennas(name, fields), fields)
    world.put(world.cards()[0], "seat-1")
    assert len([event for event in bench.run() if event[0] == "in"]) == 2


# -- a device that hangs -----------------------------------------------------------------------------------------------


def test_a_reader_that_hangs_is_lost_until_it_has_power_anew_and_its_card_never_moved() -> None:
    world, [field] = world_with(spots=("felt",))
    world.put(world.cards()[0], "felt")
    plan = FaultPlan(faults=(Fault(kind=FaultKind.STUCK, at=(20,)),))
    settings = FeigSettings(inventory_s=0.5, answer_s=0.3)
    bench = ReaderBench(Feig("felt", settings), FeigProtocol(field), [field], faults=plan)
    assert bench.run(30.0) == [("in", world.cards()[0].tag, 1)]
    assert bench.count(Lost) > 1, "it is tried again and again"
    assert bench.count(Found) == 1
    bench.reader.unplug()
    bench.reader.replug()
    assert bench.run(10.0) == []
    assert bench.count(Found) == 2
