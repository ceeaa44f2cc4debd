"""A TPM 2.0 that is not ours, as a process: swtpm, with its memory in a folder."""

from __future__ import annotations

import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import pytest

from simulators import processes
from tablectl.config.sections import TPM_INDEX
from tests.waiting import until

#: How tpm2-tools reach it is a library that they load.
IS_HERE: Final = (
    None not in (shutil.which("swtpm"), shutil.which("tpm2_nvdefine"))
    and next(Path("/usr/lib").glob("*/libtss2-tcti-swtpm.so.*"), None) is not None
)
needs_swtpm = pytest.mark.skipif(not IS_HERE, reason="no TPM here (packages swtpm, tpm2-tools, libtss2-tcti-swtpm0)")
FOLD: Final = f"{TPM_INDEX:#010x}"
NEWEST: Final = f"{TPM_INDEX + 1:#010x}"
RIGHTS: Final = "authread|authwrite|no_da"


class SoftTpm:
    """Switched on when it is made."""

    def __init__(self, folder: Path) -> None:
        self._memory = folder / "memory"
        self._memory.mkdir(parents=True)
        self._socket = folder / "tpm"
        self._process: subprocess.Popen[bytes] | None = None
        self.switch_on()

    @property
    def tcti(self) -> str:
        return f"swtpm:path={self._socket}"

    def switch_on(self) -> None:
        self._process = processes.start(
            [
                *("swtpm", "socket", "--tpm2", "--tpmstate", f"dir={self._memory}"),
                *("--server", f"type=unixio,path={self._socket}"),
                *("--ctrl", f"type=unixio,path={self._socket}.ctrl", "--flags", "not-need-init,startup-clear"),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        until(lambda: self._asked("getcap", "properties-fixed").returncode == 0)

    def lose_power(self) -> None:
        """Without a word to it before."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    @contextmanager
    def silent(self) -> Iterator[None]:
        """It takes what is asked, and does not answer."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def do(self, what: str, *words: str, said: bytes = b"") -> bytes:
        """What somebody does at a terminal."""
        done = self._asked(what, *words, said=said)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def define(self) -> None:
        """As docs/journal.md says it."""
        self.do("nvdefine", "-C", "o", "-g", "sha256", "-a", f"{RIGHTS}|nt=extend", FOLD)
        self.do("nvdefine", "-C", "o", "-s", "136", "-a", RIGHTS, NEWEST)

    def end(self) -> None:
        if self._process is not None:
            self.lose_power()

    def _asked(self, what: str, *words: str, said: bytes = b"") -> subprocess.CompletedProcess[bytes]:
        environment = {"PATH": "/usr/bin:/bin", "TPM2TOOLS_TCTI": self.tcti}
        return processes.run(
            [f"tpm2_{what}", *words], check=False, input=said, capture_output=True, env=environment, timeout=100
        )
