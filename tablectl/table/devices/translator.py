"""Which device fact is which table fact. Nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from drivers import facts as device
from tablectl.config.devices import Device
from tablectl.config.usb import UsbMatch
from tablectl.core.cards import Card, NotACard, card
from tablectl.core.engine import facts as f
from tablectl.core.engine.vocabulary import Plug
from tablectl.table.usb_list import ForeignUsb, UsbList


class Tags(Protocol):
    """Who knows which tag is which card, and where its antenna looks (`tablectl.table.decks`)."""

    def came(self, fact: device.TagIn) -> Iterator[f.Fact]:
        """A tag came to an antenna."""

    def left(self, fact: device.TagOut) -> Iterator[f.Fact]:
        """A tag left an antenna."""


class NoTags:
    """At a table whose devices tell no tags."""

    def came(self, fact: device.TagIn) -> Iterator[f.Fact]:
        """Nothing follows."""
        return iter(())

    def left(self, fact: device.TagOut) -> Iterator[f.Fact]:
        """Nothing follows."""
        return iter(())


class Translator:
    """What this table's devices mean: names to roles, panel keys to meanings."""

    def __init__(
        self,
        devices: tuple[Device, ...],
        usb_allow: tuple[UsbMatch, ...] = (),
        *,
        badges: str | None = None,
        on_usb_flood: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`badges`: the reader whose tags are people's and no cards. `on_usb_flood` is told of each foreign USB device
        that is one too many."""
        self._on_usb_flood = on_usb_flood
        self._foreign = ForeignUsb()
        self._badges = badges
        self._roles = {settings.name: settings.role for settings in devices}
        self._keys = {settings.name: {number: key for key, number in settings.keys.items()} for settings in devices}
        self._usb = UsbList(usb_allow, {settings.name: (settings.driver, settings.settings) for settings in devices})

    def table_facts(self, fact: device.DeviceFact, tags: Tags) -> Iterator[f.Fact]:
        """The facts for the engine; none where the table does not care (a key that came up, rejected bytes)."""
        match fact:
            case device.TagIn(device=self._badges) | device.TagOut(device=self._badges):
                return
            case device.TagIn():
                yield from tags.came(fact)
            case device.TagOut():
                yield from tags.left(fact)
            case _:
                told = self._topology(fact) if isinstance(fact, device.UsbChanged) else self._of_a_device(fact)
                if told is not None:
                    yield told

    def said(self, told: device.FactOfADevice, what: str, code: int) -> f.DeviceSaid:
        """What is on record of a device in place of what it told."""
        role = self._roles[told.device]
        return f.DeviceSaid(at_us=told.at_us, device=told.device, role=role, what=what, code=code)

    def _of_a_device(self, fact: device.FactOfADevice) -> f.Fact | None:
        role = self._roles[fact.device]
        match fact:
            case device.CardOut():
                return f.Drawn(at_us=fact.at_us, card=_read(fact))
            case device.KeyDown():
                key = self._keys[fact.device].get(fact.key)
                return None if key is None else f.Pressed(at_us=fact.at_us, key=key)
            case device.Found():
                return f.DeviceBack(at_us=fact.at_us, device=fact.device, role=role)
            case device.Lost():
                return f.DeviceLost(at_us=fact.at_us, device=fact.device, role=role, reason=fact.reason)
            case device.ShoeNote() | device.ReaderNote():
                said = f.DeviceSaid(at_us=fact.at_us, device=fact.device, role=role, what=fact.kind, code=fact.code)
                return replace(said, card=_read(fact)) if isinstance(fact, device.DoubtedCard) else said
            case device.KeyUp() | device.TagIn() | device.TagOut() | device.Rejected():
                return None
            case device.ShufflerNote(kind="complete", cards=int(cards)):
                return f.Shuffled(at_us=fact.at_us, cards=cards)
            case device.ShufflerNote():
                return f.DeviceSaid(at_us=fact.at_us, device=fact.device, role=role, what=fact.kind, code=fact.cards)

    def _topology(self, fact: device.UsbChanged) -> f.Fact | None:
        """What may be here and was so at the start is nothing new; nor is what comes in a flood a fact each time."""
        is_allowed = self._usb.is_allowed(fact.identity)
        if is_allowed and fact.change is device.UsbChange.PRESENT:
            return None
        name, change = self._usb.owner(fact.identity), Plug(fact.change.value)
        what = f"{fact.identity}" if name is None else f"{name}, {fact.identity}"
        if not (is_allowed or self._foreign.is_told(what, change, fact.at_us)):
            if change is not Plug.UNPLUGGED:
                self._on_usb_flood(what)
            return None
        return f.TopologyChanged(at_us=fact.at_us, change=change, what=what, is_allowed=is_allowed)


def _read(fact: device.CardOut | device.DoubtedCard) -> Card | None:
    """The card, None where there is none or it could not be read, whatever the driver made of its face."""
    if fact.card is None:
        return None
    try:
        return card(fact.card.open())
    except NotACard:
        return None
