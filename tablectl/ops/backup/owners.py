"""Whose files are, by name: numbers of users differ between machines."""

from __future__ import annotations

import grp
import os
import pwd
import stat
from pathlib import Path

import msgspec

from tablectl.ops.backup.wrong import Refused


class Owner(msgspec.Struct, frozen=True, kw_only=True):
    """Whose a file or a folder is, by name, as numbers differ between machines; its mode."""

    user: str
    group: str
    mode: int


def owner_of(path: Path) -> Owner:
    """Whose it is on this machine; a number where it has no name here. Raises `OSError`."""
    now = path.stat()
    try:
        user = pwd.getpwuid(now.st_uid).pw_name
    except KeyError:
        user = str(now.st_uid)
    try:
        group = grp.getgrgid(now.st_gid).gr_name
    except KeyError:
        group = str(now.st_gid)
    return Owner(user=user, group=group, mode=stat.S_IMODE(now.st_mode))


def known(owner: Owner) -> None:
    """Raises `Refused` where root would have to give a file to somebody whom this machine does not know."""
    if os.geteuid() == 0:
        _numbers(owner)


def give(path: Path, owner: Owner) -> None:
    """Make a file or folder theirs. Only root can give away: otherwise it stays with who restores, and in a folder that
    is somebody else's (`running_as_owner_of`) with that user. Raises `OSError`, `Refused`."""
    if os.getuid() == 0:
        user, group = _numbers(owner)
        os.chown(path, user if os.geteuid() == 0 else -1, group)
    path.chmod(owner.mode)  # after chown, which takes set-group-ID away


def _numbers(owner: Owner) -> tuple[int, int]:
    try:
        user = int(owner.user) if owner.user.isdecimal() else pwd.getpwnam(owner.user).pw_uid
        group = int(owner.group) if owner.group.isdecimal() else grp.getgrnam(owner.group).gr_gid
    except KeyError:
        raise Refused(
            f"{owner.user}:{owner.group}: this machine does not know them, and a file of the backup is theirs; install"
            " the package tablectl first, which makes them"
        ) from None
    return user, group
