"""Which hand files show something that no other one before them shows, for tests that cost much for each hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tablectl.handfile.file import HandFile, Step

#: Facts whose second word says what happened, and of which no other word does.
_SAID_SECOND = frozenset({"press", "declare", "fault", "lost", "back", "act", "tag"})
#: Decisions of which the second word says something of its own.
_ASKED = frozenset({"asked", "phase"})


def words_of(hand: HandFile) -> frozenset[str]:
    """What happens in a hand, without who and how much: facts with their keys, declarations and remedies, cards that
    are told in another way than by their code, what is decided, asked and entered; equipment and tracking."""
    told = (each for step in hand.steps for each in _of_step(step))
    return frozenset((hand.setup.equipment, hand.setup.tracking, *told))


def _of_step(step: Step) -> Iterator[str]:
    fact, *rest = step.text.partition(" #")[0].split()
    yield fact
    if fact in _SAID_SECOND:
        yield f"{fact} {'seat' if rest[0].startswith(('seat-', 'card=')) else rest[0]}"
    elif fact in ("rule", "player"):
        yield f"{fact} {rest[1]}"
    else:
        yield from (f"{fact} {each}" for each in rest if each in ("??", "hidden", "repeated", "sealed", "consent"))
    for _, line in step.expected:
        decision, *rest = line.split()
        yield f"< {decision}"
        if decision in _ASKED:
            yield f"< {decision} {rest[0]}"
        elif decision == "closed":
            yield f"< closed {rest[1]}"


def various(hands: Iterable[tuple[str, HandFile]]) -> Iterator[bool]:
    """For each hand, by the name of its file, whether it brings something that no hand of its game before it brought:
    one of `words_of`, or a part of the document (`THL-CRE`) with its equipment."""
    shown: dict[str, set[str]] = {}
    for name, hand in hands:
        known = shown.setdefault(hand.setup.rulebook, set())
        part = "-".join(name.split("-")[:2])
        brought = {*words_of(hand), f"{part} with {hand.setup.equipment}"}
        yield not brought <= known
        known |= brought
