"""All devices of a table: their ports, what they tell us, what they are told. `now_us`: the table's time."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from drivers import facts as device
from drivers.health import DeviceHealth
from drivers.heartbeat import Heartbeat
from drivers.port import Log, Port
from drivers.protocol import DeviceProtocol
from drivers.registry import DRIVERS
from drivers.topology.usb_monitor import UsbMonitor
from drivers.transport.backend import usb_backend
from tablectl.config import table_file
from tablectl.config.devices import BADGES, Device
from tablectl.core.engine import facts as f
from tablectl.core.engine.outputs import Outputs
from tablectl.core.engine.vocabulary import Key
from tablectl.core.events.notes import BadgeShown
from tablectl.journal.clock import now_us
from tablectl.journal.deck_register import Register
from tablectl.journal.seal import Vault
from tablectl.ops.trace.recorder import recorder_of
from tablectl.table.decks.at_table import DecksAtTable
from tablectl.table.decks.tag_tracker import TagTracker
from tablectl.table.devices.adapters import ADAPTERS, Adapter, LightAdapter, PanelAdapter
from tablectl.table.devices.badges import Badges
from tablectl.table.devices.translator import NoTags, Translator

#: How long the devices may take for what they are told at the end, all together, in seconds.
LAST_WORDS_S: Final = 1.0
#: How often a light that is being opened is looked at, in seconds.
LAST_LOOK_S: Final = 0.02


def labels_of(devices: Iterable[Device], language: str) -> Mapping[Key, str]:
    """What the keys are called in the house's first language; loaded only where a panel can show it."""
    if not any(DRIVERS[settings.driver].is_labelled for settings in devices):
        return {}
    texts = importlib.import_module("tablectl.i18n.texts").load_texts()
    return {key: texts.text("key", key.value, language) for key in Key}


class Devices:
    """All devices of a table: their ports, what they tell us, what they are told. `now_us`: the table's time."""

    def __init__(
        self,
        table: table_file.Config,
        sink: Callable[[device.DeviceFact], None],
        log: Log,
        now_us: Callable[[], int] = now_us,
        on_usb_flood: Callable[[str], None] = lambda _: None,
    ) -> None:
        """`on_usb_flood` is told of each foreign USB device that is one too many to be told of by itself."""
        self._table = table
        self._log = log
        self._now_us = now_us
        self.decks: DecksAtTable | None = None
        self._badges: Badges | None = None
        self._translator = Translator(table.devices, table.usb_allow, badges=table.badges, on_usb_flood=on_usb_flood)
        usb = usb_backend(table.usb_bus)
        labels = labels_of(table.devices, table.languages[0])
        self._traces = recorder_of(table, log)
        for unseen in sorted({DRIVERS[settings.driver].not_verified for settings in table.devices} - {""}):
            log.info("never verified on hardware", what=unseen)
        self._ports: dict[str, Port[DeviceProtocol]] = {}
        adapters: list[tuple[int, Adapter]] = []
        for settings in table.devices:
            opener, protocol = DRIVERS[settings.driver].make(settings.name, settings.settings, usb)
            port = Port(settings.name, self._traces.tapped(settings.name, opener), protocol, sink, log, now_us=now_us)
            self._ports[settings.name] = port
            adapters += [
                (order, adapter(port, settings, labels))
                for order, (kind, adapter) in enumerate(ADAPTERS)
                # Between two hands, when the readers of cards rest, people come with their badges.
                if isinstance(protocol, kind) and settings.role != BADGES
            ]
        self._lights = tuple(settings.name for settings in table.devices if settings.role == "light")
        #: the USB of another process comes and goes with that
        self._usb_monitor = UsbMonitor(sink, log, now_us=now_us) if table.usb_bus is None else None
        self._is_started = False
        #: what all of them were told last; None where that was not all of them
        self._shown: Outputs | None = None
        #: keys before lights before locks: what the croupier waits for comes first
        self._adapters = tuple(adapter for _, adapter in sorted(adapters, key=lambda pair: pair[0]))

    def open_decks(self, vault: Vault, *, on_record: Callable[[], str | None], is_in_hand: bool) -> DecksAtTable | None:
        """Before the start, where a device tells tags: which tag is which card. `on_record` says which deck the journal
        has in play. Raises `RegisterUnusable`."""
        spots = {
            (settings.name, antenna): spot
            for settings in self._table.devices
            for antenna, spot in settings.spots.items()
        }
        if spots:
            deck = self._table.deck
            self.decks = DecksAtTable(
                Register(deck.register, vault),
                TagTracker(spots, not_cards=deck.not_cards, clone_us=deck.clone_us),
                self._now_us,
                on_record=on_record(),
                is_in_hand=is_in_hand,
                trouble=lambda what: self._log.warning("deck register", what=what),
            )
        return self.decks

    def open_badges(self, vault: Vault) -> None:
        """Before the start: from then on a badge that is shown is told."""
        reader = self._table.badges
        if reader is not None:
            self._badges = Badges(reader, lambda number: vault.digest("badge", number), self._log)

    def badge_shown(self, fact: device.DeviceFact) -> BadgeShown | None:
        """The note, where a badge was held to its reader just now."""
        return None if self._badges is None else self._badges.shown(fact)

    def start(self) -> None:
        """Open every port, and keep it open."""
        self._traces.start()
        for port in self._ports.values():
            port.start()
        if self._usb_monitor is not None:
            self._usb_monitor.start()
        self._is_started = True

    def show_at_last(self, wanted: Outputs) -> None:
        """Make the outside look like this, and nothing after it: also where the ports were never opened.

        Then only those of the lights are, and they get a moment to be found: nobody would record what another device
        says now.
        """
        self.show(wanted)
        if self._is_started:
            return
        self._traces.start()
        for name in self._lights:
            self._ports[name].start()
        until_s = time.monotonic() + LAST_WORDS_S
        while not self._lights_are_there() and time.monotonic() < until_s:
            time.sleep(LAST_LOOK_S)
        self.show(wanted)

    def _lights_are_there(self) -> bool:
        return all(self._ports[name].health().is_open for name in self._lights)

    def close(self) -> None:
        """Close every port, when what was to be shown last is out."""
        if self._usb_monitor is not None:
            self._usb_monitor.close()
        until_s = time.monotonic() + LAST_WORDS_S
        for port in self._ports.values():
            port.drain(max(0.0, until_s - time.monotonic()))
        for port in self._ports.values():
            port.close()
        if self.decks is not None:
            self.decks.close()
        self._traces.close()

    def table_facts(self, fact: device.DeviceFact) -> Iterator[f.Fact]:
        """As `Translator.table_facts`. Raises `RegisterUnusable`."""
        return self._translator.table_facts(fact, self.decks if self.decks is not None else NoTags())

    def said(self, told: device.FactOfADevice, what: str, code: int) -> f.DeviceSaid:
        """What we say of a device in place of what it told."""
        return self._translator.said(told, what, code)

    def show(self, wanted: Outputs) -> None:
        """Make the outside look like this. Never waits for a device.

        Most cards change nothing that is shown, so nobody is told the same again: each protocol remembers what it was
        told, and shows it anew when its wire is back.
        """
        if wanted == self._shown:
            return
        self._shown = wanted
        self._traces.told(wanted)
        for adapter in self._adapters:
            adapter.show(wanted)

    def try_out(self, wanted: Outputs) -> None:
        """Make keys and lights look like this, for a test; shoes and readers are not told. Never waits for a device."""
        self._shown = None
        self._traces.told(wanted)
        for adapter in self._adapters:
            if isinstance(adapter, PanelAdapter | LightAdapter):
                adapter.show(wanted)

    @property
    def ports(self) -> tuple[Port[DeviceProtocol], ...]:
        """Every port, in the order of the configuration."""
        return tuple(self._ports.values())

    @property
    def heartbeats(self) -> tuple[Heartbeat, ...]:
        """Of the threads besides those of the ports: what is plugged in, and what went over the wires."""
        return (*([self._usb_monitor.heartbeat] if self._usb_monitor is not None else []), self._traces.heartbeat)

    def health(self) -> tuple[DeviceHealth, ...]:
        """Every device at this moment, in the order of the configuration."""
        return tuple(port.health() for port in self._ports.values())
