"""Words that enter something into the game, as one fact."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping
from typing import Any, Final

from tablectl.api.behind import Behind, NotAsked
from tablectl.api.entry import Entry
from tablectl.api.lines import said
from tablectl.api.present import SeenPrompt
from tablectl.core.engine.facts import Fact, GameChosen

#: Words of the hand-file grammar that a person may enter; cards and devices speak for themselves.
ENTERED: Final = frozenset(
    {"press", "bet", "standing", "remove", "out", "declare", "rule", "acknowledge", "name", "call"}
    | {"act", "asks", "chips", "player", "stack", "button", "croupier", "croupier-off"}
    | {"limits", "shelve", "unshelve"}
)
_PROMPT_SHAPE: Final = '"prompt": {"since": SEQ, "seat": N or null}'


def enter(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """One fact in the words of a hand file; with `prompt`, only as long as that is asked."""
    text = asked["enter"]
    if not isinstance(text, str):
        raise NotAsked
    word = text.split(" ", 1)[0]
    if word not in ENTERED:
        yield said({"ok": False, "error": f"{word!r} is not one of {', '.join(sorted(ENTERED))}"})
        return
    # Loaded at the first entry: a start is in a hurry.
    parse_fact = importlib.import_module("tablectl.handfile.facts").parse_fact
    seen = _seen(asked["prompt"]) if "prompt" in asked else None
    try:
        fact = parse_fact(text, behind.now_us(), behind.setup)
    except ValueError as wrong:
        raise NotAsked(str(wrong)) from None
    yield _entered(behind, fact, seen)


def _seen(prompt: object) -> SeenPrompt:
    """Raises `NotAsked`."""
    match prompt:
        case {"since": int(since), "seat": int() | None as seat} if bool not in (type(since), type(seat)):
            return SeenPrompt(since=since, seat=seat)
        case _:
            raise NotAsked(_PROMPT_SHAPE)


def use(behind: Behind, asked: Mapping[str, Any]) -> Iterator[bytes]:
    """Another of the table's games from the next hand on."""
    match asked:
        case {"use": str(game), "by": str(by)}:
            pass
        case _:
            raise NotAsked
    setup = behind.games.get(game)
    if setup is None:
        there = ", ".join(sorted(behind.games))
        yield said({"ok": False, "error": f"{game!r} is none of this table's games: {there}"})
        return
    if not by or by.split() != [by] or not by.isprintable():
        raise NotAsked("a name in one word")
    yield _entered(behind, GameChosen(at_us=behind.now_us(), setup=setup, by=by))


def _entered(behind: Behind, fact: Fact, seen: SeenPrompt | None = None) -> bytes:
    entry = Entry(fact, seen)
    behind.enter(entry)
    return said(entry.wait(behind.answer_s))
