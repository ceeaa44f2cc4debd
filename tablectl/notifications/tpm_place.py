"""Heads in the TPM of the table's own PC: whoever has the disk puts an older journal in place, and not an older TPM.

Each head is a line of a file, and the TPM is extended with it: what the TPM holds is then the fold of all lines. A file
that was shortened, put back or taken away no longer fits, whoever did it, root too. The newest head lies in the TPM
as it is as well, and is shown to the controller where the file does not know it: then it is on record what is missing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from tablectl.core.os_error_text import happened
from tablectl.core.timestamps import time_text
from tablectl.journal.known_heads import KnownHeads
from tablectl.journal.signed_head import SignedHead, heads_in
from tablectl.notifications.appending import NotKept, append_line
from tablectl.notifications.tpm import NOTHING, Tpm, TpmTrouble, TpmWhy, fold_of

#: Each head is written twice into a memory that wears out, so not more often than this, in seconds.
EVERY_S: Final = 3600
#: A TPM that could not be looked at is looked at again after this.
_AGAIN_S: Final = 60.0


class TpmPlace:
    """The TPM, with the file of its heads: see the module."""

    every_s = EVERY_S

    def __init__(
        self, tpm: Tpm, path: Path, table: str, heads: KnownHeads, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """`heads`: there the controller is asked about what the TPM knows."""
        self._tpm = tpm
        self._path = path
        self._table = table
        self._heads = heads
        self._clock = clock
        self._is_known = False
        self._why = ""
        self._next_s = 0.0

    @property
    def name(self) -> str:
        """As the setting."""
        return "tpm"

    def keep(self, head: SignedHead, at_us: int) -> None:
        """A line, then the TPM. After a power cut between both the TPM is extended with the line that it lacks. Raises
        `NotKept`, and writes nothing, where file and TPM do not fit."""
        try:
            lines = self._compared()
            if not lines or lines[-1] != head:
                append_line(self._path, f"{time_text(at_us)} {self._table}: {head.line}")
                self._tpm.extend(head)
            self._tpm.write(head)
        except TpmTrouble as wrong:
            raise NotKept(str(wrong)) from None

    def trouble(self) -> str:
        """Looks once after a start, before anything new is kept; again where nothing could be said."""
        if not self._is_known and self._clock() >= self._next_s:
            try:
                self._compared()
            except (NotKept, TpmTrouble) as wrong:
                self._why = str(wrong)
            self._next_s = self._clock() + _AGAIN_S
        return "" if self._is_known else self._why

    def _compared(self) -> Sequence[SignedHead]:
        """The lines of the file, all of which the TPM has. Raises `NotKept` where it has others; `TpmTrouble`."""
        self._is_known = False
        lines = self._lines()
        try:
            found, newest = self._tpm.fold(), self._tpm.newest()
        except TpmTrouble as wrong:
            if wrong.why is TpmWhy.NOT_DEFINED and lines:
                raise NotKept(
                    f"{wrong}, and had one with {_so_many(lines)}: it was cleared, or is another TPM"
                ) from None
            raise
        self._heads.show(_not_vouched_for(lines if newest is None else (*lines, newest)))
        folds = [NOTHING]
        for head in lines:
            folds.append(fold_of(folds[-1], head))
        if found != folds[-1]:
            if not lines or found != folds[-2]:
                raise NotKept(self._unlike(lines, found, newest))
            self._tpm.extend(lines[-1])
        self._is_known, self._why = True, ""
        return lines

    def _unlike(self, lines: Sequence[SignedHead], found: bytes, newest: SignedHead | None) -> str:
        if found == NOTHING:
            return f"the TPM's index is new, and {self._path} has {_so_many(lines)}: it was defined anew"
        last = "" if newest is None else f"; the newest that it names is record {newest.seq}"
        return f"the TPM has seen other heads than {self._path} has{last}: the file was changed, or put back"

    def _lines(self) -> Sequence[SignedHead]:
        try:
            return tuple(heads_in(self._path.read_text(encoding="utf-8", errors="replace")))
        except FileNotFoundError:
            return ()
        except OSError as wrong:
            raise NotKept(f"{self._path}: {happened(wrong)}") from None


def _so_many(lines: Sequence[SignedHead]) -> str:
    return f"{len(lines)} head{'s' * (len(lines) != 1)}"


def _not_vouched_for(lines: Sequence[SignedHead]) -> tuple[SignedHead, ...]:
    """Those that no later one vouches for, the newest first: more than one after a journal was put back."""
    found: list[SignedHead] = []
    for head in reversed(lines):
        if head not in found and (not found or head.seq > found[-1].seq) and head.is_good:
            found.append(head)
    return tuple(found)
