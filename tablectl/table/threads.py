"""Which threads are watched, and what follows where one of them ended or does not move (`docs/health.md`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drivers.heartbeat import Heartbeat
from drivers.port import Port
from tablectl.journal.tilt import Tilt, TiltKind
from tablectl.table.watchdog import Watched


def watched_threads(
    *,
    loop: Heartbeat,
    api: Heartbeat,
    copy: Heartbeat,
    integrity: Heartbeat,
    ports: Sequence[Port[Any]],
    beside: Sequence[Heartbeat],
    tilt: Callable[[Tilt], object],
) -> tuple[Watched, ...]:
    """Every thread that a hand needs, put under watch.

    Where the loop or the API does not move, systemd alone can help. A copy or a watch that ended for good is a tilt:
    nobody would witness, nobody would check. A disk that does not take the copy is none, and no reason to start anew:
    the copy may be late, and a start would wait for the same disk. `beside`: threads that a hand can do without; that
    one of them stopped is said.
    """
    return (
        Watched(heartbeat=loop, stopped=_only_said),
        Watched(heartbeat=api, stopped=_only_said),
        Watched(heartbeat=copy, stopped=_tilt_if_ended(copy, tilt), is_vital=False),
        Watched(heartbeat=integrity, stopped=_tilt_if_ended(integrity, tilt)),
        *(Watched(heartbeat=heartbeat, stopped=_only_said, is_vital=False) for heartbeat in beside),
        *(Watched(heartbeat=heartbeat, stopped=port.give_up) for port in ports for heartbeat in port.heartbeats),
    )


def _only_said(_trouble: str) -> None:
    """The log has it."""


def _tilt_if_ended(heartbeat: Heartbeat, tilt: Callable[[Tilt], object]) -> Callable[[str], None]:
    def stopped(trouble: str) -> None:
        if not heartbeat.is_alive:
            tilt(Tilt(TiltKind.PROGRAM, f"{trouble}; what is recorded is good"))

    return stopped
