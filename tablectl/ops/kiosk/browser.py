"""Chromium without anything around its page, and a pipe by which the process that started it tells it what to show.

The pipe (`--remote-debugging-pipe`) is the browser's remote control over two file descriptors that nobody else has: it
reads at 3 and writes at 4, JSON objects that end with a zero byte
(https://chromedevtools.github.io/devtools-protocol/). No port is opened. What a person may do in the browser is said
by the policy that the package installs (debian/etc/tablectl-kiosk.json).
"""

from __future__ import annotations

import fcntl
import os
import selectors
import signal
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, Protocol

import msgspec

from tablectl.ops.kiosk.place import Place

#: The program itself: Debian's script before it adds flags and extensions that whoever comes along may leave there.
CHROMIUM: Final = Path("/usr/lib/chromium/chromium")
FLAGS: Final = (
    "--kiosk",
    "--remote-debugging-pipe",
    "--ozone-platform=wayland",
    # Memory that is written and run is for nobody in the unit (MemoryDenyWriteExecute): scripts are interpreted, pages
    # are painted without the graphics card.
    "--js-flags=--jitless",
    "--disable-gpu",
    "--touch-events=enabled",
    "--disable-pinch",
    "--overscroll-history-navigation=0",
    "--no-first-run",
    "--no-default-browser-check",
    "--disable-session-crashed-bubble",
    "--hide-crash-restore-bubble",
    "--noerrdialogs",
    "--disable-breakpad",
    "--disable-crash-reporter",
    "--disable-infobars",
    "--disable-extensions",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-features=Translate,MediaRouter,OptimizationHints",
    "--password-store=basic",
    "--use-mock-keychain",
    "--disk-cache-size=16777216",
)
_HEARS, _SPEAKS = 3, 4
_READ_BYTES: Final = 1 << 16

Message = dict[str, Any]


class BrowserEnded(Exception):
    """It is gone, or does not listen any more."""


class Remote(Protocol):
    """The browser at the other end."""

    def tell(self, method: str, params: Mapping[str, object] | None = None, *, session: str | None = None) -> None:
        """A command; `session`: to a page, otherwise to the browser. Raises `BrowserEnded`."""

    def heard(self, wait_s: float) -> list[Message]:
        """What it said, after at most so long. Raises `BrowserEnded`."""


def command(place: Place, profile: Path, *, scale: float = 1.0, more: tuple[str, ...] = ()) -> list[str]:
    """The command line. `scale`: how much larger than one pixel to a pixel. Raises `NotShown`."""
    words = [
        str(CHROMIUM),
        *FLAGS,
        f"--user-data-dir={profile}",
        f"--force-device-scale-factor={scale:g}",
        f"--accept-lang={','.join(place.languages)}",
        *more,
    ]
    if (pin := place.pin()) is not None:
        words.append(f"--ignore-certificate-errors-spki-list={pin}")
    return [*words, "about:blank"]


class Browser:
    """A browser that runs, and its remote control."""

    def __init__(self, words: list[str]) -> None:
        """Raises `OSError` where it cannot be started."""
        # Above those numbers that the browser gets, so that none is in the way of another.
        commands, self._out = map(_high, os.pipe())
        self._in, answers = map(_high, os.pipe())
        ours = ((os.POSIX_SPAWN_DUP2, commands, _HEARS), (os.POSIX_SPAWN_DUP2, answers, _SPEAKS))
        try:
            # What Python ignores for itself, a browser does not.
            self.pid = os.posix_spawn(words[0], words, os.environ, file_actions=ours, setsigdef=(signal.SIGPIPE,))
        finally:
            os.close(commands)
            os.close(answers)
        os.set_blocking(self._in, False)
        self._waiting = selectors.DefaultSelector()
        self._waiting.register(self._in, selectors.EVENT_READ)
        self._rest = b""
        self._number = 0

    def tell(self, method: str, params: Mapping[str, object] | None = None, *, session: str | None = None) -> None:
        """A command; `session`: to a page, otherwise to the browser. Raises `BrowserEnded`."""
        self._number += 1
        said: Message = {"id": self._number, "method": method, "params": dict(params or {})}
        if session is not None:
            said["sessionId"] = session
        rest = msgspec.json.encode(said) + b"\0"
        try:
            while rest:
                rest = rest[os.write(self._out, rest) :]
        except BrokenPipeError:
            raise BrowserEnded from None

    def heard(self, wait_s: float) -> list[Message]:
        """What it said, after at most so long. Raises `BrowserEnded`."""
        if not self._waiting.select(wait_s):
            return []
        new = os.read(self._in, _READ_BYTES)
        if not new:
            raise BrowserEnded
        *whole, self._rest = (self._rest + new).split(b"\0")
        return [msgspec.json.decode(data, type=Message) for data in whole]

    def end(self) -> int:
        """It ends where nobody listens; its exit status."""
        os.close(self._out)
        os.close(self._in)
        self._waiting.close()
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])


def _high(number: int) -> int:
    higher = fcntl.fcntl(number, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(number)
    return higher
