"""Which role may ask which method of the controller, and enter which word: what a page offers, and what is let through.

The controller's socket is closed to the process that faces the network; whoever keeps the accounts asks in its place,
and by this table alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final

from tablectl.core.roles import Role

CROUPIERS: Final = frozenset({Role.CROUPIER})
PIT: Final = frozenset({Role.PIT_BOSS, Role.MANAGER})
_BOTH: Final = CROUPIERS | PIT

#: Words of the hand-file grammar, by who enters them.
WORDS: Final[Mapping[str, frozenset[Role]]] = {
    **dict.fromkeys(
        ("press", "bet", "standing", "remove", "out", "declare", "act", "asks", "chips", "player", "stack", "button"),
        CROUPIERS,
    ),
    **dict.fromkeys(("croupier", "croupier-off"), CROUPIERS),
    **dict.fromkeys(("name", "call", "acknowledge"), _BOTH),
    **dict.fromkeys(("rule", "correct", "transfer", "shelve", "unshelve", "limits"), PIT),
}
#: The members that a request may have, by its method: a second method beside it is none of them.
_MEMBERS: Final[Mapping[str, frozenset[str]]] = {
    "enter": frozenset({"enter", "by", "prompt"}),
    "preview": frozenset({"preview"}),
    "float": frozenset({"float", "amount", "chips", "by", "second"}),
    "accept": frozenset({"accept", "by", "second", "reason"}),
    "test": frozenset({"test", "by"}),
    "enrol": frozenset({"enrol"}),
    "unseal": frozenset({"unseal"}),
}
#: Other methods, by who may ask them.
METHODS: Final[Mapping[str, frozenset[Role]]] = {
    "preview": PIT,
    "float": PIT,
    "accept": PIT,
    "test": frozenset({Role.TECHNICIAN}),
    "enrol": frozenset({Role.TECHNICIAN}),
    "unseal": frozenset({Role.AUDITOR}),
}
#: What a second person can sign with his own secret.
OF_TWO: Final = frozenset({"rule", "limits", "float", "correct", "transfer", "accept"})
#: What the croupier can sign as well beside a pit boss (rulings, "Who confirms"; THL-SDN-8).
BY_CROUPIER_TOO: Final = frozenset({"correct", "transfer"})


def needs_second(before: frozenset[Role], after: frozenset[Role]) -> bool:
    """Whether a change of roles takes two persons: nobody makes himself, or an account that he has, an auditor of what
    he does as a manager."""
    gained = after - before
    return Role.AUDITOR in gained or (Role.MANAGER in gained and Role.AUDITOR in before)


def act_of(request: Mapping[str, Any]) -> str:
    """What a request does: the word that it enters, or its method; "" for what no page may ask."""
    method = next((name for name in _MEMBERS if name in request), "")
    if not method or request.keys() - _MEMBERS[method]:
        return ""
    if method != "enter":
        return method
    line = request["enter"]
    word = line.split(" ", 1)[0] if isinstance(line, str) else ""
    return word if word in WORDS else ""


def action_of(request: Mapping[str, Any]) -> str:
    """What is signed of a request that has its names: the line that is entered, or the request in canonical JSON."""
    line = request.get("enter")
    return line if isinstance(line, str) else json.dumps(request, sort_keys=True, separators=(",", ":"))


def roles_for(act: str) -> frozenset[Role]:
    """Who may do it."""
    return WORDS.get(act) or METHODS.get(act) or frozenset()


def signed(request: Mapping[str, Any], act: str, by: str) -> dict[str, Any]:
    """The request with these names (`ana`, or `ana+luis` of two), whatever names it came with."""
    name, _, second = by.partition("+")
    if act in {"float", "accept"}:
        return {**request, "by": name, "second": second}
    if act == "enrol":
        deck = request["enrol"]
        return {"enrol": {**deck, "by": name}} if isinstance(deck, Mapping) else dict(request)
    if act == "test":
        return dict(request) if request["test"] == "over" else {**request, "by": name}
    if act in METHODS:
        return dict(request)
    return {**request, "by": by}
