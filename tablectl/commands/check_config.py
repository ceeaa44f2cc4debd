"""`tablectl check-config CONFIG`: every mistake at once."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from drivers.registry import DRIVERS
from tablectl.config import BadConfig, Config, load
from tablectl.kiosk.settings import FILE, mistakes, settings_in
from tablectl.mistakes import Mistake
from tablectl.readers import not_let_in
from tablectl.setting_up.absent import absent
from tablectl.setting_up.found import look


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 with one line a mistake: file, key, what was found, what would be right."""
    try:
        config = load(args.config)
        _addresses(config)
    except BadConfig as wrong:
        if args.json:
            print(json.dumps(_told(wrong.mistakes, ()), ensure_ascii=False))
            return 2
        sys.stderr.write(f"{wrong}\n")
        count = len(wrong.mistakes)
        sys.stderr.write(f"{count} mistake{'s' if count > 1 else ''}; nothing would start.\n")
        return 2
    if args.json:
        print(json.dumps(_told((), (*config.notices, *_on_this_machine(config))), ensure_ascii=False))
        return 0
    setup = config.setup
    print(f"{args.config}: good: {setup.table}, {setup.rulebook}, {setup.seats} seats, tracking {setup.tracking}")
    for other in [each for each in config.games.values() if each is not setup]:
        print(f"  game   {other.rulebook}, {other.seats} seats, tracking {other.tracking}")
    for device in config.devices:
        print(f"  {device.role:6} {device.name} ({device.driver})")
    for missing in sorted({"shoe", "panel", "light"} - {device.role for device in config.devices}):
        print(f"  {missing:6} none configured")
    for notice in (*config.notices, *_on_this_machine(config)):
        print(f"notice: {notice}")
    return 0


def _told(found: Iterable[Mistake], notices: Iterable[str]) -> dict[str, Any]:
    """The same for a program."""
    rows = [{"key": each.key, "found": each.found, "right": each.right} for each in found]
    return {"ok": not rows, "mistakes": rows, "notices": list(notices)}


def _addresses(config: Config) -> None:
    """Whether Apprise knows what to do with the addresses in the file. Raises `BadConfig`."""
    if config.notifications is None:
        return
    # Apprise takes half a second to load, and no other command but `notifications` needs it.
    trouble_with = importlib.import_module("tablectl.notifications.apprise_door").trouble_with
    found = [
        Mistake(where=str(config.file), key=f"notify {target.name}.url", found=target.kind, right=trouble)
        for target in config.notifications.targets
        if target.is_literal and (trouble := trouble_with(target.url)) is not None
    ]
    if found:
        raise BadConfig(found)


def _on_this_machine(config: Config) -> Iterator[str]:
    """What a start here would stumble over. The file itself may be for another machine."""
    places = (("journal.path", config.journal), ("journal.copy", config.copy), ("control.socket", config.socket))
    for key, place in places:
        if (why := not_let_in(place.parent, os.X_OK)) is not None:
            yield f"{key}: {why}: this user cannot say whether a table could start"
        elif not place.parent.is_dir():
            yield f"{key} = {place}: there is no folder {place.parent} on this machine; a table cannot start without"
    disks = [_disk_of(config.journal.parent), _disk_of(config.copy.parent)]
    if None not in disks and len(set(disks)) == 1:
        lies = "journal.copy lies on the same disk as the journal"
        yield f"{lies}: one broken disk takes both, and an older state of that disk puts both back; use another"
    yield from _not_plugged_in(config)
    yield from _kiosk(config.file.with_name(FILE))
    for device in config.devices:
        if device.role == "panel" and not device.keys:
            yield f"panel {device.name}: no key means anything; name them under [device.keys]"


def _not_plugged_in(config: Config) -> Iterator[str]:
    """Devices that are not here now; no mistake, since the file may be for another machine."""
    found = look(usb_bus=config.usb_bus)
    for each in absent(config.devices, found):
        what = f"{each.device.role} {each.device.name} ({each.device.driver})"
        at = f"nothing is plugged in at {each.place}" if each.place != "USB" else "none is plugged in"
        yield f"{what}: {at} now; `tablectl devices` shows what is"
    if found.usb_trouble and any(DRIVERS[each.driver].usb_ids for each in config.devices):
        yield f"nobody can say which USB devices are plugged in: {found.usb_trouble}"


def _kiosk(file: Path) -> Iterator[str]:
    """With which settings the croupier's screen of this machine would stay dark."""
    try:
        settings = settings_in(file)
    except (OSError, UnicodeDecodeError):
        return  # a machine without one, or whose settings only root reads: the kiosk's own start judges
    for each in mistakes(settings):
        yield f"{file}: {each}; the croupier's screen would not start"


def _disk_of(folder: Path) -> int | None:
    """The number of the disk that a folder lies on; None where there is no folder, or nobody may look."""
    try:
        return folder.stat().st_dev if folder.is_dir() else None
    except OSError:
        return None
