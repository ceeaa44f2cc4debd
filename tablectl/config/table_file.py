"""The configuration of one table: TOML in, frozen values out, or every mistake in it at once.

Nothing starts with a wrong configuration. A mistake names file, key, what was found and what would be right.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import time
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import msgspec

from tablectl.config.decks import DeckSettings, read_deck
from tablectl.config.devices import Device, DevicesReader
from tablectl.config.games import GamesReader, keys_of
from tablectl.config.notices import Notice
from tablectl.config.notifications import Clock, NotificationSettings, read_notifications
from tablectl.config.reader import Reader
from tablectl.config.sections import (
    CLOCK_WAIT_S,
    IDLE_MINUTES,
    REPEAT_MS,
    SECTIONS,
    SOCKET_PATH_BYTES,
    ClockSection,
    ControlSection,
    FloatSection,
    JournalSection,
    PeopleSection,
    ScreensSection,
    SecondProof,
    SoftwareSection,
    StatisticsSection,
    TableSection,
    UplinkSection,
)
from tablectl.config.spots import dealt_to
from tablectl.config.timezones import TIMEZONE
from tablectl.config.trace import TraceSettings, read_trace
from tablectl.config.usb import UsbMatch, read_usb
from tablectl.core.engine.facts import Setup
from tablectl.core.os_error_text import happened, remedy
from tablectl.core.toml_text import NotToml, toml
from tablectl.core.validation import Invalid, Mistake, sentence
from tablectl.games.registry import RULEBOOKS
from tablectl.i18n.currency import Currency
from tablectl.i18n.languages import LANGUAGES, NO_SECOND, SOURCE
from tablectl.journal.places import Places
from tablectl.journal.readers import Readers

#: What stands for tablectl's version in the name of the approved manifest.
_VERSION: Final = "{version}"


class BadConfig(Invalid):
    """A configuration with mistakes."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Config:
    """One table. Paths are absolute; relative ones in the file are taken from the file's folder."""

    file: Path
    #: the game that the table begins with
    setup: Setup
    #: those that people can choose, the table's own first
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
    allowed_writers: tuple[str, ...] = ()
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
    #: the pit server to which public records go; None where there is none
    uplink: UplinkSection | None = None
    #: all games that the table can play, by their rulebooks, the one that it begins with too
    games: Mapping[str, Setup] = field(default_factory=dict)
    #: the accounts of the house's people, which the controller never opens
    people: Path
    #: a session at a desk ends so long after the last thing that its person did
    idle_minutes: int = IDLE_MINUTES
    #: for which host name people make passkeys; None where they have none
    passkey_host: str | None = None
    #: whether the second of two persons signs with a passkey, and not with a password
    needs_passkey: bool = False
    #: one more language, which is shown smaller beside the one that is read
    second_language: str | None = None
    #: the house's clock, by its name in the database of time zones
    timezone: str = TIMEZONE
    #: the chips of the house, the smallest first; none where a tray is entered as one total
    denominations: tuple[int, ...] = ()
    #: a start waits so long at most for a time server to set the clock
    clock_wait_s: int = CLOCK_WAIT_S
    notices: tuple[Notice, ...]

    @property
    def uplink_users(self) -> tuple[str, ...]:
        """Who may hand in receipts besides those who may enter something."""
        return (self.uplink.user,) if self.uplink is not None and self.uplink.user else ()

    @property
    def staff(self) -> bool:
        """Whether the house knows its people: no hand begins without a croupier."""
        return self.setup.staff

    @property
    def shown_languages(self) -> tuple[str, ...]:
        """What is shown where nobody can choose: the table's own language, and the second one where it asks for one."""
        return _shown(self.languages, self.second_language)

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


def _shown(languages: tuple[str, ...], second: str | None) -> tuple[str, ...]:
    return languages[:1] if second is None else (languages[0], second)


def load(path: Path) -> Config:
    """Read and check a file. Raises `BadConfig`, also while a restore of this table is only half done."""
    try:
        if restoring(path).exists():
            again = sentence("`tablectl restore` once more, as root: it is brought to its end")
            raise BadConfig([_mistake(path, "(restore)", sentence("a restore that was interrupted"), again)])
        content = path.read_bytes()
    except OSError as wrong:
        right = remedy(wrong, sentence("the path of a table's TOML file, as a rule /etc/tablectl/TABLE.toml"))
        raise BadConfig([_mistake(path, "(file)", happened(wrong), right)]) from None
    return parsed(path, content)


def language_of(path: Path) -> str:
    """In which language to say what is wrong with a file: the first one that it names, else a table's usual one;
    English where nobody can read it."""
    try:
        found = toml(path.read_bytes()).get("table")
    except (OSError, NotToml):
        return SOURCE
    named = found.get("languages") if isinstance(found, dict) else None
    there = [language for language in named if language in LANGUAGES] if isinstance(named, list) else []
    return there[0] if there else TableSection().languages[0]


def restoring(path: Path) -> Path:
    """What says that a restore has begun to put files in place and has not ended: until then they may be of two
    times, and nothing of this table starts."""
    return path.with_name(f"{path.name}.restoring")


def parsed(path: Path, content: bytes | str) -> Config:
    """As `load`, of what stands in a file, or is to stand there. Raises `BadConfig`."""
    try:
        raw = toml(content)
    except NotToml as wrong:
        raise BadConfig([_mistake(path, "(file)", wrong.found, wrong.right)]) from None
    return _TableReader(path).config(raw)


def _mistake(path: Path, key: str, found: str, right: str) -> Mistake:
    return Mistake(where=str(path), key=key, found=found, right=right)


class _TableReader:
    """Reads all sections, and what goes together in them."""

    def __init__(self, path: Path) -> None:
        self._reader = Reader(path)

    def config(self, raw: dict[str, Any]) -> Config:
        """Raises `BadConfig`."""
        reader = self._reader
        reader.known(raw, "", SECTIONS)
        table = self._table(raw)
        people = reader.whole(PeopleSection, raw, "people")
        games = GamesReader(reader)
        setup = games.first(raw, table, staff=people.required)
        others = games.others(raw, setup)
        journal = reader.whole(JournalSection, raw, "journal")
        control = reader.whole(ControlSection, raw, "control")
        screens = self._screens(raw)
        statistics = reader.whole(StatisticsSection, raw, "statistics")
        uplink = reader.whole(UplinkSection, raw, "uplink")
        software = self._software(raw)
        deck = read_deck(reader, raw)
        usb = read_usb(reader, raw)
        second_language = self._second_language(table)
        clock = Clock(begins=statistics.shifts, timezone=table.timezone)
        told = read_notifications(reader, raw, _shown(table.languages, second_language), screens.public_url, clock)
        places = {
            "journal.path": journal.path,
            "journal.key": journal.key,
            "journal.signing_key": journal.signing_key,
            "journal.copy": journal.copy,
            "control.socket": control.socket,
            "deck.register": deck.register,
            "people.path": people.path,
            "statistics.path": statistics.path or journal.path.with_name("statistics.db"),
            **{f"uplink.{name}": place for name, place in _uplink_places(uplink).items()},
            "software.manifest": software.manifest,
            "software.public_key": software.public_key,
            "notifications.path": told.path if told is not None else None,
            "witness.file": told.witness.file if told is not None and told.witness is not None else None,
        }
        self._apart({key: place for key, place in places.items() if place is not None})
        self._fits(control.socket)
        all_games = {setup.rulebook: setup, **others} if _game_of(raw) == setup.rulebook else {}
        devices = self._devices(raw, setup, others, all_games, people.badges)
        trace = read_trace(reader, raw, [device.name for device in devices])
        if people.two_persons is SecondProof.PASSKEY and people.passkey_host is None:
            reader.wrong(
                "people.passkey_host", "nothing", "the host name of the house's pages: two_persons takes passkeys"
            )
        if not people.required:
            reader.notice("people-not-required")
        made = Config(
            file=reader.path.absolute(),
            setup=setup,
            games=all_games,
            languages=table.languages,
            second_language=second_language,
            currency=table.currency,
            currency_exponent=table.currency_exponent,
            journal=journal.path,
            key=journal.key,
            signing_key=journal.signing_key,
            copy=journal.copy,
            auditor=journal.auditor,
            volume_records=journal.volume_records,
            journal_readers=journal.readers,
            control_readers=control.readers,
            allowed_writers=control.speakers,
            repeat_ms=control.repeat_ms,
            socket=control.socket,
            usb_bus=usb.bus,
            usb_allow=usb.allow,
            devices=devices,
            deck=deck,
            screens_port=screens.port,
            screens_host=screens.host,
            screens_certificate=screens.certificate,
            screens_key=screens.key,
            screens_behind_proxy=screens.behind_proxy,
            statistics=places["statistics.path"],
            shifts=statistics.shifts,
            uplink=uplink if uplink.url is not None else None,
            manifest=software.manifest,
            approver=software.public_key,
            trace=trace,
            people=people.path,
            idle_minutes=people.idle_minutes,
            passkey_host=people.passkey_host,
            needs_passkey=people.two_persons is SecondProof.PASSKEY,
            timezone=table.timezone,
            denominations=self._denominations(raw, setup.chip),
            clock_wait_s=reader.whole(ClockSection, raw, "clock").wait_s,
            badges=people.badges,
            notifications=told,
            notices=tuple(reader.notices),
        )
        if reader.mistakes:
            raise BadConfig(reader.mistakes)
        return made

    # -- parts -------------------------------------------------------------------------------------------------------

    def _table(self, raw: dict[str, Any]) -> TableSection:
        there = keys_of(TableSection, _game_of(raw))
        found = self._reader.table(raw, "table")
        return TableSection(**self._reader.values(TableSection, found, "table.", there=there))

    def _screens(self, raw: dict[str, Any]) -> ScreensSection:
        """The certificate goes with its key: both, or none."""
        self._both(raw, "screens", ("certificate", "key"), sentence("a path: the certificate goes with its key"))
        return self._reader.whole(ScreensSection, raw, "screens")

    def _software(self, raw: dict[str, Any]) -> SoftwareSection:
        """Where the approved manifest is and whose key signs it: both, or none and a notice."""
        right = sentence("a path: the manifest goes with the public key of who signed it")
        if not self._both(raw, "software", ("manifest", "public_key"), right):
            self._reader.notice("no-manifest")
        found = self._reader.whole(SoftwareSection, raw, "software")
        return msgspec.structs.replace(found, manifest=found.manifest and _of_this_version(found.manifest))

    def _both(self, raw: dict[str, Any], section: str, names: tuple[str, str], right: str) -> bool:
        """Whether there is one of two keys that go together; the other one is missing then, if it is."""
        found = raw.get(section)
        there = [name for name in names if isinstance(found, dict) and name in found]
        for name in names if there else ():
            if name not in there:
                self._reader.wrong(f"{section}.{name}", sentence("nothing"), right)
        return bool(there)

    def _denominations(self, raw: dict[str, Any], chip: int) -> tuple[int, ...]:
        """Each is a number of smallest chips: a tray that has others could not be entered."""
        found = self._reader.whole(FloatSection, raw, "float").denominations
        for value in found:
            if value % chip:
                self._reader.wrong(
                    "float.denominations", str(value), sentence("a multiple of the smallest chip, {chip}", chip=chip)
                )
        return tuple(sorted(found))

    def _devices(
        self,
        raw: dict[str, Any],
        first: Setup,
        others: Mapping[str, Setup],
        games: Mapping[str, Setup],
        badges: str | None,
    ) -> tuple[Device, ...]:
        dealt = dict.fromkeys(
            spot for game in games.values() for spot in dealt_to(RULEBOOKS[game.rulebook](game.profile), game.seats)
        )
        seats = max(other.seats for other in (first, *others.values()))
        return DevicesReader(self._reader).devices(raw, seats, first.equipment, tuple(dealt), badges)

    def _apart(self, places: Mapping[str, Path]) -> None:
        """Each thing at a place of its own."""
        keys = list(places)
        for index, key in enumerate(keys):
            same = (text for text in keys[:index] if places[text].resolve() == places[key].resolve())
            if (other := next(same, None)) is not None:
                self._reader.wrong(
                    key, sentence("{place}, as {other}", place=places[key], other=other), sentence("a place of its own")
                )

    def _second_language(self, table: TableSection) -> str | None:
        """The language that is shown beside the others; None, and a notice, where a file may still expect the second of
        its list there."""
        own, *others = table.languages
        if table.second_language is None and others:
            said = ", ".join(table.languages)
            self._reader.notice("one-language", languages=said, own=own, other=others[0], none=NO_SECOND)
        if table.second_language == own:
            self._reader.wrong(
                "table.second_language",
                sentence("{own!r}, which is the table's own", own=own),
                sentence("another one, or none"),
            )
        return None if table.second_language in (None, NO_SECOND, own) else table.second_language

    def _fits(self, socket: Path) -> None:
        """Its path is short enough for a socket."""
        if (n_bytes := len(bytes(socket))) > SOCKET_PATH_BYTES:
            right = sentence("at most {most}, as for every Unix socket", most=SOCKET_PATH_BYTES)
            self._reader.wrong("control.socket", sentence("a path of {n_bytes} bytes", n_bytes=n_bytes), right)


def _uplink_places(uplink: UplinkSection) -> Mapping[str, Path]:
    """The files of the uplink, where there is one."""
    if uplink.url is None:
        return {}
    return {name: getattr(uplink, name) for name in ("authority", "certificate", "key", "pit_key", "state")}


def _of_this_version(manifest: Path) -> Path:
    """Where the manifest of the version is that reads this. Each version may have a file of its own: that of the next
    one lies ready before an upgrade, and that of the one before stays for the way back."""
    if _VERSION not in manifest.name:
        return manifest
    return manifest.with_name(manifest.name.replace(_VERSION, version("tablectl")))


def _game_of(raw: Mapping[str, Any]) -> object:
    """The game that a file names, whatever stands there."""
    table = raw.get("table")
    return table.get("rulebook") if isinstance(table, dict) else None
