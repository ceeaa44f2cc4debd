"""The devices of one table, as the house describes them: which driver, where, which keys, which antenna looks where."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from drivers import entry as driver_entry
from drivers.entry import Driver
from drivers.registry import DRIVERS
from tablectl.config.decks import spots_of
from tablectl.config.reader import Reader, guess
from tablectl.config.schema import Key as SettingsKey
from tablectl.config.schema import complete, keys
from tablectl.config.sections import DeviceSection
from tablectl.config.spots import MOUTH, STUB, Spot
from tablectl.core.engine.state import ANTENNAS
from tablectl.core.engine.vocabulary import Equipment, Key
from tablectl.core.validation import sentence

#: The role of the reader to which people hold their badges; it reads no cards.
BADGES: Final = "badges"


@dataclass(frozen=True, kw_only=True, slots=True)
class Device:
    """One device as the house describes it. `settings` are the driver's own, checked by the driver's entry."""

    name: str
    driver: str
    role: str
    settings: Mapping[str, Any]
    #: of a panel: which of its keys means what
    keys: Mapping[Key, int] = field(default_factory=dict)
    #: of a reader of tags: where each of its antennas looks
    spots: Mapping[int, Spot] = field(default_factory=dict)


def _keys_of_device() -> Iterator[SettingsKey]:
    """The keys of a device, with the drivers that there are."""
    for key in keys(DeviceSection).values():
        yield key.one_of(tuple(DRIVERS)) if key.name == "driver" else key


class DevicesReader:
    """The tables `[[device]]`."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def devices(
        self,
        raw: dict[str, Any],
        seats: int,
        equipment: Equipment,
        dealt: tuple[str, ...],
        badges: str | None = None,
    ) -> tuple[Device, ...]:
        """All of them. `badges` is the name of the one that reads badges."""
        found = raw.get("device", [])
        if not isinstance(found, list) or not all(isinstance(entry, dict) for entry in found):
            self._reader.wrong("device", repr(found), sentence("tables [[device]], one a device"))
            return ()
        read = [
            self._device(section, f"device[{index}]", seats, badges) for index, section in enumerate(found, start=1)
        ]
        made = [device for device in read if device is not None]
        names = [device.name for device in made]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._reader.wrong(
                "device.name", sentence("{name!r} twice", name=name), sentence("a name of its own for each device")
            )
        shoes = [device.name for device in made if device.role == "shoe"]
        if len(shoes) > 1:
            self._reader.wrong(
                "device.role",
                sentence("shoe for {names}", names=", ".join(shoes)),
                sentence("one shoe at a table (THB-SAB-1)"),
            )
        self._readers(made, equipment, dealt)
        self._badges(badges, made)
        return tuple(made)

    def _readers(self, devices: list[Device], equipment: Equipment, dealt: tuple[str, ...]) -> None:
        """Whether the devices are there that the table says read its cards. One without any device is a table yet to be
        furnished: it says so by itself."""
        antennas = [device for device in devices if device.role in (ANTENNAS, STUB)]
        covered = {spot.name for device in antennas for spot in device.spots.values()}
        if equipment is Equipment.SHOE and covered - {STUB}:
            right = sentence(
                "antennas or both, where antennas look at the felt; with a shoe alone they may look at the stub"
            )
            self._reader.wrong("table.equipment", repr(equipment.value), right)
        elif equipment is not Equipment.SHOE and devices:
            for spot in (text for text in dealt if text not in covered):
                self._reader.wrong(
                    "device.spots",
                    sentence("no antenna at {spot}", spot=spot),
                    sentence("one, or table.equipment = {shoe}", shoe=Equipment.SHOE),
                )
        if equipment is not Equipment.ANTENNAS and antennas and not any(other.role == "shoe" for other in devices):
            self._reader.wrong(
                "table.equipment", repr(equipment.value), sentence("a shoe among the devices, or antennas")
            )

    def _badges(self, badges: str | None, devices: list[Device]) -> None:
        """Whether the reader of badges is one."""
        readers = [device.name for device in devices if DRIVERS[device.driver].role == ANTENNAS]
        if badges is not None and badges not in readers:
            found = (
                sentence("no device")
                if badges not in [device.name for device in devices]
                else sentence("no reader of tags")
            )
            right = sentence("the name of a reader of tags (docs/devices/badges.md)")
            if readers:
                right = sentence("{right}; this table has {names}", right=right, names=", ".join(readers))
            self._reader.wrong("people.badges", sentence("{name!r}, {found}", name=badges, found=found), right)

    def _device(self, raw: dict[str, Any], key: str, seats: int, badges: str | None) -> Device | None:
        """None where nobody can tell what the device's settings would have to be."""
        said = complete(DeviceSection, self._reader.values(DeviceSection, raw, f"{key}.", there=_keys_of_device()))
        if said is None:
            return None
        entry = DRIVERS[said.driver]
        settings = raw.get("settings", {})
        if not isinstance(settings, dict):
            self._reader.wrong(f"{key}.settings", repr(settings), sentence("a table [device.settings]"))
            settings, is_right = {}, False
        else:
            mistakes = list(entry.mistakes(settings))
            for name, found, right in mistakes:
                self._reader.wrong(f"{key}.settings.{name}", found, right)
            is_right = not mistakes
        name = said.driver if said.name is None else said.name
        reads_badges = name == badges and entry.role == ANTENNAS
        if reads_badges and "spots" in raw:
            self._reader.wrong(
                f"{key}.spots",
                sentence("spots of the reader of badges (people.badges)"),
                sentence("none: it reads no cards"),
            )
        spots = self._spots(raw, key, entry, seats) if is_right and not reads_badges else {}
        # A reader that only counts what remains is none without which nobody knows what is dealt.
        only_counts = bool(spots) and {spot.name for spot in spots.values()} == {STUB}
        return Device(
            name=name,
            driver=said.driver,
            role=BADGES if reads_badges else STUB if only_counts else entry.role,
            settings=settings,
            keys=self._keys(raw.get("keys", {}), f"{key}.keys", entry.n_keys),
            spots=spots,
        )

    def _spots(self, raw: dict[str, Any], key: str, entry: Driver, seats: int) -> dict[int, Spot]:
        """The mouth of a shoe is where it is; of every other antenna it has to be said."""
        if not entry.tells_tags or entry.role == "shoe":
            if "spots" in raw:
                self._reader.wrong(
                    f"{key}.spots",
                    sentence("spots of a device without antennas"),
                    sentence("[device.spots] under a reader"),
                )
            return {driver_entry.MOUTH: Spot(name=MOUTH)} if entry.tells_tags else {}
        n_antennas = entry.n_antennas(raw.get("settings", {}))
        return self._reader.right(key, spots_of(raw.get("spots", {}), seats=seats, n_antennas=n_antennas)) or {}

    def _keys(self, raw: object, key: str, n_keys: int) -> dict[Key, int]:
        if not isinstance(raw, dict):
            self._reader.wrong(key, repr(raw), sentence("a table [device.keys] of KEY = NUMBER"))
            return {}
        if raw and not n_keys:
            self._reader.wrong(
                key,
                sentence("keys of a device that has none: {names}", names=", ".join(raw)),
                sentence("[device.keys] under a panel"),
            )
            return {}
        made: dict[Key, int] = {}
        for name, number in raw.items():
            if name not in list(Key):
                self._reader.wrong(f"{key}.{name}", sentence("no key of the table"), guess(name, tuple(Key)))
            elif type(number) is not int or not 0 <= number < n_keys:
                self._reader.wrong(
                    f"{key}.{name}", repr(number), sentence("the panel's key number, 0 to {last}", last=n_keys - 1)
                )
            elif number in made.values():
                self._reader.wrong(f"{key}.{name}", str(number), sentence("a panel key that has no other meaning yet"))
            else:
                made[Key(name)] = number
        return made
