"""Which few hand files show together all that any of them shows, for tests that cost much for each hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablectl.journal.handfile.file import HandFile, Step

#: Facts whose second word says what happened, and of which no other word does.
_SAID_SECOND = frozenset({"press", "declare", "fault", "lost", "back", "act", "tag"})
#: What every hand costs besides its own steps, in steps: the table is opened, and its journal.
_OPENING_STEPS = 6
#: Decisions of which the second word says something of its own.
_ASKED = frozenset({"asked", "phase"})


def words_of(hand: HandFile) -> frozenset[str]:
    """What happens in a hand, without who and how much: facts with their keys, declarations and remedies, cards that
    are told in another way than by their code, what is decided, asked and entered; equipment and tracking."""
    told = (text for step in hand.steps for text in _of_step(step))
    return frozenset((hand.setup.equipment, hand.setup.tracking, *told))


def _of_step(step: Step) -> Iterator[str]:
    fact, *rest = step.text.partition(" #")[0].split()
    yield fact
    if fact in _SAID_SECOND:
        yield f"{fact} {'seat' if rest[0].startswith(('seat-', 'card=')) else rest[0]}"
    elif fact in ("rule", "player"):
        yield f"{fact} {rest[1]}"
    else:
        yield from (f"{fact} {text}" for text in rest if text in ("??", "hidden", "repeated", "sealed", "consent"))
    for _, line in step.expected:
        decision, *rest = line.split()
        yield f"< {decision}"
        if decision in _ASKED:
            yield f"< {decision} {rest[0]}"
        elif decision == "closed":
            yield f"< closed {rest[1]}"


def various(hands: Iterable[tuple[str, HandFile]]) -> list[bool]:
    """For each hand, by the name of its file, whether it is one of the few that bring together all that the hands of
    its game bring: each of `words_of`, and each part of the document (`THL-CRE`) with its equipment. Chosen is, time
    and again, who brings the most that is new for its length; of equals, the first."""
    known = list(hands)
    brought = [_brought(name, hand) for name, hand in known]
    chosen = [False] * len(known)
    for rulebook in dict.fromkeys(hand.setup.rulebook for _, hand in known):
        of_game = [at for at, (_, hand) in enumerate(known) if hand.setup.rulebook == rulebook]
        left = set[str]().union(*(brought[at] for at in of_game))
        while left:
            best = max(of_game, key=lambda at: len(brought[at] & left) / (len(known[at][1].steps) + _OPENING_STEPS))
            chosen[best] = True
            left -= brought[best]
    return chosen


def _brought(name: str, hand: HandFile) -> frozenset[str]:
    part = "-".join(name.split("-")[:2])
    return words_of(hand) | {f"{part} with {hand.setup.equipment}"}
