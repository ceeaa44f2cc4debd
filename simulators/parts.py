"""What consists of several parts that run: begun one after the other, ended the other way round."""

from __future__ import annotations

from abc import ABC, abstractmethod
from contextlib import ExitStack
from typing import Self


class Parts(ABC):
    """From entering to leaving the `with` block. Where a part does not begin, those before it are ended."""

    def __init__(self) -> None:
        self._stack = ExitStack()

    def __enter__(self) -> Self:
        try:
            self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    @abstractmethod
    def _begin(self) -> None:
        """Begin each part, and tell `_stack` how it ends."""
