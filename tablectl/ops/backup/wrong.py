"""Why a backup or a restore was refused: what happened, what it means, what to do."""

from __future__ import annotations


class Refused(Exception):
    """Nothing was done: wrong usage, or something cannot be read or written."""


class NotIntact(Refused):
    """Nothing was done: something says another thing than it should."""
