"""The line that says how far a command is: for whoever looks at a terminal, and in no file."""

from __future__ import annotations

import io
import sys

import pytest

from tablectl.cli import progress
from tablectl.cli.progress import ProgressLine


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def on_terminal(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """What it shows."""
    shown = Terminal()
    monkeypatch.setattr(sys, "stdout", Terminal())
    monkeypatch.setattr(sys, "stderr", shown)
    return shown


def test_it_is_replaced_and_gone_at_the_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EACH_S", 0.0)
    shown = on_terminal(monkeypatch)
    line = ProgressLine()
    line.show("1 of 2")
    line.show("2 of 2")
    line.clear()
    assert shown.getvalue() == "\r\x1b[K1 of 2\r\x1b[K2 of 2\r\x1b[K"


def test_it_changes_no_more_often_than_somebody_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "_EACH_S", 1_000.0)
    shown = on_terminal(monkeypatch)
    line = ProgressLine()
    line.show("1 of 2")
    line.show("2 of 2")
    assert shown.getvalue() == "\r\x1b[K1 of 2"


def test_a_file_gets_none_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = on_terminal(monkeypatch)
    monkeypatch.setattr(sys, "stdout", io.StringIO())
    line = ProgressLine()
    line.show("1 of 2")
    line.clear()
    assert shown.getvalue() == ""
