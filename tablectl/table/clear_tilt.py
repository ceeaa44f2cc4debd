"""Clearing a tilt: the cause is gone, a named person says so, and it is on record before the mark goes."""

from __future__ import annotations

from tablectl.config.table_file import Config
from tablectl.core.events.notes import Cleared
from tablectl.games.registry import rulebook_of
from tablectl.journal.clock import now_us
from tablectl.journal.copy import CopyDiffers, check_joins
from tablectl.journal.deck_register import Register, RegisterUnusable
from tablectl.journal.journal import Journal
from tablectl.journal.store import JournalUnusable
from tablectl.journal.tilt import Mark, Tilt, TiltKind, find, remove
from tablectl.journal.verify_full import verify_full
from tablectl.journal.volumes import present
from tablectl.ops.software.identity import check_whole
from tablectl.ops.unsealing import auditor_of, catch_up
from tablectl.table.approval import approval_of, check_in_time


class NothingToClear(Exception):
    """The table is not tilted."""


def clear(config: Config, *, by: str, reason: str) -> str:
    """Check everything, the whole chain and the copy too; then let the table go on. What was done, as a sentence.

    Raises `NothingToClear`; `Tilt` where what caused it, or something else, is still wrong: then nothing was changed.
    """
    if not present(config.journal) and find(config.marks) is None:
        raise NothingToClear(f"{config.journal}: there is no journal and no tilt: nothing to clear, nothing was made")
    now = check_whole(config)
    journal = Journal.open(config.places, software=now.hash)
    try:
        mark = journal.standing_tilt() or find(config.marks)
        if mark is None:
            raise NothingToClear(f"{config.journal}: there is no tilt to clear")
        _check(config, journal)
        # In the table's own time, as a start goes on in it, where the clock is before the newest record.
        wall_us = now_us()
        at_us = wall_us + journal.clock_behind_us(wall_us)
        approval = approval_of(config, journal, at_us)
        check_in_time(approval, config, at_us)
        told = _cleared(config, journal, mark, Cleared(at_us=at_us, by=by, reason=reason))
        if approval is not None and journal.takes_new and (note := approval.due(0, at_us)) is not None:
            journal.note(note)
        catch_up(config.places)
        return told
    except JournalUnusable as wrong:
        raise Tilt(wrong.kind, str(wrong)) from None
    finally:
        journal.close()


def _check(config: Config, journal: Journal) -> None:
    auditor_of(config)
    _check_decks(config, journal)
    journal.recover(rulebook_of)
    try:
        check_joins(config.copy, journal.store)
    except CopyDiffers as wrong:
        raise Tilt(TiltKind.COPY, str(wrong)) from None
    verify_full(config.journal, config.copy)


def _check_decks(config: Config, journal: Journal) -> None:
    """As a start opens the deck register: where a device tells tags."""
    if not any(device.spots for device in config.devices):
        return
    try:
        Register(config.deck.register, journal.keys.vault).close()
    except RegisterUnusable as wrong:
        raise Tilt(TiltKind.REGISTER, str(wrong)) from None


def _cleared(config: Config, journal: Journal, mark: Mark, cleared: Cleared) -> str:
    where = "nothing was recorded yet"
    if journal.newest() is not None:
        stored = journal.note(cleared)
        where = f"record {stored.seq}"
    try:
        remove(config.marks)
    except OSError as wrong:
        raise Tilt(TiltKind.READ_ONLY, f"{wrong.filename}: the mark cannot be removed ({wrong.strerror})") from None
    what = f"{mark.kind.value} of {mark.at or 'an unknown time'}, by {cleared.by} ({where})"
    return f"cleared: {what}; the table may be started"
