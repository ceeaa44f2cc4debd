"""Which threads are watched, and what follows where one of them ended or does not move (`docs/health.md`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drivers.port import Port
from drivers.pulse import Pulse
from tablectl.table.tilt import Tilt, TiltKind
from tablectl.table.watchdog import Watched


def watched_threads(
    *,
    loop: Pulse,
    door: Pulse,
    copy: Pulse,
    watchman: Pulse,
    ports: Sequence[Port[Any]],
    beside: Sequence[Pulse],
    tilt: Callable[[Tilt], object],
) -> tuple[Watched, ...]:
    """Every thread that a hand needs, put under watch.

    Where the loop or the door does not move, systemd alone can help. A copy or a watch that ended for good is a tilt:
    nobody would witness, nobody would check. A disk that does not take the copy is none, and no reason to start anew:
    the copy may be late, and a start would wait for the same disk. `beside`: threads that a hand can do without; that
    one of them stopped is said.
    """
    return (
        Watched(pulse=loop, stopped=_only_said),
        Watched(pulse=door, stopped=_only_said),
        Watched(pulse=copy, stopped=_tilt_if_ended(copy, tilt), is_vital=False),
        Watched(pulse=watchman, stopped=_tilt_if_ended(watchman, tilt)),
        *(Watched(pulse=pulse, stopped=_only_said, is_vital=False) for pulse in beside),
        *(Watched(pulse=pulse, stopped=port.give_up) for port in ports for pulse in port.pulses),
    )


def _only_said(_trouble: str) -> None:
    """The log has it."""


def _tilt_if_ended(pulse: Pulse, tilt: Callable[[Tilt], object]) -> Callable[[str], None]:
    def stopped(trouble: str) -> None:
        if not pulse.is_alive:
            tilt(Tilt(TiltKind.PROGRAM, f"{trouble}; what is recorded is good"))

    return stopped
