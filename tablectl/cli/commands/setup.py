"""`tablectl setup`: a new table, from what is plugged in and a few questions to a checked configuration.

    tablectl setup [--to FILE] [--replace] [--dry-run] [--answers FILE] [--usb-bus unix:PATH] [--below FOLDER]

Exit status 0 where it was written (or shown, with --dry-run), 1 where somebody left before or a step after the
configuration was not done, 2 for wrong usage or wrong answers; 130 after Ctrl-C. Until the configuration is written
nothing is changed.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.cli.status import Status, WrongUsage
from tablectl.config.table_file import BadConfig, Config
from tablectl.ops.setup.answers_file import BadAnswers, answers_in
from tablectl.ops.setup.backing_up import has_unit
from tablectl.ops.setup.config_text import config_text
from tablectl.ops.setup.discovery import SERIAL_LINKS, look
from tablectl.ops.setup.install import Installation
from tablectl.ops.setup.install_steps import SYSTEMD
from tablectl.ops.setup.interview import Interview, languages_of
from tablectl.ops.setup.messages import Voice
from tablectl.ops.setup.missing import absent
from tablectl.ops.setup.places import Places
from tablectl.ops.setup.plan import Task
from tablectl.ops.setup.questions import Answers
from tablectl.ops.setup.terminal import Terminal
from tablectl.ops.setup.writing import IsThere, checked, write

CTRL_C: Final = 130


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Where the answers come from, and where the configuration goes."""
    parser.add_argument("--answers", metavar="FILE", type=Path, help="TOML with the answers; nobody is asked")
    parser.add_argument("--to", metavar="FILE", type=Path, help="the configuration (default: /etc/tablectl/NAME.toml)")
    parser.add_argument(
        "--replace", action="store_true", help="a configuration that is there may be replaced; it is kept"
    )
    parser.add_argument("--dry-run", action="store_true", help="show the configuration and change nothing")
    parser.add_argument("--usb-bus", metavar="unix:PATH", help="USB devices that another process simulates")
    parser.add_argument(
        "--serial",
        metavar="FOLDER",
        type=Path,
        default=SERIAL_LINKS,
        help="where by-id and by-path are (default: %(default)s)",
    )
    parser.add_argument("--below", metavar="FOLDER", type=Path, help="a table to try: everything below this folder")


def main(args: argparse.Namespace) -> int:
    """Set up one table."""
    if args.answers is None and not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.stderr.write(
            "setup: there is nobody to ask: this is no terminal. Run it on one, or write the answers to a file and give"
            " it with --answers FILE (docs/setup.md has one to begin with).\n"
        )
        return Status.WRONG_USAGE
    try:
        task = _task(args)
    except ValueError as wrong:
        raise WrongUsage(f"setup: --usb-bus: {wrong}") from None
    if task.to is not None and task.to.exists() and not task.replaces:
        raise WrongUsage(f"setup: {task.to} is there already: --replace writes it anew and keeps the old one beside it")
    if not args.dry_run and (closed := _closed(task.places.tables if task.to is None else task.to.parent)) is not None:
        raise WrongUsage(f"setup: {closed} cannot be written: run it as root, or --to FILE, or --dry-run")
    return _from_file(args, task) if args.answers is not None else _from_terminal(args, task)


def _closed(folder: Path) -> Path | None:
    """The folder in which nothing could be made, before anybody answers thirty questions; None where all is well."""
    there = next(parent for parent in (folder, *folder.parents) if parent.exists())
    return None if there.is_dir() and os.access(there, os.W_OK | os.X_OK) else there


def _task(args: argparse.Namespace) -> Task:
    places = Places() if args.below is None else Places(root=args.below.absolute())
    to = None if args.to is None else args.to.absolute()
    found = look(usb_bus=args.usb_bus, serial_links=args.serial, tables=places.tables, but=to)
    is_root = os.geteuid() == 0 and places.is_installed
    return Task(
        found=found,
        places=places,
        to=to,
        replaces=args.replace,
        can_start=is_root and SYSTEMD.is_dir() and (to is None or to.parent == places.tables) and not args.dry_run,
        has_units=places.is_installed and SYSTEMD.is_dir() and has_unit(places),
    )


def _from_file(args: argparse.Namespace, task: Task) -> int:
    try:
        said = answers_in(args.answers, task)
    except BadAnswers as wrong:
        count = len(wrong.mistakes)
        raise WrongUsage(f"{wrong}\n{count} mistake{'s' if count > 1 else ''}; nothing was written.") from None
    return _done(args, task, said)


def _from_terminal(args: argparse.Namespace, task: Task) -> int:
    interview = Interview(Terminal(), task)
    try:
        while True:
            said = interview.answers()
            file = task.file(said)
            text = config_text(said, task.places, args.usb_bus)
            try:
                checked(text, file)
            except BadConfig as wrong:
                print(wrong)
                interview.again()
                continue
            answer = True if args.dry_run else interview.confirmed("write", file=file)
            if answer is None:
                interview.again()
                continue
            if answer:
                return _done(args, task, said)
            print(interview.voice.say("setup-say", "nothing-changed"))
            return Status.NOT_DONE
    except (KeyboardInterrupt, EOFError):
        print(f"\n{interview.voice.say('setup-say', 'nothing-changed')}")
        return CTRL_C


def _done(args: argparse.Namespace, task: Task, said: Answers) -> int:
    """Written or shown; then what root can do besides, and the next steps."""
    file = task.file(said)
    text = config_text(said, task.places, args.usb_bus)
    voice = Voice(languages_of(said))
    try:
        config = checked(text, file)
        if args.dry_run:
            sys.stdout.write(text)
            sys.stderr.writelines(f"{word}\n" for word in _not_there(config, task, voice))
            return Status.GOOD
        kept = write(text, file, replaces=task.replaces)
    except BadConfig as wrong:
        raise WrongUsage(f"{wrong}\nNothing was written.") from None
    except IsThere as there:
        raise WrongUsage(
            f"setup: {there} is there already: --replace writes it anew and keeps the old one beside it"
        ) from None
    except OSError as wrong:
        raise WrongUsage(f"setup: {file}: {wrong.strerror}; nothing was written") from None
    print(f"\n{voice.say('setup-say', 'written', file=file)}")
    if kept is not None:
        print(voice.say("setup-say", "kept", file=kept))
    for word in _not_there(config, task, voice):
        print(word)
    return Status.GOOD if Installation(said, task, voice=voice, say=print).done() else Status.NOT_DONE


def _not_there(config: Config, task: Task, voice: Voice) -> Iterator[str]:
    """A table is set up at a desk, too: what it will have is told where it is not there."""
    for missing in absent(config.devices, task.found):
        device = f"{missing.device.name} ({missing.device.driver})"
        yield voice.say("setup-say", "not-there", device=device, place=missing.place)
