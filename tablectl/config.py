"""The configuration of one table: TOML in, frozen values out, or every mistake in it at once.

Nothing starts with a wrong configuration. A mistake names file, key, what was found and what would be right.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Any, Final, TypeVar

from drivers.entry import Driver
from drivers.registry import DRIVERS
from drivers.rfid_shoe.driver import MOUTH as RFID_MOUTH
from tablectl.decks.settings import CLONE_MOST_S, DeckSettings, not_cards_of, spots_of
from tablectl.decks.settings import KEYS as DECK_KEYS
from tablectl.decks.spots import MOUTH, STUB, Spot, dealt_to
from tablectl.decks.whereabouts import CLONE_US
from tablectl.engine.facts import Limits, Setup
from tablectl.engine.state import ANTENNAS
from tablectl.engine.words import Equipment, Key, Tracking
from tablectl.journal.places import Places
from tablectl.limits import LIMIT_RULES, limits_of
from tablectl.mistakes import Mistake
from tablectl.profile.choices import profile_of
from tablectl.profile.registry import PROFILES
from tablectl.profile.texas_bonus import PairOfJacksBonus, TexasBonusProfile
from tablectl.rulebooks.registry import RULEBOOKS
from tablectl.trace.settings import TraceSettings, trace_of
from tablectl.usb_list import UsbMatch, match_of, mistakes

SECTIONS: Final = (
    "table",
    "limits",
    "profile",
    "journal",
    "control",
    "screens",
    "software",
    "trace",
    "usb",
    "deck",
    "device",
)
ROLES: Final = ("shoe", "antennas", "panel", "light", "shuffler")
LANGUAGES: Final = ("es", "en")
#: Records in a volume of the journal, about: it goes on to the end of its hand. A busy table's month is a million.
VOLUME_RECORDS: Final = 1_000_000
VOLUME_LEAST, VOLUME_MOST = 1, 100_000_000
#: A key that systemd gives to the service: `credential:NAME` (systemd.exec(5), `LoadCredential=`).
CREDENTIAL: Final = "credential:"
CREDENTIALS_FOLDER: Final = "CREDENTIALS_DIRECTORY"
NO_CREDENTIALS: Final = "/run/credentials/not-a-service"
#: Longest path of a Unix socket, in bytes (`sun_path` of unix(7), without the zero at its end).
SOCKET_PATH_BYTES: Final = 107

T = TypeVar("T")


class BadConfig(Exception):
    """A configuration with mistakes."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = mistakes


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


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """One table. Paths are absolute; relative ones in the file are taken from the file's folder."""

    file: Path
    setup: Setup
    languages: tuple[str, ...]
    currency: str
    currency_exponent: int
    journal: Path
    key: Path
    signing_key: Path
    copy: Path
    auditor: Path | None
    volume_records: int
    socket: Path
    usb_bus: str | None
    devices: tuple[Device, ...]
    deck: DeckSettings
    screens_port: int
    #: USB devices that may be there besides the table's own
    usb_allow: tuple[UsbMatch, ...] = ()
    #: what was approved and signed, and the public key (PEM) of who may approve; both or none
    manifest: Path | None = None
    approver: Path | None = None
    trace: TraceSettings | None = None
    notices: tuple[str, ...]

    @property
    def places(self) -> Places:
        """The journal's."""
        return Places(
            journal=self.journal,
            key=self.key,
            signing_key=self.signing_key,
            copy=self.copy,
            volume_records=self.volume_records,
        )

    @property
    def marks(self) -> tuple[Path, ...]:
        """Where a tilt leaves its mark: beside the journal, so that it outlives a power cut; beside its copy, should
        the journal's disk be what is wrong; and beside the socket, for the screens."""
        return tuple(dict.fromkeys(place.with_suffix(".tilt") for place in (self.journal, self.copy, self.socket)))


def load(path: Path) -> Config:
    """Read and check a file. Raises `BadConfig`."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        reason = wrong.strerror if isinstance(wrong, OSError) else "it is not UTF-8 text"
        raise BadConfig([_mistake(path, "(file)", str(reason), "a readable TOML file")]) from None
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadConfig([_mistake(path, "(file)", str(wrong), "valid TOML at that place")]) from None
    return _Reader(path).config(raw)


def _mistake(path: Path, key: str, found: str, right: str) -> Mistake:
    return Mistake(where=str(path), key=key, found=found, right=right)


class _Reader:
    """Collects mistakes while it reads, so that all of them are told at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._mistakes: list[Mistake] = []
        self._notices: list[str] = []

    def config(self, raw: dict[str, Any]) -> Config:
        self._known(raw, "", SECTIONS)
        table = self._section(
            raw,
            "table",
            ("name", "rulebook", "seats", "tracking", "equipment", "languages", "currency", "currency_exponent"),
        )
        rulebook = self._choice(table, "table.rulebook", tuple(RULEBOOKS), next(iter(RULEBOOKS)))
        tracking = Tracking(self._choice(table, "table.tracking", tuple(Tracking), Tracking.PRESENCE.value))
        seats = self._whole(table, "table.seats", 1, 9, 7)
        equipment = Equipment.SHOE
        if "equipment" in table:
            equipment = Equipment(self._choice(table, "table.equipment", tuple(Equipment), equipment.value))
        name = self._text(table, "table.name", "Mesa 1")
        # Of a game that is not there nobody can tell what its bets and its choices would have to be.
        is_known = table.get("rulebook") == rulebook
        limits = self._limits(raw, rulebook, tracking) if is_known else {}
        profile = self._profile(raw, rulebook) if is_known else {}
        journal = self._section(raw, "journal", ("path", "key", "signing_key", "copy", "auditor", "volume_records"))
        control = self._section(raw, "control", ("socket",))
        screens = self._section(raw, "screens", ("port",))
        deck = self._section(raw, "deck", DECK_KEYS)
        usb = self._section(raw, "usb", ("bus", "allow"))
        places = {
            "journal.path": self._place(journal, "journal.path", "table.db"),
            "journal.key": self._secret(journal, "journal.key", "table.key"),
            "journal.signing_key": self._secret(journal, "journal.signing_key", "table.sign"),
            "journal.copy": self._place(journal, "journal.copy", "table.copy"),
            "control.socket": self._place(control, "control.socket", "table.sock"),
            "deck.register": self._place(deck, "deck.register", "decks.db"),
        }
        places |= self._software(raw)
        self._apart(places)
        dealt = dealt_to(RULEBOOKS[rulebook](profile), seats) if is_known else ()
        devices = self._devices(raw, seats, equipment, dealt)
        made = Config(
            file=self._path.absolute(),
            setup=Setup(
                table=name,
                rulebook=rulebook,
                seats=seats,
                tracking=tracking,
                limits=limits,
                profile=profile,
                equipment=equipment,
            ),
            languages=self._languages(table),
            currency=self._text(table, "table.currency", "EUR"),
            currency_exponent=self._whole(table, "table.currency_exponent", 0, 3, 2),
            journal=places["journal.path"],
            key=places["journal.key"],
            signing_key=places["journal.signing_key"],
            copy=places["journal.copy"],
            auditor=self._place(journal, "journal.auditor", "") if "auditor" in journal else None,
            volume_records=self._whole(journal, "journal.volume_records", VOLUME_LEAST, VOLUME_MOST, VOLUME_RECORDS),
            socket=places["control.socket"],
            usb_bus=self._usb_bus(usb),
            usb_allow=self._usb_allow(usb),
            devices=devices,
            deck=DeckSettings(
                register=places["deck.register"],
                not_cards=self._right("deck", not_cards_of(deck.get("not_cards", []))) or (),
                clone_us=self._whole(deck, "deck.clone_s", 1, CLONE_MOST_S, CLONE_US // 1_000_000) * 1_000_000,
            ),
            screens_port=self._whole(screens, "screens.port", 0, 65535, 8420),
            manifest=places.get("software.manifest"),
            approver=places.get("software.public_key"),
            trace=self._trace(raw, devices),
            notices=tuple(self._notices),
        )
        if self._mistakes:
            raise BadConfig(self._mistakes)
        return made

    # -- parts -------------------------------------------------------------------------------------------------------

    def _limits(self, raw: dict[str, Any], rulebook: str, tracking: Tracking) -> dict[str, Limits]:
        section = self._table(raw, "limits")
        found = limits_of(LIMIT_RULES[rulebook], section, where=str(self._path), tracking=tracking)
        return self._right("limits", found) or {}

    def _profile(self, raw: dict[str, Any], rulebook: str) -> dict[str, str]:
        section = self._table(raw, "profile")
        found = self._right("profile", profile_of(PROFILES[rulebook], section, str(self._path)))
        if found is None:
            return {}
        if isinstance(found, TexasBonusProfile) and found.pair_of_jacks_bonus is PairOfJacksBonus.LOSES:
            self._notices.append(
                "profile.pair_of_jacks_bonus = loses: a pair of jacks is in no line of the document's bonus table, so "
                "it loses (THB-BON-9, AMB-50); the house may choose pays-10-to-1"
            )
        return {str(key): str(value) for key, value in section.items()}

    def _right(self, section: str, found: T | list[Mistake]) -> T | None:
        """What another module read out of a section; None if something is wrong with that."""
        if not isinstance(found, list):
            return found
        self._mistakes += [_mistake(self._path, f"{section}.{each.key}", each.found, each.right) for each in found]
        return None

    def _software(self, raw: dict[str, Any]) -> dict[str, Path]:
        """Where the approved manifest is and whose key signs it: both, or none and a notice."""
        section = self._section(raw, "software", ("manifest", "public_key"))
        keys = {key: f"software.{key}" for key in ("manifest", "public_key")}
        if not section.keys() & keys:
            self._notices.append(
                "software.manifest = none: nobody can say whether this is the approved software; not for play"
            )
            return {}
        for key, name in keys.items():
            if key not in section:
                self._wrong(name, "nothing", "a path: the manifest goes with the public key of who signed it")
        return {name: self._place(section, name, key) for key, name in keys.items()}

    def _trace(self, raw: dict[str, Any], devices: tuple[Device, ...]) -> TraceSettings | None:
        """Whether what goes over the wires is recorded; then everybody who looks at the start knows."""
        section = self._table(raw, "trace")
        names = [device.name for device in devices]
        base = self._path.absolute().parent
        found = self._right("trace", trace_of(section, where=str(self._path), base=base, devices=names))
        if found is not None:
            self._notices.append(
                f"trace.folder = {found.folder}: all that goes over the wires of {', '.join(found.devices)} is recorded"
                f" there, sealed; {-(-found.most_bytes // 1_000_000)} MB at most"
            )
        return found

    def _usb_bus(self, section: dict[str, Any]) -> str | None:
        bus = section.get("bus", "")
        if not isinstance(bus, str) or (bus and not bus.startswith("unix:")):
            self._wrong(
                "usb.bus", repr(bus), "nothing, for this machine's USB, or unix:PATH for devices served on a socket"
            )
            return None
        if bus:
            self._notices.append(f"usb.bus = {bus}: USB devices come from another process; not for play")
        return bus or None

    def _usb_allow(self, section: dict[str, Any]) -> tuple[UsbMatch, ...]:
        found = section.get("allow", [])
        if not isinstance(found, list):
            self._wrong("usb.allow", repr(found), 'a list of devices, each "VID:PID" or a table with id')
            return ()
        made = []
        for index, entry in enumerate(found, start=1):
            wrong = list(mistakes(entry))
            for name, said, right in wrong:
                self._wrong(f"usb.allow[{index}]{name}", said, right)
            if not wrong:
                made.append(match_of(entry))
        return tuple(made)

    def _devices(
        self, raw: dict[str, Any], seats: int, equipment: Equipment, dealt: tuple[str, ...]
    ) -> tuple[Device, ...]:
        found = raw.get("device", [])
        if not isinstance(found, list) or not all(isinstance(each, dict) for each in found):
            self._wrong("device", repr(found), "tables [[device]], one a device")
            return ()
        read = [self._device(each, f"device[{index}]", seats) for index, each in enumerate(found, start=1)]
        made = [device for device in read if device is not None]
        names = [device.name for device in made]
        for name in sorted({name for name in names if names.count(name) > 1}):
            self._wrong("device.name", f"{name!r} twice", "a name of its own for each device")
        shoes = [device.name for device in made if device.role == "shoe"]
        if len(shoes) > 1:
            self._wrong("device.role", f"shoe for {', '.join(shoes)}", "one shoe at a table (THB-SAB-1)")
        self._readers(made, equipment, dealt)
        return tuple(made)

    def _readers(self, devices: list[Device], equipment: Equipment, dealt: tuple[str, ...]) -> None:
        """Whether the devices are there that the table says read its cards. One without any device is a table yet to be
        furnished: it says so by itself."""
        antennas = [device for device in devices if device.role == ANTENNAS]
        covered = {spot.name for device in antennas for spot in device.spots.values()}
        if equipment is Equipment.SHOE and covered - {STUB}:
            right = "antennas or both, where antennas look at the felt; with a shoe alone they may look at the stub"
            self._wrong("table.equipment", repr(equipment.value), right)
        elif equipment is not Equipment.SHOE and devices:
            for spot in (each for each in dealt if each not in covered):
                self._wrong("device.spots", f"no antenna at {spot}", f"one, or table.equipment = {Equipment.SHOE}")
        if equipment is not Equipment.ANTENNAS and antennas and not any(each.role == "shoe" for each in devices):
            self._wrong("table.equipment", repr(equipment.value), "a shoe among the devices, or antennas")

    def _device(self, raw: dict[str, Any], key: str, seats: int) -> Device | None:
        """None where nobody can tell what the device's settings would have to be."""
        self._known(raw, f"{key}.", ("name", "driver", "settings", "keys", "spots"))
        driver = self._choice(raw, f"{key}.driver", tuple(DRIVERS), "")
        if driver not in DRIVERS:
            return None
        entry = DRIVERS[driver]
        settings = raw.get("settings", {})
        if not isinstance(settings, dict):
            self._wrong(f"{key}.settings", repr(settings), "a table [device.settings]")
            settings, is_right = {}, False
        else:
            mistakes = list(entry.mistakes(settings))
            for name, found, right in mistakes:
                self._wrong(f"{key}.settings.{name}", found, right)
            is_right = not mistakes
        return Device(
            name=self._text(raw, f"{key}.name", driver),
            driver=driver,
            role=entry.role,
            settings=settings,
            keys=self._keys(raw.get("keys", {}), f"{key}.keys", entry.n_keys),
            spots=self._spots(raw, key, entry, seats) if is_right else {},
        )

    def _spots(self, raw: dict[str, Any], key: str, entry: Driver, seats: int) -> dict[int, Spot]:
        """The mouth of a shoe is where it is; of every other antenna it has to be said."""
        if not entry.tells_tags or entry.role == "shoe":
            if "spots" in raw:
                self._wrong(f"{key}.spots", "spots of a device without antennas", "[device.spots] under a reader")
            return {RFID_MOUTH: Spot(name=MOUTH)} if entry.tells_tags else {}
        n_antennas = entry.n_antennas(raw.get("settings", {}))
        return self._right(key, spots_of(raw.get("spots", {}), seats=seats, n_antennas=n_antennas)) or {}

    def _keys(self, raw: object, key: str, n_keys: int) -> dict[Key, int]:
        if not isinstance(raw, dict):
            self._wrong(key, repr(raw), "a table [device.keys] of KEY = NUMBER")
            return {}
        if raw and not n_keys:
            self._wrong(key, f"keys of a device that has none: {', '.join(raw)}", "[device.keys] under a panel")
            return {}
        made: dict[Key, int] = {}
        for name, number in raw.items():
            if name not in list(Key):
                self._wrong(f"{key}.{name}", "no key of the table", _guess(name, tuple(Key)))
            elif type(number) is not int or not 0 <= number < n_keys:
                self._wrong(f"{key}.{name}", repr(number), f"the panel's key number, 0 to {n_keys - 1}")
            elif number in made.values():
                self._wrong(f"{key}.{name}", str(number), "a panel key that has no other meaning yet")
            else:
                made[Key(name)] = number
        return made

    def _languages(self, table: dict[str, Any]) -> tuple[str, ...]:
        found = table.get("languages", list(LANGUAGES))
        if isinstance(found, list) and found and all(each in LANGUAGES and found.count(each) == 1 for each in found):
            return tuple(found)
        self._wrong("table.languages", repr(found), f"a list of {', '.join(LANGUAGES)}, each once, the first one large")
        return LANGUAGES

    # -- values ------------------------------------------------------------------------------------------------------

    def _section(self, raw: dict[str, Any], name: str, keys: tuple[str, ...]) -> dict[str, Any]:
        found = self._table(raw, name)
        self._known(found, f"{name}.", keys)
        return found

    def _table(self, raw: dict[str, Any], name: str) -> dict[str, Any]:
        found = raw.get(name, {})
        if isinstance(found, dict):
            return found
        self._wrong(name, repr(found), f"a table [{name}]")
        return {}

    def _known(self, raw: dict[str, Any], prefix: str, keys: tuple[str, ...]) -> None:
        for name in raw:
            if name not in keys:
                self._wrong(f"{prefix}{name}", "a key that is not known here", _guess(name, keys))

    def _choice(self, raw: dict[str, Any], key: str, allowed: tuple[str, ...], instead: str) -> str:
        found = raw.get(key.rpartition(".")[2])
        if isinstance(found, str) and found in allowed:
            return found
        self._wrong(key, "nothing" if found is None else repr(found), _guess(str(found), allowed))
        return instead

    def _whole(self, raw: dict[str, Any], key: str, least: int, most: int, default: int) -> int:
        found = raw.get(key.rpartition(".")[2], default)
        if type(found) is int and least <= found <= most:
            return found
        self._wrong(key, repr(found), f"a whole number from {least} to {most}")
        return default

    def _text(self, raw: dict[str, Any], key: str, default: str) -> str:
        found = raw.get(key.rpartition(".")[2], default)
        if isinstance(found, str) and found.strip():
            return found
        self._wrong(key, repr(found), "a text that is not empty")
        return default

    def _place(self, raw: dict[str, Any], key: str, default: str) -> Path:
        text = self._text(raw, key, default)
        if "\0" in text:
            self._wrong(key, repr(text), "a path without the character zero")
            text = default
        return (self._path.absolute().parent / text).resolve()

    def _secret(self, raw: dict[str, Any], key: str, default: str) -> Path:
        """A file, or the credential of a service; outside of one nobody can read it, and the path says so."""
        text = raw.get(key.rpartition(".")[2], default)
        if not isinstance(text, str) or not text.startswith(CREDENTIAL):
            return self._place(raw, key, default)
        name = text.removeprefix(CREDENTIAL)
        if not name or "/" in name or "\0" in name:
            self._wrong(key, repr(text), "credential:NAME, as in LoadCredential=NAME:… of the service")
        return Path(os.environ.get(CREDENTIALS_FOLDER, NO_CREDENTIALS)) / (name or "missing")

    def _apart(self, places: Mapping[str, Path]) -> None:
        """Each thing at a place of its own, one of them short enough for a socket."""
        keys = list(places)
        for index, key in enumerate(keys):
            if (other := next((each for each in keys[:index] if places[each] == places[key]), None)) is not None:
                self._wrong(key, f"{places[key]}, as {other}", "a place of its own")
        if len(bytes(places["control.socket"])) > SOCKET_PATH_BYTES:
            found = f"a path of {len(bytes(places['control.socket']))} bytes"
            self._wrong("control.socket", found, f"at most {SOCKET_PATH_BYTES}, as for every Unix socket")

    def _wrong(self, key: str, found: str, right: str) -> None:
        self._mistakes.append(_mistake(self._path, key, found, right))


def _guess(found: str, allowed: tuple[str, ...]) -> str:
    close = get_close_matches(found, allowed, n=1)
    meant = f"did you mean {str(close[0])!r}? " if close else ""
    return f"{meant}one of {', '.join(allowed)}"
