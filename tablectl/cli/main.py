"""`tablectl COMMAND …`: one table of commands; each lives in a module of its own, imported when asked for."""

from __future__ import annotations

import argparse
import gc
import importlib
import sys
from dataclasses import dataclass
from typing import Final

from tablectl.cli.status import Status, WrongUsage
from tablectl.core.validation import Invalid


@dataclass(frozen=True, slots=True)
class Command:
    """A command: the module with `add_arguments(parser)` and `main(args) -> exit status`, and its one line of help."""

    module: str
    help: str


COMMANDS: Final = {
    "demo": Command(
        "tablectl.cli.commands.demo", "simulated devices, the real controller and the screens, in one command"
    ),
    "train": Command(
        "tablectl.cli.commands.train", "a table to practise at: simulated devices, exercises and their marks"
    ),
    "setup": Command(
        "tablectl.cli.commands.setup", "a new table: asks what it cannot find out, writes a checked configuration"
    ),
    "run": Command("tablectl.cli.commands.run", "the controller of one table"),
    "table": Command("tablectl.cli.commands.table", "of a table that is running: its game, its limits, its float"),
    "screens": Command(
        "tablectl.cli.commands.screens", "the pages for croupier, pit boss, manager, technician and auditor"
    ),
    "kiosk": Command(
        "tablectl.cli.commands.kiosk", "the croupier's page on this machine's own screen, and nothing else"
    ),
    "accounts": Command("tablectl.cli.commands.accounts", "keeps the accounts of a table's people, for its screens"),
    "people": Command("tablectl.cli.commands.people", "the house's accounts: list, add, reset, disable, enable, first"),
    "notifications": Command("tablectl.cli.commands.notifications", "tell phones, chats and mailboxes what happens"),
    "uplink": Command("tablectl.cli.commands.uplink", "send a table's public records to its pit server"),
    "pit": Command("tablectl.cli.commands.pit", "the server that keeps the records of many tables"),
    "check-config": Command("tablectl.cli.commands.check_config", "every mistake of a configuration, with its remedy"),
    "devices": Command(
        "tablectl.cli.commands.devices", "ports and USB devices found, which driver takes each, what it says"
    ),
    "idle": Command("tablectl.cli.commands.idle", "whether a table is between two hands: its program may be exchanged"),
    "needs": Command("tablectl.cli.commands.needs", "the oldest version that can go on with a table's journal"),
    "deck": Command("tablectl.cli.commands.deck", "the deck register: enroll, list, play, release, quarantine, retire"),
    "rules": Command("tablectl.cli.commands.rules", "the clause catalogue: text, place of enforcement, tests"),
    "languages": Command("tablectl.cli.commands.languages", "the languages installed, and what each lacks"),
    "diagram": Command("tablectl.cli.commands.diagram", "the state machine of a rulebook, as Mermaid"),
    "play": Command("tablectl.cli.commands.play", "run hand files and show every difference"),
    "settle": Command("tablectl.cli.commands.settle", "settle hands: JSON lines in, JSON lines out"),
    "phh": Command("tablectl.cli.commands.phh", "replay published hand histories through the engine"),
    "journal": Command("tablectl.cli.commands.journal", "verify, show, replay, restore or open a journal"),
    "trace": Command("tablectl.cli.commands.trace", "list, show, replay, export or import what went over the wires"),
    "clear": Command("tablectl.cli.commands.clear", "let a table go on after a tilt, by name and with a reason"),
    "backup": Command("tablectl.cli.commands.backup", "everything of a table in one checked file, while it deals"),
    "restore": Command("tablectl.cli.commands.restore", "a table from its backup: all of it or nothing"),
    "manifest": Command(
        "tablectl.cli.commands.manifest", "which software this is: sign it as approved, check it, show it"
    ),
}
#: They run for long: status 2 would tell systemd that starting them again is in vain (`RestartPreventExitStatus`).
SERVICES: Final = frozenset({"run", "accounts", "screens", "kiosk", "notifications", "uplink", "pit"})
_DESCRIPTION: Final = "The controller of a physical poker table: cards, rules, evidence."


class _Version(argparse.Action):
    """Looks the version up only when somebody asks."""

    def __init__(self, option_strings: list[str], dest: str) -> None:
        super().__init__(option_strings, dest, nargs=0, help="the version, and nothing else")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print it and end."""
        print(f"tablectl {importlib.import_module('importlib.metadata').version('tablectl')}")
        parser.exit()


def main(argv: list[str] | None = None) -> int:
    """Run one command. Exit status: 0 good, 1 a check found differences, 2 wrong usage or unreadable input, 3 tilt."""
    words = sys.argv[1:] if argv is None else argv
    parser = argparse.ArgumentParser(prog="tablectl", description=_DESCRIPTION)
    parser.add_argument("--version", action=_Version)
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    wanted = next((word for word in words if not word.startswith("-")), None)
    # Whoever begins with a command has chosen: what the others are need not be told to anybody.
    is_chosen = words[:1] == [wanted] and wanted in COMMANDS
    for name, command in COMMANDS.items():
        if is_chosen and name != wanted:
            continue
        sub = commands.add_parser(name, help=command.help, description=command.help)
        if name == wanted:
            # Nothing that is loaded now is ever garbage: neither look for any meanwhile nor at all this again later.
            gc.disable()
            try:
                module = importlib.import_module(command.module)
            except Invalid as wrong:
                sys.stderr.write(f"{wrong}\n")  # what another package adds cannot be used
                return Status.WRONG_USAGE
            gc.freeze()
            gc.enable()
            module.add_arguments(sub)
            sub.set_defaults(main=module.main)
    args = parser.parse_args(words)
    try:
        status: int = args.main(args)
    except BrokenPipeError:
        return 0  # whoever read our output has seen enough
    except KeyboardInterrupt:
        return 130
    except (Invalid, WrongUsage) as wrong:
        sys.stderr.write(f"{wrong}\n")
        return Status.WRONG_USAGE
    except OSError as wrong:
        if wrong.filename is None or args.command in SERVICES:
            raise  # no file that somebody named, or for the log of a service, which is started again
        os_error_text = importlib.import_module("tablectl.core.os_error_text")
        sys.stderr.write(f"{args.command}: {os_error_text.told(wrong, 'the path of something that is there')}\n")
        return Status.WRONG_USAGE
    return status


if __name__ == "__main__":
    sys.exit(main())
