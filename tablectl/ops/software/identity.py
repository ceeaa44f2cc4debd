"""Which software a table runs, as its controller, its watch and its auditors ask: a hash, or a tilt."""

from __future__ import annotations

from tablectl.config.table_file import Config
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.ops.software.check import (
    Identity,
    SoftwareChanged,
    deep,
    described,
    identify,
    inconsistencies,
    unapproved,
)
from tablectl.ops.software.distributions import Unreadable
from tablectl.ops.software.survey import Places, hash_of, here, survey


def identity(config: Config) -> Identity:
    """The check of a start. Raises `Tilt`."""
    try:
        return identify(config, config.file)
    except SoftwareChanged as wrong:
        raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None


def check_whole(config: Config) -> Identity:
    """The check of a start; where somebody approved the software, down to the last file. Raises `Tilt`."""
    now = identity(config)
    if now.signed_by is not None:
        try:
            deep(now, config.file)
        except SoftwareChanged as wrong:
            raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None
    return now


def check_running(
    config: Config, started: str, file_hash: str, before: Identity | None = None, *, places: Places | None = None
) -> Identity:
    """The program as it is there now, which has to be that of the controller's start: it has its files to itself, and
    one that an editor left beside them is unknown. Raises `Tilt`.

    `file_hash` is that of the table's file at that start, `before` an earlier look, so that the file can be named. The
    table's file and the manifest are not read: a start reads and checks them, and what somebody prepares for the next
    one ends no hand.
    """
    places = places or here()
    try:
        now = unapproved(survey(places, config.file, file_hash=file_hash))
        inconsistent = [*inconsistencies(places)] if config.manifest is not None else []
    except Unreadable as wrong:
        raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None
    if now.hash != started:
        what = f"the files are not those with which the controller was started ({now.hash[:16]}, was {started[:16]})"
        named = f": {_first_difference(before, now)}" if before is not None else ""
        raise Tilt(TiltKind.SOFTWARE, f"{config.file}: {what}{named}; put the files back as they were")
    if inconsistent:
        raise Tilt(TiltKind.SOFTWARE, described(inconsistent, config.file, is_approved=True))
    return now


def is_other_file(config: Config, file_hash: str) -> bool:
    """Whether the table's file is not the one that has this hash, or is gone."""
    try:
        return hash_of(config.file) != file_hash
    except Unreadable:
        return True


def _first_difference(before: Identity, now: Identity) -> str:
    for group in before.files:
        was, is_now = before.files[group], now.files.get(group, {})
        for file in sorted({*was, *is_now}):
            if was.get(file) != is_now.get(file):
                what = "changed" if file in was and file in is_now else ("missing" if file in was else "unknown")
                return f"{file} is {what}"
    return "its version is another one"
