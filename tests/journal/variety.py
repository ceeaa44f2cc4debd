"""Which few hand files show together all that any of them shows, for tests that cost much for each hand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

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
    its game bring: each of `words_of`, and each part of the document (`THL-CRE`) with its equipment."""
    known = list(hands)
    chosen = set[int]()
    for rulebook in dict.fromkeys(hand.setup.rulebook for _, hand in known):
        brought = {at: _brought(name, hand) for at, (name, hand) in enumerate(known) if hand.setup.rulebook == rulebook}
        chosen |= _fewest(brought, known)
    return [at in chosen for at in range(len(known))]


def fewest(hands: Iterable[tuple[str, HandFile]], among: Iterable[bool]) -> list[bool]:
    """For each hand whether it is one of the still fewer ones that bring together each of `words_of`, in whichever
    game: some of those that are `among` them."""
    known = list(hands)
    brought = {at: words_of(known[at][1]) for at, is_chosen in enumerate(among) if is_chosen}
    chosen = _fewest(brought, known)
    return [at in chosen for at in range(len(known))]


def _fewest(brought: Mapping[int, frozenset[str]], known: Sequence[tuple[str, HandFile]]) -> set[int]:
    """Which of them bring together all that they bring. Chosen is, time and again, who brings the most that is new for
    its length; of equals, the first."""
    cost = {at: len(known[at][1].steps) + _OPENING_STEPS for at in brought}
    left, chosen = set[str]().union(*brought.values()), set[int]()
    while left:
        best = max(brought, key=lambda at: len(brought[at] & left) / cost[at])
        chosen.add(best)
        left -= brought[best]
    return chosen


def _brought(name: str, hand: HandFile) -> frozenset[str]:
    part = "-".join(name.split("-")[:2])
    return words_of(hand) | {f"{part} with {hand.setup.equipment}"}
