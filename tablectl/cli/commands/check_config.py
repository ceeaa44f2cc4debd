"""`tablectl check-config CONFIG`: every mistake at once."""

from __future__ import annotations

import argparse
import importlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from drivers.registry import DRIVERS
from tablectl.cli.status import WrongUsage
from tablectl.config.table_file import BadConfig, Config, load
from tablectl.core.os_error_text import happened
from tablectl.core.validation import Mistake
from tablectl.fleet.certificates import NoIdentity, key_digest, read_key, shown_in_file
from tablectl.fleet.uplink.enrolling import name_of
from tablectl.journal.readers import not_let_in
from tablectl.ops.kiosk.settings import FILE, mistakes, settings_in
from tablectl.ops.setup.discovery import look
from tablectl.ops.setup.missing import absent
from tablectl.ops.setup.places import Places
from tablectl.web.screens.certificate import SOON, NoCertificate, certificates_in, ends_soon, not_valid
from tablectl.web.screens.guard import is_loopback


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """One configuration."""
    parser.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
    parser.add_argument("--json", action="store_true", help="one JSON object")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 with one line a mistake: file, key, what was found, what would be right."""
    try:
        config = load(args.config)
        _addresses(config)
        _certificate(config)
    except BadConfig as wrong:
        if args.json:
            print(json.dumps(_told(wrong.mistakes, ()), ensure_ascii=False))
            return 2
        sys.stderr.write(f"{wrong}\n")
        count = len(wrong.mistakes)
        raise WrongUsage(
            f"{count} mistake{'s' if count > 1 else ''}; mend {'them' if count > 1 else 'it'} first."
        ) from None
    if args.json:
        print(json.dumps(_told((), (*config.notices, *_on_this_machine(config))), ensure_ascii=False))
        return 0
    setup = config.setup
    print(f"{args.config}: good: {setup.table}, {setup.rulebook}, {setup.seats} seats, tracking {setup.tracking}")
    for other in [game for game in config.games.values() if game is not setup]:
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
    rows = [{"key": mistake.key, "found": mistake.found, "right": mistake.right} for mistake in found]
    return {"ok": not rows, "mistakes": rows, "notices": list(notices)}


def _addresses(config: Config) -> None:
    """Whether Apprise knows what to do with the addresses in the file. Raises `BadConfig`."""
    if config.notifications is None:
        return
    # Apprise takes half a second to load, and no other command but `notifications` needs it.
    trouble_with = importlib.import_module("tablectl.notifications.apprise_client").trouble_with
    found = [
        Mistake(where=str(config.file), key=f"notify {target.name}.url", found=target.kind, right=trouble)
        for target in config.notifications.targets
        if target.is_literal and (trouble := trouble_with(target.url)) is not None
    ]
    if found:
        raise BadConfig(found)


def _certificate(config: Config) -> None:
    """Whether browsers take the certificate of the screens today. Raises `BadConfig`."""
    path = config.screens_certificate
    if path is None:
        return
    try:
        found = not_valid(certificates_in(path), datetime.now(UTC))
    except OSError:
        return  # a notice says so: the file may be for another machine, or systemd's
    except NoCertificate:
        found = f"{path}, which is no certificate"
    if found is not None:
        right = "a certificate (PEM) that is valid now; is this machine's clock right?"
        raise BadConfig([Mistake(where=str(config.file), key="screens.certificate", found=found, right=right)])


def _until(certificate: Path) -> str | None:
    """What somebody should know of a certificate that is good now."""
    try:
        soon = ends_soon(certificates_in(certificate), datetime.now(UTC))
    except OSError as wrong:
        return f"found {happened(wrong)}; nobody can say here until when it is good"
    return None if soon is None else f"{soon}, in less than {SOON.days} days; have another one made"


def _lets_somebody_in(config: Config, places: Places) -> bool:
    """Whether this machine names addresses, besides its own, from which the screens of this table may be asked."""
    units = ("tablectl-screens@.service.d", f"tablectl-screens@{config.file.stem}.service.d")
    drop_ins = (drop_in for unit in units for drop_in in sorted((places.units / unit).glob("*.conf")))
    return any(
        re.search(r"^\s*IPAddressAllow\s*=\s*\S", drop_in.read_text("utf-8"), re.MULTILINE) for drop_in in drop_ins
    )


def _is_shut_off(config: Config, places: Places) -> bool:
    """Whether the screens are to answer other machines, and the service lets none of them in. The file may be for
    another machine: it is asked of an installed table alone."""
    if is_loopback(config.screens_host) or config.file != places.config(config.file.stem):
        return False
    return (places.shipped_units / "tablectl-screens@.service").exists() and not _lets_somebody_in(config, places)


def _uplink(config: Config) -> Iterator[str]:
    """What keeps the records of this table from its pit server, where it has one."""
    settings = config.uplink
    if settings is None:
        return
    files = {name: getattr(settings, name) for name in ("authority", "certificate", "key", "pit_key")}
    missing = [f"uplink.{name}" for name, path in files.items() if not os.path.lexists(path)]
    if missing:
        yield f"{', '.join(missing)}: no such file; `tablectl uplink {config.file} --enrol` gets them with a code"
    told = f"uplink.certificate = {settings.certificate}"
    try:
        shown = shown_in_file(settings.certificate)
        is_for_key = read_key(settings.key).public_key()
    except FileNotFoundError:
        return
    except (OSError, NoIdentity) as wrong:
        yield f"{told}: {happened(wrong) if isinstance(wrong, OSError) else wrong}"
        return
    if shown.key != key_digest(is_for_key):
        yield f"{told}: is not for the key in uplink.key; enrol this table again (`tablectl uplink --enrol --replace`)"
    if shown.name != (name := name_of(config, settings)):
        yield f"{told}: is that of {shown.name}, and the pit server is to call this table {name} (uplink.name)"
    if not shown.is_good(datetime.now(UTC)):
        span = f"good from {shown.begins:%Y-%m-%d} to {shown.ends:%Y-%m-%d}"
        yield f"{told}: {span}; it is renewed by itself when the pit server answers"


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
    if config.screens_certificate is not None and (told := _until(config.screens_certificate)) is not None:
        yield f"screens.certificate = {config.screens_certificate}: {told}"
    if _is_shut_off(config, Places()):
        way = (
            f"`systemctl edit tablectl-screens@{config.file.stem}`, and IPAddressAllow= with the network that may come"
        )
        yield f"screens.host = {config.screens_host}: no other machine is let in; {way}"
    yield from _uplink(config)
    yield from _not_plugged_in(config)
    yield from _kiosk(config.file.with_name(FILE))
    for device in config.devices:
        if device.role == "panel" and not device.keys:
            yield f"panel {device.name}: no key means anything; name them under [device.keys]"


def _not_plugged_in(config: Config) -> Iterator[str]:
    """Devices that are not here now; no mistake, since the file may be for another machine."""
    found = look(usb_bus=config.usb_bus)
    for missing in absent(config.devices, found):
        what = f"{missing.device.role} {missing.device.name} ({missing.device.driver})"
        at = f"nothing is plugged in at {missing.place}" if missing.place != "USB" else "none is plugged in"
        yield f"{what}: {at} now; `tablectl devices` shows what is"
    if found.usb_trouble and any(DRIVERS[device.driver].usb_ids for device in config.devices):
        yield f"nobody can say which USB devices are plugged in: {found.usb_trouble}"


def _kiosk(file: Path) -> Iterator[str]:
    """With which settings the croupier's screen of this machine would stay dark."""
    try:
        settings = settings_in(file)
    except (OSError, UnicodeDecodeError):
        return  # a machine without one, or whose settings only root reads: the kiosk's own start judges
    for mistake in mistakes(settings):
        yield f"{file}: {mistake}; the croupier's screen would not start"


def _disk_of(folder: Path) -> int | None:
    """The number of the disk that a folder lies on; None where there is no folder, or nobody may look."""
    try:
        return folder.stat().st_dev if folder.is_dir() else None
    except OSError:
        return None
