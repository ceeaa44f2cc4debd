"""Threads have names that a technician sees."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from drivers import thread_name
from drivers.heartbeat import Heartbeat
from drivers.thread_name import show_name, shown


def kernel_name() -> str:
    return Path(f"/proc/self/task/{threading.get_native_id()}/comm").read_text(encoding="utf-8").rstrip("\n")


def named(name: str, life: Callable[[], object]) -> str:
    """What the kernel calls a thread of this name after what it does."""
    found: list[str] = []

    def run() -> None:
        life()
        found.append(kernel_name())

    thread = threading.Thread(target=run, name=name)
    thread.start()
    thread.join()
    return found[0]


@pytest.mark.parametrize(
    ("name", "kept"),
    [
        ("control-reader", "control-reader"),
        ("exactly-fifteen", "exactly-fifteen"),
        ("antenna-seat-7-reader", "antenna--reader"),
        ("antenna-seat-7-writer", "antenna--writer"),
        ("onelongnamewithoutanyhyphen", "onelongnamewith"),
        ("a-onelongnamebehindit", "-onelongnamebeh"),
        ("lámpara-número-reader", "lámpara-reader"),
        ("lámparas-de-mesa-reader", "lámpara-reader"),
    ],
)
def test_the_kernel_keeps_what_tells_threads_apart(name: str, kept: str) -> None:
    assert len(kept.encode()) <= 15
    assert shown(name) == kept
    assert named(name, show_name) == kept


def test_a_thread_that_is_watched_has_its_name() -> None:
    assert named("sabot-reader", Heartbeat("sabot-reader").begin) == "sabot-reader"
    assert named("usb-monitor", lambda: Heartbeat("usb-monitor").live(lambda: None)) == "usb-monitor"


def test_the_process_keeps_its_name() -> None:
    before = kernel_name()
    Heartbeat("controller").begin()
    assert kernel_name() == before


def test_where_the_kernel_takes_no_name_the_thread_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thread_name, "Path", lambda _: Path("/proc/self/none/comm"))
    assert named("sabot-reader", show_name) != "sabot-reader"
