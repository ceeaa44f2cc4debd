"""What stands at the other end: a web server and a mail server on loopback, which keep what they are given."""

from __future__ import annotations

import json
import socketserver
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

WITHIN_S = 20.0


@dataclass(frozen=True, kw_only=True)
class Posted:
    """One request: its path, its header with the id, and the JSON or text in it."""

    path: str
    id: str
    said: dict[str, Any] = field(default_factory=dict)
    text: str = ""
    headers: dict[str, str] = field(default_factory=dict)


class WebReceiver:
    """Takes what is posted. `answer` says with which status; it may wait, or do worse. Use as a context."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self.got: list[Posted] = []
        self.answer: Callable[[Posted], int] = lambda _posted: 200
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                text = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                is_json = self.headers.get("Content-Type", "").startswith("application/json")
                posted = Posted(
                    path=self.path,
                    id=self.headers.get("Idempotency-Key", ""),
                    said=json.loads(text) if is_json else {},
                    text=text,
                    headers=dict(self.headers.items()),
                )
                status = receiver.answer(posted)
                receiver.keep(posted)
                self.send_response(status)
                self.send_header("Content-Length", "2")
                if 300 <= status < 400:
                    self.send_header("Location", "/elsewhere")
                self.end_headers()
                self.wfile.write(b"{}")

            def log_message(self, format: str, *args: object) -> None:
                """Nobody reads it."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def keep(self, posted: Posted) -> None:
        with self._changed:
            self.got.append(posted)
            self._changed.notify_all()

    def url(self, path: str = "hook") -> str:
        return f"json://127.0.0.1:{self.port}/{path}"

    def until(self, number: int, path: str = "/hook") -> list[Posted]:
        """The first so many of a path, when they are there."""
        with self._changed:
            is_there = self._changed.wait_for(lambda: len(self.of(path)) >= number, WITHIN_S)
            assert is_there, f"{len(self.of(path))} of {number}"
            return self.of(path)[:number]

    def of(self, path: str = "/hook") -> list[Posted]:
        return [posted for posted in self.got if posted.path == path]

    def ids(self, path: str = "/hook") -> list[str]:
        return [posted.id for posted in self.of(path)]


class MailReceiver:
    """As much of RFC 5321 as a client needs to be rid of a mail. Use as a context."""

    def __init__(self) -> None:
        self.got: list[Message] = []
        receiver = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self._say(220, "sink")
                while line := self.rfile.readline():
                    match line[:4].upper().strip():
                        case b"EHLO" | b"HELO":
                            self._say(250, "sink")
                        case b"DATA":
                            self._say(354, "go on")
                            receiver.got.append(self._mail())
                            self._say(250, "taken")
                        case b"QUIT":
                            self._say(221, "bye")
                            return
                        case _:
                            self._say(250, "good")

            def _mail(self) -> Message:
                lines = []
                while (line := self.rfile.readline()) != b".\r\n":
                    lines.append(line.removeprefix(b".") if line.startswith(b"..") else line)
                return message_from_bytes(b"".join(lines))

            def _say(self, code: int, text: str) -> None:
                self.wfile.write(f"{code} {text}\r\n".encode())

        self._server = socketserver.ThreadingTCPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self.port = int(self._server.server_address[1])
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    def url(self) -> str:
        return f"mailto://127.0.0.1:{self.port}?from=mesa1@example.com&to=pit@example.com&mode=insecure"
