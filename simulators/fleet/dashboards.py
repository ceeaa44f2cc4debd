"""`python -m simulators.fleet.dashboards PORT…`: many pages of the overview, each of ten tables, that are read.

Prints a line for whatever a page showed, when it is over: the table, the number of its newest record, and when that
came there (monotonic, in seconds). The last line has two numbers: what all streams read together, in bytes, and how
many pages heard anything.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import time
from collections.abc import Sequence
from functools import lru_cache
from typing import Final, cast

import msgspec
import uvloop

from simulators.fleet.presence import CROUPIER

_DATA: Final = b"data: "
_PARTS: Final = b"event: parts"
_NAME: Final = re.compile(r'data-table="([^"]+)"')
_RECORD: Final = re.compile(f'<span class="who">{CROUPIER}(\\d+)</span>')
#: So many tables are on one page.
TABLES_EACH: Final = 10
_DECODER: Final = msgspec.json.Decoder(dict[str, str])


@lru_cache(4096)
def _records(parts: bytes) -> tuple[tuple[str, str], ...]:
    """The tables in an event, with the number of the newest record of each. Ten pages are told the same."""
    found = []
    for html in _DECODER.decode(parts).values():
        name, record = _NAME.search(html), _RECORD.search(html)
        if name is not None and record is not None:
            found.append((name[1], record[1]))
    return tuple(found)


class Page(asyncio.Protocol):
    """One that follows its stream. What it shows was there when its bytes were read: a page in a browser of its own has
    a processor of its own, and this process has a thousand."""

    def __init__(self, port: int, tables: str, shown: list[str]) -> None:
        self._port = port
        self._tables = tables
        self._shown = shown
        self._newest: dict[str, str] = {}
        self._rest = b""
        self._is_parts = False
        self._ended = asyncio.Event()
        self.read_bytes = 0

    async def run(self) -> None:
        """Until it is cancelled. Where tables come or go the server ends a stream, and a browser opens its page
        anew. Raises `OSError`."""
        while True:
            self._ended.clear()
            transport, _ = await asyncio.get_running_loop().create_connection(lambda: self, "127.0.0.1", self._port)
            try:
                await self._ended.wait()
            finally:
                transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for the stream."""
        self._rest, self._is_parts = b"", False
        address = f"/events?lang=en&tables={self._tables}"
        cast("asyncio.Transport", transport).write(
            f"GET {address} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode()
        )

    def connection_lost(self, exc: Exception | None) -> None:
        """The stream is over."""
        self._ended.set()

    def data_received(self, data: bytes) -> None:
        """Lines of the stream; what HTTP has between them is none of them."""
        at_s = time.monotonic()
        self.read_bytes += len(data)
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._is_parts and line.startswith(_DATA):
                self._parts(line.removeprefix(_DATA), at_s)
                self._is_parts = False
            elif line.startswith(_PARTS):
                self._is_parts = True

    def _parts(self, said: bytes, at_s: float) -> None:
        for name, record in _records(said):
            if self._newest.get(name) == record:
                continue
            # What stands there when the page is opened came before.
            if name in self._newest:
                self._shown.append(f"{name} {record} {at_s}")
            self._newest[name] = record


async def run(
    ports: Sequence[int], prefix: str, pages: int, tables: int, seconds: float, *, warm_up_s: float = 0.0
) -> list[str]:
    """The lines. `tables`: how many there are; their names are `prefix` and a number of four digits. What is shown in
    the first `warm_up_s`, in which all pages are opened, is not in them."""
    shown: list[str] = []
    open_s = time.monotonic() + warm_up_s
    groups = max(1, tables // TABLES_EACH)
    opened = [Page(ports[number % len(ports)], f"{prefix}{number % groups:03}%3F", shown) for number in range(pages)]
    tasks = []
    for page in opened:
        tasks.append(asyncio.create_task(page.run()))
        await asyncio.sleep(0.005)
    await asyncio.sleep(max(0.0, open_s - time.monotonic()))
    shown.clear()
    for page in opened:
        page.read_bytes = 0
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    heard = [page.read_bytes for page in opened if page.read_bytes]
    return [*shown, f"{sum(heard)} {len(heard)}"]


def main() -> int:
    """As the module says."""
    made = argparse.ArgumentParser(prog="python -m simulators.fleet.dashboards", description=__doc__)
    made.add_argument("ports", type=int, nargs="+", metavar="PORT", help="of overviews on this machine")
    made.add_argument("--prefix", required=True, help="of the tables' names")
    made.add_argument("--pages", type=int, default=1000, metavar="N", help="(default %(default)s)")
    made.add_argument("--tables", type=int, default=1000, metavar="N", help="(default %(default)s)")
    made.add_argument("--seconds", type=float, default=60.0, metavar="S", help="(default %(default)s)")
    made.add_argument("--warm-up", type=float, default=0.0, metavar="S", help="in which pages are opened, before")
    args = made.parse_args()
    lines = uvloop.run(run(args.ports, args.prefix, args.pages, args.tables, args.seconds, warm_up_s=args.warm_up))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
