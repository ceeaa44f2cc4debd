"""Who may enter something at the door, and who may only look: by the user of the process, which the kernel knows."""

from __future__ import annotations

import os
import pwd
import socket
import struct
from collections.abc import Iterable

#: `struct ucred` of unix(7): process, user and group of the other end.
_UCRED = struct.Struct("3i")


class Speakers:
    """The controller's own user and root; besides these, users by their names (`control.speakers`)."""

    def __init__(self, names: Iterable[str] = ()) -> None:
        self._users = {0, os.geteuid()}
        #: names that this machine does not know
        self.unknown: tuple[str, ...] = ()
        for name in names:
            try:
                self._users.add(pwd.getpwnam(name).pw_uid)
            except KeyError:
                self.unknown = (*self.unknown, name)

    def may_speak(self, connection: socket.socket) -> bool:
        """Whether whoever is at the other end may enter something; nobody of whom the kernel does not say who it is."""
        try:
            told = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, _UCRED.size)
        except OSError:
            return False
        _, user, _ = _UCRED.unpack(told)
        return user in self._users
