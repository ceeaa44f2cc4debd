"""`tablectl people list|check|add|reset|disable|enable|first CONFIG …`: the house's accounts, from its console.

For a house that has no manager any more, and for scripts. A secret is never an argument: where one is made it is a
one-time password, printed once. Everything is on record as done by `console`; the screens tell it to the controller.
Exit status 0; 1 where it cannot be; 2 for wrong usage or a file that cannot be used.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Final, TextIO

from tablectl.cli.status import Status
from tablectl.config.table_file import BadConfig, load
from tablectl.core.events.notes import Access
from tablectl.core.records import kind_of
from tablectl.core.roles import Role
from tablectl.journal.search import Wanted, walk
from tablectl.journal.store import JournalUnusable
from tablectl.ops.drop_privileges import running_as_owner_of
from tablectl.people.accounts import Account, UnknownAccount
from tablectl.people.administration import AT_CONSOLE, Administration, NotPossible
from tablectl.people.checking import Checking
from tablectl.people.file import PeopleUnusable
from tablectl.people.first import FIRST_MANAGER
from tablectl.people.people import People

_WHY: Final = {
    "bad-name": "a name is one word of small letters, digits, dots and hyphens, and none of console, system, unknown",
    "bad-display": "that name cannot be shown",
    "name-taken": "there is somebody of that name already",
    "last-manager": "this is the last manager: somebody has to be able to open accounts",
    "no-roles": "it takes at least one role",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What can be done, and to whom."""
    acts = parser.add_subparsers(dest="act", required=True, metavar="ACT")
    for act, what in (
        ("list", "who there is; ends with 1 where the record of what people did was tampered with"),
        ("check", "hold the file against the journal; ends with 1 where they differ, and says in what"),
        ("add", "a new person; prints a one-time password"),
        ("reset", "a new one-time password; the PIN is gone"),
        ("disable", "shut an account; its sessions end at once"),
        ("enable", "open it again"),
        ("first", "the first manager, where there is no account at all"),
    ):
        sub = acts.add_parser(act, help=what, description=what)
        sub.add_argument("config", metavar="CONFIG", type=Path, help="the table's TOML file")
        if act not in ("list", "check", "first"):
            sub.add_argument("name", metavar="NAME", help="one word, as it stands in records")
        if act == "add":
            sub.add_argument("--display", metavar="TEXT", default="", help="how screens call this person")
            sub.add_argument("--role", action="append", required=True, choices=[role.value for role in Role])


def main(args: argparse.Namespace) -> int:
    """Do it."""
    return run(args, sys.stdout, sys.stderr)


def run(args: argparse.Namespace, stdout: TextIO, stderr: TextIO) -> int:
    """The same, with its outputs given."""
    try:
        config = load(args.config)
        with running_as_owner_of(config.people):  # what root makes, the accounts' own process could not open
            people = People(config.people)
    except (BadConfig, PeopleUnusable) as wrong:
        stderr.write(f"{wrong}\n")
        return Status.WRONG_USAGE
    try:
        said, status = _checked(people, config.journal) if args.act == "check" else asyncio.run(_done(args, people))
    except JournalUnusable as wrong:
        stderr.write(f"people: {wrong}\n")
        return Status.WRONG_USAGE
    except NotPossible as no:
        stderr.write(f"people: {_WHY[no.why]}\n")
        return Status.NOT_DONE
    except UnknownAccount:
        stderr.write(f"people: there is nobody of the name {args.name}\n")
        return Status.NOT_DONE
    finally:
        people.file.close()
    stdout.write(said)
    return status


async def _done(args: argparse.Namespace, people: People) -> tuple[str, int]:
    administration = Administration(people)
    if args.act == "add":
        roles = [Role(word) for word in args.role]
        password = await administration.add(args.name, display=args.display, roles=roles, by=AT_CONSOLE)
        return _given(args.name, password), Status.GOOD
    if args.act == "reset":
        return _given(args.name, await administration.reset(args.name, by=AT_CONSOLE)), Status.GOOD
    if args.act == "first":
        first = await administration.first()
        return (
            ("people: there are accounts already\n", Status.NOT_DONE)
            if first is None
            else (_given(FIRST_MANAGER, first), Status.GOOD)
        )
    if args.act in ("disable", "enable"):
        administration.set_disabled(args.name, disabled=args.act == "disable", by=AT_CONSOLE)
        return "", Status.GOOD
    broken = people.audits.first_broken()
    said = "".join(f"{_line(account)}\n" for account in people.accounts.all())
    said += "".join(
        f"people: the controller did not take number {row['number']} ({row['what']} by {row['who']}): {why}\n"
        for row, why in people.audits.refused()
    )
    if broken is None:
        return said, Status.GOOD
    return f"{said}people: the record of what people did is broken at number {broken}\n", Status.NOT_DONE


def _checked(people: People, journal: Path) -> tuple[str, int]:
    """Raises `JournalUnusable`."""
    checking = Checking(people.file)
    found = checking.differences(_accesses(journal))
    if found:
        return "".join(f"people: {text}\n" for text in found), Status.NOT_DONE
    return (
        f"people: {people.audits.told} rows and {len(people.accounts.all())} accounts agree with the journal\n",
        Status.GOOD,
    )


def _accesses(journal: Path) -> Iterator[Access]:
    """All that are on record, in order. Raises `JournalUnusable`."""
    for hit in chain.from_iterable(walk(journal, Wanted(kinds=frozenset({kind_of(Access)})))):
        if hit.record is not None and isinstance(hit.record.event, Access):
            yield hit.record.event


def _given(name: str, password: str) -> str:
    return f"people: {name} signs on with the one-time password {password}\n"


def _line(account: Account) -> str:
    marks = [
        *(["disabled"] if account.disabled else []),
        *(["one-time password"] if account.must_change else []),
        *(["PIN"] if account.has_pin else []),
        *([f"badges: {account.n_badges}"] if account.n_badges else []),
    ]
    said = f"{account.name}  {', '.join(sorted(account.roles))}  {account.display}"
    return f"{said}  ({'; '.join(marks)})" if marks else said
