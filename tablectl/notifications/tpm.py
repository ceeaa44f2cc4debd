"""The TPM 2.0 of this machine, through the programs of tpm2-tools: the only module that starts them.

Two places in its memory belong to a table. One can only be extended: what it holds is the hash of what it held, and of
what came. The other, after it, holds one head as it is. Nothing here waits for a TPM longer than it may take.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import subprocess
from enum import StrEnum
from typing import Final

from tablectl.config.witness import TpmSettings
from tablectl.core.os_error_text import happened
from tablectl.journal.signed_head import SignedHead
from tablectl.journal.signing import PUBLIC_BYTES, SIGNATURE_BYTES

#: How long one program may take, in seconds; a TPM takes a tenth of one.
ANSWER_S = 10.0
#: How long one that was killed may need to end: one that the kernel holds does not end at all.
_END_S: Final = 1.0
_SEQ_BYTES: Final = 8
_HASH_BYTES: Final = hashlib.sha256().digest_size
HEAD_BYTES: Final = _SEQ_BYTES + _HASH_BYTES + SIGNATURE_BYTES + PUBLIC_BYTES
#: What a place holds to which nothing came yet.
NOTHING: Final = bytes(_HASH_BYTES)

_VALUE: Final = re.compile(r"attributes:.*?\bvalue: 0x([0-9a-fA-F]+)", re.DOTALL)
_SIZE: Final = re.compile(r"^\s*size: (\d+)", re.MULTILINE)
#: Of the attributes (TPM 2.0 Library, part 2, TPMA_NV): which kind a place is of, and whether something came to it.
_KIND_SHIFT: Final = 4
_KIND_MASK: Final = 0xF
_ORDINARY: Final = 0
_EXTEND: Final = 4
_WRITTEN: Final = 1 << 29
_IS_SET: Final = re.compile(r"^\s*(\w+AuthSet):\s*1\s*$", re.MULTILINE)
#: Whoever has these passwords can take places away, and clear all of it.
_PASSWORDS: Final = frozenset({"ownerAuthSet", "lockoutAuthSet"})
#: Which of the library's modules complains is nobody's business.
_MODULE: Final = re.compile(r"^ERROR:(?: |.*?\(\) )")


class TpmWhy(StrEnum):
    """Why a TPM does not do what is asked."""

    #: the programs are not installed
    TOOLS = "tools"
    #: there is no TPM, or this user may not use it
    AWAY = "away"
    #: it does not answer in time
    SILENT = "silent"
    #: it has not the two places, or others under their numbers
    NOT_DEFINED = "not-defined"


class TpmTrouble(Exception):
    """A TPM does not do what is asked. The text says what happened, for the technician."""

    def __init__(self, why: TpmWhy, text: str) -> None:
        super().__init__(text)
        self.why = why


class Tpm:
    """The two places of one table. Each method raises `TpmTrouble`."""

    def __init__(self, settings: TpmSettings) -> None:
        self._settings = settings
        self._stuck: subprocess.Popen[bytes] | None = None

    def check(self) -> None:
        """Whether both places are there, and are what they have to be."""
        self._is_written(self._fold, _EXTEND, _HASH_BYTES)
        self._is_written(self._newest, _ORDINARY, HEAD_BYTES)

    def is_locked(self) -> bool:
        """Whether nobody can take the places away, or clear the TPM, who has not its passwords; those of the firmware
        apart."""
        said = self._run("getcap", "properties-variable").decode(errors="replace")
        return set(_IS_SET.findall(said)) >= _PASSWORDS

    def fold(self) -> bytes:
        """What came of everything that the first place was extended with."""
        is_written = self._is_written(self._fold, _EXTEND, _HASH_BYTES)
        return self._read(self._fold, _HASH_BYTES) if is_written else NOTHING

    def extend(self, head: SignedHead) -> None:
        """Extend it."""
        self._run("nvextend", "-C", self._fold, "-i", "-", self._fold, said=_extension(head))

    def newest(self) -> SignedHead | None:
        """The head of the second place; None where none came to it, or it holds none that its key signed."""
        if not self._is_written(self._newest, _ORDINARY, HEAD_BYTES):
            return None
        read = self._read(self._newest, HEAD_BYTES)
        at = (_SEQ_BYTES, _SEQ_BYTES + _HASH_BYTES, _SEQ_BYTES + _HASH_BYTES + SIGNATURE_BYTES)
        head = SignedHead(
            seq=int.from_bytes(read[: at[0]]),
            hash=read[at[0] : at[1]].hex(),
            signature=read[at[1] : at[2]].hex(),
            key=read[at[2] :].hex(),
        )
        return head if head.is_good else None

    def write(self, head: SignedHead) -> None:
        """The second place holds it."""
        said = head.seq.to_bytes(_SEQ_BYTES) + bytes.fromhex(head.hash + head.signature + head.key)
        self._run("nvwrite", "-C", self._newest, "-i", "-", self._newest, said=said)

    @property
    def _fold(self) -> str:
        return f"{self._settings.index:#010x}"

    @property
    def _newest(self) -> str:
        return f"{self._settings.index + 1:#010x}"

    def _is_written(self, place: str, kind: int, size: int) -> bool:
        # Asked about a place that is not there, tpm2_nvreadpublic of Debian 12 crashes.
        if place not in (f"{int(word, 16):#010x}" for word in self._places()):
            raise TpmTrouble(TpmWhy.NOT_DEFINED, f"the TPM has no index {place}")
        said = self._run("nvreadpublic", place).decode(errors="replace")
        value, found = _VALUE.search(said), _SIZE.search(said)
        if value is None or found is None:
            raise TpmTrouble(TpmWhy.AWAY, f"tpm2_nvreadpublic {place}: an answer that is not understood")
        attributes = int(value[1], 16)
        if (attributes >> _KIND_SHIFT) & _KIND_MASK != kind or int(found[1]) != size:
            raise TpmTrouble(TpmWhy.NOT_DEFINED, f"the TPM's index {place} is of another kind or size: it is not ours")
        return bool(attributes & _WRITTEN)

    def _places(self) -> list[str]:
        return re.findall(r"0x[0-9a-fA-F]+", self._run("getcap", "handles-nv-index").decode(errors="replace"))

    def _read(self, place: str, size: int) -> bytes:
        read = self._run("nvread", "-C", place, "-s", str(size), place)
        if len(read) != size:
            raise TpmTrouble(TpmWhy.AWAY, f"tpm2_nvread {place}: {len(read)} bytes, and not {size}")
        return read

    def _run(self, what: str, *words: str, said: bytes = b"") -> bytes:
        """One program. One that does not end is killed, and not waited for: what the kernel holds ends with it alone;
        until it has ended no other one is started."""
        program = f"tpm2_{what}"
        if self._stuck is not None and self._stuck.poll() is None:
            raise TpmTrouble(TpmWhy.SILENT, "the TPM does not answer: a program that asked it cannot be ended")
        # Of the environment of a service nothing else goes there: addresses may stand in it.
        path = os.environ.get("PATH", os.defpath)
        environment = {"PATH": path, "TPM2TOOLS_TCTI": self._settings.tcti, "LC_ALL": "C.UTF-8"}
        pipe = subprocess.PIPE
        try:
            process = subprocess.Popen([program, *words], stdin=pipe, stdout=pipe, stderr=pipe, env=environment)
        except FileNotFoundError:
            raise TpmTrouble(TpmWhy.TOOLS, f"{program} is not installed (package tpm2-tools)") from None
        except OSError as wrong:
            raise TpmTrouble(TpmWhy.TOOLS, f"{program}: {happened(wrong)}") from None
        try:
            out, wrong_out = process.communicate(said, timeout=ANSWER_S)
        except subprocess.TimeoutExpired:
            self._stuck = process
            process.kill()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(_END_S)
            _close(process)
            text = f"the TPM did not answer {program} within {ANSWER_S:g} s"
            raise TpmTrouble(TpmWhy.SILENT, text) from None
        if process.returncode != 0:
            raise TpmTrouble(TpmWhy.AWAY, f"{program}: {_reason(wrong_out) or f'it ended with {process.returncode}'}")
        return out


def fold_of(before: bytes, head: SignedHead) -> bytes:
    """What the first place holds after it was extended with this head."""
    return hashlib.sha256(before + _extension(head)).digest()


def _extension(head: SignedHead) -> bytes:
    """A TPM need not take more than 512 bytes at once: the hash of its line."""
    return hashlib.sha256(head.line.encode()).digest()


def _reason(wrong_out: bytes) -> str:
    lines = wrong_out.decode(errors="replace").splitlines()
    return next((_MODULE.sub("", line).strip() for line in lines if line.startswith("ERROR")), "")


def _close(process: subprocess.Popen[bytes]) -> None:
    for stream in (process.stdin, process.stdout, process.stderr):
        if stream is not None:
            with contextlib.suppress(OSError):
                stream.close()
