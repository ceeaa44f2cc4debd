"""The configuration of a pit server: TOML in, one section out, or every mistake in it at once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Final

from msgspec import Meta

from tablectl.config.reader import Reader, choices_file
from tablectl.config.schema import Says, Section, Text
from tablectl.core.validation import Invalid

PORT: Final = 8443


class PitSection(Section, frozen=True, kw_only=True):
    """`[pit]`. Paths are taken from the file's folder."""

    READ_BY: ClassVar[str] = "pit"

    casino: Annotated[Text, Says(means="the house, as its authority is called")] = "Casino"
    host: Annotated[Text, Says(means="where it answers to tables", values="a name or an address")] = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535), Says(means="0 is any free one")] = PORT
    names: Annotated[
        tuple[Annotated[str, Meta(min_length=1)], ...],
        Says(means="the names and addresses by which tables find it, for its certificate", values="a list of names"),
    ] = ("127.0.0.1",)
    store: Annotated[Path, Says(means="all records of all tables, in one SQLite file")] = Path("pit.db")
    signing_key: Annotated[Path, Says(means="signs receipts. **A secret**", may_be_credential=True)] = Path("pit.sign")
    public_key: Annotated[Path, Says(means="its public part (PEM): `uplink.pit_key` of every table")] = Path("pit.pub")
    certificate: Annotated[Path, Says(means="the server's certificate (PEM)")] = Path("pit.pem")
    key: Annotated[Path, Says(means="its key (PEM). **A secret**", may_be_credential=True)] = Path("pit.key")
    authority: Annotated[Path, Says(means="the casino's authority (PEM): `uplink.authority` of every table")] = Path(
        "authority.pem"
    )
    authority_key: Annotated[
        Path, Says(means="its key (PEM), for `pit init` and `pit enrol` alone. **A secret**", may_be_credential=True)
    ] = Path("authority.key")


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
