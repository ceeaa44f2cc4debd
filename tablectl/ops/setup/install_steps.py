"""What a table needs besides its configuration: folders with their owners, the first manager, the units.

Root works in no folder that belongs to somebody else: what is in the folder of the accounts is made by their own user.
"""

from __future__ import annotations

import grp
import os
import pwd
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeAlias

from tablectl.ops.setup.places import ACCOUNTS, Folder

#: There where systemd runs the machine (sd_booted(3)).
SYSTEMD: Final = Path("/run/systemd/system")
#: How long a manager's password may take to make, or a unit to start, in seconds.
_PATIENCE_S: Final = 120
#: Runs a command: its exit status and what it said on both outputs.
Run: TypeAlias = Callable[[Sequence[str]], tuple[int, str]]


class NotDone(Exception):
    """A step that was not done. `why`: a sentence of the table `setup-say`, `values` fill its braces."""

    def __init__(self, why: str, /, **values: object) -> None:
        super().__init__(why)
        self.why = why
        self.values = values


@dataclass(frozen=True, kw_only=True, slots=True)
class Skipped:
    """A folder that was not made, for want of this user or group."""

    folder: Path
    missing: str


def make_folders(folders: Iterable[Folder], *, owned: bool) -> Iterator[Path | Skipped]:
    """Make them, or give those that are there owner and mode. `owned`: to whom they belong by their names, which root
    alone can say; else to whoever is asking. Raises `OSError`."""
    for folder in folders:
        owner = _owner(folder) if owned else (-1, -1)
        if isinstance(owner, str):
            yield Skipped(folder=folder.path, missing=owner)
            continue
        folder.path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        folder.path.mkdir(mode=0o700, exist_ok=True)
        # By its descriptor, and never through a link: what is changed is the folder that was looked at.
        descriptor = os.open(folder.path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            if owned:
                os.fchown(descriptor, *owner)
            os.fchmod(descriptor, folder.mode)
        finally:
            os.close(descriptor)
        yield folder.path


def _owner(folder: Folder) -> tuple[int, int] | str:
    """Numbers of user and group, or the name that this machine does not know."""
    try:
        user = pwd.getpwnam(folder.user).pw_uid
    except KeyError:
        return folder.user
    try:
        return user, grp.getgrnam(folder.group).gr_gid
    except KeyError:
        return folder.group


def first_manager(config: Path, *, owned: bool) -> str:
    """What `tablectl people first` says: the first manager's one-time password, which stands nowhere else. As the
    user of the accounts where `owned`. Raises `NotDone`."""
    words = [sys.executable, "-P", "-m", "tablectl", "people", "first", str(config)]
    status, said = _run_as(words, ACCOUNTS) if owned else run(words)
    if status == 0:
        return said.strip()
    raise NotDone("manager-there" if status == 1 else "manager-not", reason=said.strip(), config=config)


def _run_as(words: Sequence[str], user: str) -> tuple[int, str]:
    try:
        known = pwd.getpwnam(user)
    except KeyError:
        return -1, f"there is no user {user}"
    return _said(words, known)


def run(words: Sequence[str]) -> tuple[int, str]:
    """See `Run`."""
    return _said(words, None)


def _said(words: Sequence[str], user: pwd.struct_passwd | None) -> tuple[int, str]:
    try:
        done = subprocess.run(
            words,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=_PATIENCE_S,
            check=False,
            text=True,
            user=None if user is None else user.pw_uid,
            group=None if user is None else user.pw_gid,
            extra_groups=None if user is None else os.getgrouplist(user.pw_name, user.pw_gid),
            cwd="/",
        )
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return -1, str(wrong)
    return done.returncode, done.stdout


def enable(unit: str, command: Run = run, *, is_started: bool = True) -> None:
    """Have it start with the machine, and now too where `is_started`. Raises `NotDone`."""
    status, said = command(["systemctl", "enable", *(("--now",) if is_started else ()), unit])
    if status != 0:
        raise NotDone("not-started", unit=unit, reason=said.strip())
