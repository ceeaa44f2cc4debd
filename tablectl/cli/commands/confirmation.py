"""What a command with an amount asks before it takes effect, of somebody who sits at a terminal."""

from __future__ import annotations

import sys
from typing import Final

_YES: Final = ("y", "yes")


def is_confirmed(what: str) -> bool:
    """Whether it is to be done: repeated with its currency, and asked. A script, which has no terminal, is not asked:
    it means what it says."""
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return True
    sys.stderr.write(f"{what}: right? [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in _YES:
        return True
    sys.stderr.write("nothing was entered\n")
    return False
