"""Where the heads of a table's journal are kept besides its machine: the table `[witness]` of a configuration.

A mail, or a program behind a web address, is a target of `[[notify]]` that wants `head`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import time
from pathlib import Path

from tablectl.config.shifts import DEFAULT, begins_of
from tablectl.config.timezones import TIMEZONE


@dataclass(frozen=True, kw_only=True, slots=True)
class TimestampSettings:
    """`url`: the service; `authority`: certificates (PEM) of who is believed; `path`: to which stamps are appended."""

    url: str
    authority: Path
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class TpmSettings:
    """`tcti`: how the TPM of this machine is reached; `index`: the first of two numbers in its memory; `path`: the file
    of the heads that it was extended with."""

    tcti: str
    index: int
    path: Path


@dataclass(frozen=True, kw_only=True, slots=True)
class WitnessSettings:
    """`every_s`: how often, where there is a newer head; `file`: to which a line is appended, None where to none;
    `timestamps`: who signs at what time it saw them, None where nobody does; `tpm`: None where no TPM is used; `begins`
    and `timezone`: when shifts begin, by which clock; `state`: how it is, for the technician's page."""

    state: Path
    every_s: int
    file: Path | None = None
    timestamps: TimestampSettings | None = None
    tpm: TpmSettings | None = None
    begins: tuple[time, ...] = begins_of(DEFAULT)
    timezone: str = TIMEZONE


def state_of(outbox: Path) -> Path:
    """Where it says how it is, beside the file in which messages wait."""
    return outbox.with_name(f"{outbox.name}.witness")
