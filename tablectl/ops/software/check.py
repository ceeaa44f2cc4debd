"""What is there compared with what was approved: at a start, on demand, and again and again while a table runs.

`identify` is the check of a start. It reads our own packages, the configuration and the RECORD of every distribution,
and takes milliseconds. `deep` trusts nothing that was read before, reads every file of every distribution as well, and
compiles every source that has bytecode beside it; it takes seconds, in which other threads of the process wait for it
now and then. A table that deals cards has it run by a process of its own (`tablectl manifest check`).

Whether a file was changed and changed back between two checks nobody can say here; nor whether what is in memory is
what was on the disk. docs/software-identity.md has what is not covered.
"""

from __future__ import annotations

import importlib.machinery
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import Final

from tablectl.config.table_file import Config
from tablectl.ops.software.bytecode import cached, is_compiled_from, source_of
from tablectl.ops.software.distributions import Unreadable, recorded
from tablectl.ops.software.manifest import (
    KeyUnusable,
    ManifestRefused,
    ManifestUnreadable,
    identity_of,
    load_approver,
    read_signed,
)
from tablectl.ops.software.plug_ins import PlugIn
from tablectl.ops.software.survey import (
    CACHE,
    DISTRIBUTIONS,
    Files,
    Places,
    Survey,
    files_below,
    folders_below,
    group_of,
    hash_of,
    here,
    name_below,
    printable,
    survey,
    survey_own,
)

_IMPORTABLE: Final = tuple(importlib.machinery.all_suffixes())
_BYTECODE: Final = "bytecode that its source does not compile to, and Python may run it; remove it, it is made anew"
_ORPHAN: Final = "bytecode without a source that this Python would compile to it; remove it"
_RECORD: Final = "not as the RECORD of its distribution says"


class SoftwareChanged(Exception):
    """This is not the software that was approved, or nobody can say so. The text names the file and the way out."""


class What(StrEnum):
    """What is wrong with a file."""

    CHANGED = "changed"
    MISSING = "missing"
    UNKNOWN = "unknown"


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """One file that is not as it was approved."""

    what: What
    group: str
    file: str
    detail: str = ""

    def __str__(self) -> str:
        file = self.file if self.file.isprintable() else repr(self.file)
        return f"{self.what}: {self.group}: {file}" + (f" ({self.detail})" if self.detail else "")


@dataclass(frozen=True, kw_only=True, slots=True)
class Identity:
    """Which software this is: its hash, the raw public key in hex of who approved it, and what it consists of.

    `files` is what was approved; without a manifest, what was there when this was made, and `signed_by` is None.
    """

    hash: str
    signed_by: str | None
    files: Files


def identify(config: Config, path: Path, *, places: Places | None = None) -> Identity:
    """The check at a start, of the table that `config`, read from `path`, describes. Raises `SoftwareChanged`.

    Without a manifest whatever is there is taken for what should be there, unsigned.
    """
    places = places or here()
    try:
        if config.manifest is None:
            return unsigned(path, places)
        identity = approved(config)
        found = [*_at_start(identity, path, places)]
    except (ManifestRefused, ManifestUnreadable) as wrong:
        raise SoftwareChanged(f"{wrong}. {way_out(path)}") from None
    except (KeyUnusable, Unreadable) as wrong:
        raise SoftwareChanged(str(wrong)) from None
    if found:
        raise SoftwareChanged(described(found, path, is_approved=identity.signed_by is not None))
    return identity


def deep(identity: Identity, path: Path, *, places: Places | None = None) -> None:
    """The whole check, against what was approved or was there at the start. Raises `SoftwareChanged`.

    `path` is the table's configuration. The manifest is not read again: who replaces it later changes nothing.
    """
    try:
        found = [*differences(identity, path, places or here())]
    except Unreadable as wrong:
        raise SoftwareChanged(str(wrong)) from None
    if found:
        raise SoftwareChanged(described(found, path, is_approved=identity.signed_by is not None))


def approved(config: Config) -> Identity:
    """What the configuration's manifest says. Raises `ManifestUnreadable`, `ManifestRefused` and `KeyUnusable`."""
    if config.manifest is None or config.approver is None:
        raise ManifestUnreadable("the configuration names no manifest: set software.manifest and software.public_key")
    signed = read_signed(config.manifest, load_approver(config.approver))
    return Identity(hash=signed.manifest.identity, signed_by=signed.public_key, files=signed.manifest.files)


def unsigned(path: Path, places: Places) -> Identity:
    """What is there, approved by nobody. Raises `Unreadable`."""
    return unapproved(survey(places, path))


def unapproved(found: Survey) -> Identity:
    """The identity of what was found, whoever approved it."""
    return Identity(hash=identity_of(found.version, found.files), signed_by=None, files=found.files)


def differences(identity: Identity, path: Path, places: Places) -> Iterator[Difference]:
    """Everything that the whole check finds. Raises `Unreadable`."""
    yield from _between(identity.files, survey(places, path).files)
    yield from inconsistencies(places)


def inconsistencies(places: Places) -> Iterator[Difference]:
    """What is wrong whatever was approved: files that are not as RECORD says, bytecode that is not its source.

    A manifest holds the hash of each RECORD and of each source of ours, and no more; this carries it on to every file
    that Python may run. Raises `Unreadable`.
    """
    for name, root in places.packages.items():
        for folder in folders_below(root):
            for path in cached(folder):
                group = group_of(name_below(root, folder / path.name, name))
                yield from _bytecode(path, folder, group, name_below(root, path, name))
    for plug_in in places.plug_ins().packages:
        yield from _bytecode_of(plug_in)
    yield from _distributions(places)


def way_out(path: Path) -> str:
    """What to do about software that is not the approved one, at the table of the configuration `path`."""
    return f"Put the approved version back, or have the new one approved: tablectl manifest make {path} --key PEM"


def described(found: list[Difference], path: Path, *, is_approved: bool) -> str:
    """What is wrong with the software of the table of `path`, and what to do: the first difference stands for all."""
    others = f", and {len(found) - 1} more" if len(found) > 1 else ""
    told = f"{found[0]}{others}: this is not the software that "
    if not is_approved:
        return f"{told}was there when the table was started. Put that back, or find out who changed it and start anew"
    return f"{told}was approved. {way_out(path)}"


# --- the parts --------------------------------------------------------------------------------------------------------


def _at_start(identity: Identity, path: Path, places: Places) -> Iterator[Difference]:
    found = {**survey_own(places, path), DISTRIBUTIONS: _records(identity.files[DISTRIBUTIONS], places)}
    return _between(identity.files, found)


def _records(due: Mapping[str, str], places: Places) -> dict[str, str]:
    """The RECORDs that should be there, without a search for others: that would need the METADATA of all of them."""
    found = {file: [folder / file for folder in places.sites if (folder / file).exists()] for file in due}
    return {file: hash_of(paths[0]) for file, paths in found.items() if paths}


def _between(due: Files, found: Files) -> Iterator[Difference]:
    for group in due:
        for file in sorted({*due[group], *found[group]}):
            if file not in found[group]:
                yield Difference(what=What.MISSING, group=group, file=file)
            elif file not in due[group]:
                yield Difference(what=What.UNKNOWN, group=group, file=file)
            elif due[group][file] != found[group][file]:
                yield Difference(what=What.CHANGED, group=group, file=file)


def _bytecode_of(plug_in: PlugIn) -> Iterator[Difference]:
    """The bytecode of a plug-in; of one that is a single module, only its own among that of others."""
    root, is_folder = plug_in.root, plug_in.root.is_dir()
    for folder in folders_below(root) if is_folder else (root.parent,):
        for path in cached(folder):
            if is_folder or source_of(path, folder) == root:
                base = root if is_folder else root.parent
                name = plug_in.name if is_folder else "."
                group = group_of(name_below(base, folder / path.name, name), plug_in.games)
                yield from _bytecode(path, folder, group, name_below(base, path, name).removeprefix("./"))


def _bytecode(path: Path, folder: Path, group: str, file: str) -> Iterator[Difference]:
    """One entry of a cache that belongs to the sources in `folder`."""
    source = source_of(path, folder)
    if source is None:
        yield Difference(what=What.UNKNOWN, group=group, file=file, detail=_ORPHAN)
    elif not is_compiled_from(path, source):
        yield Difference(what=What.CHANGED, group=group, file=file, detail=_BYTECODE)


def _distributions(places: Places) -> Iterator[Difference]:
    """Every file in a RECORD against its hash; then what is in no RECORD and Python could import all the same."""
    known: set[Path] = set()
    for info in places.needed():
        try:
            lines = [*recorded(info)]
        except Unreadable as wrong:
            file = printable(f"{info.name}/RECORD")
            yield Difference(what=What.CHANGED, group=DISTRIBUTIONS, file=file, detail=str(wrong))
            continue
        for line in lines:
            path = Path(os.path.normpath(info.parent / line.file))
            known.add(path)
            if line.sha256 is None:
                continue  # RECORD itself, whose hash is in the manifest, and bytecode, which is compiled below
            if not path.exists():
                yield Difference(what=What.MISSING, group=DISTRIBUTIONS, file=printable(line.file), detail=_RECORD)
            elif hash_of(path) != line.sha256:
                yield Difference(what=What.CHANGED, group=DISTRIBUTIONS, file=printable(line.file), detail=_RECORD)
    for site in places.sites:
        yield from _importable(site, known)


def _importable(site: Path, known: set[Path]) -> Iterator[Difference]:
    """What lies in a folder under a name that a distribution has there, so that Python would take it for that."""
    names = {_first(path, site) for path in known if path.is_relative_to(site) and _is_importable(path)} - {CACHE}
    for entry in sorted(site.iterdir()) if site.is_dir() else ():
        if entry.name.partition(".")[0] not in names:
            continue
        for path in files_below(entry) if entry.is_dir() else [entry]:
            if path not in known and _is_importable(path):
                yield Difference(what=What.UNKNOWN, group=DISTRIBUTIONS, file=_below(site, path))
        for folder in folders_below(entry) if entry.is_dir() else ():
            for file in cached(folder):
                yield from _bytecode(file, folder, DISTRIBUTIONS, _below(site, file))
    for file in cached(site) if site.is_dir() else ():
        if file.name.partition(".")[0] in names:
            yield from _bytecode(file, site, DISTRIBUTIONS, _below(site, file))


def _first(path: Path, site: Path) -> str:
    """The name that Python would import: of the file or folder right below `site`."""
    return path.relative_to(site).parts[0].partition(".")[0]


def _is_importable(path: Path) -> bool:
    return path.name.endswith(_IMPORTABLE) or path.is_dir()  # a link to a folder: a package, for Python


def _below(site: Path, path: Path) -> str:
    return printable(path.relative_to(site).as_posix() if path.is_relative_to(site) else str(path))
