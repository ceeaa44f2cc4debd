"""How a command ends, and how it says that it was not used right."""

from __future__ import annotations

from enum import IntEnum


class Status(IntEnum):
    """Exit statuses. A service that ends with `WRONG_USAGE` is not started again: a person has to look."""

    GOOD = 0
    #: a check found differences, or what was asked for was not done
    NOT_DONE = 1
    #: wrong usage, or something that cannot be read
    WRONG_USAGE = 2
    TILT = 3


class WrongUsage(Exception):
    """Nothing is done. The text names what is wrong and what would be right; it goes to standard error, and the command
    ends with `Status.WRONG_USAGE`."""
