"""A file that cannot be read or made, in words: what happened, and what would be right. The system's own words say
neither whose fault it is nor what to do."""

from __future__ import annotations

import errno
from collections.abc import Mapping
from typing import Final

from tablectl.core.validation import sentence

_AS_WHO: Final = sentence("the same as root, or as the user to whom it belongs")
_HAPPENED: Final[Mapping[int, str]] = {
    errno.ENOENT: sentence("no such file"),
    errno.ENOTDIR: sentence("a file where its path has a folder"),
    errno.EISDIR: sentence("a folder"),
    errno.EACCES: sentence("something that this user may not use"),
    errno.EPERM: sentence("something that this user may not use"),
    errno.EROFS: sentence("a disk that takes no writes"),
    errno.ENOSPC: sentence("a full disk"),
    errno.EIO: sentence("a disk that does not read"),
    errno.ENAMETOOLONG: sentence("a name that is too long"),
    errno.ECONNREFUSED: sentence("nobody who answers"),
    errno.EADDRINUSE: sentence("somebody who listens there already"),
    errno.EADDRNOTAVAIL: sentence("no such address of this machine"),
}
_RIGHT: Final[Mapping[int, str]] = {
    errno.EACCES: _AS_WHO,
    errno.EPERM: _AS_WHO,
    errno.EROFS: sentence("a disk that takes writes (made read-only after an error? journalctl -k)"),
    errno.ENOSPC: sentence("room on that disk"),
    errno.EIO: sentence("another disk (journalctl -k says what is wrong with this one)"),
}


def happened(wrong: OSError) -> str:
    """What was found there, without the path: as a mistake has it (`Mistake.found`)."""
    return _HAPPENED.get(wrong.errno or 0, wrong.strerror or str(wrong))


def remedy(wrong: OSError, what: str) -> str:
    """What would be right: `what` there should be, or who may have it."""
    return _RIGHT.get(wrong.errno or 0, what)


def told(wrong: OSError, what: str, path: object = None) -> str:
    """Both, with the path: the one that is given, or that of the error."""
    where = wrong.filename if path is None else path
    return f"{where}: found {happened(wrong)}; would be right: {remedy(wrong, what)}"
