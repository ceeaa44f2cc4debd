"""The kernel's name of a thread, for technicians: `ps -T`, `top -H` and a core dump show it, and not that of Python."""

from __future__ import annotations

import threading
from contextlib import suppress
from pathlib import Path
from typing import Final

#: `TASK_COMM_LEN` of the kernel without the zero at its end (proc(5), `/proc/pid/comm`): it cuts off what is longer.
NAME_BYTES: Final = 15


def shown(name: str) -> str:
    """A name as the kernel can keep it. Of a long one, what stands after its last hyphen stays: a device's reader is
    told from its writer."""
    if len(name.encode()) <= NAME_BYTES:
        return name
    head, hyphen, tail = name.rpartition("-")
    kept = f"{hyphen}{tail}".encode()[:NAME_BYTES]
    return (head.encode()[: NAME_BYTES - len(kept)] + kept).decode(errors="ignore")


def show_name() -> None:
    """Give the calling thread its Python name in the kernel too, where that is possible. The main thread keeps its own:
    it is the name of the process."""
    thread = threading.current_thread()
    if thread is threading.main_thread():
        return
    with suppress(OSError):
        Path(f"/proc/self/task/{threading.get_native_id()}/comm").write_bytes(shown(thread.name).encode())
