"""The keys of a panel: which of them means what, proposed as a whole and changed key by key."""

from __future__ import annotations

from dataclasses import dataclass, replace

from tablectl.core.engine.vocabulary import Key
from tablectl.ops.setup.questions import NONE, Option, Refused


@dataclass(frozen=True, kw_only=True)
class KeyMap:
    """`seat-1=0 seat-2=1 …`; what is typed changes what is `now`, and `bank=none` takes a key away. A file of answers
    has a table with all of them."""

    n_keys: int
    now: dict[Key, int]

    @property
    def options(self) -> tuple[Option, ...]:
        """None."""
        return ()

    def read(self, raw: object) -> dict[Key, int]:
        """See `Kind`."""
        if isinstance(raw, str):
            made = dict(self.now)
            for word in raw.replace(",", " ").split():
                name, _, number = word.partition("=")
                made.pop(self._name(name), None)
                if number != NONE:
                    made[Key(name)] = self._number(number, word)
            return self._apart(made)
        if not isinstance(raw, dict):
            raise Refused("keys")
        return self._apart({self._name(name): self._number(number, name) for name, number in raw.items()})

    def show(self, value: dict[Key, int]) -> str:
        """Every key, in the order of their numbers."""
        return " ".join(f"{key}={number}" for key, number in sorted(value.items(), key=lambda pair: pair[1]))

    def changing(self, value: dict[Key, int]) -> KeyMap:
        """See `Changing`."""
        return replace(self, now=value)

    def _name(self, name: str) -> Key:
        if name not in list(Key):
            raise Refused("key-name", name=name, keys=", ".join(Key))
        return Key(name)

    def _number(self, number: object, word: str) -> int:
        if isinstance(number, str) and number.isascii() and number.isdecimal():
            number = int(number)
        if type(number) is not int or not 0 <= number < self.n_keys:
            raise Refused("key-number", word=word, last=self.n_keys - 1)
        return number

    @staticmethod
    def _apart(made: dict[Key, int]) -> dict[Key, int]:
        numbers = list(made.values())
        double = next((taken for taken in numbers if numbers.count(taken) > 1), None)
        if double is not None:
            names = ", ".join(key for key, number in made.items() if number == double)
            raise Refused("key-twice", number=double, keys=names)
        return made
