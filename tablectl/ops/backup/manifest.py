"""What a backup says of itself: `manifest.json`, the first member of its archive.

Hashes stand for the files, so that whatever was changed in the archive is seen. They prove nothing by themselves:
whoever changes a file can change its hash. The journal is proven by its chain and signatures.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import msgspec

from tablectl.core.unreadable import UNREADABLE
from tablectl.journal.volumes import volume_path
from tablectl.ops.backup.inventory import KINDS, What
from tablectl.ops.backup.owners import Owner
from tablectl.ops.backup.wrong import NotIntact, Refused

NAME: Final = "manifest.json"
#: 2: the files of the uplink.
FORMAT: Final = 2
#: Longer than that of a table with ten thousand volumes, in bytes.
MOST_BYTES: Final = 1 << 23
_MEMBER: Final = re.compile(r"[a-z0-9][a-z0-9.-]*")
#: A hash, and a public key: 32 bytes.
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One file: its name in the archive, which volume of the journal it is (0: none), and how it lay on the machine."""

    name: str
    what: What
    volume: int = 0
    sha256: str
    size_bytes: int
    place: str
    owner: Owner
    folder: Owner


class Missing(msgspec.Struct, frozen=True, kw_only=True):
    """What the table has and the archive has not."""

    what: What
    why: str


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """The journal in it: from after which record up to which one, that one's hash, its hand, and whose signatures.

    `signed_to`: its newest signed record, those after it are not signed yet; 0 in a backup of version 0.1.0, which did
    not say.
    """

    volumes: int
    follows: int
    newest: int
    hash: str
    hand: int
    closed_hands: int
    signing_key: str
    signed_to: int = 0

    @property
    def open_end(self) -> str:
        """Which records of it are not signed yet, in words; empty where all are."""
        if self.signed_to in (0, self.newest):
            return ""
        first = self.signed_to + 1
        which = f"record {first} is" if first == self.newest else f"records {first} to {self.newest} are"
        return f"open end: {which} not signed yet: its hand was not over"


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """`table` is how units and archives call it (the configuration's name), `title` how its screens do. `made` is
    RFC 3339, UTC."""

    format: int
    table: str
    title: str
    software: str
    made: str
    journal: Chain
    files: tuple[Entry, ...]
    missing: tuple[Missing, ...]


class _Format(msgspec.Struct):
    format: int


def written(manifest: Manifest) -> bytes:
    """For people too."""
    return msgspec.json.format(msgspec.json.encode(manifest), indent=1) + b"\n"


def read(text: bytes, archive: Path) -> Manifest:
    """Raises `Refused` for that of a newer program, `NotIntact` for what none writes."""
    try:
        told = msgspec.json.decode(text, type=_Format).format
        if told > FORMAT:
            raise Refused(
                f"{archive}: a backup of format {told}, this program knows {FORMAT}: a newer version made it;"
                " install that one here, then restore"
            )
        made = msgspec.json.decode(text, type=Manifest)
    except UNREADABLE as wrong:
        raise NotIntact(
            f"{archive}: its manifest is none that this program writes ({wrong}); take an older backup"
        ) from None
    fault = _fault(made)
    if fault is not None:
        raise NotIntact(f"{archive}: its manifest is none that this program writes ({fault}); take an older backup")
    return made


def _fault(made: Manifest) -> str | None:
    """What does not fit together in it. Names lead nowhere but into a folder of ours."""
    names = [file.name for file in made.files]
    if len(set(names)) != len(names) or NAME in names or not all(map(_MEMBER.fullmatch, names)):
        return "names of files"
    if not all(_SHA256.fullmatch(file.sha256) and file.size_bytes >= 0 for file in made.files):
        return "a hash or a size"
    if not (_SHA256.fullmatch(made.journal.hash) and _SHA256.fullmatch(made.journal.signing_key)):
        return "the journal's hash or key"
    numbers = [file.volume for file in made.files if file.what is What.JOURNAL]
    if not numbers or numbers[0] < 1 or numbers != list(range(numbers[0], numbers[0] + len(numbers))):
        return "the journal's volumes"
    others = [file for file in made.files if file.what is not What.JOURNAL]
    if len({other.what for other in others}) != len(others) or any(other.volume for other in others):
        return "one thing twice"
    return None


def member_of(what: What, volume: int = 0) -> str:
    """The name of a file in an archive; of a volume, as it would be called beside the first one."""
    return volume_path(Path(KINDS[what].member), volume or 1).name
