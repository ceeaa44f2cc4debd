"""One backup as one file: a zip archive with the manifest first, so that a technician can look at it with any tool.

An archive that was cut off has no directory at its end, and is none. Every other fault shows in a hash.
"""

from __future__ import annotations

import hashlib
import os
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Final, Self

from tablectl.core.os_error_text import told
from tablectl.ops.backup import manifest as manifests
from tablectl.ops.backup.manifest import MOST_BYTES, NAME, Entry, Manifest
from tablectl.ops.backup.wrong import NotIntact, Refused

#: Text and hexadecimal digits shrink at once; more would take more of a processor that also deals.
LEVEL: Final = 1
BLOCK_BYTES: Final = 1 << 20
#: The oldest date that a zip archive can hold; when it was made stands in the manifest.
_DATE: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100600 << 16
_UNIX: Final = 3
#: What `zipfile` raises for what is no archive of its kind, or is damaged.
_BROKEN: Final = (zipfile.BadZipFile, zlib.error, EOFError, LookupError, NotImplementedError, RuntimeError, ValueError)


def name_of(table: str, at_us: int) -> str:
    """Of an archive, by table and UTC time."""
    return f"{table}-{datetime.fromtimestamp(at_us // 1_000_000, UTC):%Y%m%dT%H%M%SZ}.zip"


def is_name_of(table: str, name: str) -> bool:
    """Whether an archive of this table is called so; what is in it, its manifest says."""
    return re.fullmatch(rf"{re.escape(table)}-\d{{8}}T\d{{6}}Z\.zip", name) is not None


def pack(path: Path, manifest: Manifest, source: Callable[[Entry], Path]) -> None:
    """A new file, for its owner alone, durable. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "r+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED, compresslevel=LEVEL) as archive:
            with _member(archive, NAME) as target:
                target.write(manifests.written(manifest))
            for entry in manifest.files:
                with source(entry).open("rb") as content, _member(archive, entry.name) as target:
                    while block := content.read(BLOCK_BYTES):
                        target.write(block)
        file.flush()
        os.fsync(file.fileno())


@contextmanager
def _member(archive: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    info = zipfile.ZipInfo(name, _DATE)
    info.create_system, info.external_attr, info.compress_type = _UNIX, _MODE, zipfile.ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as target:
        yield target


class Archive:
    """One that is there, for reading. Use as a context."""

    def __init__(self, path: Path, file: zipfile.ZipFile, manifest: Manifest) -> None:
        self.path = path
        self.manifest = manifest
        self._file = file

    @classmethod
    def open(cls, path: Path) -> Self:
        """Its manifest is read, and everything that it names is there. Raises `Refused`, `NotIntact`."""
        try:
            file = zipfile.ZipFile(path)
        except OSError as wrong:
            raise Refused(told(wrong, "the path of a backup; is its disk there?", path)) from None
        except _BROKEN as wrong:
            raise Refused(f"{path}: no backup, or one that was cut off ({wrong}); take another one") from None
        try:
            manifest = manifests.read(_text(file, path), path)
            if sorted(file.namelist()) != sorted([NAME, *(entry.name for entry in manifest.files)]):
                raise NotIntact(f"{path}: its files are not those of its manifest; take an older backup")
        except Refused:
            file.close()
            raise
        return cls(path, file, manifest)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def blocks(self, entry: Entry) -> Iterator[bytes]:
        """The bytes of a file. Raises `NotIntact` at the latest after the last one where they are others than those
        that were put there."""
        digest, size = hashlib.sha256(), 0
        try:
            with self._file.open(entry.name) as content:
                while block := content.read(BLOCK_BYTES):
                    digest.update(block)
                    size += len(block)
                    if size > entry.size_bytes:
                        break
                    yield block
        except _BROKEN as wrong:
            raise NotIntact(f"{self.path}: {entry.name} is damaged ({wrong}); take an older backup") from None
        except OSError as wrong:
            raise Refused(f"{self.path}: cannot be read ({wrong.strerror}); look at its disk") from None
        if (size, digest.hexdigest()) != (entry.size_bytes, entry.sha256):
            what = f"{entry.name} is not what was put there: it was changed, or its disk fails"
            raise NotIntact(f"{self.path}: {what}; take an older backup")

    def check(self) -> None:
        """Every file is what was put there. Raises `NotIntact`, `Refused`."""
        for entry in self.manifest.files:
            for _ in self.blocks(entry):
                pass


def _text(file: zipfile.ZipFile, path: Path) -> bytes:
    """The manifest's."""
    try:
        with file.open(NAME) as content:
            text = content.read(MOST_BYTES + 1)
    except KeyError:
        raise Refused(f"{path}: an archive without {NAME}: no backup of tablectl") from None
    except _BROKEN as wrong:
        raise NotIntact(f"{path}: its manifest is damaged ({wrong}); take an older backup") from None
    except OSError as wrong:
        raise Refused(f"{path}: cannot be read ({wrong.strerror}); look at its disk") from None
    if len(text) > MOST_BYTES:
        raise NotIntact(f"{path}: its manifest is longer than any that this program writes; take an older backup")
    return text
