"""Figures of a table PC, measured on this computer: `python -m tests.system.figures` (as root, some minutes).

How soon a controller that was killed in a hand answers again, and what the whole installation uses when nothing
happens: controller with its watch, and screens. Not a test: whoever reads them knows what else the computer did.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tablectl.api.client import NoController, Subscription
from tests.system.conftest import ROOT, built
from tests.system.machine import Machine, machine, why_not
from tests.system.table_pc import CONTROLLER, SCREENS, TABLE, TablePC

KILLS: Final = 10
IDLE_S: Final = 60.0
#: The integrity check begins some seconds after the controller, and belongs to it.
SETTLED_S: Final = 15.0
PATIENCE_S: Final = 30.0


def back_s(pc: TablePC) -> float:
    """From the kill until the controller, started again by systemd, tells its records."""
    socket = Path(f"/proc/{pc.machine.leader}/root/run/tablectl/{TABLE}/table.sock")
    pc.machine.said("systemctl", "kill", "--kill-who=main", "--signal=KILL", CONTROLLER)
    began_s = time.monotonic()
    while time.monotonic() < began_s + PATIENCE_S:
        try:
            with Subscription(socket, after=0) as records:
                if records.next(PATIENCE_S) is not None:
                    return time.monotonic() - began_s
        except NoController:
            time.sleep(0.01)
    raise TimeoutError


def processes(computer: Machine, unit: str) -> Iterator[int]:
    """Every process of a unit, as this computer counts them."""
    main = int(computer.shown(unit, "MainPID"))
    inside = computer.said("ps", "-e", "-o", "pid=,ppid=").split()
    children = {int(pid) for pid, parent in zip(inside[::2], inside[1::2], strict=True) if int(parent) == main}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            ids = next(line for line in status.read_text().splitlines() if line.startswith("NSpid:")).split()[1:]
            root = (status.with_name("ns") / "pid").readlink()
        except (OSError, StopIteration):
            continue
        if root == Path(f"/proc/{computer.leader}/ns/pid").readlink() and int(ids[-1]) in {main, *children}:
            yield int(ids[0])


def used(pids: list[int]) -> tuple[float, float]:
    """Seconds of processor since the start, and megabytes of memory (proportional set size)."""
    ticks, kilobytes = 0, 0
    for pid in pids:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        kilobytes += int(next(line for line in rollup.splitlines() if line.startswith("Pss:")).split()[1])
    return ticks / os.sysconf("SC_CLK_TCK"), kilobytes / 1000


def main() -> int:
    """Exit status 2 where no machine can be booted."""
    if reason := why_not():
        sys.stderr.write(f"figures: {reason}\n")
        return 2
    with tempfile.TemporaryDirectory() as folder, machine() as computer:
        named = os.environ.get("TABLECTL_PACKAGE")
        package = Path(named) if named else built(ROOT, Path(folder))
        computer.boot()
        with TablePC(computer) as pc:
            subprocess.CompletedProcess.check_returncode(pc.install(package))
            pc.set_up()
            pc.open_table()
            pc.deal("hands 1")
            taken = []
            for _ in range(KILLS):
                pc.deal("cards 4")
                taken.append(back_s(pc))
                pc.deal("finish")
                # Somebody starts it: the next kill is a first one again, and nothing is waited for.
                pc.machine.said("systemctl", "restart", CONTROLLER)
            sys.stdout.write(
                f"killed in a hand, {KILLS} times: answers again after {min(taken):.2f} s at least, "
                f"{statistics.median(taken):.2f} s in the middle, {max(taken):.2f} s at most\n"
            )
            time.sleep(SETTLED_S)
            for unit in (CONTROLLER, SCREENS):
                pids = sorted(processes(computer, unit))
                before, _ = used(pids)
                time.sleep(IDLE_S)
                after, megabytes = used(pids)
                share = 100 * (after - before) / IDLE_S
                sys.stdout.write(
                    f"idle, {unit}: {share:.2f} % of a processor, {megabytes:.0f} MB, {len(pids)} processes\n"
                )
    return 0


if __name__ == "__main__":
    sys.exit(main())
