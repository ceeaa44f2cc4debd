"""How everything is, as the control socket tells it: what was counted, and no card and no tag."""

from __future__ import annotations

import json
import queue
from collections.abc import Sequence
from typing import Final

from drivers.facts import CardOut, DeviceFact, Found, Lost, Rejected, TagIn
from drivers.port import Patience, Port
from drivers.sealed import Sealed
from drivers.transport.base import Wire, WireLost, WireUnavailable
from tablectl.config.devices import Device
from tablectl.table.report import device_rows, report
from tests.desk import KeptLog

TAG: Final = "04A1B2C3D4E5F6"
SOON_S: Final = 10.0


class Telling:
    """A protocol that tells a card and a tag, says no to other bytes, and breaks with both in its text."""

    def opened(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return [Found(device="shoe", at_us=at_us, identity="the shoe")]

    def closed(self, *, at_us: int, reason: str) -> Sequence[DeviceFact]:
        return [Lost(device="shoe", at_us=at_us, reason=reason)]

    def receive(self, data: bytes, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        if data == b"!":
            raise ValueError(f"{TAG} As")
        if data == b"?":
            return [Rejected(device="shoe", at_us=at_us, reason="no report", n_bytes=1)]
        return [
            CardOut(device="shoe", at_us=at_us, card=Sealed("As")),
            TagIn(device="shoe", at_us=at_us, tag=Sealed(TAG), antenna=1),
        ]

    def tick(self, *, now_s: float, at_us: int) -> Sequence[DeviceFact]:
        return ()

    def deadline_s(self) -> float | None:
        return None

    def take_outgoing(self) -> Sequence[bytes]:
        return ()


class Tape:
    """A wire on which these bytes come, one a read."""

    identity = "tape"

    def __init__(self, *reads: bytes) -> None:
        self._reads = [*reads]

    def read(self, timeout_s: float) -> bytes:
        if not self._reads:
            raise WireLost("the tape is over")
        return self._reads.pop(0)

    def write(self, data: bytes) -> None: ...

    def close(self) -> None: ...


def test_a_card_and_a_tag_pass_and_nothing_of_them_stays() -> None:
    facts: queue.SimpleQueue[DeviceFact] = queue.SimpleQueue()
    wires: list[Wire] = [Tape(TAG.encode(), b"?", b"!")]

    def opener() -> Wire:
        if not wires:
            raise WireUnavailable("no such file")
        return wires.pop()

    shoe = Device(name="shoe", driver="angel-eye", role="shoe", settings={})
    # Long: the loss stays the last error.
    with Port("shoe", opener, Telling(), facts.put, KeptLog(), patience=Patience(first_s=SOON_S)) as port:
        while not isinstance(facts.get(timeout=SOON_S), Lost):
            pass
        rows = device_rows([shoe], [port.health()])
        said = json.dumps(
            report(
                [shoe],
                [port.health()],
                now_us=1,
                started_us=0,
                memory_bytes=56_000_000,
                troubles=(),
                records=5,
                hands=1,
                play={"hand": 2, "is_open": False, "phase": "closed"},
                incidents={"THB-ERR-4": 1},
            )
        )
    (row,) = rows
    assert TAG not in said
    assert TAG.lower() not in said
    assert "As" not in said
    assert (row["state"], row["last_error"]) == ("lost", "driver failed: ValueError")
    assert (row["bytes_in"], row["facts"], row["garbage_bytes"]) == (len(TAG) + 2, 4, 1)
    assert (row["rejects"], row["answered"], row["identity"]) == ([["no report", 1]], "the shoe", "tape")
    assert (row["speaks"], row["is_heard"]) == (True, True)
    assert row["heard"] >= row["since"][:10]
    assert json.loads(said)["incidents"] == {"THB-ERR-4": 1}
