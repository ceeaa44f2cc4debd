"""Somebody who took over the screens: he has their user, the two sockets that it reaches, and knows every name."""

from __future__ import annotations

import json
import socket
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any, Final

from tablectl.core.access import AccessKind
from tablectl.people.service.authority import METHODS, WORDS

#: How many lines he sends before he reads what came of them.
_AT_ONCE: Final = 50
_NAMES: Final = ("ghosta", "ghostb", "croupier", "pit-boss", "manager", "everybody", "system", "console", "")
_LINES: Final = (
    "press new-hand",
    "press deal",
    "limits ante=500..600 by {by}",
    "rule 1 void by {by} because",
    "correct 2 press fold by {by}",
    "transfer 1 2 100 by {by}",
    "croupier {name}",
    "croupier-off {name}",
    "acknowledge 1 by {by}",
    "call by {by}",
    "bet 1 ante 500",
    "name seat-1-a As by {by}",
    "shelve incident-1 30 by {by} later",
)


def forged(random: Random) -> bytes:
    """A line for the controller, under names of others."""
    by, name = "+".join(random.sample(_NAMES, random.randint(1, 2))), random.choice(_NAMES)
    asked: dict[str, Any] = random.choice(
        (
            {"enter": random.choice(_LINES).format(by=by, name=name), "by": by},
            {"use": "texas-bonus", "by": name},
            {"float": random.choice(("opening", "fill", "count")), "amount": 500, "by": name, "second": "ghostb"},
            {"test": "lamps", "by": name},
            {"preview": f"correct 2 press fold by {by}"},
            {"unseal": {"request": f"hand 1 by {name}", "signature": "0" * 128}},
            {"enrol": {"deck": "d", "reader": "r", "by": name}},
            {"access": {"id": "0" * 32, "number": random.randint(1, 9), "at": "2026-11-21T20:00:00Z",
                        "what": random.choice(list(AccessKind)), "who": name, "role": "manager", "about": "x",
                        "granted": True}},
        )
    )  # fmt: skip
    return json.dumps(asked).encode()


def asserted(random: Random, stolen: str) -> bytes:
    """A line for whoever keeps the accounts, with tokens that he made up or kept back."""
    token = random.choice((stolen, "", "x" * 43, f"{random.getrandbits(256):064x}", *_NAMES))
    source = {"address": "127.0.0.1", "is_at_table": True, "browser": token}
    by = "+".join(random.sample(_NAMES, 2))
    request: dict[str, Any] = random.choice(
        (
            *({"enter": line.format(by=by, name=random.choice(_NAMES)), "by": by} for line in _LINES),
            *({word: "anything"} for word in (*WORDS, *METHODS, "access", "use", "receipt", "follow")),
            {"float": "count", "amount": 5, "by": "manager", "second": "pit-boss"},
            {"enter": "limits ante=500..600 by manager+pit-boss", "by": "manager+pit-boss", "access": {}},
        )
    )
    second = random.choice((None, None, {"name": random.choice(_NAMES), "secret": ""}))
    asked: dict[str, Any] = random.choice(
        (
            {"ask": "act", "token": token, "request": request, "source": source, "second": second},
            {"ask": "progress", "act": {"token": token, "request": request, "source": source}},
            {"ask": "administer", "token": token, "do": "add", "name": "ghosta", "display": "", "roles": ["manager"]},
            {"ask": "administer", "token": token, "do": "reset", "name": "manager"},
            {"ask": "register", "token": token},
            {"ask": "look", "token": token, "kind": random.choice(list(AccessKind)), "role": "manager", "about": "x"},
            {"ask": "sign-on-by-badge", "source": source, "wait_s": 0.0, "replaces": token},
            {"ask": "change-secret", "token": token, "way": "password", "old": "", "new": "x" * 20, "source": source},
            {"ask": "who", "token": token, "is_activity": True},
            {"ask": "choose-language", "token": token, "language": "xx"},
            {"ask": random.choice(("everything", "act", "sign-on")), "token": token, "roles": ["manager"]},
        )
    )
    return json.dumps(asked).encode()


def broken(random: Random, line: bytes) -> bytes:
    """The same, with something wrong in its bytes now and then."""
    if random.random() < 0.8:
        return line
    at = random.randrange(len(line))
    spoiled = line[:at] + bytes([random.randrange(256)]) + line[at + random.randint(0, 3) :]
    return spoiled.replace(b"\n", b" ") or b" "


def attack(controller: Path, accounts: Path, stolen: str, seed: int, lines: int) -> Counter[str]:
    """Send so many lines, half of them to each; what kind of answers came, and how many of each."""
    random, came = Random(seed), Counter[str]()
    for to, make in ((controller, forged), (accounts, lambda random: asserted(random, stolen))):
        with socket.socket(socket.AF_UNIX) as connection, connection.makefile("rb") as answers:
            connection.settimeout(60)
            connection.connect(str(to))
            for _ in range(lines // 2 // _AT_ONCE):
                sent = [broken(random, make(random)) for _ in range(_AT_ONCE)]
                connection.sendall(b"".join(line + b"\n" for line in sent))
                for line in sent:
                    answer = answers.readline()
                    came[_kind(json.loads(answer)) if answer else f"hung up after {line!r}"] += 1
    return came


def _kind(answer: dict[str, Any]) -> str:
    """What an answer says, in short."""
    if "refused" in answer and isinstance(answer["refused"], dict) and "kind" in answer["refused"]:
        return str(answer["refused"]["kind"])
    if "answer" in answer:
        found = answer["answer"]
        is_nothing = found in (None, False) or found == {"signed_on": None, "alarm_view": None, "language": ""}
        return "nothing" if is_nothing else f"given {json.dumps(found)[:80]}"
    if answer.get("ok") is True:
        return f"done {json.dumps(answer)[:80]}"
    return "refused" if answer.get("ok") is False else f"told {json.dumps(answer)[:80]}"
