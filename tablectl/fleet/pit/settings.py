"""The configuration of a pit server: TOML in, one section out, or every mistake in it at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from tablectl.config.reader import Reader, choices_file
from tablectl.config.schema import BROKER, BROKER_RIGHT, Port, Refused, Says, Section, Text, secret
from tablectl.config.timezones import TIMEZONE, zone_is
from tablectl.core.validation import Invalid
from tablectl.fleet.pit.conninfo import conninfo_of
from tablectl.i18n.languages import DEFAULT, LANGUAGES

PORT: Final = 8443
OVERVIEW_PORT: Final = 8444


def _database(said: str) -> str:
    """It is read where it is used; a mistake in it is told at once. Raises `Refused`."""
    if said:
        try:
            conninfo_of(said)
        except ValueError as wrong:
            raise Refused(str(wrong), found="a text that is not repeated here") from None
    return said


class PitSection(Section, frozen=True, kw_only=True):
    """`[pit]`. Paths are taken from the file's folder."""

    READ_BY: ClassVar[str] = "pit"

    casino: Annotated[Text, Says(means="the house, as its authority is called")] = "Casino"
    host: Annotated[Text, Says(means="where it answers to tables", values="a name or an address")] = "127.0.0.1"
    port: Port = PORT
    broker: Annotated[
        str,
        Meta(pattern=r"\A(?:mqtts://[^/\s]+/?)?\Z"),
        Says(
            means="a broker (MQTT 5) through which tables are heard too; `tablectl pit broker` makes its configuration",
            values=f"{BROKER}; empty: none",
            right=BROKER_RIGHT,
        ),
    ] = ""
    broker_certificate: Annotated[Path, Says(means="the pit server's certificate at the broker (PEM)")] = Path(
        "pit-broker.pem"
    )
    broker_key: Annotated[Path, secret("its key (PEM)")] = Path("pit-broker.key")
    names: Annotated[
        tuple[Annotated[str, Meta(min_length=1)], ...],
        Says(means="the names and addresses by which tables find it, for its certificate", values="a list of names"),
    ] = ("127.0.0.1",)
    store: Annotated[Path, Says(means="all records of all tables, in one SQLite file")] = Path("pit.db")
    database: Annotated[
        str,
        Says(
            means="PostgreSQL instead of the file: where the database is",
            values="an address or words as libpq takes them, without the password",
            right="an address or words as libpq takes them, without the password (that is database_password)",
            check=_database,
            is_hidden=True,
        ),
    ] = ""
    database_password: Annotated[Path | None, secret("a file with the password for it")] = None
    signing_key: Annotated[Path, secret("signs receipts")] = Path("pit.sign")
    public_key: Annotated[Path, Says(means="its public part (PEM): `uplink.pit_key` of every table")] = Path("pit.pub")
    certificate: Annotated[Path, Says(means="the server's certificate (PEM)")] = Path("pit.pem")
    key: Annotated[Path, secret("its key (PEM)")] = Path("pit.key")
    authority: Annotated[Path, Says(means="the casino's authority (PEM): `uplink.authority` of every table")] = Path(
        "authority.pem"
    )
    authority_key: Annotated[
        Path, secret("its key (PEM), to make certificates with: who can read it can admit tables")
    ] = Path("authority.key")
    overview_host: Annotated[
        str,
        Says(
            means="where the [overview](../fleet.md#the-overview) answers to browsers; elsewhere than on this machine "
            "by TLS alone, and to whoever has a token or a certificate",
            values="a name or an address",
        ),
    ] = "127.0.0.1"
    overview_port: Port = OVERVIEW_PORT
    overview_authority: Annotated[
        Path | None, Says(means="the authority (PEM) of the certificates that browsers show instead of a token")
    ] = None
    viewer_tokens: Annotated[Path, Says(means="who may look, with the hashes of their tokens (`pit viewer`)")] = Path(
        "viewers"
    )
    language: Annotated[
        str, Says(means="the language of the overview, unless its address names one", one_of=LANGUAGES)
    ] = DEFAULT
    timezone: Annotated[
        Text,
        Says(
            means="the house's clock, on the overview",
            values=f'a name such as `"{TIMEZONE}"`',
            right=f"a name such as {TIMEZONE}, of the database of time zones",
            check=zone_is,
        ),
    ] = TIMEZONE


class BadPitConfig(Invalid):
    """A configuration with mistakes."""


def load_pit(path: Path) -> PitSection:
    """Read and check a file. Raises `Invalid`."""
    raw = choices_file(path)
    reader = Reader(path)
    reader.known(raw, "", ("pit",))
    section = reader.whole(PitSection, raw, "pit")
    if not section.names:
        reader.wrong("pit.names", "[]", "one name or address at least")
    if reader.mistakes:
        raise BadPitConfig(reader.mistakes)
    return section
