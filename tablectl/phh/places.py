"""In which line of a file an action stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_BEGINS: Final = re.compile(r"""\s*["']?actions["']?\s*=""")
#: A text in quotation marks, or a commentary up to the end of its line.
_TEXT: Final = re.compile(r""""(?:[^"\\]|\\.)*"|'[^']*'|(#.*)""")


def line_of_action(lines: Sequence[str], begins: int, at: int) -> int:
    """The line of the `at`-th action, from 1, of the hand that begins in line `begins` of a file; where it is not to be
    found, `begins`."""
    found = 0
    within = False
    for number, line in enumerate(lines[begins - 1 :], start=begins):
        start = _BEGINS.match(line)
        within = within or start is not None
        if not within:
            continue
        for text in _TEXT.finditer(line, start.end() if start is not None else 0):
            found += text[1] is None
            if found == at:
                return number
    return begins
