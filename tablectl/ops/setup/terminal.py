"""A terminal, line by line: as the kernel edits lines, on a screen and on a serial console alike."""

from __future__ import annotations

import os
import select
import sys
from typing import Final

#: How often it is looked whether somebody pressed Ctrl-C just when nobody was waiting for it yet, in seconds.
LOOK_S: Final = 0.2
#: The longest line that the kernel edits, in bytes (termios(3), canonical mode).
_LINE_BYTES: Final = 4096


class Terminal:
    """Standard input and output, which are one. `input` would miss a Ctrl-C between its prompt and its reading."""

    def say(self, text: str) -> None:
        """See `Console`."""
        if text:
            sys.stdout.write(f"{text}\n")
            sys.stdout.flush()

    def ask(self, prompt: str) -> str:
        """See `Console`."""
        sys.stdout.write(prompt)
        sys.stdout.flush()
        here = sys.stdin.fileno()
        while not select.select([here], [], [], LOOK_S)[0]:
            continue
        line = os.read(here, _LINE_BYTES)
        if not line:
            raise EOFError
        return line.decode(errors="replace").rstrip("\n")
