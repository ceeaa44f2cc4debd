"""Every key of a table's file, section by section: type, bounds, default, who reads it and what it means.

Which keys go together is checked where the whole file is read (`tablectl.config.table_file`). The settings of a driver
are declared by the driver, the choices of a house by each game.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import time
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta, field

from tablectl.config.schema import BROKER, BROKER_RIGHT, CREDENTIAL, Port, Refused, Says, Section, Text, secret
from tablectl.config.shifts import DEFAULT as SHIFTS
from tablectl.config.shifts import RIGHT, begins_of
from tablectl.config.timezones import TIMEZONE, zone_is
from tablectl.core.engine.limit_rules import AMOUNT_MOST
from tablectl.core.engine.vocabulary import Equipment, Severity, Tracking
from tablectl.core.settlement.pot_rules import WHOLE_RATE, RakeFrom
from tablectl.core.validation import one_of, sentence
from tablectl.games.registry import GAMES, RULEBOOKS, most_seats
from tablectl.i18n.languages import LANGUAGES, NO_SECOND, USUAL
from tablectl.journal.readers import Readers

#: An address that stands in the environment of a service.
ENVIRONMENT: Final = "env:"
#: Longest path of a Unix socket, in bytes (`sun_path` of unix(7), without the zero at its end).
SOCKET_PATH_BYTES: Final = 107
#: The greatest smallest chip in play, in the smallest unit of money.
CHIP_MOST: Final = 10**9
#: More kinds of chips than any house has.
_MOST_DENOMINATIONS: Final = 20
#: How long two spots must go on seeing one tag before it is an alarm, in seconds. A card that is pushed from one place
#: to the next is at both for a second or so.
CLONE_S: Final = 5
#: How long the same key is no other press after one with which another seat came to be asked, in milliseconds.
REPEAT_MS: Final = 300
#: Records in a volume of the journal, about: it goes on to the end of its hand. A busy table's month is a million.
VOLUME_RECORDS: Final = 1_000_000
#: A session at a desk ends so long after the last touch, in minutes.
IDLE_MINUTES: Final = 15
#: How long a start waits for the clock to be synchronised, in seconds.
CLOCK_WAIT_S: Final = 20
#: A trace's file ends when it has reached this, and the oldest of a device goes when there are more than so many.
FILE_BYTES: Final = 16_000_000
FILES: Final = 8
#: How long nobody may answer at the controller's socket before that is told, in seconds.
GONE_S: Final = 30
#: How long a target may take to say that it has a message, in seconds. No service promises a figure; Apprise itself
#: waits four seconds, which a mail server that looks for spam first does not keep.
TIMEOUT_S: Final = 15
#: How often the newest signed record leaves the machine, in minutes.
WITNESS_MINUTES: Final = 10
#: Among the numbers that an owner of a TPM may take (TCG, Registry of Reserved TPM 2.0 Handles).
TPM_INDEX: Final = 0x01800100
#: Where screens answer, where the file says nothing.
SCREENS_PORT: Final = 8420

_SCREENS: Final = "screens"
_TELLS: Final = "notifications"
_OF_DEVICES: Final = "controller, devices, deck"
_AMOUNT: Final = sentence("an amount in the smallest unit of money, from 1 to {most}", most=AMOUNT_MOST)
_FEE: Final = "(THL-DEF-7, AMB-37)"
_SCHEME: Final = re.compile(r"[a-z][a-z0-9.+-]*://.+", re.ASCII | re.DOTALL)
_ADDRESS: Final = sentence(
    "an address as Apprise writes it (json://…, ntfy://…, mailto://…), env:NAME or credential:NAME"
)
_PUBLIC: Final = re.compile(r"https://[a-z0-9.-]+(?::\d{1,5})?/?", re.ASCII | re.IGNORECASE)
_PUBLIC_URL: Final = sentence("an address with https and without a path, such as https://mesa-1.example")
_NAME: Final = sentence("a word of small letters, digits and hyphens, 32 at most")
_MODEL: Final = sentence("VID:PID, four hexadecimal digits each")


class What(StrEnum):
    """What somebody can be told."""

    #: a departure from the rulebook, and that it goes to the pit boss
    INCIDENT = "incident"
    #: the table cannot be trusted, nothing is dealt
    TILT = "tilt"
    #: a device does not answer
    DEVICE = "device"
    #: the controller does not answer, and did not end in order
    CONTROLLER = "controller"
    #: a deck was withdrawn
    DECK = "deck"
    #: a disk fills, or is almost full
    DISK = "disk"
    #: somebody tried again and again what he may not
    SECURITY = "security"
    #: the newest record that the table signed, again and again: for a witness, and for nobody's phone
    HEAD = "head"


#: What is told where a target does not say what it wants.
TOLD: Final = tuple(what for what in What if what is not What.HEAD)


# --- what a type cannot check -----------------------------------------------------------------------------------------


def _begins(found: object) -> tuple[time, ...]:
    texts = found if isinstance(found, list) else [found]
    try:
        return begins_of(texts)
    except ValueError:
        raise Refused(RIGHT, found=repr(texts)) from None


def _address(found: str) -> str:
    """What was found is not repeated: it may be a secret with one letter too many."""
    if found.startswith((ENVIRONMENT, CREDENTIAL)):
        name = found.partition(":")[2]
        if name and "/" not in name and name.isprintable() and " " not in name:
            return found
        raise Refused(sentence("env:NAME or credential:NAME"))
    if _SCHEME.fullmatch(found) and found.isprintable():
        return found
    raise Refused(_ADDRESS, found=sentence("a text that is no address (not repeated here)"))


def _different(found: tuple[int, ...]) -> tuple[int, ...]:
    if len(found) > _MOST_DENOMINATIONS or len(set(found)) < len(found):
        raise Refused(sentence("up to {most} different amounts, each once", most=_MOST_DENOMINATIONS))
    return found


def _public_url(found: str) -> str:
    """An address of pages, by TLS, with nothing after the host but a port."""
    if found and not _PUBLIC.fullmatch(found):
        raise Refused(_PUBLIC_URL)
    return found.rstrip("/")


def _upper(found: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(text.upper() for text in found)


# --- what games differ in ---------------------------------------------------------------------------------------------


def _listed(names: list[str]) -> str:
    *first, last = (f"`{name}`" for name in names)
    return f"{', '.join(first)} and {last}" if first else last


def _seats() -> str:
    """How many seats there can be, the games with most named."""
    fewest, most = min(map(most_seats, GAMES)), max(map(most_seats, GAMES))
    more = _listed([game for game in GAMES if most_seats(game) == most])
    return f"from 1 to {fewest}" + (f", {most} in {more}" if most > fewest else "")


def _trackings() -> str:
    """Which words there are against the bank, and among players."""
    said = []
    for who, is_circle in (("against the bank", False), ("among players", True)):
        words = next(game.trackings for game in GAMES.values() if game.is_circle == is_circle)
        said.append(f"{who} " + ", ".join(f'`"{word.value}"`' for word in words))
    return "; ".join(said)


_RESTOS: Final = _listed([text for text, game in GAMES.items() if game.has_resto])


# --- sections ---------------------------------------------------------------------------------------------------------


class GameSection(Section, frozen=True, kw_only=True):
    """`[games.GAME]`: a further game of the table. What is left out is the table's."""

    READ_BY: ClassVar[str] = "controller, table"

    seats: Annotated[int | None, Says(means="places in this game", values="as in `[table]`", default="the table's")] = (
        None
    )
    tracking: Annotated[
        Tracking | None,
        Says(
            means="how much of the bets is entered",
            values="as in `[table]`",
            default="the table's, where this game has it",
        ),
    ] = None
    chip: Annotated[
        int | None,
        Meta(ge=1, le=CHIP_MOST),
        Says(means="the smallest chip in play", values="as in `[table]`", default="the table's"),
    ] = None
    resto: Annotated[
        int | None,
        Meta(ge=1, le=AMOUNT_MOST),
        Says(
            means="what everybody begins with",
            values="as in `[table]`",
            default="as in `[table]`",
            right=sentence("{amount} (FCD-RST-2)", amount=_AMOUNT),
        ),
    ] = None
    limits: Annotated[
        Any, Says(means="the limits of this game", values="a table for each bet", default="as in `[limits.BET]`")
    ] = None
    profile: Annotated[
        Any, Says(means="the choices of the house for this game", values="a table", default="as in `[profile]`")
    ] = None
    fee: Annotated[Any, Says(means="what is taken out of a pot", values="a table", default="as in `[fee]`")] = None


class TableSection(Section, frozen=True, kw_only=True):
    """`[table]`: the table, and the game that it begins with."""

    name: Annotated[Text, Says(means="how the table is called on screens, in messages and in evidence")] = "Mesa 1"
    rulebook: Annotated[
        str,
        Says(
            means="the game that the table begins with ([rulebooks](../rulebooks/README.md))",
            one_of=tuple(RULEBOOKS),
            is_required=True,
        ),
    ] = next(iter(RULEBOOKS))
    tracking: Annotated[
        Tracking | None,
        Says(
            means="how much of the bets is entered: who plays, or every chip; each round closed, who did what, or every"
            " chip",
            values=_trackings(),
            is_required=True,
        ),
    ] = None
    seats: Annotated[int, Says(means="places at the table; seat 1 is at the croupier's left", values=_seats())] = 7
    equipment: Annotated[
        Equipment, Says(means="what reads the cards as they are dealt", read_by="controller, deck")
    ] = Equipment.SHOE
    languages: Annotated[
        tuple[str, ...],
        Says(
            means="those that people can choose; the first one is the table's, for whoever chose none",
            read_by="controller, notifications",
            one_of=LANGUAGES,
            right=sentence("a list of {words}, each once, the table's own first", words=", ".join(LANGUAGES)),
        ),
    ] = USUAL
    second_language: Annotated[
        str | None,
        Says(
            means="one more, shown smaller beside the one that is read: another one than the table's own",
            read_by="controller, notifications",
            values=f'`"{NO_SECOND}"` or a language',
            default="none, with a notice",
            one_of=(NO_SECOND, *LANGUAGES),
        ),
    ] = None
    currency: Annotated[Text, Says(means="the currency after amounts")] = "EUR"
    currency_exponent: Annotated[
        int, Meta(ge=0, le=3), Says(means="decimal places of the smallest unit: 2 where it is the cent")
    ] = 2
    timezone: Annotated[
        Text,
        Says(
            means="the house's clock, on pages and in messages; records are in UTC",
            values=f'a name such as `"{TIMEZONE}"`',
            right=sentence("a name such as {timezone}, of the database of time zones", timezone=TIMEZONE),
            check=zone_is,
        ),
    ] = TIMEZONE
    chip: Annotated[
        int,
        Meta(ge=1, le=CHIP_MOST),
        Says(means="the smallest chip in play, in the smallest unit of money; only in games among players"),
    ] = 1
    resto: Annotated[
        int | None,
        Meta(ge=1, le=AMOUNT_MOST),
        Says(
            means=f"what everybody begins with, in the smallest unit of money; only in {_RESTOS}",
            values=f"1 to {AMOUNT_MOST}, whole chips, at least the ante",
            default=f'none; required in {_RESTOS} with `"amounts"`',
            right=sentence("{amount} (FCD-RST-2)", amount=_AMOUNT),
        ),
    ] = None


class BetSection(Section, frozen=True, kw_only=True):
    """`[limits.BET]`: the limits of one bet."""

    least: Annotated[int, Meta(ge=1, le=AMOUNT_MOST), Says(means="the least bet, in the smallest unit of money")]
    most: Annotated[int, Meta(ge=1, le=AMOUNT_MOST), Says(means="the greatest bet", values=f"`least` to {AMOUNT_MOST}")]
    authorised: Annotated[
        tuple[int, int],
        Says(
            means="the band that was authorised; how wide it may be is the document's to say",
            values="`[LEAST, MOST]` around the two above",
        ),
    ]


class FeeSection(Section, frozen=True, kw_only=True):
    """`[fee]`: what the table takes out of a pot. None of it has a default, since no document gives one."""

    rate: Annotated[
        int,
        Meta(ge=1, le=WHOLE_RATE),
        Says(
            means="hundredths of a per cent: 500 is 5 %",
            needed=sentence("hundredths of a per cent: 500 is 5 % {fee}", fee=_FEE),
        ),
    ]
    cap: Annotated[
        int,
        Meta(ge=1, le=AMOUNT_MOST),
        Says(
            means="the most that is taken, in the smallest unit of money",
            needed=sentence("the most that is taken, in the smallest unit of money {fee}", fee=_FEE),
        ),
    ]
    taken_from: Annotated[
        RakeFrom,
        Says(
            means="what rate and cap are of",
            needed=sentence("what rate and cap are of: {words} {fee}", words=one_of(RakeFrom), fee=_FEE),
        ),
    ] = field(name="from")


class JournalSection(Section, frozen=True, kw_only=True):
    """`[journal]`: the sealed record of everything."""

    path: Annotated[Path, Says(means="the journal", read_by="controller, screens, people, journal open")] = Path(
        "table.db"
    )
    key: Annotated[Path, secret("opens sealed cards", read_by="controller, deck, journal open")] = Path("table.key")
    signing_key: Annotated[Path, secret("signs the journal", read_by="controller, deck, journal open")] = Path(
        "table.sign"
    )
    copy: Annotated[
        Path, Says(means="every record once more; put it on another disk", read_by="controller, screens, journal open")
    ] = Path("table.copy")
    readers: Annotated[
        Readers,
        Says(
            means="who may read the sealed journal: the controller's user alone, or the group of its folder too; keys"
            " never"
        ),
    ] = Readers.OWNER
    auditor: Annotated[
        Path | None, Says(means="public key of who may ask for sealed cards", read_by="screens, journal open")
    ] = None
    volume_records: Annotated[
        int,
        Meta(ge=1, le=100_000_000),
        Says(means="about so many records, and the journal goes on in a new file at the end of the hand"),
    ] = VOLUME_RECORDS


class ControlSection(Section, frozen=True, kw_only=True):
    """`[control]`: where the controller answers, and to whom."""

    socket: Annotated[
        Path,
        Says(
            means="where the controller answers",
            read_by="controller, screens, notifications, table, devices, deck, journal open",
            values=f"a path of {SOCKET_PATH_BYTES} bytes at most",
        ),
    ] = Path("table.sock")
    speakers: Annotated[
        tuple[Annotated[str, Meta(min_length=1)], ...],
        Says(
            means="who may enter something at the socket, besides the controller's user and root; whoever else may open"
            " it can only look",
            values="a list of users",
            right=sentence('a list of users by their names, such as ["tablectl-screens"]'),
        ),
    ] = ()
    readers: Annotated[
        Readers, Says(means="who may open the socket: the controller's user alone, or the group of its folder too")
    ] = Readers.OWNER
    repeat_ms: Annotated[
        int,
        Meta(ge=0, le=2000),
        Says(
            means="for so many milliseconds after a press with which another seat comes to be asked, the same key of a"
            " panel or of the croupier's page is no other press: a finger that bounces decides for one seat; 0: every"
            " press counts. Keys that mean a number are exempt"
        ),
    ] = REPEAT_MS


class ClockSection(Section, frozen=True, kw_only=True):
    """`[clock]`."""

    wait_s: Annotated[
        int,
        Meta(ge=0, le=60),
        Says(
            means="how many seconds a start waits for chrony or systemd-timesyncd to set the clock; where neither runs,"
            " it does not wait"
        ),
    ] = CLOCK_WAIT_S


#: A name for which a browser makes passkeys: `localhost`, or labels with a dot between them of which the last is no
#: number, so no address (W3C Web Authentication, "valid domain string").
HOST_NAME: Final = r"^(localhost|([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])\Z"


class SecondProof(StrEnum):
    """How the second of two persons shows who he is."""

    PASSWORD = "password"
    PASSKEY = "passkey"


class PeopleSection(Section, frozen=True, kw_only=True):
    """`[people]`: the house's accounts."""

    path: Annotated[Path, Says(means="the accounts, which the controller never opens", read_by="screens, people")] = (
        Path("people.db")
    )
    required: Annotated[
        bool,
        Says(
            means="whether no hand begins without a croupier, and an overrule takes two persons; `false` is for tests"
        ),
    ] = True
    idle_minutes: Annotated[
        int,
        Meta(ge=1, le=12 * 60),
        Says(
            means="a session with a password ends so long after the last thing that its person did; a page that only"
            " follows the table does nothing, so a pit boss who only watches signs on again after it. More of it: no"
            " alert is missed by a page that was signed off; less: nobody else sits down at an open page",
            read_by=_SCREENS,
        ),
    ] = IDLE_MINUTES
    passkey_host: Annotated[
        Annotated[str, Meta(pattern=HOST_NAME)] | None,
        Says(
            means="the host name for which people make passkeys: the one under which the pages of all tables of a house"
            " are reached with a certificate, or a domain above them ([passkeys](../accounts.md#passkeys)); without it"
            " there are none",
            values="a host name in small letters, without a port",
            read_by="accounts, screens",
        ),
    ] = None
    two_persons: Annotated[
        SecondProof,
        Says(
            means="how the second of two persons signs at a page; `passkey` takes `passkey_host`",
            read_by="accounts, screens",
        ),
    ] = SecondProof.PASSWORD
    badges: Annotated[
        Text | None,
        Says(
            means="the reader to which people hold their badges ([badges](../devices/badges.md))",
            values="the name of a reader of tags among the devices",
        ),
    ] = None


class ScreensSection(Section, frozen=True, kw_only=True):
    """`[screens]`: where the pages answer."""

    READ_BY: ClassVar[str] = _SCREENS

    host: Annotated[
        Text,
        Says(
            means="where they answer; another one than this machine needs a certificate", values="a name or an address"
        ),
    ] = "127.0.0.1"
    port: Port = SCREENS_PORT
    certificate: Annotated[Path | None, Says(means="certificate (PEM), with `key`", may_be_credential=True)] = None
    key: Annotated[Path | None, secret("its key (PEM)")] = None
    behind_proxy: Annotated[bool, Says(means="whether a proxy on this machine is believed who came and how")] = False
    public_url: Annotated[
        str,
        Says(
            means="where people reach the pages from a phone: [notifications](../notifications.md) link to the page"
            " that they are about",
            values="an address without a path, such as `https://mesa-1.example`",
            right=_PUBLIC_URL,
            check=_public_url,
        ),
    ] = ""


class FloatSection(Section, frozen=True, kw_only=True):
    """`[float]`."""

    denominations: Annotated[
        tuple[Annotated[int, Meta(ge=1, le=CHIP_MOST)], ...],
        Says(
            means="the house's chips, by which the [tray](../pit.md#float) is counted; without it a total is entered",
            values="up to 20 different amounts in the smallest unit of money, each a multiple of `chip`",
            right=sentence("up to 20 different amounts in the smallest unit of money, such as [100, 500, 2500, 10000]"),
            check=_different,
        ),
    ] = ()


class StatisticsSection(Section, frozen=True, kw_only=True):
    """`[statistics]`."""

    READ_BY: ClassVar[str] = _SCREENS

    path: Annotated[
        Path | None,
        Says(
            means="what the [statistics](../pit.md#statistics) are made of; made again from the journal whenever it is"
            " missing",
            default='`"statistics.db"` beside the journal',
        ),
    ] = None
    shifts: Annotated[
        Any,
        Says(
            means="when shifts begin, by the house's clock; a day begins with the first",
            values="1 to 8 times of day",
            check=_begins,
        ),
    ] = begins_of(SHIFTS)


class UplinkSection(Section, frozen=True, kw_only=True):
    """`[uplink]`: the pit server to which this table's public records go."""

    READ_BY: ClassVar[str] = "uplink"

    url: Annotated[
        str | None,
        Meta(pattern=r"\Ahttps://[^/\s]+/?\Z"),
        Says(
            means="where the [pit server](../fleet.md) answers; without it there is no uplink",
            values="`https://NAME:PORT`",
            right=sentence("https://NAME:PORT, as in https://pit.casino.example:8443"),
        ),
    ] = None
    name: Annotated[
        str | None,
        Meta(pattern=r"\A[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z"),
        Says(
            means="how the pit server calls this table",
            values="one word",
            default="the name of this file without its ending",
            right=sentence("one word of letters, digits, dots, hyphens and underscores, 63 at most"),
        ),
    ] = None
    broker: Annotated[
        str | None,
        Meta(pattern=r"\Amqtts://[^/\s]+/?\Z"),
        Says(
            means="records go through this broker (MQTT 5) and not straight to the pit server; certificates still come"
            " from `url`",
            values=BROKER,
            right=BROKER_RIGHT,
        ),
    ] = None
    authority: Annotated[Path, Says(means="certificate (PEM) of the casino's authority: the only one believed")] = Path(
        "authority.pem"
    )
    certificate: Annotated[Path, Says(means="this table's certificate (PEM), which `tablectl uplink --enrol` gets")] = (
        Path("uplink.pem")
    )
    key: Annotated[Path, secret("its key (PEM), which `tablectl uplink --enrol` makes")] = Path("uplink.key")
    pit_key: Annotated[Path, Says(means="the pit server's public key (PEM), which signs its receipts")] = Path(
        "pit.pub"
    )
    state: Annotated[
        Path, Says(means="how the uplink is: link, newest receipt, clocks; the technician's page reads it")
    ] = Path("uplink.json")
    user: Annotated[
        str,
        Says(
            means="the user of its process, who may hand in receipts besides the controller's user and those of"
            " `control.speakers`",
            read_by="controller",
            values="a user by its name; empty: nobody else",
        ),
    ] = ""


class SoftwareSection(Section, frozen=True, kw_only=True):
    """`[software]`: both, or none."""

    READ_BY: ClassVar[str] = "controller, manifest"

    manifest: Annotated[
        Path | None,
        Says(means="what was approved, signed; `{version}` in the file's name is the version that reads it"),
    ] = None
    public_key: Annotated[Path | None, Says(means="public key (PEM) of who approves")] = None


class DeckSection(Section, frozen=True, kw_only=True):
    """`[deck]`: cards with tags."""

    register: Annotated[
        Path,
        Says(
            means="which tag is which card, sealed; back it up together with `journal.key`", read_by="controller, deck"
        ),
    ] = Path("decks.db")
    not_cards: Annotated[
        tuple[Annotated[str, Meta(pattern=r"\A([0-9A-Fa-f]{2}){1,10}\Z")], ...],
        Says(
            means="tags of chips and phones, which are none of any deck",
            values="a list of beginnings of tags, in hexadecimal",
            right=sentence('a list of how such tags begin, whole bytes as in ["08", "E00401"]'),
            check=_upper,
        ),
    ] = ()
    clone_s: Annotated[
        int, Meta(ge=1, le=600), Says(means="how long two spots must see one tag before it is an alert", unit="s")
    ] = CLONE_S


class UsbSection(Section, frozen=True, kw_only=True):
    """`[usb]`: what may be plugged in."""

    allow: Annotated[
        Any,
        Says(
            means="devices that may be there besides the table's own",
            values='a list of `"VID:PID"`, or of tables with the keys below',
        ),
    ] = ()
    bus: Annotated[
        str,
        Meta(pattern=r"\A(unix:.*)?\Z"),
        Says(
            means="USB devices that another process simulates; for tests",
            read_by=_OF_DEVICES,
            values='`""`, or `"unix:PATH"`',
            right=sentence("nothing, for this machine's USB, or unix:PATH for devices served on a socket"),
        ),
    ] = ""


class UsbEntry(Section, frozen=True, kw_only=True):
    """An entry of `usb.allow`."""

    id: Annotated[
        str,
        Meta(pattern=r"\A[0-9a-fA-F]{4}:[0-9a-fA-F]{4}\Z"),
        Says(means="the model", values='`"VID:PID"`, four hexadecimal digits each', right=_MODEL),
    ]
    serial: Annotated[
        str,
        Meta(min_length=1),
        Says(
            means="the one with this serial number",
            default="any",
            right=sentence("a text, the serial number, or no such key: then any is allowed"),
        ),
    ] = ""
    port_path: Annotated[
        str,
        Meta(pattern=r"\A\d+-\d+(\.\d+)*\Z"),
        Says(
            means="the one in this socket",
            values='bus and ports, `"1-2.3"`',
            default="any",
            right=sentence('bus and ports as the kernel names them, "1-2.3"'),
        ),
    ] = ""


class TraceSection(Section, frozen=True, kw_only=True):
    """`[trace]`: whether traffic is recorded, of whom, where, and how much of it is kept."""

    folder: Annotated[Path, Says(means="where the files go", right=sentence("the path of a folder for the traces"))]
    devices: Annotated[
        tuple[str, ...] | None,
        Says(
            means="whose traffic is recorded",
            values="a list of devices' names",
            default="all",
            right=sentence("a list of devices' names, or no such key for all of them"),
        ),
    ] = None
    file_bytes: Annotated[
        int, Meta(ge=100_000, le=1_000_000_000), Says(means="then a new file begins", unit="bytes")
    ] = FILE_BYTES
    files: Annotated[int, Meta(ge=1, le=10_000), Says(means="kept of each device; the oldest goes")] = FILES


class NotificationsSection(Section, frozen=True, kw_only=True):
    """`[notifications]`."""

    READ_BY: ClassVar[str] = _TELLS

    path: Annotated[Path, Says(means="messages wait here until they are taken")] = Path("notifications.db")
    controller_gone_s: Annotated[
        int, Meta(ge=1, le=86_400), Says(means="how long the controller may not answer before that is told", unit="s")
    ] = GONE_S


class WitnessSection(Section, frozen=True, kw_only=True):
    """`[witness]`: where the newest record that the table signed is kept, besides this machine."""

    READ_BY: ClassVar[str] = _TELLS

    every_minutes: Annotated[
        int,
        Meta(ge=1, le=24 * 60),
        Says(
            means="how often a [head](../journal.md#witnesses) leaves the machine, where there is a newer one; also at"
            " the end of a shift",
            unit="min",
        ),
    ] = WITNESS_MINUTES
    file: Annotated[
        Path | None,
        Says(means="a line is appended here for each, on a share of another machine", default="none"),
    ] = None
    timestamp_url: Annotated[
        str | None,
        Meta(pattern=r"\Ahttps?://[^/\s]+(/\S*)?\Z"),
        Says(
            means="a service that signs at what time it saw each (RFC 3161), with `timestamp_authority`",
            values="`https://NAME/PATH`, or with http: what comes back is signed",
            default="none",
            right=sentence("an address such as https://tsa.example/tsr"),
        ),
    ] = None
    timestamp_authority: Annotated[
        Path | None,
        Says(means="certificates (PEM) of the authority whose time stamps are believed", default="none"),
    ] = None
    timestamps: Annotated[
        Path | None,
        Says(means="time stamps are appended here", default="beside the messages that wait"),
    ] = None
    tpm: Annotated[
        str | None,
        Meta(pattern=r"\A[a-z]+(:[^\s]+)?\Z"),
        Says(
            means="the [TPM](../journal.md#the-tpm-of-the-pc) of the table's PC keeps them too, an hour apart at least",
            values='how it is reached, as tpm2-tools write it (TCTI): `"device:/dev/tpmrm0"`',
            default="none",
            right=sentence("how the TPM is reached, such as device:/dev/tpmrm0"),
        ),
    ] = None
    tpm_index: Annotated[
        int,
        Meta(ge=0x01000000, le=0x01FFFFFE),
        Says(
            means="this number and the next one are the table's in the memory of the TPM; another table of the same PC"
            " has others",
            values="`0x01000000` to `0x01fffffe`",
            default=f"`{TPM_INDEX:#010x}`",
        ),
    ] = TPM_INDEX


class NotifySection(Section, frozen=True, kw_only=True):
    """`[[notify]]`: one phone, chat, mailbox or program."""

    READ_BY: ClassVar[str] = _TELLS

    name: Annotated[
        str,
        Meta(pattern=r"\A[a-z0-9][a-z0-9-]{0,31}\Z"),
        Says(
            means="messages wait under this name",
            values="small letters, digits, hyphens; 32 at most",
            right=_NAME,
            is_hidden=True,
        ),
    ]
    url: Annotated[
        str,
        Says(
            means="where to. **A secret**",
            values='an address as Apprise writes it, `"env:NAME"`, `"credential:NAME"`',
            right=_ADDRESS,
            check=_address,
            is_hidden=True,
        ),
    ]
    what: Annotated[
        tuple[What, ...],
        Says(
            means="what is told; `head` is the table's [head](../journal.md#witnesses), for a witness", is_hidden=True
        ),
    ] = TOLD
    severities: Annotated[tuple[Severity, ...], Says(means="which incidents", is_hidden=True)] = tuple(Severity)
    languages: Annotated[
        tuple[str, ...] | None,
        Says(means="in which languages, in their order", default="the table's", one_of=LANGUAGES, is_hidden=True),
    ] = None
    after_s: Annotated[
        int, Meta(ge=0, le=86_400), Says(means="only what nobody acknowledged by then; 0: at once", unit="s")
    ] = 0
    timeout_s: Annotated[
        int, Meta(ge=1, le=300), Says(means="how long the target may take for a message", unit="s")
    ] = TIMEOUT_S
    group: Annotated[
        str,
        Meta(pattern=r"\A([a-z0-9][a-z0-9-]{0,31})?\Z"),
        Says(
            means="a name for several targets, for `--test` and `--list`",
            values="as `name`, and the name of no target",
            right=_NAME,
            is_hidden=True,
        ),
    ] = ""


class DeviceSection(Section, frozen=True, kw_only=True):
    """`[[device]]`: one device."""

    READ_BY: ClassVar[str] = _OF_DEVICES

    name: Annotated[
        Text | None,
        Says(
            means="how it is called on pages, in the log and in records",
            values="text, another one for each device",
            default="the driver's id",
        ),
    ] = None
    driver: Annotated[str, Says(means="which model it is", values="an id of the table below")]
    settings: Annotated[Any, Says(means="`[device.settings]`, below", values="a table", default="by driver")] = None
    keys: Annotated[
        Any,
        Says(
            means="`[device.keys]` of a panel: which key means what, counted from 0 as its page says",
            read_by="controller",
            values="a table of KEY = NUMBER",
            default="`{}`",
        ),
    ] = None
    spots: Annotated[
        Any,
        Says(
            means="`[device.spots]` of a reader of tags: where each antenna looks, counted from 1"
            " ([decks](../decks.md#settings))",
            read_by="controller, deck",
            values="a table of SPOT = ANTENNA or SPOT = [ANTENNA, …]",
            default="none; required of a reader that reads cards",
        ),
    ] = None


#: The tables of a file with one section each, by their names, in the order of the settings page.
SECTIONS: Final[Mapping[str, type[Section] | None]] = {
    "table": TableSection,
    "limits": None,
    "profile": None,
    "fee": FeeSection,
    "games": None,
    "journal": JournalSection,
    "control": ControlSection,
    "clock": ClockSection,
    "people": PeopleSection,
    "screens": ScreensSection,
    "float": FloatSection,
    "statistics": StatisticsSection,
    "uplink": UplinkSection,
    "software": SoftwareSection,
    "deck": DeckSection,
    "usb": UsbSection,
    "trace": TraceSection,
    "notifications": NotificationsSection,
    "notify": NotifySection,
    "witness": WitnessSection,
    "device": DeviceSection,
}
