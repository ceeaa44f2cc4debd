"""The configuration of one table: TOML in, frozen values out, or every mistake in it at once.

Nothing starts with a wrong configuration. A mistake names file, key, what was found and what would be right.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from pathlib import Path
from typing import Any, Final
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from tablectl.config.devices import Device, DevicesReader
from tablectl.config.games import GAMES_SECTION, GamesReader, keys_of
from tablectl.config.toml_reader import TomlReader
from tablectl.config.validation import Mistake
from tablectl.core.engine.facts import Setup
from tablectl.core.engine.words import Equipment
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.currency import Currency
from tablectl.i18n.spoken.words import LANGUAGES
from tablectl.journal.places import Places
from tablectl.journal.readers import Readers
from tablectl.notifications.settings import NotificationSettings, NotifyReader
from tablectl.ops.os_error_text import happened, remedy
from tablectl.ops.trace.settings import TraceSettings, trace_of
from tablectl.statistics.shifts import DEFAULT as SHIFTS
from tablectl.statistics.shifts import begins_of
from tablectl.table.decks.settings import CLONE_MOST_S, DeckSettings, not_cards_of
from tablectl.table.decks.settings import KEYS as DECK_KEYS
from tablectl.table.decks.spots import dealt_to
from tablectl.table.decks.tag_tracker import CLONE_US
from tablectl.table.usb_list import UsbMatch, match_of, mistakes

SCREENS_KEYS: Final = ("host", "port", "certificate", "key", "behind_proxy")
JOURNAL_KEYS: Final = ("path", "key", "signing_key", "copy", "auditor", "volume_records", "readers")
SECTIONS: Final = (
    "table",
    "limits",
    "profile",
    "fee",
    "journal",
    "control",
    "clock",
    "screens",
    "statistics",
    "software",
    "trace",
    "usb",
    "deck",
    "device",
    "people",
    "notifications",
    "notify",
    GAMES_SECTION,
)
_TABLE_KEYS: Final = ("name", "rulebook", "equipment", "languages", "currency", "currency_exponent", "timezone")
#: Those of a table whose file does not say which.
USUAL_LANGUAGES: Final = ("es", "en")
#: The house's clock where the file names no other.
TIMEZONE: Final = "Europe/Madrid"
#: Records in a volume of the journal, about: it goes on to the end of its hand. A busy table's month is a million.
VOLUME_RECORDS: Final = 1_000_000
VOLUME_LEAST, VOLUME_MOST = 1, 100_000_000
#: A session at a desk, and how long the house may let one stand without a touch: not longer than any lasts.
IDLE_MINUTES, IDLE_MOST_MINUTES = 15, 12 * 60
#: How long a start waits for the clock to be synchronised, in seconds.
CLOCK_WAIT_S, CLOCK_WAIT_MOST_S = 20, 60
#: How long the same key is no other press after one with which another seat came to be asked, in milliseconds.
REPEAT_MS, REPEAT_MOST_MS = 300, 2000
#: Longest path of a Unix socket, in bytes (`sun_path` of unix(7), without the zero at its end).
SOCKET_PATH_BYTES: Final = 107


class BadConfig(Exception):
    """A configuration with mistakes."""

    def __init__(self, mistakes: list[Mistake]) -> None:
        super().__init__("\n".join(str(mistake) for mistake in mistakes))
        self.mistakes = mistakes


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """One table. Paths are absolute; relative ones in the file are taken from the file's folder."""

    file: Path
    #: the game that the table begins with
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
    #: who besides the controller's user reads the journal with its copy, and comes to the socket
    journal_readers: Readers = Readers.OWNER
    control_readers: Readers = Readers.OWNER
    #: users by their names who may enter something at the socket, besides the controller's own and root
    speakers: tuple[str, ...] = ()
    #: how long the same key is no other press after one with which another seat came to be asked; 0: it always is
    repeat_ms: int = REPEAT_MS
    #: where the screens answer: loopback, or with a certificate and its key (PEM) elsewhere; or behind a proxy here
    screens_host: str = "127.0.0.1"
    screens_certificate: Path | None = None
    screens_key: Path | None = None
    screens_behind_proxy: bool = False
    #: USB devices that may be there besides the table's own
    usb_allow: tuple[UsbMatch, ...] = ()
    #: what was approved and signed, and the public key (PEM) of who may approve; both or none
    manifest: Path | None = None
    approver: Path | None = None
    trace: TraceSettings | None = None
    #: the device to which people hold their badges
    badges: str | None = None
    #: whom `tablectl notifications` tells what; None where nobody is told
    notifications: NotificationSettings | None = None
    #: the screens' read model, and when the shifts of the house begin, by its own clock
    statistics: Path | None = None
    shifts: tuple[time, ...] = ()
    #: all games that the table can play, by their rulebooks, the one that it begins with too
    games: Mapping[str, Setup] = field(default_factory=dict)
    #: the accounts of the house's people, which the controller never opens
    people: Path
    #: a session at a desk ends so long after the last thing that its person did
    idle_minutes: int = IDLE_MINUTES
    #: the house's clock, by its name in the database of time zones
    timezone: str = TIMEZONE
    #: a start waits so long at most for a time server to set the clock
    clock_wait_s: int = CLOCK_WAIT_S
    notices: tuple[str, ...]

    @property
    def staff(self) -> bool:
        """Whether the house knows its people: no hand begins without a croupier."""
        return self.setup.staff

    @property
    def table_currency(self) -> Currency:
        """What the table's amounts are so many smallest units of."""
        return Currency(code=self.currency, exponent=self.currency_exponent)

    @property
    def places(self) -> Places:
        """The journal's."""
        return Places(
            journal=self.journal,
            key=self.key,
            signing_key=self.signing_key,
            copy=self.copy,
            volume_records=self.volume_records,
            readers=self.journal_readers,
        )

    @property
    def marks(self) -> tuple[Path, ...]:
        """Where a tilt leaves its mark: beside the journal, so that it outlives a power cut; beside its copy, should
        the journal's disk be what is wrong; and beside the socket, for the screens."""
        return tuple(dict.fromkeys(place.with_suffix(".tilt") for place in (self.journal, self.copy, self.socket)))


def load(path: Path) -> Config:
    """Read and check a file. Raises `BadConfig`, also while a restore of this table is only half done."""
    try:
        if restoring(path).exists():
            right = "`tablectl restore` once more, as root: it is brought to its end"
            raise BadConfig([_mistake(path, "(restore)", "a restore that was interrupted", right)])
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as wrong:
        if isinstance(wrong, UnicodeDecodeError):
            raise BadConfig([_mistake(path, "(file)", "it is not UTF-8 text", "a readable TOML file")]) from None
        right = remedy(wrong, "the path of a table's TOML file, as a rule /etc/tablectl/TABLE.toml")
        raise BadConfig([_mistake(path, "(file)", happened(wrong), right)]) from None
    return parsed(path, text)


def restoring(path: Path) -> Path:
    """What says that a restore has begun to put files in place and has not ended: until then they may be of two
    times, and nothing of this table starts."""
    return path.with_name(f"{path.name}.restoring")


def parsed(path: Path, text: str) -> Config:
    """As `load`, of what stands in a file, or is to stand there. Raises `BadConfig`."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as wrong:
        raise BadConfig([_mistake(path, "(file)", str(wrong), "valid TOML at that place")]) from None
    return _Reader(path).config(raw)


def _mistake(path: Path, key: str, found: str, right: str) -> Mistake:
    return Mistake(where=str(path), key=key, found=found, right=right)


def _game_of(raw: Mapping[str, Any]) -> object:
    """The game that a file names, whatever stands there."""
    table = raw.get("table")
    return table.get("rulebook") if isinstance(table, dict) else None


class _Reader(TomlReader):
    """Collects mistakes while it reads, so that all of them are told at once."""

    def __init__(self, path: Path) -> None:
        super().__init__(path, [])
        self._notices: list[str] = []

    def config(self, raw: dict[str, Any]) -> Config:
        self._known(raw, "", SECTIONS)
        table = self._section(raw, "table", (*_TABLE_KEYS, *keys_of(_game_of(raw))))
        name = self._text(table, "table.name", "Mesa 1")
        equipment = Equipment.SHOE
        if "equipment" in table:
            equipment = Equipment(self._choice(table, "table.equipment", tuple(Equipment), equipment.value))
        people = self._section(raw, "people", ("path", "required", "badges", "idle_minutes"))
        reader = GamesReader(self._path, self._mistakes, self._notices)
        setup = reader.first(raw, table, name, equipment, staff=self._staff(people))
        others = reader.others(raw, setup)
        journal = self._section(raw, "journal", JOURNAL_KEYS)
        control = self._section(raw, "control", ("socket", "readers", "speakers", "repeat_ms"))
        screens = self._section(raw, "screens", SCREENS_KEYS)
        statistics = self._section(raw, "statistics", ("path", "shifts"))
        deck = self._section(raw, "deck", DECK_KEYS)
        usb = self._section(raw, "usb", ("bus", "allow"))
        places = {
            "journal.path": self._place(journal, "journal.path", "table.db"),
            "journal.key": self._secret(journal, "journal.key", "table.key"),
            "journal.signing_key": self._secret(journal, "journal.signing_key", "table.sign"),
            "journal.copy": self._place(journal, "journal.copy", "table.copy"),
            "control.socket": self._place(control, "control.socket", "table.sock"),
            "deck.register": self._place(deck, "deck.register", "decks.db"),
            "people.path": self._place(people, "people.path", "people.db"),
        }
        beside = str(places["journal.path"].with_name("statistics.db"))
        places["statistics.path"] = self._place(statistics, "statistics.path", beside)
        places |= self._software(raw)
        languages = self._languages(table)
        told = NotifyReader(self._path, self._mistakes, self._notices).settings(raw, languages)
        places |= {"notifications.path": told.path} if told is not None else {}
        self._apart(places)
        games = {setup.rulebook: setup, **others} if table.get("rulebook") == setup.rulebook else {}
        dealt = dict.fromkeys(
            spot for each in games.values() for spot in dealt_to(RULEBOOKS[each.rulebook](each.profile), each.seats)
        )
        seats = max(each.seats for each in (setup, *others.values()))
        badges = self._text(people, "people.badges", "") if "badges" in people else None
        devices = DevicesReader(self._path, self._mistakes).devices(raw, seats, equipment, tuple(dealt), badges)
        made = Config(
            file=self._path.absolute(),
            setup=setup,
            games=games,
            languages=languages,
            currency=self._text(table, "table.currency", "EUR"),
            currency_exponent=self._whole(table, "table.currency_exponent", 0, 3, 2),
            journal=places["journal.path"],
            key=places["journal.key"],
            signing_key=places["journal.signing_key"],
            copy=places["journal.copy"],
            auditor=self._place(journal, "journal.auditor", "") if "auditor" in journal else None,
            volume_records=self._whole(journal, "journal.volume_records", VOLUME_LEAST, VOLUME_MOST, VOLUME_RECORDS),
            journal_readers=self._readers(journal, "journal.readers"),
            control_readers=self._readers(control, "control.readers"),
            speakers=self._speakers(control),
            repeat_ms=self._whole(control, "control.repeat_ms", 0, REPEAT_MOST_MS, REPEAT_MS),
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
            screens_host=self._text(screens, "screens.host", "127.0.0.1"),
            screens_certificate=self._file_of_screens(screens, "certificate"),
            screens_key=self._file_of_screens(screens, "key"),
            screens_behind_proxy=self._flag(screens, "screens.behind_proxy"),
            statistics=places["statistics.path"],
            shifts=self._shifts(statistics),
            manifest=places.get("software.manifest"),
            approver=places.get("software.public_key"),
            trace=self._trace(raw, devices),
            people=places["people.path"],
            idle_minutes=self._whole(people, "people.idle_minutes", 1, IDLE_MOST_MINUTES, IDLE_MINUTES),
            timezone=self._timezone(table),
            clock_wait_s=self._clock_wait_s(raw),
            badges=badges,
            notifications=told,
            notices=tuple(self._notices),
        )
        if self._mistakes:
            raise BadConfig(self._mistakes)
        return made

    # -- parts -------------------------------------------------------------------------------------------------------

    def _staff(self, section: dict[str, Any]) -> bool:
        """Whether the house knows its people; where it does not, everybody who looks at the start knows."""
        required = self._said(section, "people.required", default=True)
        if not required:
            self._notices.append(
                "people.required = false: a hand begins without a croupier, and one name is enough to overrule a device"
            )
        return required

    def _speakers(self, section: dict[str, Any]) -> tuple[str, ...]:
        found = section.get("speakers", [])
        if isinstance(found, list) and all(isinstance(each, str) and each for each in found):
            return tuple(found)
        self._wrong("control.speakers", repr(found), 'a list of users by their names, such as ["tablectl-screens"]')
        return ()

    def _readers(self, section: dict[str, Any], key: str) -> Readers:
        if "readers" not in section:
            return Readers.OWNER
        return Readers(self._choice(section, key, tuple(Readers), Readers.OWNER.value))

    def _timezone(self, table: dict[str, Any]) -> str:
        found = self._text(table, "table.timezone", TIMEZONE)
        try:
            ZoneInfo(found)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            self._wrong("table.timezone", repr(found), f"a name such as {TIMEZONE}, of the database of time zones")
            return TIMEZONE
        return found

    def _clock_wait_s(self, raw: dict[str, Any]) -> int:
        section = self._section(raw, "clock", ("wait_s",))
        return self._whole(section, "clock.wait_s", 0, CLOCK_WAIT_MOST_S, CLOCK_WAIT_S)

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

    def _file_of_screens(self, section: dict[str, Any], key: str) -> Path | None:
        """The certificate goes with its key: both, or none."""
        if key not in section:
            if section.keys() & {"certificate", "key"}:
                self._wrong(f"screens.{key}", "nothing", "a path: the certificate goes with its key")
            return None
        return self._secret(section, f"screens.{key}", key)

    def _flag(self, section: dict[str, Any], key: str) -> bool:
        found = section.get(key.rpartition(".")[2], False)
        if not isinstance(found, bool):
            self._wrong(key, repr(found), "true or false")
            return False
        return found

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

    def _shifts(self, section: dict[str, Any]) -> tuple[time, ...]:
        found = section.get("shifts", list(SHIFTS))
        try:
            return begins_of(found if isinstance(found, list) else [found])
        except ValueError as wrong:
            said, _, right = str(wrong).partition(": expected ")
            self._wrong("statistics.shifts", said, right)
            return ()

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

    def _languages(self, table: dict[str, Any]) -> tuple[str, ...]:
        found = table.get("languages", list(USUAL_LANGUAGES))
        if isinstance(found, list) and found and all(each in LANGUAGES and found.count(each) == 1 for each in found):
            return tuple(found)
        self._wrong("table.languages", repr(found), f"a list of {', '.join(LANGUAGES)}, each once, the first one large")
        return USUAL_LANGUAGES

    def _apart(self, places: Mapping[str, Path]) -> None:
        """Each thing at a place of its own, one of them short enough for a socket."""
        keys = list(places)
        for index, key in enumerate(keys):
            if (
                other := next((each for each in keys[:index] if places[each].resolve() == places[key].resolve()), None)
            ) is not None:
                self._wrong(key, f"{places[key]}, as {other}", "a place of its own")
        if len(bytes(places["control.socket"])) > SOCKET_PATH_BYTES:
            found = f"a path of {len(bytes(places['control.socket']))} bytes"
            self._wrong("control.socket", found, f"at most {SOCKET_PATH_BYTES}, as for every Unix socket")
