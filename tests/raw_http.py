"""The other end of a connection to a server, as somebody has it who is no browser."""

from __future__ import annotations

import socket
import ssl

from tablectl.ops.bounded_http import HEAD_BYTES_MOST

#: One header of a head that goes on and on.
LINE = b"X-A: " + 1000 * b"a" + b"\r\n"


def answer_of(end: socket.socket) -> bytes:
    """The beginning of what came back; empty where the connection was ended."""
    try:
        return end.recv(12)
    except (ConnectionResetError, ssl.SSLEOFError):
        return b""


def is_refused_without_end(end: socket.socket, head: bytes) -> bool:
    """Whether a request whose head begins so and has twice as many bytes as one may have is refused."""
    try:
        end.sendall(head + 2 * HEAD_BYTES_MOST // len(LINE) * LINE)
    except OSError:
        return True
    return answer_of(end) in (b"HTTP/1.1 400", b"")
