"""Which decisions and prompts belong to the numbers in `tablectl/core/engine/versions.py`: short digests of every hand
file, kept in `versions.txt`. `make versions` writes them anew after a number was raised, and adds new hand files.

A hand file whose facts changed is a new one. What else differs is a change of the program.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from tablectl.core.engine.versions import PROMPTS, RULES
from tablectl.core.events.codec import encode_json, to_plain
from tablectl.games.registry import rulebook_of
from tablectl.journal.handfile.file import parse
from tablectl.journal.handfile.playing import compare, found_lines, played
from tablectl.journal.record import faces_up
from tests.journal.journals import HANDS

KEPT: Final = Path(__file__).with_name("versions.txt")
#: Of a digest: enough to see that something changed.
_DIGITS: Final = 8


class Digests(NamedTuple):
    """Of one hand file: its facts, what is decided (with reveals and carry), what the croupier is told."""

    facts: str
    rules: str
    prompts: str


class Kept(NamedTuple):
    """The numbers, and the digests that belong to them by the name of a hand file."""

    rules: int
    prompts: int
    by_hand: Mapping[str, Digests]


def hand_files() -> list[Path]:
    """All of them, in the order of their names."""
    return sorted(HANDS.rglob("*.hand"))


def name_of(path: Path) -> str:
    """Game and name of a hand file."""
    return str(path.relative_to(HANDS).with_suffix(""))


def play_file(text: str) -> tuple[list[str], Digests]:
    """A hand file played once: where it differs from what is written, and its digests."""
    facts, rules, prompts = hashlib.sha256(), hashlib.sha256(), hashlib.sha256()
    for line in filter(None, map(str.strip, text.splitlines())):
        if line[0] not in "<#":
            facts.update(line.encode() + b"\n")
    found: list[str] = []
    for step, decisions, table in played(parse(text), rulebook_of):
        found += map(str, compare(step, found_lines(step, decisions, table)))
        rules.update(encode_json((decisions, [draw for draw, _ in faces_up(decisions)])))
        if not table.state.in_play:
            rules.update(encode_json(to_plain(table.carry())))
        prompts.update(encode_json(table.prompt()))
    return found, Digests(*(digest.hexdigest()[:_DIGITS] for digest in (facts, rules, prompts)))


def kept(text: str) -> Kept:
    """What stands in `versions.txt`."""
    (_, rules), (_, prompts), *hands = (line.split() for line in text.splitlines())
    return Kept(int(rules), int(prompts), {name: Digests(*digests) for name, *digests in hands})


def written(now: Kept) -> str:
    """`versions.txt` as it has to stand."""
    hands = (f"{name} {' '.join(digests)}" for name, digests in sorted(now.by_hand.items()))
    return "\n".join((f"rules {now.rules}", f"prompts {now.prompts}", *hands)) + "\n"


def same_facts(before: Kept, now: Kept) -> Mapping[str, tuple[Digests, Digests]]:
    """The hand files that both have with the same facts."""
    return {
        name: (before.by_hand[name], digests)
        for name, digests in now.by_hand.items()
        if name in before.by_hand and before.by_hand[name].facts == digests.facts
    }


def changes(before: Kept, now: Kept) -> Iterator[str]:
    """A sentence for each number that has to be raised: what belongs to it changed, and it did not."""
    if before.rules != now.rules:
        return  # prompts are compared only where the rules are the same
    known = same_facts(before, now)
    if names := [name for name, (was, is_now) in known.items() if was.rules != is_now.rules]:
        yield _raise("RULES", now.rules, "decisions, reveals or carries", names)
    names = [name for name, (was, is_now) in known.items() if was.prompts != is_now.prompts]
    if names and before.prompts == now.prompts:
        yield _raise("PROMPTS", now.prompts, "prompts", names)


def _raise(what: str, number: int, of: str, names: list[str]) -> str:
    return (
        f"the {of} of {len(names)} hand files changed (first: {names[0]}), and {what} is still {number}: "
        f"raise {what} in tablectl/core/engine/versions.py by one, then run `make versions`"
    )


def of_this_program(by_hand: Mapping[str, Digests]) -> Kept:
    """Digests of hand files with the numbers of this program."""
    return Kept(RULES, PROMPTS, by_hand)


def main() -> int:
    """Write `versions.txt`, where the numbers belong to it."""
    now = of_this_program({name_of(path): play_file(path.read_text(encoding="utf-8"))[1] for path in hand_files()})
    if KEPT.exists() and (told := list(changes(kept(KEPT.read_text(encoding="utf-8")), now))):
        sys.stderr.writelines(f"{text}\n" for text in told)
        return 1
    KEPT.write_text(written(now), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
