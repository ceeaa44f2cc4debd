"""`python -m simulators.fleet.bad_pits HOW PIT.TOML`: what a table may find at the address of its pit server.

`slow` hands everything on to the pit server and back, each part a second late. `lying` has its certificate and its key:
it acknowledges and has lost everything a moment later, says nonsense, hangs up, acknowledges what was never sent.
`refusing` signs with another key, speaks of a fork, and lets nobody in. It prints the address at which it answers.
"""

from __future__ import annotations

import argparse
import asyncio
import http.server
import ssl
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Final, TypeAlias

import msgspec
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from tablectl.core.timestamps import time_text
from tablectl.fleet import batches
from tablectl.fleet.certificates import shown_in
from tablectl.fleet.epochs import Epoch
from tablectl.fleet.heads import Case
from tablectl.fleet.pit.settings import PitSection, load_pit
from tablectl.fleet.said import Acknowledged, Answer, Heard, NotDone, Reached
from tablectl.journal import receipts
from tablectl.journal.clock import now_us
from tablectl.journal.keys import load_signer
from tablectl.journal.receipts import Receipt
from tablectl.journal.signing import Signer
from tablectl.journal.store import BEGINNING, Position

#: How late each part of what is said comes, in each direction.
LATE_S: Final = 1.0
_PART: Final = 65_536


class BadPit(StrEnum):
    """How a pit server is none."""

    SLOW = "slow"
    LYING = "lying"
    REFUSING = "refusing"


def main(words: Sequence[str] | None = None) -> int:
    """Until it is ended."""
    parser = argparse.ArgumentParser(prog="python -m simulators.fleet.bad_pits", description=__doc__)
    parser.add_argument("how", choices=tuple(BadPit), type=BadPit)
    parser.add_argument("pit", metavar="PIT.TOML", type=Path, help="of a pit server on this machine")
    args = parser.parse_args(words)
    settings = load_pit(args.pit)
    if args.how is BadPit.SLOW:
        asyncio.run(_relay(settings.port))
    else:
        _serve(settings, is_refusing=args.how is BadPit.REFUSING)
    return 0


def _say(port: int) -> None:
    print(f"https://127.0.0.1:{port}", flush=True)


# --- slow ---------------------------------------------------------------------------------------------------------


async def _relay(port: int) -> None:
    """To this port of this machine."""

    async def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there_reader, there_writer = await asyncio.open_connection("127.0.0.1", port)
        await asyncio.gather(_late(reader, there_writer), _late(there_reader, writer))

    server = await asyncio.start_server(connected, "127.0.0.1", 0)
    _say(server.sockets[0].getsockname()[1])
    async with server:
        await server.serve_forever()


async def _late(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while part := await reader.read(_PART):
            await asyncio.sleep(LATE_S)
            writer.write(part)
            await writer.drain()
    writer.close()


# --- lying and refusing ---------------------------------------------------------------------------------------------

#: A status, and what is said; None: it hangs up without a word.
Said: TypeAlias = tuple[int, bytes] | None


@dataclass(frozen=True, kw_only=True, slots=True)
class Sent:
    """A batch that a table sent: of which epoch it is, and its last record."""

    table: str
    epoch: str
    last: Position


class Liar:
    """What it says to a table. Used by many threads."""

    def __init__(self, signer: Signer, *, is_refusing: bool) -> None:
        self._signer = signer
        self._other = Signer(Ed25519PrivateKey.generate())
        self._lies = _REFUSALS if is_refusing else _LIES
        self._numbers = count()
        self._lock = threading.Lock()

    def head(self, table: str) -> Said:
        """It has nothing, whatever it acknowledged."""
        receipt = self._receipt(self._signer, Sent(table=table, epoch=str(Epoch()), last=BEGINNING))
        return _said(200, Reached(receipt=receipt))

    def records(self, table: str, body: bytes) -> Said:
        """The truth every other time: then a table goes on at once."""
        with self._lock:
            number = next(self._numbers)
        batch = batches.unpacked(body)
        last = Position(batch.first + len(batch.records) - 1, batch.last)
        sent = Sent(table=table, epoch=batch.epoch, last=last)
        lie = Liar.acknowledged if number % 2 == 0 else self._lies[number // 2 % len(self._lies)]
        return lie(self, sent)

    def acknowledged(self, sent: Sent) -> Said:
        """The truth, as far as it goes."""
        return self._appended(self._signer, sent)

    def signed_by_another(self, sent: Sent) -> Said:
        """Everything right but the key."""
        return self._appended(self._other, sent)

    def not_sent(self, sent: Sent) -> Said:
        """A record far beyond what it was given."""
        return self._appended(self._signer, replace(sent, last=Position(sent.last.seq + 1_000, bytes(32))))

    def another_record(self, sent: Sent) -> Said:
        """Its number, and another hash."""
        return self._appended(self._signer, replace(sent, last=Position(sent.last.seq, bytes(32))))

    def nothing_new(self, sent: Sent) -> Said:
        """Records are missing before the batch, it says, whatever it has."""
        receipt = self._receipt(self._signer, replace(sent, last=BEGINNING))
        return _said(200, Acknowledged(case=Case.GAP, receipt=receipt))

    def nonsense(self, sent: Sent) -> Said:
        """Bytes that mean nothing, and many of them."""
        return 200, bytes(1_000_000)

    def hangs_up(self, sent: Sent) -> Said:
        """Without a word."""
        return None

    def fork(self, sent: Sent) -> Said:
        """It has another past, it says."""
        return _said(409, NotDone(why=Case.FORK, seq=sent.last.seq, error="another record is known here"))

    def not_admitted(self, sent: Sent) -> Said:
        """It does not know the table any more."""
        return _said(403, NotDone(why="not-admitted", error=f"no table {sent.table} is enrolled here"))

    def _appended(self, signer: Signer, sent: Sent) -> Said:
        return _said(200, Acknowledged(case=Case.APPENDED, receipt=self._receipt(signer, sent)))

    def _receipt(self, signer: Signer, sent: Sent) -> Receipt:
        last, at = sent.last, time_text(now_us())
        return receipts.signed(signer, table=sent.table, epoch=sent.epoch, seq=last.seq, link=last.hash, at=at)


#: After each of these a table tries again soon, and sends everything anew.
_LIES: Final = (Liar.nonsense, Liar.not_sent, Liar.hangs_up, Liar.nothing_new)
#: After each of these it waits a minute for a person.
_REFUSALS: Final = (Liar.signed_by_another, Liar.fork, Liar.not_admitted, Liar.another_record)


def _said(status: int, answer: Answer) -> tuple[int, bytes]:
    return status, msgspec.json.encode(answer)


def _serve(settings: PitSection, *, is_refusing: bool) -> None:
    signer, _is_demo = load_signer(settings.signing_key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(settings.certificate, settings.key)
    context.load_verify_locations(settings.authority)
    context.verify_mode = ssl.CERT_REQUIRED
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _asked_of(Liar(signer, is_refusing=is_refusing))) as server:
        # The handshake is made by the thread of its connection.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
        _say(server.server_port)
        server.serve_forever()


def _asked_of(liar: Liar) -> type[http.server.BaseHTTPRequestHandler]:
    class Asked(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle_one_request(self) -> None:
            with suppress(OSError):  # a table that hangs up is none of its worries
                super().handle_one_request()
                return
            self.close_connection = True

        def do_GET(self) -> None:
            self._answer(liar.head(self._table))

        def do_PUT(self) -> None:
            self._body()
            self._answer(_said(200, Heard()))

        def do_POST(self) -> None:
            self._answer(liar.records(self._table, self._body()))

        def _body(self) -> bytes:
            return self.rfile.read(int(self.headers["Content-Length"]))

        @property
        def _table(self) -> str:
            assert isinstance(self.connection, ssl.SSLSocket)
            shown = self.connection.getpeercert(binary_form=True)
            assert shown is not None, "whoever has none was not let in"
            return shown_in(x509.load_der_x509_certificate(shown)).name

        def _answer(self, said: Said) -> None:
            if said is None:
                self.close_connection = True
                return
            status, body = said
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *words: object) -> None:
            """Nothing."""

    return Asked


if __name__ == "__main__":
    sys.exit(main())
