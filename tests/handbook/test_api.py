"""docs/api.md: each request is sent to a table, and the answer is of the shape that the page shows."""

from __future__ import annotations

import json
import re
import shlex
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from tablectl.api.client import Subscription
from tablectl.api.methods import METHODS
from tablectl.api.protocol import REQUEST_BYTES, VERSION
from tablectl.api.server import CONNECTIONS_MAX
from tests.desk import LONG_S, Desk
from tests.handbook.commands import blocks
from tests.reader_desk import reader_desk
from tests.tools.handbook import DOCS

PAGE: Final = DOCS / "api.md"
TEXT: Final = PAGE.read_text(encoding="utf-8")
#: In an answer that is shown: more members, or more of a text.
MORE: Final = "…"
#: Members that are the same whenever they are asked for.
SAME: Final = frozenset({"api", "ok", "what", "why", "confirms", "error", "due", "done", "of"})


def requests() -> list[str]:
    """What is sent, in the order of the page."""
    found = []
    for block in blocks(PAGE, TEXT):
        words = shlex.split(block.text)
        assert words[0] == "echo"
        assert words[2:] == ["|", "socat", "-t", "5", "-", "UNIX-CONNECT:/run/tablectl/mesa-1/table.sock"]
        found.append(words[1])
    return found


def answers() -> list[list[dict[str, Any]]]:
    """What comes back, line by line."""
    shown = re.findall(r"^```json\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    return [[json.loads(line) for line in block.splitlines()] for block in shown]


def heard(path: Path, request: str) -> list[dict[str, Any]]:
    """As `socat -t 5` does it: nothing more is said after the request."""
    with socket.socket(socket.AF_UNIX) as line, line.makefile("rb") as said:
        line.settimeout(LONG_S)
        line.connect(str(path))
        line.sendall(f"{request}\n".encode())
        line.shutdown(socket.SHUT_WR)
        return [json.loads(data) for data in said]


def differences(shown: object, found: object, name: str) -> Iterator[str]:
    """Where an answer is of another shape than the page shows."""
    if isinstance(shown, dict) and isinstance(found, dict):
        members = shown.keys() - {MORE}
        if members - found.keys() or (MORE not in shown and found.keys() - members):
            yield f"{name}: {sorted(shown)} and not {sorted(found)}"
        for member in members & found.keys():
            yield from differences(shown[member], found[member], member)
    elif isinstance(shown, list) and isinstance(found, list):
        if len(found) < len(shown):
            yield f"{name}: only {found}"
        for one, other in zip(shown, found, strict=False):
            yield from differences(one, other, name)
    elif isinstance(shown, str) and isinstance(found, str) and name in SAME:
        if not re.fullmatch(re.escape(shown).replace(MORE, ".*"), found):
            yield f"{name}: {shown!r} and not {found!r}"
    elif type(shown) is not type(found) or (name in SAME and shown != found):
        yield f"{name}: {shown!r} and not {found!r}"


@pytest.fixture(scope="module")
def table() -> Iterator[Desk]:
    with reader_desk() as (made, _):
        made.start()
        with Subscription(made.socket, after=0) as records:
            while (record := records.next(LONG_S)) is None or record["fact"].get("device") != "tray":
                assert record is not None, "the reader is not there"
        yield made


@pytest.mark.system
def test_each_request_of_the_page_is_answered_as_it_shows(table: Desk) -> None:
    wrong = []
    for request, shown in zip(requests(), answers(), strict=True):
        found = heard(table.socket, request)
        wrong += [f"{request}: {difference}" for difference in differences(shown, found, "lines")]
    assert wrong == []


def test_each_method_has_its_part_and_an_example() -> None:
    named = set(re.findall(r"^### ([a-z]+)$", TEXT, re.MULTILINE)) | {"ask"}
    assert named == {method.name for method in METHODS}
    assert {next(iter(json.loads(request))) for request in requests()} >= named


def test_the_figures_are_those_of_the_program() -> None:
    assert f"| version | {VERSION}: " in TEXT
    assert f"{CONNECTIONS_MAX} connections, {REQUEST_BYTES:,} bytes a request" in TEXT
