"""In place of the controller's API: speaks the documented lines on croupiers, rulings and accesses, and keeps them."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

UNKNOWN: Final = {"ok": False, "error": "'croupier' is not one of acknowledge, act, asks"}


class ApiStub:
    """Answers each line; `greeting` and `records` are what whoever follows is told first. Use as a context."""

    def __init__(self, path: Path, greeting: Mapping[str, Any], records: list[Mapping[str, Any]]) -> None:
        self._greeting = greeting
        self._records = records
        #: the answer to every entry
        self.answer: Mapping[str, Any] = {"ok": True, "seq": 1, "refused": None}
        self.entered: list[Mapping[str, Any]] = []
        self.accesses: list[Mapping[str, Any]] = []
        self._changed = threading.Condition()
        self._closing = False
        api = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                for line in self.rfile:
                    asked = json.loads(line)
                    if "follow" in asked:
                        api.tell_all(self)
                        return
                    self.wfile.write(json.dumps(api.reply(asked)).encode() + b"\n")

        self._server = socketserver.ThreadingUnixStreamServer(str(path), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=lambda: self._server.serve_forever(0.01), daemon=True)

    def tell_all(self, to: socketserver.StreamRequestHandler) -> None:
        """The greeting, the records, and those that come later, until the end."""
        to.wfile.write(json.dumps(self._greeting).encode() + b"\n")
        told = 0
        while not self._closing:
            for record in self._after(told):
                to.wfile.write(json.dumps(record).encode() + b"\n")
                told += 1

    def _after(self, told: int) -> list[Mapping[str, Any]]:
        """Those that come after so many; none where there are none for a while."""
        with self._changed:
            self._changed.wait_for(lambda: self._closing or len(self._records) > told, 5)
            return self._records[told:]

    def reply(self, asked: Mapping[str, Any]) -> Mapping[str, Any]:
        """To one line."""
        with self._changed:
            if "access" in asked:
                self.accesses.append(asked["access"])
                self._changed.notify_all()
                return {"ok": True, "seq": 1000 + len(self.accesses)}
            if asked in ({"ask": "devices"}, {"ask": "choices"}):
                return self.answer  # pages look at the disks, too, and at what each choice would do
            self.entered.append(asked)
            self._changed.notify_all()
            return self.answer

    def record(self, record: Mapping[str, Any]) -> None:
        """One more for those who follow."""
        with self._changed:
            self._records.append(record)
            self._changed.notify_all()

    def until_entered(self, line: str) -> None:
        """Wait until this was entered."""
        with self._changed:
            assert self._changed.wait_for(lambda: line in [entry["enter"] for entry in self.entered], 10), self.entered

    def until_told(self, what: str) -> Mapping[str, Any]:
        """Wait until something of this kind was told; the last one."""
        with self._changed:
            found = self._changed.wait_for(lambda: [access for access in self.accesses if access["what"] == what], 10)
        assert found, f"{what} is not told"
        last: Mapping[str, Any] = found[-1]
        return last

    def __enter__(self) -> ApiStub:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._closing = True
            self._changed.notify_all()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(10)
