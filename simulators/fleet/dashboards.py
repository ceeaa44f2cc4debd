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
from typing import Final

import msgspec

from simulators.fleet.presence import CROUPIER

_DATA: Final = b"data: "
_PARTS: Final = b"event: parts"
_NAME: Final = re.compile(r'data-table="([^"]+)"')
_RECORD: Final = re.compile(f'<span class="who">{CROUPIER}(\\d+)</span>')
#: So many tables are on one page.
TABLES_EACH: Final = 10
_DECODER: Final = msgspec.json.Decoder(dict[str, str])


class Page:
    """One that follows its stream."""

    def __init__(self, port: int, tables: str, shown: list[str]) -> None:
        self._port = port
        self._tables = tables
        self._shown = shown
        self._records: dict[str, str] = {}
        self.read_bytes = 0

    async def run(self) -> None:
        """Until it is cancelled. Where tables come or go the server ends a stream, and a browser opens its page
        anew."""
        while True:
            await self._follow()

    async def _follow(self) -> None:
        """One stream, to its end. Raises `OSError`."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=2**22)
        try:
            writer.write(
                f"GET /events?lang=en&tables={self._tables} HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n\r\n".encode()
            )
            is_parts = False
            while line := await reader.readline():
                self.read_bytes += len(line)
                if line.startswith(_DATA) and is_parts:
                    self._parts(line.removeprefix(_DATA), time.monotonic())
                    is_parts = False
                elif line.startswith(_PARTS):
                    is_parts = True
        finally:
            writer.close()

    def _parts(self, said: bytes, at_s: float) -> None:
        for html in _DECODER.decode(said).values():
            name, record = _NAME.search(html), _RECORD.search(html)
            if name is None or record is None or self._records.get(name[1]) == record[1]:
                continue
            # What stands there when the page is opened came before.
            if name[1] in self._records:
                self._shown.append(f"{name[1]} {record[1]} {at_s}")
            self._records[name[1]] = record[1]


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
    lines = asyncio.run(run(args.ports, args.prefix, args.pages, args.tables, args.seconds, warm_up_s=args.warm_up))
    print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
