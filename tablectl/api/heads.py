"""What whoever follows a table remembers of it longer than a connection lives: the controller is asked about it first.

A client of the interface knows no journal: `tablectl.journal.known_heads` is what remembers.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol


class Heads(Protocol):
    """The newest records that a table signed."""

    def questions(self) -> Mapping[str, Mapping[str, Any]]:
        """What is asked at a connection, by the hash of the record that it is about."""

    def answered(self, digest: str, answer: Mapping[str, Any]) -> None:
        """What the controller said to the question about that record."""

    def greeted(self, key: str) -> None:
        """The table whose records come now signs with this public key; empty where it does not say it."""

    def saw(self, record: Mapping[str, Any]) -> None:
        """A record came."""


class NoHeads:
    """Of somebody who remembers nothing."""

    def questions(self) -> Mapping[str, Mapping[str, Any]]:
        """None."""
        return {}

    def answered(self, digest: str, answer: Mapping[str, Any]) -> None:
        """Nobody asked."""

    def greeted(self, key: str) -> None:
        """It is not needed."""

    def saw(self, record: Mapping[str, Any]) -> None:
        """It is not remembered."""
