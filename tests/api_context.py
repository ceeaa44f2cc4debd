"""The context of an API server in tests: a journal, and a table of which nothing is expected but what a test says."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from tablectl.api.commands import Command
from tablectl.api.context import ApiContext, Topic
from tablectl.core.engine.facts import Setup
from tablectl.journal.clock import now_us
from tablectl.journal.log_head import LogHead
from tests.journal.journals import SETUP


def refuse(command: Command) -> None:
    """The writer of a table that does nothing."""
    command.fail("nobody is here")


def no_enrolment(_deck: str, _reader: str, _by: str, _reason: str) -> Iterator[Mapping[str, Any]]:
    """A table that has no reader."""
    yield {"ok": False, "error": "nobody is here"}


def api_context(
    journal: Path,
    *,
    log_head: LogHead | None = None,
    greeting: Mapping[str, Any] | None = None,
    setup: Setup = SETUP,
    submit: Callable[[Command], None] = refuse,
    clock_us: Callable[[], int] = now_us,
    devices: Callable[[], Mapping[str, Any]] = dict,
    choices: Callable[[], Mapping[str, Any]] = dict,
) -> ApiContext:
    """With no answer to any question but `devices`, `choices` and `float`."""
    greeted = {"table": {}} if greeting is None else greeting
    context = ApiContext(
        journal=journal,
        log_head=LogHead() if log_head is None else log_head,
        greeting=greeted,
        denominations=tuple(greeted["table"].get("denominations", ())),
        setup=setup,
        submit=submit,
        now_us=clock_us,
        topics={
            **dict.fromkeys(Topic, dict),
            Topic.DEVICES: devices,
            Topic.CHOICES: choices,
            Topic.FLOAT: lambda: context.chip_float.answer(context.setup.chip),
        },
        enrol=no_enrolment,
        tell_enrolment=lambda _: False,
    )
    return context
