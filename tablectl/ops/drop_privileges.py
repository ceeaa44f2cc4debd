"""Root works in no folder that belongs to somebody else: where it has to, it does so as that user.

A service that somebody broke into owns its folder: it can put a link, or another file, in the place of whatever root is
about to read, make or give away there. With the user's own rights that leads nowhere that the user could not go.
"""

from __future__ import annotations

import os
import pwd
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

ROOT: Final = 0


@contextmanager
def running_as_owner_of(place: Path) -> Iterator[None]:
    """Meanwhile root is the first other user to whom a folder on the way to this file belongs, with all groups of that
    user; nobody else changes. The whole process does, so for programs of one thread. May stand in one another.

    Only the rights of files change (effective numbers): the other user can neither stop this process nor look into it.
    """
    other_owner = _strange_folder(place) if os.getuid() == ROOT else None
    if other_owner is None:
        yield
        return
    before = os.geteuid(), os.getegid(), os.getgroups()
    try:
        # The folder's group first, which is that of new files: its readers are to read them.
        _become(other_owner.st_uid, other_owner.st_gid, _groups(other_owner))
        yield
    finally:
        _become(*before)


def _become(user: int, group: int, groups: list[int]) -> None:
    os.seteuid(ROOT)
    os.setegid(group)
    os.setgroups(groups)
    os.seteuid(user)


def _strange_folder(place: Path) -> os.stat_result | None:
    """The first folder on the way there in which another user than root can exchange something."""
    for folder in reversed(place.absolute().parents):
        try:
            found = folder.stat()
        except OSError:
            return None  # not there yet: it will be made, in a folder of root's
        if found.st_uid != ROOT:
            return found
    return None


def _groups(folder: os.stat_result) -> list[int]:
    """Of its owner; where the number has no name on this machine, the folder's and no other."""
    try:
        known = pwd.getpwuid(folder.st_uid)
    except KeyError:
        return [folder.st_gid]
    return os.getgrouplist(known.pw_name, known.pw_gid)
