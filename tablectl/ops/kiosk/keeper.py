"""What the croupier's screen shows: the croupier's page while the screens answer, and otherwise that they do not.

The browser is told by its remote control (`browser.Remote`), and stays the same one all the time: whoever is signed on
stays so when the screens were away. Whether they answer is asked every second, by a connection. A page that goes wrong
(the browser's own error page, a page that crashed) is replaced at once.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from enum import Enum, auto
from importlib.resources import files
from pathlib import Path
from typing import Final

from tablectl.ops.kiosk.browser import Message, Remote
from tablectl.ops.kiosk.place import Place

LOOK_S: Final = 1.0
#: So often without an answer, one after the other, until the page is replaced: it says itself that it hears nothing,
#: and screens that are started again are back by then.
PATIENCE: Final = 5
#: Runs in every document before its own scripts.
_GUARD: Final = "guard.js"
_BLANK: Final = "about:blank"


class Shown(Enum):
    """What the browser has been told to show. `NOTHING`: an empty page, on its way to one of the others."""

    NOTHING = auto()
    WAITING = auto()
    CROUPIER = auto()


class Keeper:
    """Keeps one page of the browser. `waiting`: the HTML of the page of its own. `is_listening`: whether somebody
    answers at a Unix socket, within so many seconds."""

    def __init__(
        self, place: Place, remote: Remote, waiting: str, *, is_listening: Callable[[Path, float], bool]
    ) -> None:
        self._place = place
        self._is_listening = is_listening
        self._remote = remote
        self._waiting = waiting
        self._target: str | None = None  # the one page,
        self._page: str | None = None  # the session in which it is spoken to,
        self._frame = ""  # and its frame
        self._shown = Shown.NOTHING
        self._unanswered = 0

    def begin(self) -> None:
        """From now on the browser says which pages there are. Raises `BrowserEnded`."""
        self._remote.tell("Target.setDiscoverTargets", {"discover": True})

    def keep(self) -> None:
        """For ever. Raises `BrowserEnded`."""
        self.begin()
        due_s = time.monotonic()
        while True:
            self.listen(max(0.0, due_s - time.monotonic()))
            if time.monotonic() >= due_s:
                self.look()
                due_s = time.monotonic() + LOOK_S

    def listen(self, wait_s: float) -> None:
        """What the browser says, after at most so long. Raises `BrowserEnded`."""
        for message in self._remote.heard(wait_s):
            self._take(message)

    def look(self) -> None:
        """Whether the screens answer, and what follows. Raises `BrowserEnded`."""
        if self._page is None or not self._frame:
            return
        if self._answers():
            self._unanswered = 0
            if self._shown is not Shown.CROUPIER:
                self._show_croupier()
            return
        self._unanswered += 1
        if self._shown is Shown.NOTHING or (self._shown is Shown.CROUPIER and self._unanswered >= PATIENCE):
            self._show_waiting()

    def _answers(self) -> bool:
        """Whether the screens listen: at the socket, where there is one, for the relay at the port always does."""
        if self._place.through is not None:
            return self._is_listening(self._place.through, LOOK_S)
        try:
            with socket.create_connection((self._place.host, self._place.port), timeout=LOOK_S):
                return True
        except OSError:
            return False

    # -- what the browser says ---------------------------------------------------------------------------------------

    def _take(self, message: Message) -> None:
        params = message.get("params", {})
        match message.get("method"):
            case "Target.targetCreated" if params["targetInfo"]["type"] == "page":
                self._created(params["targetInfo"]["targetId"])
            case "Target.attachedToTarget" if params["targetInfo"]["targetId"] == self._target:
                self._attached(params["sessionId"])
            case "Page.frameNavigated" if message["sessionId"] == self._page and "parentId" not in params["frame"]:
                self._navigated(params["frame"])
            case "Inspector.targetCrashed" if message["sessionId"] == self._page:
                self._shown = Shown.NOTHING
                self._go(_BLANK)
            case None if "frameTree" in message.get("result", {}):
                self._frame = message["result"]["frameTree"]["frame"]["id"]

    def _created(self, target: str) -> None:
        if self._target is not None:  # a second window or tab, which nobody would find the way back from
            self._remote.tell("Target.closeTarget", {"targetId": target})
            return
        self._target = target
        self._remote.tell("Target.attachToTarget", {"targetId": target, "flatten": True})

    def _attached(self, session: str) -> None:
        self._page = session
        for method in ("Page.enable", "Inspector.enable", "Page.getFrameTree"):
            self._remote.tell(method, session=session)
        guard = files("tablectl.ops.kiosk").joinpath(_GUARD).read_text(encoding="utf-8")
        self._remote.tell("Page.addScriptToEvaluateOnNewDocument", {"source": guard}, session=session)

    def _navigated(self, frame: Message) -> None:
        self._frame = frame["id"]
        is_ours = frame["url"] == _BLANK or frame["url"].startswith(self._place.origin)
        if "unreachableUrl" in frame or not is_ours:
            self._shown = Shown.NOTHING
            self._go(_BLANK)
        elif frame["url"] == _BLANK and self._shown is not Shown.NOTHING:
            self._shown = Shown.NOTHING  # loaded anew, which empties it

    # -- what it is told ---------------------------------------------------------------------------------------------

    def _show_croupier(self) -> None:
        self._shown = Shown.CROUPIER
        self._go(self._place.url)

    def _show_waiting(self) -> None:
        if self._shown is Shown.CROUPIER:
            self._shown = Shown.NOTHING
            self._go(_BLANK)
            return
        self._shown = Shown.WAITING
        self._remote.tell(
            "Page.setDocumentContent", {"frameId": self._frame, "html": self._waiting}, session=self._page
        )

    def _go(self, url: str) -> None:
        self._remote.tell("Page.navigate", {"url": url}, session=self._page)
