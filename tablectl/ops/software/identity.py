"""Which software a table runs, as its controller, its watch and its auditors ask: a hash, or a tilt."""

from __future__ import annotations

from tablectl.config.table_file import Config
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.ops.software.check import Identity, SoftwareChanged, deep, identify


def identity(config: Config) -> Identity:
    """The check of a start. Raises `Tilt`."""
    try:
        return identify(config, config.file)
    except SoftwareChanged as wrong:
        raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None


def check_again(config: Config, now: Identity, started: str, before: Identity | None = None) -> None:
    """Whether this is still what the controller was started with; where somebody approved it, down to the last file.

    `before` is an earlier look, so that the file can be named. A table has its files to itself: also a file that an
    editor leaves beside them is one that nobody knows. Raises `Tilt`.
    """
    if now.hash != started:
        what = f"the files are not those with which the controller was started ({now.hash[:16]}, was {started[:16]})"
        named = f": {_first_difference(before, now)}" if before is not None and before.hash == started else ""
        raise Tilt(TiltKind.SOFTWARE, f"{config.file}: {what}{named}; put the files back as they were")
    if now.signed_by is None:
        return
    try:
        deep(now, config.file)
    except SoftwareChanged as wrong:
        raise Tilt(TiltKind.SOFTWARE, str(wrong)) from None


def _first_difference(before: Identity, now: Identity) -> str:
    for group in before.files:
        was, is_now = before.files[group], now.files.get(group, {})
        for file in sorted({*was, *is_now}):
            if was.get(file) != is_now.get(file):
                what = "changed" if file in was and file in is_now else ("missing" if file in was else "unknown")
                return f"{file} is {what}"
    return "its version is another one"
