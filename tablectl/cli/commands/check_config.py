"""`tablectl check-config CONFIG`: every mistake at once; what is no mistake and should be known. In one language."""

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
from tablectl.config.notices import Notice
from tablectl.config.table_file import BadConfig, Config, language_of, load
from tablectl.config.witness import TpmSettings
from tablectl.core.engine.facts import Setup
from tablectl.core.os_error_text import happened
from tablectl.core.validation import Mistake, sentence
from tablectl.fleet.certificates import NoIdentity, key_digest, read_key, shown_in_file
from tablectl.fleet.uplink.enrolling import name_of
from tablectl.i18n.languages import LANGUAGES
from tablectl.i18n.mistakes import in_language, mistake_in
from tablectl.i18n.table_texts import TableTexts
from tablectl.i18n.texts import load_texts
from tablectl.journal.readers import not_let_in
from tablectl.notifications.tpm import Tpm, TpmTrouble, TpmWhy
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
    parser.add_argument("--language", choices=LANGUAGES, help="of what is told (default: the first of the table's)")


def main(args: argparse.Namespace) -> int:
    """Exit status 0, or 2 with one line a mistake: file, key, what was found, what would be right."""
    try:
        config = load(args.config)
        _addresses(config)
        _certificate(config)
    except BadConfig as wrong:
        language = args.language or language_of(args.config)
        if args.json:
            print(json.dumps(_told(wrong.mistakes, (), language), ensure_ascii=False))
            return 2
        sys.stderr.writelines(f"{mistake_in(mistake, language)}\n" for mistake in wrong.mistakes)
        count = len(wrong.mistakes)
        counted = load_texts("tablectl.config").form("checked", "mistakes", language, count)
        raise WrongUsage(counted.format(count=count)) from None
    language = args.language or config.languages[0]
    notices = [notice.said(language) for notice in (*config.notices, *_on_this_machine(config))]
    if args.json:
        print(json.dumps(_told((), notices, language), ensure_ascii=False))
    else:
        t = TableTexts(language=language, texts=load_texts("tablectl.config"), rulebook=config.setup.rulebook)
        print(
            "\n".join((*_summary(config, args.config, t), *(t.say("checked", "notice", text=text) for text in notices)))
        )
    return 0


def _summary(config: Config, file: Path, t: TableTexts) -> Iterator[str]:
    """Which table a good file is for, and what is at it. Names and words of the file stand as they do there."""
    setup = config.setup
    yield t.say("checked", "good", file=file, table=setup.table, game=_game(setup, t))
    for other in [game for game in config.games.values() if game is not setup]:
        yield t.say("checked", "other-game", game=_game(other, t))
    for device in config.devices:
        yield f"  {device.role:6} {device.name} ({device.driver})"
    for missing in sorted({"shoe", "panel", "light"} - {device.role for device in config.devices}):
        yield f"  {missing:6} {t.word('checked', 'no-device')}"


def _game(setup: Setup, t: TableTexts) -> str:
    return t.say("checked", "game", rulebook=setup.rulebook, seats=setup.seats, tracking=setup.tracking)


def _told(found: Iterable[Mistake], notices: Iterable[str], language: str) -> dict[str, Any]:
    """The same for a program that shows it to somebody."""
    rows = [
        {
            "key": mistake.key,
            "found": in_language(mistake.found, language),
            "right": in_language(mistake.right, language),
        }
        for mistake in found
    ]
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
        found = sentence("{path}, which is no certificate", path=path)
    if found is not None:
        right = sentence("a certificate (PEM) that is valid now; is this machine's clock right?")
        raise BadConfig([Mistake(where=str(config.file), key="screens.certificate", found=found, right=right)])


def _until(certificate: Path) -> Notice | None:
    """What somebody should know of a certificate that is good now."""
    try:
        soon = ends_soon(certificates_in(certificate), datetime.now(UTC))
    except OSError as wrong:
        return _notice("certificate-away", certificate=certificate, why=happened(wrong))
    if soon is None:
        return None
    return _notice("certificate-ends", certificate=certificate, whose=soon.whose, ends=soon.ends, days=SOON.days)


def _notice(name: str, /, **values: object) -> Notice:
    return Notice(name=name, values=values)


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


def _uplink(config: Config) -> Iterator[Notice]:
    """What keeps the records of this table from its pit server, where it has one."""
    settings = config.uplink
    if settings is None:
        return
    files = {name: getattr(settings, name) for name in ("authority", "certificate", "key", "pit_key")}
    missing = [f"uplink.{name}" for name, path in files.items() if not os.path.lexists(path)]
    if missing:
        yield _notice("uplink-missing", files=", ".join(missing), config=config.file)
    told = settings.certificate
    try:
        shown = shown_in_file(settings.certificate)
        is_for_key = read_key(settings.key).public_key()
    except FileNotFoundError:
        return
    except (OSError, NoIdentity) as wrong:
        why = happened(wrong) if isinstance(wrong, OSError) else wrong
        yield _notice("uplink-unusable", certificate=told, why=why)
        return
    if shown.key != key_digest(is_for_key):
        yield _notice("uplink-other-key", certificate=told)
    if shown.name != (name := name_of(config, settings)):
        yield _notice("uplink-other-name", certificate=told, shown=shown.name, name=name)
    if not shown.is_good(datetime.now(UTC)):
        begins, ends = f"{shown.begins:%Y-%m-%d}", f"{shown.ends:%Y-%m-%d}"
        yield _notice("uplink-not-good", certificate=told, begins=begins, ends=ends)


def _witness(config: Config) -> Iterator[Notice]:
    """What keeps heads of the journal from another machine, where the file says that they go there."""
    witness = None if config.notifications is None else config.notifications.witness
    if witness is None:
        return
    if witness.tpm is not None:
        yield from _tpm(witness.tpm)
    if witness.file is None:
        return
    folder = witness.file.parent
    if (disk := _disk_of(folder)) is None:
        yield _notice("witness-away", folder=folder)
    elif disk in {_disk_of(config.journal.parent), _disk_of(config.copy.parent)}:
        yield _notice("witness-same-disk", folder=folder)


def _tpm(settings: TpmSettings) -> Iterator[Notice]:
    """What keeps heads from the TPM of this machine, and what is worth less than it could be."""
    tpm, place = Tpm(settings), {"tpm": settings.tcti, "index": f"{settings.index:#010x}"}
    try:
        tpm.check()
        if not tpm.is_locked():
            yield _notice("tpm-open", **place)
    except TpmTrouble as wrong:
        match wrong.why:
            case TpmWhy.TOOLS:
                yield _notice("tpm-tools", **place, why=wrong)
            case TpmWhy.NOT_DEFINED:
                yield _notice("tpm-not-defined", **place, why=wrong)
            case TpmWhy.AWAY | TpmWhy.SILENT:
                yield _notice("tpm-away", **place, why=wrong)


def _on_this_machine(config: Config) -> Iterator[Notice]:
    """What a start here would stumble over. The file itself may be for another machine."""
    places = (("journal.path", config.journal), ("journal.copy", config.copy), ("control.socket", config.socket))
    for key, place in places:
        if (why := not_let_in(place.parent, os.X_OK)) is not None:
            yield _notice("cannot-look", key=key, why=why)
        elif not place.parent.is_dir():
            yield _notice("no-folder", key=key, place=place, folder=place.parent)
    disks = [_disk_of(config.journal.parent), _disk_of(config.copy.parent)]
    if None not in disks and len(set(disks)) == 1:
        yield _notice("same-disk")
    if config.screens_certificate is not None and (told := _until(config.screens_certificate)) is not None:
        yield told
    if _is_shut_off(config, Places()):
        yield _notice("shut-off", host=config.screens_host, table=config.file.stem)
    yield from _uplink(config)
    yield from _witness(config)
    yield from _not_plugged_in(config)
    yield from _kiosk(config.file.with_name(FILE))
    for device in config.devices:
        if device.role == "panel" and not device.keys:
            yield _notice("keyless-panel", device=device.name)


def _not_plugged_in(config: Config) -> Iterator[Notice]:
    """Devices that are not here now; no mistake, since the file may be for another machine."""
    found = look(usb_bus=config.usb_bus)
    for missing in absent(config.devices, found):
        what = f"{missing.device.role} {missing.device.name} ({missing.device.driver})"
        name = "not-on-usb" if missing.place == "USB" else "not-plugged-in"
        yield _notice(name, device=what, place=missing.place)
    if found.usb_trouble and any(DRIVERS[device.driver].usb_ids for device in config.devices):
        yield _notice("usb-unknown", why=found.usb_trouble)


def _kiosk(file: Path) -> Iterator[Notice]:
    """With which settings the croupier's screen of this machine would stay dark."""
    try:
        settings = settings_in(file)
    except (OSError, UnicodeDecodeError):
        return  # a machine without one, or whose settings only root reads: the kiosk's own start judges
    for mistake in mistakes(settings):
        yield _notice("dark-screen", file=file, mistake=mistake)


def _disk_of(folder: Path) -> int | None:
    """The number of the disk that a folder lies on; None where there is no folder, or nobody may look."""
    try:
        return folder.stat().st_dev if folder.is_dir() else None
    except OSError:
        return None
